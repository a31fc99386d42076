"""What is assumed or guessed, and how much the result hangs on it."""

from __future__ import annotations

from advisor.engine.advice import Unknown
from advisor.engine.plan import Choice, applied, goodput_of
from advisor.engine.situation import number
from advisor.engine.thresholds import present_value, varied
from advisor.facts.resolve import Fact, Facts
from advisor.facts.scenario import Scenario

_STAND_FOR = {
    "interruptions": "job_mtbf",
    "node_mtbf": "job_mtbf",
    "state_per_node": "state_total",
    "parameters": "state_total",
}
"""Alternatives whose spread is looked at through the common quantity."""


def spread(fact: Fact, sc: Scenario) -> tuple[float, float] | None:
    """The range a fact may lie in: as typed, as published, or by how sure its source is.

    A guess counts within a factor of 3, an estimate within 1.5; a measured value is not looked at.
    """
    if fact.low is not None and fact.high is not None:
        return fact.low, fact.high
    if not isinstance(fact.value, float) or fact.value <= 0:
        return None
    factors = {"guessed": "spread_guessed", "estimated": "spread_estimated"}
    name = factors.get(fact.source)
    if name is None:
        return None
    factor = sc.constant(name)
    low, high = fact.value / factor, fact.value * factor
    if fact.spec.maximum is not None:
        high = min(high, fact.spec.maximum)
    return low, high


def _goodput(sc: Scenario, choice: Choice | None) -> float | None:
    planned = sc if choice is None else applied(sc, choice.offers, choice.interval)
    return number(goodput_of(planned))


def ranked_unknowns(facts: Facts, sc: Scenario, choice: Choice | None) -> tuple[Unknown, ...]:
    """Assumed and guessed facts about the world, the most telling first, then the unknown ones.

    The swing is how far the goodput with the plan moves when one fact goes over its range, the rest
    held.
    """
    ranked: list[Unknown] = []
    for fact in facts.facts.values():
        spec = fact.spec
        if not spec.is_number or not spec.world or not fact.active or fact.source == "measured":
            continue
        ends = spread(fact, sc)
        if ends is None or spec.topic == "money":
            continue
        swing = _swing(sc, choice, fact, ends)
        if swing is None or swing <= 0:
            continue
        ranked.append(
            Unknown(
                fact=fact.name,
                label=spec.label,
                assumed=fact.text,
                worth_per_year=None,
                worth_points=None,
                swing=swing,
                how=spec.find,
            )
        )
    ranked.sort(key=lambda u: -(u.swing or 0.0))
    return tuple(ranked) + _blank(facts, sc)


def _swing(
    sc: Scenario, choice: Choice | None, fact: Fact, ends: tuple[float, float]
) -> float | None:
    name = _STAND_FOR.get(fact.name, fact.name)
    low, high = ends
    if name != fact.name:
        now = present_value(sc, name)
        if now is None or not isinstance(fact.value, float) or fact.value <= 0:
            return None
        low, high = now * low / fact.value, now * high / fact.value
    a = _goodput(varied(sc, name, low), choice)
    b = _goodput(varied(sc, name, high), choice)
    return None if a is None or b is None else abs(a - b)


def _blank(facts: Facts, sc: Scenario) -> tuple[Unknown, ...]:
    """Facts without which something is missing altogether."""
    out = []
    for name in ("pool_write", "host_memory_free"):
        fact = facts.facts[name]
        if fact.value is None and sc.number(name) is None:
            out.append(Unknown(name, fact.spec.label, "", None, None, None, fact.spec.find))
    return tuple(out)
