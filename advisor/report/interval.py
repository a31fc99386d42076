"""What to do with the interval: with the plan, and as things are now."""

from __future__ import annotations

from advisor.engine.advice import Advice, Step
from advisor.engine.message import money, percent, points
from advisor.report.changes import flips_text, no_flips_text
from advisor.report.document import Block, Bullets, Heading, Paragraph, Runs, Strong, Text, text
from advisor.report.opening import CHANGE
from advisor.report.words import (
    GIVEN,
    changes_text,
    fact_text,
    interval_text,
    one_line,
    span,
)

_SAID = ("CKI01", "CKI02", "CKI03")
"""Rules whose whole message is the verdict this section prints anyway."""

_FAMILY = "CKI"
"""Ids of the rules about the interval begin with this."""


def interval_blocks(advice: Advice) -> tuple[Block, ...]:
    """Heading, verdict and flip points; without a best interval what the rules say of it."""
    if advice.before.shown_best is None:
        said = tuple(text(words) for words in _said_by_rules(advice))
        return (Heading(3, text("The interval")), Bullets(said)) if said else ()
    items = _items(advice)
    head = (Heading(3, text(f"The interval: {_verdict(advice)}")),)
    return (*head, Bullets(tuple(items))) if items else head


def interval_in_short(advice: Advice) -> tuple[Block, ...]:
    """The verdict in one paragraph."""
    if advice.before.shown_best is None:
        return ()
    words = _with_plan(advice) if advice.plan else advice.verdict.text
    return (Paragraph((Strong(f"The interval: {_verdict(advice)}."), Text(f" {words}"))),)


def _step(advice: Advice) -> Step | None:
    names = ("interval", "interval_steps")
    return next((s for s in advice.plan if any(n in s.settings for n in names)), None)


def _fixed(advice: Advice) -> bool:
    return advice.facts["interval_decided_by"].value == "policy"


def _verdict(advice: Advice) -> str:
    """A few words: "keep 15 min", "40 min instead of 2 min (change 1)"."""
    now = advice.before.shown_interval
    step = _step(advice)
    if now is None:
        best = advice.before.shown_best
        return "unknown" if best is None else f"{interval_text(advice, best)} is best"
    shown = interval_text(advice, now)
    if advice.after.no_interval_helps:
        return "none helps"
    if step is not None and advice.after.shown_interval is not None:
        after = interval_text(advice, advice.after.shown_interval)
        return f"{after} instead of {shown} (change {step.order})"
    if _fixed(advice):
        return f"{shown}, fixed by a policy"
    if advice.plan:
        return f"keep {shown}"
    words = {
        "keep": f"keep {shown}",
        "longer": f"{shown} is too short",
        "shorter": f"{shown} is too long",
        "none": "no periodic save is best",
    }
    return words.get(advice.verdict.interval or "", shown)


def _with_plan(advice: Advice) -> str:
    """The flat band after the changes, in one sentence."""
    after = advice.after
    if after.shown_band is None or after.shown_best is None:
        return ""
    if after.no_interval_helps:
        return f"After {changes_text(advice.plan)} no interval is better than another."
    start = (
        f"After {changes_text(advice.plan)} every interval from {span(advice, after.shown_band)}"
    )
    words = f"{start} is as good as the best, {interval_text(advice, after.shown_best)}."
    low, high = after.shown_band
    outside = after.shown_interval is not None and not low <= after.shown_interval <= high
    if outside and after.goodput is not None and after.best_goodput is not None:
        more = points(after.best_goodput - after.goodput)
        words += f" {interval_text(advice, after.shown_interval or 0.0)} is {more} short of it."
    return words


def _items(advice: Advice) -> list[Runs]:
    out: list[Runs] = []
    if advice.plan:
        words = _with_plan(advice)
        if words:
            out.append(text(words))
        out.append((Strong(_until(advice)), Text(_now(advice))))
    else:
        out.append(text(advice.verdict.text))
    if advice.verdict.thresholds:
        where = flips_text(advice, advice.verdict.thresholds)
        which = "That verdict" if advice.plan else "The verdict"
        out.append((Strong(f"{which} flips at: "), Text(where)))
    if advice.verdict.no_flips:
        out.append((Strong("Holds: "), Text(no_flips_text(advice, advice.verdict.no_flips))))
    out += [text(words) for words in _said_by_rules(advice)]
    if advice.framework is not None:
        used = advice.framework
        out.append((Strong("Set with: "), Text(f"{used.set_with} ({used.name}).")))
    decided = advice.facts["interval_decided_by"]
    if decided.source in GIVEN and not _fixed(advice):
        out.append(text(f"Decided by: {fact_text(decided)}."))
    return out


def _until(advice: Advice) -> str:
    """What the verdict on the job as it is holds for; beside a change of the interval both hold."""
    step = _step(advice)
    others = [s for s in advice.plan if s is not step]
    if step is None or not others:
        return "As things are now: "
    return f"Until {changes_text(others)} {'is' if len(others) == 1 else 'are'} in: "


def _now(advice: Advice) -> str:
    """The verdict as things are, and what the interval alone would bring if the plan has to wait.

    Nothing is proposed against a policy.
    """
    before = advice.before
    words = advice.verdict.text
    best, gain = before.shown_best, None
    if before.best_goodput is not None and before.goodput is not None:
        gain = before.best_goodput - before.goodput
    turning = advice.verdict.interval in ("longer", "shorter")
    alone = len(advice.plan) == 1 and _step(advice) is not None
    if not turning or _fixed(advice) or alone or best is None or gain is None:
        return words
    price = ""
    if before.cost_per_year is not None:
        price = f", saves {money(gain * before.cost_per_year)} a year"
    others = changes_text([s for s in advice.plan if s is not _step(advice)])
    waits = "has to wait" if others.startswith("change ") else "have to wait"
    return (
        f"{words} If {others} {waits}, set {interval_text(advice, best)}: "
        f"{percent(before.best_goodput or 0.0)} goodput{price}."
    )


def _said_by_rules(advice: Advice) -> list[str]:
    return [
        one_line(" ".join((f.message, *f.remedy)))
        for f in advice.hits()
        if f.rule.startswith(_FAMILY) and f.order == CHANGE and f.rule not in _SAID
    ]


def about_interval(rule: str) -> bool:
    """Whether this section speaks for a rule."""
    return rule.startswith(_FAMILY)
