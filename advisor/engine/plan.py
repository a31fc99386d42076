"""The smallest plan: one value per slot, each change worth its effort."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from advisor.engine.choices import (
    Choice,
    Offer,
    Option,
    applied,
    choices_of,
    effort_name,
    effort_of,
    goodput_of,
    ids_of,
    rent_of,
)
from advisor.engine.conditions import LimitState, check_limits, excess
from advisor.engine.levers import Settings
from advisor.engine.pack import Pack
from advisor.engine.situation import FrameworkFacts, number
from advisor.facts.scenario import Scenario

__all__ = [
    "PLAN_SLOTS",
    "Choice",
    "Offer",
    "Part",
    "Search",
    "applied",
    "effort_name",
    "effort_of",
    "goodput_of",
    "needs_no_saves",
    "ordered",
    "rent_of_part",
    "search",
    "without",
]

PLAN_SLOTS = ("writers", "path", "peer", "payload", "coordination", "restart")
"""Slots a plan searches beside the interval; a faster restart as a goal and hardware are judged on
top of it."""


@dataclass(frozen=True, slots=True)
class Search:
    """The plan chosen, and what limits ruled out.

    Attributes:
        choice: None where the goodput as it is cannot be computed.
        refused: lever id (several with a plus between them, "interval" for a retuned one) to the
            limits' sentences: what is needed, what is there, how much is lacking.
        options: the choices of offers that keep the limits, the most promising ones, best first.
    """

    choice: Choice | None
    refused: Mapping[str, str]
    options: tuple[tuple[Offer, ...], ...] = ()


def _subsets(offers: Sequence[Offer]) -> list[tuple[Offer, ...]]:
    """Every choice of offers; two offers of the same lever exclude each other."""
    every = chain.from_iterable(combinations(offers, n) for n in range(len(offers) + 1))
    return [c for c in every if len(set(ids_of(c))) == len(c)]


def needs_no_saves(sc: Scenario, free: float | None, now: float, best: float) -> bool:
    """Whether a job gains by dropping its periodic saves, and may do without them.

    Args:
        sc: the job; saves fixed by policy or read for science stay, and so do those of a job that
            its wall limit stops before it is through.
        free: goodput without periodic saves, None while the length is unknown.
        now: goodput at the present interval.
        best: goodput at the best interval.
    """
    if free is None or sc.word("interval_decided_by") in ("policy", "science"):
        return False
    wall, length = number(sc.number("wall_limit")), number(sc.number("job_length"))
    if wall is not None and length is not None and wall < length:
        return False
    least = sc.constant("least_gain")
    return free >= best - least and free > now + least


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
    included = {name for o in slots for name in o.lever.includes}
    slots = [o for o in slots if o.lever.id not in included]
    now = check_limits(base, pack, framework)
    refused: dict[str, str] = {}
    allowed: list[tuple[str, ...]] = []
    options: list[Option] = []
    for subset in _subsets(slots):
        sc = applied(base, subset, None)
        if not all(o.lever.applies(sc) for o in subset):
            continue
        states = check_limits(sc, pack, framework)
        broken = excess(states, now)
        if broken:
            _refuse(subset, broken, allowed, refused)
            continue
        allowed.append(ids_of(subset))
        options.append(Option(subset, sc, _conditions(states, now)))
    choices = choices_of(options, base, interval_free=interval_free)
    rivals = sorted(choices, key=lambda c: _rank(c, base))
    kept: list[Choice] = []
    for rival in rivals:
        if len(_distinct(kept)) < _RIVALS and not _outgrows(rival, now, pack, framework, refused):
            kept.append(rival)
    return Search(kept[0] if kept else None, refused, _distinct(kept))


_RIVALS = 8
"""Choices of offers kept for what measuring is worth: others cannot become the best."""


def _refuse(
    subset: Sequence[Offer],
    broken: Sequence[LimitState],
    allowed: Sequence[tuple[str, ...]],
    refused: dict[str, str],
) -> None:
    """Note why a choice is out, with the changes without which it would keep the limits.

    Several of them keep the limits one without the other; then that is said.
    """
    why = " ".join(state.text for state in broken)
    left_out = [o for o in subset if tuple(i for i in ids_of(subset) if i != o.lever.id) in allowed]
    if len(left_out) > 1:
        both = " and ".join(f'"{o.lever.title}"' for o in left_out)
        why = f"Not together: {both}. {why}"
    if left_out:
        refused.setdefault(TOGETHER.join(ids_of(left_out)), why)


TOGETHER = "+"
"""Between the ids of changes that keep the limits one without the other."""


def _outgrows(
    choice: Choice,
    now: Sequence[LimitState],
    pack: Pack,
    framework: FrameworkFacts,
    refused: dict[str, str],
) -> bool:
    """Whether a choice breaks a limit only at its retuned interval, as the space of all copies."""
    if choice.interval is None:
        return False
    broken = excess(check_limits(choice.scenario, pack, framework), now)
    if broken:
        refused.setdefault("interval", " ".join(state.text for state in broken))
    return bool(broken)


def _distinct(choices: Sequence[Choice]) -> tuple[tuple[Offer, ...], ...]:
    """The offers of some choices, each combination once, in the order given."""
    found: dict[tuple[str, ...], tuple[Offer, ...]] = {}
    for choice in choices:
        found.setdefault(ids_of(choice.offers), choice.offers)
    return tuple(found.values())


def _conditions(states: Sequence[LimitState], now: Sequence[LimitState]) -> tuple[str, ...]:
    broken = {s.limit.id for s in now if s.broken}
    return tuple(s.text for s in states if s.unknown and s.limit.id not in broken)


def _rank(choice: Choice, base: Scenario) -> tuple[float, float, tuple[str, ...]]:
    """The plan with the best goodput less 0.1 point per unit of effort, less its rent, comes first.

    So a change of configuration must bring 0.1 point to be proposed, hardware that is there but
    unused half a point; with nothing worth its effort the job stays as it is. Ties: the higher
    goodput, then the id.
    """
    price = base.constant("least_gain")
    cost = price * choice.effort + choice.rent
    return (cost - choice.goodput, choice.rent - choice.goodput, ids_of(choice.offers))


@dataclass(frozen=True, slots=True)
class Part:
    """One step of the plan before it is worded.

    Attributes:
        offer: the change; None for the interval.
        goodput_before: before it, in the order shown.
        gain: what it adds.
        group: parts with the same number only pay together; the first of them carries their gain.
    """

    offer: Offer | None
    goodput_before: float
    gain: float
    group: int = 0


def ordered(base: Scenario, choice: Choice) -> list[Part]:
    """The steps of a plan, the largest next gain first; the gains add up to the whole.

    No step loses on the way: changes that only pay together (a shorter interval and the drives that
    make its saves cheap) come as one group.
    """
    now = number(goodput_of(base))
    if now is None:
        return []
    left: list[Offer | None] = [*choice.offers]
    if choice.interval is not None:
        left.append(None)
    done: list[Offer | None] = []
    parts: list[Part] = []
    group = 0
    while left:
        value, taken = _next_group(base, choice, done, left, now)
        group += 1
        for place, item in enumerate(taken):
            gain = value - now if place == 0 else 0.0
            parts.append(Part(item, now if place == 0 else value, gain, group))
        now = value
        done += taken
        left = [item for item in left if all(item is not t for t in taken)]
    return parts


def _next_group(
    base: Scenario,
    choice: Choice,
    done: Sequence[Offer | None],
    left: Sequence[Offer | None],
    now: float,
) -> tuple[float, list[Offer | None]]:
    """The fewest of the remaining changes that lose nothing together, the best of their size."""
    for size in range(1, len(left) + 1):
        trials = []
        for taken in combinations(left, size):
            have = [*done, *taken]
            offers = [o for o in choice.offers if any(o is h for h in have)]
            interval = choice.interval if any(h is None for h in have) else None
            value = number(goodput_of(applied(base, offers, interval)))
            trials.append((-1.0 if value is None else value, list(taken)))
        best = max(trials, key=lambda t: t[0])
        if best[0] >= now or size == len(left):
            return best
    raise AssertionError("there is always a last change")


def without(
    choice: Choice, base: Scenario, part: Part
) -> tuple[tuple[Offer, ...], Settings | None]:
    """Offers and interval of the plan without one step, the others held."""
    if part.offer is None:
        return choice.offers, None
    return tuple(o for o in choice.offers if o is not part.offer), choice.interval


def rent_of_part(choice: Choice, base: Scenario, part: Part) -> float:
    """Price of the nodes that one step keeps idle, over that of everything that waits."""
    if part.offer is None:
        return 0.0
    return rent_of(choice.scenario, applied(base, without(choice, base, part)[0], None))
