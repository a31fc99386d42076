"""Why one rule says what it says about a job: each comparison, and how far it is from flipping."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from advisor.engine.advice import Finding
from advisor.engine.conditions import Values
from advisor.engine.expression import ComparisonTrace, ExpressionError
from advisor.engine.findings import findings, outcomes
from advisor.engine.pack import Pack, Rule
from advisor.engine.situation import Situation, evaluate
from advisor.engine.thresholds import present_value, sweep_range, varied
from advisor.facts.catalogue import NUMERIC_KINDS, Kind

STRIDE = 4
"""Every fourth point of a sweep is looked at: a rule that flips twice within a tenth of a decade
is not found, and a rule is explained in about a second."""

_BISECTIONS = 24
"""Halvings of the bracket: a tenth of a decade to 7 digits."""


@dataclass(frozen=True, slots=True)
class RuleFlip:
    """The nearest value of one fact at which the outcome changes, the others held.

    Attributes:
        fact: its name.
        label: for people.
        kind: whose unit the values are in.
        now: its present value.
        below: nearest below, None where there is none.
        above: nearest above, None where there is none.
        low: the lowest value looked at.
        high: the highest value looked at.
    """

    fact: str
    label: str
    kind: Kind
    now: float
    below: float | None
    above: float | None
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """One rule about one job.

    Attributes:
        finding: what it says.
        comparisons: each comparison of its condition with the values it saw.
        flips: facts that could turn it round; empty while it is unknown.
    """

    finding: Finding
    comparisons: tuple[ComparisonTrace, ...]
    flips: tuple[RuleFlip, ...]


def explain(rule: Rule, situation: Situation, pack: Pack) -> Explanation:
    """Explain one rule about one job.

    Args:
        rule: the rule.
        situation: the job as it is.
        pack: all rules and thresholds.
    """
    found = findings(outcomes(situation, pack, [rule]), situation, pack, {}, None)[0]
    if found.state == "error":
        return Explanation(found, (), ())
    comparisons = tuple(rule.when.trace(Values(situation, pack)))
    flips = () if found.state == "unknown" else _flips(rule, situation, pack)
    return Explanation(found, comparisons, flips)


def _flips(rule: Rule, situation: Situation, pack: Pack) -> tuple[RuleFlip, ...]:
    facts = situation.scenario.catalogue.facts
    named = (name for name in sorted(rule.when.names) if name in facts)
    wanted = (n for n in dict.fromkeys((*rule.flip, *named)) if facts[n].kind in NUMERIC_KINDS)
    found = (_flip(rule, situation, pack, name) for name in wanted)
    return tuple(flip for flip in found if flip is not None)


def _flip(rule: Rule, situation: Situation, pack: Pack, fact: str) -> RuleFlip | None:
    """Where one fact turns the rule round; None for a fact that is unknown or 0."""
    sc = situation.scenario
    spec, now = sc.catalogue.facts[fact], present_value(sc, fact)
    if now is None or now <= 0:
        return None

    def hits(value: float) -> bool:
        return _outcome(rule, evaluate(varied(sc, fact, value), situation.framework), pack)

    def holds(value: float) -> bool:
        return hits(value) is at_now

    at_now = hits(now)
    sweep = sweep_range(spec, now)
    points = [float(point) for point in sweep.points]
    below = [*points[: sweep.now : STRIDE], now][::-1]
    above = [now, *points[sweep.now + STRIDE :: STRIDE]]
    return RuleFlip(
        fact=fact,
        label=spec.label,
        kind=spec.kind,
        now=now,
        below=_first(below, holds, sweep.logarithmic),
        above=_first(above, holds, sweep.logarithmic),
        low=points[0],
        high=points[-1],
    )


def _outcome(rule: Rule, situation: Situation, pack: Pack) -> bool:
    """Whether the rule hits; what cannot be decided does not."""
    try:
        return rule.when.evaluate(Values(situation, pack)).value is True
    except ExpressionError:
        return False


def _first(points: list[float], holds: Callable[[float], bool], logarithmic: bool) -> float | None:
    """The first value along the points at which the outcome is another one, refined."""
    inside = points[0]
    for outside in points[1:]:
        if not holds(outside):
            break
        inside = outside
    else:
        return None
    for _ in range(_BISECTIONS):
        positive = logarithmic and inside > 0 and outside > 0
        middle = (inside * outside) ** 0.5 if positive else (inside + outside) / 2
        if holds(middle):
            inside = middle
        else:
            outside = middle
    return outside
