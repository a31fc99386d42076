"""The smallest plan: one value per slot, each change worth its effort."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np

from advisor.engine.conditions import LimitState, check_limits
from advisor.engine.levers import Lever, Settings
from advisor.engine.pack import Pack, Rule
from advisor.engine.rounding import round_within
from advisor.engine.situation import FrameworkFacts, number
from advisor.facts.scenario import Scenario
from advisor.model.configuration import configure, work_interval
from advisor.model.lost_work import goodput
from advisor.model.optimum import best_interval
from advisor.model.pattern import Pattern, period

PLAN_SLOTS = ("writers", "path", "coordination")
"""Slots a plan searches beside the interval; restart and hardware are judged on top of it."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A change some rule offers for this job."""

    rule: Rule
    lever: Lever
    settings: Settings


@dataclass(frozen=True, slots=True)
class Choice:
    """One plan: offers in force, the interval, and what they give.

    Attributes:
        offers: changes taken, in the order they are applied.
        interval: settings of a retuned interval; None keeps it.
        scenario: with everything applied.
        goodput: of that scenario.
        effort: sum of the weights.
        conditions: limits whose facts are unknown.
    """

    offers: tuple[Offer, ...]
    interval: Settings | None
    scenario: Scenario
    goodput: float
    effort: float
    conditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Search:
    """The plan chosen, and what limits ruled out.

    Attributes:
        choice: None where the goodput as it is cannot be computed.
        refused: lever id to the limit's sentence.
        options: every choice of offers that keeps the limits.
    """

    choice: Choice | None
    refused: Mapping[str, str]
    options: tuple[tuple[Offer, ...], ...] = ()


def applied(sc: Scenario, offers: Sequence[Offer], interval: Settings | None) -> Scenario:
    """A scenario with the settings of some offers, and of the interval, held."""
    for offer in offers:
        sc = offer.lever.apply(sc, offer.settings)
    return sc if interval is None else sc.changed(interval)


def goodput_of(sc: Scenario) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None:
    """Goodput of a scenario at its interval; None while something is unknown; arrays welcome."""
    c = configure(sc)
    if c is None or c.pattern is None or bool(np.any(c.every < 1)):
        return None
    tau = work_interval(sc, c.pattern)
    return None if tau is None else goodput(c.pattern, tau)


def _stack(patterns: Sequence[Pattern]) -> Pattern:
    names = Pattern.__dataclass_fields__
    return Pattern(**{n: np.array([float(getattr(p, n)) for p in patterns]) for n in names})


def _subsets(offers: Sequence[Offer]) -> list[tuple[Offer, ...]]:
    """Every choice of offers; two offers of the same lever exclude each other."""
    every = chain.from_iterable(combinations(offers, n) for n in range(len(offers) + 1))
    return [c for c in every if len({o.lever.id for o in c}) == len(c)]


def retune(sc: Scenario, p: Pattern, best: float, low: float, high: float) -> Settings:
    """Settings of the interval at a round value inside the band, in the unit the job uses.

    Args:
        sc: the scenario the interval is for.
        p: its pattern.
        best: best interval, s of work.
        low: lower end of the flat band, s.
        high: upper end, s.
    """
    step = number(sc.number("step_time"))
    if sc.number("interval") is None and step:
        steps = round_within(best / step, low / step, high / step, steps=True)
        return {"interval_steps": steps}
    if sc.word("interval_basis") == "clock":
        ends = [float(period(p, tau)) for tau in (best, low, high)]
        return {"interval": round_within(ends[0], ends[1], ends[2], steps=False)}
    return {"interval": round_within(best, low, high, steps=False)}


def needs_no_saves(sc: Scenario, free: float | None, best: float) -> bool:
    """Whether a job reaches the same without periodic saves, and may do without them.

    Args:
        sc: the job; saves fixed by policy or read for science stay.
        free: goodput without periodic saves, None while the length is unknown.
        best: goodput at the best interval.
    """
    if free is None or sc.word("interval_decided_by") in ("policy", "science"):
        return False
    return free >= best - sc.constant("least_gain")


def effort_of(rule: Rule, sc: Scenario) -> float:
    """Weight of a rule's change: configuration 1, version change 3, hardware present 5."""
    name = f"effort_{rule.effort}"
    return sc.constant(name) if name in sc.catalogue.constants else 0.0


def search(
    base: Scenario,
    offers: Sequence[Offer],
    pack: Pack,
    framework: FrameworkFacts,
    *,
    interval_free: bool,
) -> Search:
    """The plan for one job.

    Every subset of the offers is tried with the present interval and with a retuned one. A subset
    that breaks a limit the job does not break already is out; a limit whose facts are unknown
    becomes a condition.

    Args:
        base: the calibrated job as it is.
        offers: changes of the rules that hit.
        pack: the hard limits.
        framework: what is known of the framework.
        interval_free: whether the interval may change (not where a policy fixes it).
    """
    slots = [o for o in offers if o.lever.slot in PLAN_SLOTS]
    already = {s.limit.id for s in check_limits(base, pack, framework) if s.broken}
    refused: dict[str, str] = {}
    options: list[tuple[tuple[Offer, ...], Scenario, Pattern, tuple[str, ...]]] = []
    for subset in _subsets(slots):
        sc = applied(base, subset, None)
        states = check_limits(sc, pack, framework)
        broken = [s for s in states if s.broken and s.limit.id not in already]
        if broken:
            if len(subset) == 1:
                refused[subset[0].lever.id] = broken[0].text
            continue
        c = configure(sc)
        if c is None or c.pattern is None or bool(np.any(c.every < 1)):
            continue
        options.append((subset, sc, c.pattern, _conditions(states, already)))
    if not options:
        return Search(None, refused)
    choices = _choices(options, base, interval_free=interval_free)
    return Search(_smallest(choices, base), refused, tuple(o[0] for o in options))


def _conditions(states: Sequence[LimitState], already: set[str]) -> tuple[str, ...]:
    return tuple(s.text for s in states if s.unknown and s.limit.id not in already)


def _choices(
    options: Sequence[tuple[tuple[Offer, ...], Scenario, Pattern, tuple[str, ...]]],
    base: Scenario,
    *,
    interval_free: bool,
) -> list[Choice]:
    band = base.constant("flat_band")
    best = best_interval(_stack([p for _, _, p, _ in options]), band)
    out: list[Choice] = []
    for i, (subset, sc, p, conditions) in enumerate(options):
        effort = sum(effort_of(o.rule, base) for o in subset)
        kept = number(goodput_of(sc))
        if kept is not None:
            out.append(Choice(subset, None, sc, kept, effort, conditions))
        if interval_free and number(work_interval(base, p)) is not None:
            ends = (float(best.interval[i]), float(best.band_low[i]), float(best.band_high[i]))
            settings = retune(sc, p, *ends)
            tuned = sc.changed(settings)
            value = number(goodput_of(tuned))
            if value is not None:
                weight = effort + base.constant("effort_configuration")
                out.append(Choice(subset, settings, tuned, value, weight, conditions))
    return out


def _smallest(choices: Sequence[Choice], base: Scenario) -> Choice | None:
    """The plan with the best goodput less 0.1 point per unit of effort.

    So a change of configuration must bring 0.1 point to be proposed, hardware that is there but
    unused half a point; with nothing worth its effort the job stays as it is. Ties: the higher
    goodput, then the id.
    """
    price = base.constant("least_gain")

    def rank(choice: Choice) -> tuple[float, float, tuple[str, ...]]:
        ids = tuple(o.lever.id for o in choice.offers)
        return (price * choice.effort - choice.goodput, -choice.goodput, ids)

    return min(choices, key=rank, default=None)


@dataclass(frozen=True, slots=True)
class Part:
    """One step of the plan before it is worded: an offer, or the interval (offer None)."""

    offer: Offer | None
    goodput_before: float
    gain: float


def ordered(base: Scenario, choice: Choice) -> list[Part]:
    """The steps of a plan, the largest next gain first; the gains add up to the whole."""
    now = number(goodput_of(base))
    if now is None:
        return []
    left: list[Offer | None] = [*choice.offers]
    if choice.interval is not None:
        left.append(None)
    done: list[Offer] = []
    tuned: Settings | None = None
    parts: list[Part] = []
    while left:
        trials = []
        for item in left:
            offers = [*done, item] if item is not None else done
            offers = [o for o in choice.offers if o in offers]
            interval = choice.interval if item is None else tuned
            value = number(goodput_of(applied(base, offers, interval)))
            trials.append((value if value is not None else -1.0, item))
        value, item = max(trials, key=lambda t: t[0])
        parts.append(Part(item, now, value - now))
        now = value
        left.remove(item)
        if item is None:
            tuned = choice.interval
        else:
            done.append(item)
    return parts


def without(
    choice: Choice, base: Scenario, part: Part
) -> tuple[tuple[Offer, ...], Settings | None]:
    """Offers and interval of the plan without one step, the others held."""
    if part.offer is None:
        return choice.offers, None
    return tuple(o for o in choice.offers if o is not part.offer), choice.interval
