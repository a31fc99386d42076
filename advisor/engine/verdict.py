"""The verdict on the present interval, and the first sentence of the ticket."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from advisor.engine.advice import IntervalVerdict, Step, Threshold, Verdict, View
from advisor.engine.choices import longest_interval
from advisor.engine.message import money, percent
from advisor.engine.pack import Pack
from advisor.engine.plan import goodput_of, needs_no_saves
from advisor.engine.situation import Situation, number
from advisor.engine.thresholds import Margin, gain_flips
from advisor.engine.view import no_interval_helps
from advisor.facts.display import format_value
from advisor.facts.scenario import Scenario
from advisor.model.configuration import configure
from advisor.model.normal import Floats
from advisor.model.optimum import best_goodput
from advisor.model.waits import period

HALF = 0.5
"""Below this best goodput more than half of the compute is lost at any interval."""


def interval_kind(s: Situation) -> IntervalVerdict | None:
    """Keep, longer, shorter or none for the present interval; None while it cannot be told."""
    tau, best = number(s.estimate.interval), s.estimate.best
    if best is None or tau is None:
        return None
    shares, free = s.estimate.shares, number(s.estimate.no_checkpoint)
    now = 0.0 if shares is None else float(shares.goodput)
    if needs_no_saves(s.scenario, free, now, float(best.goodput)):
        return "none"
    longest = longest_interval(s.scenario)
    if tau <= longest and now >= float(best.goodput) - s.scenario.constant("flat_band"):
        # Also an interval longer than the job, which then ends without a save.
        return "keep"
    if tau < min(float(best.band_low), longest):
        return "longer"
    return "shorter" if tau > min(float(best.band_high), longest) else "keep"


def interval_verdict(s: Situation, pack: Pack) -> Verdict:
    """Keep, longer, shorter or none for the present interval, with where that flips."""
    e = s.estimate
    tau, best = number(e.interval), e.best
    if best is None:
        return Verdict(None, _no_verdict(s))
    longest = longest_interval(s.scenario)
    ends = (best.interval, best.band_low, best.band_high)
    at, low, high = (min(float(v), longest) for v in ends)
    band = f"{_shown(s, low)} to {_shown(s, high)}"
    lost = _half_lost(float(best.goodput))
    if tau is None:
        text = f"Best: {_shown(s, at)}; {band} is as good."
        return Verdict(None, text + lost)
    kind, free = interval_kind(s), number(e.no_checkpoint)
    if no_interval_helps(s):
        return Verdict("keep", f"No interval helps: {_what_takes_it(s)}")
    if kind == "none" and free is not None:
        text = (
            f"No periodic save: the whole job reaches {percent(free)} without, "
            f"{percent(float(best.goodput))} at the best interval."
        )
        return Verdict(kind, text + lost)
    now = _shown(s, tau)
    rule = {"longer": "CKI01", "shorter": "CKI02"}.get(kind or "", "CKI03")
    facts = pack.rules[rule].flip if rule in pack.rules else ()
    flips, none = gain_flips(_margin(s.scenario, kind or "keep"), s.scenario, facts)
    close = _close_call(s.scenario, flips)
    just = ", just" if close and kind == "keep" else " just" if close else ""
    text = {
        "longer": f"{now} is{just} too short: {band} is within 0.1 point of the best.",
        "shorter": f"{now} is{just} too long: {band} is within 0.1 point of the best.",
    }.get(kind or "", f"Keep {now}{just}: {band} is within 0.1 point of the best.")
    if kind == "keep" and not low <= tau <= high and not close:
        text = f"Keep {now}: no other interval gives 0.1 point more."
    return Verdict(kind, text + close + lost, flips, none)


def _close_call(sc: Scenario, flips: Sequence[Threshold]) -> str:
    """That the verdict turns within the error of a measurement, and where; "" where it does not."""
    nearest = min(flips, key=lambda flip: flip.margin, default=None)
    if nearest is None or nearest.margin > 1 + sc.constant("spread_measured"):
        return ""
    name = nearest.label[:1].lower() + nearest.label[1:]
    at = now = ""
    for digits in (3, 4, 6):
        # As many as tell the two apart.
        at, now = (format_value(v, nearest.kind, digits=digits) for v in (nearest.at, nearest.now))
        if at != now:
            break
    turns = f"{name} of {at} instead of {now} turns it"
    return f" A close call: {turns}; keeping or changing it differs by about 0.1 point."


def _what_takes_it(s: Situation) -> str:
    """Why nothing is left at any interval: the restarts alone, or the saves with them."""
    shares, best = s.estimate.shares, s.estimate.best
    if shares is not None and float(shares.restart) > HALF:
        return f"restarts alone take {percent(float(shares.restart))} of the time at any of them."
    kept = 0.0 if best is None else float(best.goodput)
    return f"the best of them keeps {percent(kept)}."


def _shown(s: Situation, interval: float) -> str:
    """An interval as people set it: by the clock, as work, or with the steps of the job."""
    sc, c = s.scenario, s.estimate.configuration
    clock = sc.word("interval_basis") == "clock" and sc.number("interval") is not None
    if clock and c is not None and c.pattern is not None:
        return format_value(float(period(c.pattern, interval)), "duration")
    text, step = format_value(interval, "duration"), number(sc.number("step_time"))
    if sc.number("interval") is not None or not step:
        return text
    return f"{text} ({max(1, round(interval / step)):,} steps)"


def _no_verdict(s: Situation) -> str:
    """Why there is none: no copy is safe, or nobody knows how long a save takes."""
    c = s.estimate.configuration
    if c is None or not bool(np.any(c.every < 1)):
        return "No verdict on the interval while the time of a save is unknown."
    top = number(s.estimate.no_checkpoint)
    lost = "No copy ever reaches the pool: an interruption that takes a node loses all work."
    return lost if top is None else f"{lost} At best {percent(top)} of this job survives that."


def _half_lost(best: float) -> str:
    return (
        "" if best >= HALF else f" At any interval more than half is lost ({percent(best)} kept)."
    )


def _margin(base: Scenario, kind: str) -> Margin:
    """Above 0 while the verdict holds: distance of the interval to the band's loss."""
    band = base.constant("flat_band")

    def margin(sc: Scenario) -> Floats | None:
        now, c = goodput_of(sc), configure(sc)
        if now is None or c is None or c.pattern is None:
            return None
        inside = band - (best_goodput(c.pattern) - now)
        return inside if kind == "keep" else np.asarray(-inside)

    return margin


def headline(before: View, after: View, plan: Sequence[Step], *, waived: bool = False) -> str:
    """What it costs now and what the plan brings, in one or two sentences."""
    if before.goodput is None:
        return "The goodput cannot be computed yet; what is missing is listed."
    lost = percent(1 - before.goodput)
    cost = before.idle_cost_per_year
    price = "" if cost is None else f", {money(cost)} a year"
    first = f"Checkpoints and failures cost this job {lost} of its compute{price}."
    if not plan and before.no_interval_helps and before.loss and before.loss.restart > HALF:
        alone = percent(before.loss.restart)
        only = "Only a faster restart or fewer interruptions help"
        return f"{first} Restarts alone take {alone}, at any interval and with any storage. {only}."
    if not plan:
        beside = " beside what was waived" if waived else ""
        best = f"nothing better is within reach by 0.1 point{beside}"
        return f"{first} Keep the configuration: {best}."
    if after.goodput is None:
        return first
    count = "One change brings" if len(plan) == 1 else f"{_word(len(plan))} changes bring"
    return f"{first} {count} that to {percent(1 - after.goodput)}."


def _word(count: int) -> str:
    words = ("No", "One", "Two", "Three", "Four", "Five", "Six")
    return words[count] if count < len(words) else str(count)
