"""What is assumed or guessed, how much the result hangs on it, and what measuring it is worth."""

from __future__ import annotations

from advisor.engine.advice import Unknown
from advisor.engine.plan import Choice, applied, goodput_of
from advisor.engine.samples import Spread, at_end
from advisor.engine.situation import number
from advisor.engine.uncertainty import Robustness
from advisor.facts.resolve import Fact, Facts, quantity_text
from advisor.facts.scenario import Scenario, default_row, parsed
from advisor.facts.times import parse_times, summary
from advisor.model.calibrate import calibrate
from advisor.model.money import cost_per_year

_SURE = ("measured", "site")
"""Sources that need no further measuring before anything else."""

_BLANK = ("pool_write", "host_memory_free")
"""Facts without an honest default: while they are unknown something is missing altogether."""


_NOISE = 1e-4
"""Goodput below which worth and swing are sampling noise: a hundredth of a point."""


def ranked_unknowns(
    facts: Facts, sc: Scenario, choice: Choice | None, found: Robustness
) -> tuple[Unknown, ...]:
    """Assumed and guessed facts about the world, the one most worth measuring first.

    Args:
        facts: resolved facts.
        sc: the calibrated job as it is.
        choice: the plan.
        found: ranges and worth over the samples.

    Returns:
        First what is missing altogether, then by worth, then by swing: how far the goodput with
        the plan moves while one fact goes over its range and the rest is held.
    """
    cost = number(cost_per_year(sc))
    worth = {w.fact: w.points for w in found.worth}
    ranked = []
    for spread in found.spreads:
        fact = facts.facts[spread.asked]
        sheet = spread.name == "pool_write" and sc.word("pool_write_basis") == "data_sheet"
        if fact.source in _SURE and not sheet:
            continue
        points, swing = worth.get(spread.name), _swing(sc, choice, spread)
        if (points or 0.0) < _NOISE and (swing or 0.0) < _NOISE:
            continue  # it plays no part here
        ranked.append(
            Unknown(
                fact=spread.asked,
                label=fact.spec.label,
                assumed=_assumed(fact, spread),
                planned=_planned(fact, spread, sc, choice),
                worth_per_year=None if cost is None or points is None else points * cost,
                worth_points=points,
                swing=swing,
                how=fact.spec.find,
            )
        )
    ranked.sort(key=lambda u: (-(u.worth_points or 0.0), -(u.swing or 0.0), u.fact))
    return _blank(facts, sc) + tuple(ranked)


def _assumed(fact: Fact, spread: Spread) -> str:
    if fact.spec.kind == "durations":
        return summary(parse_times(fact.text))
    return fact.text if fact.value is not None else quantity_text(spread.best, fact.spec)


def _planned(fact: Fact, spread: Spread, sc: Scenario, choice: Choice | None) -> str:
    """What is assumed with the plan, where a choice of it changes that: "85% (60% to 95%)"."""
    default = fact.spec.default
    if choice is None or default is None or not spread.assumed:
        return ""
    now, then = (
        default_row(default, {name: job.word(name) for name in default.on})
        for job in (sc, choice.scenario)
    )
    if then == now or not then[0]:
        return ""
    value, low, high = (_written(text, fact) for text in then)
    return f"{value} ({low} to {high})" if low and high and low != high else value


def _written(text: str, fact: Fact) -> str:
    """A typed default as values are printed; "" where there is none."""
    value = parsed(text, fact.spec.kind) if text else None
    if value is not None and fact.spec.kind == "ratio" and (fact.spec.maximum or 0) <= 1:
        return f"{100 * value:.3g} %"
    return "" if value is None else quantity_text(value, fact.spec)


def _swing(sc: Scenario, choice: Choice | None, spread: Spread) -> float | None:
    ends = []
    if spread.name == "measured_save" and sc.calibration.implied:
        sc = sc.changed({"pool_write": None})  # it follows the save
    for high in (False, True):
        job = calibrate(at_end(sc, spread, high=high))
        planned = job if choice is None else applied(job, choice.offers, choice.interval)
        ends.append(number(goodput_of(planned)))
    return None if ends[0] is None or ends[1] is None else abs(ends[1] - ends[0])


def _blank(facts: Facts, sc: Scenario) -> tuple[Unknown, ...]:
    out = []
    for name in _BLANK:
        fact = facts.facts[name]
        if fact.value is None and sc.number(name) is None:
            out.append(Unknown(name, fact.spec.label, "", None, None, None, fact.spec.find))
    return tuple(out)
