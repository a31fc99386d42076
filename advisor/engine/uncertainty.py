"""How robust the advice is: ranges, the chance each step pays, what measuring is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.engine.choices import rent_of
from advisor.engine.plan import (
    Choice,
    Offer,
    Part,
    applied,
    goodput_of,
    rent_of_part,
    without,
)
from advisor.engine.samples import Spread, sampled, spreads, uniforms
from advisor.engine.situation import number
from advisor.facts.resolve import Facts
from advisor.facts.scenario import Scenario
from advisor.model.calibrate import calibrate
from advisor.model.configuration import configure, work_interval
from advisor.model.lost_work import goodput
from advisor.model.normal import Floats

SAMPLES = 4096
"""Samples of one advice: the chance of a step is then known to 0.8 points."""

_BINS = 16
"""Equal-count bins of a fact for the value of measuring it: 256 samples each."""

_GRID = (0.25, 0.4, 0.63, 1.0, 1.6, 2.5, 4.0)
"""Intervals a plan could still be set to once a fact is known, times the planned one."""


@dataclass(frozen=True, slots=True)
class Range:
    """Goodput at the 10, 50 and 90 % points of the samples."""

    p10: float
    p50: float
    p90: float


@dataclass(frozen=True, slots=True)
class Worth:
    """What measuring one fact is worth, in goodput."""

    fact: str
    points: float


@dataclass(frozen=True, slots=True)
class Robustness:
    """The plan over the samples.

    Attributes:
        before: goodput as it is; None while it cannot be computed.
        after: goodput with the plan.
        chances: per part of the plan, the share of samples in which it gains.
        worth: per uncertain fact, what knowing it would add to the goodput.
        spreads: the ranges that were sampled.
    """

    before: Range | None
    after: Range | None
    chances: tuple[float, ...]
    worth: tuple[Worth, ...]
    spreads: tuple[Spread, ...]


def _range(values: Floats | None) -> Range | None:
    if values is None:
        return None
    # Sorted by hand: np.quantile loads numpy.ma, 16 ms of every start.
    ordered = np.sort(values)
    p10, p50, p90 = (float(ordered[int(q * (ordered.size - 1) + 0.5)]) for q in (0.1, 0.5, 0.9))
    return Range(p10, p50, p90)


def _filled(values: Floats | None, count: int) -> Floats | None:
    return None if values is None else np.broadcast_to(values, (count,))


def robustness(
    facts: Facts,
    raw: Scenario,
    choice: Choice | None,
    parts: Sequence[Part],
    options: Sequence[tuple[Offer, ...]],
    *,
    interval_free: bool,
    samples: int = SAMPLES,
) -> Robustness:
    """The plan and its rivals over samples of everything uncertain.

    Args:
        facts: resolved facts with sources and ranges.
        raw: the scenario as it is, before calibration: measurements vary too.
        choice: the plan chosen.
        parts: its steps.
        options: every feasible choice of offers, for what measuring is worth.
        interval_free: whether the interval may still move once a fact is known.
        samples: how many.
    """
    found = spreads(facts, raw)
    places = uniforms(found, samples)
    base = calibrate(sampled(raw, found, places))
    least = raw.constant("least_gain")
    before = _filled(goodput_of(base), samples)
    if choice is None or before is None:
        return Robustness(_range(before), None, (), (), found)
    after = _filled(goodput_of(applied(base, choice.offers, choice.interval)), samples)
    if after is None:
        return Robustness(_range(before), None, (), (), found)
    chances = []
    for part in parts:
        offers, interval = without(choice, base, part)
        less = _filled(goodput_of(applied(base, offers, interval)), samples)
        rent = rent_of_part(choice, raw, part)
        worth_it = rent if rent > 0 else least
        chances.append(float("nan") if less is None else float(np.mean(after - less > worth_it)))
    grid = _GRID if interval_free else (1.0,)
    gains = _gains(base, choice, options, before, grid)
    worth = _worth(gains, places)
    return Robustness(_range(before), _range(after), tuple(chances), worth, found)


def _gains(
    base: Scenario,
    choice: Choice,
    options: Sequence[tuple[Offer, ...]],
    before: Floats,
    grid: Sequence[float],
) -> Floats:
    """Gain of every plan at every interval of the grid in every sample: (plans, samples)."""
    rows: list[Floats] = [np.zeros_like(before)]
    planned = _planned_interval(choice)
    for offers in options:
        job = applied(base, offers, None)
        c, rent = configure(job), rent_of(job, base)
        if c is None or c.pattern is None or planned is None:
            continue
        for factor in grid:
            value = goodput(c.pattern, planned * factor)
            rows.append(np.broadcast_to(value, before.shape) - before - rent)
    return np.vstack(rows)


def _planned_interval(choice: Choice) -> float | None:
    c = configure(choice.scenario)
    return None if c is None else number(work_interval(choice.scenario, c.pattern))


def _binned(gains: Floats, order: NDArray[np.intp]) -> float:
    """Mean over equal-count bins, in an order of the samples, of the best plan's mean gain."""
    rows, count = gains.shape
    whole = count - count % _BINS
    bins = gains[:, order[:whole]].reshape(rows, _BINS, whole // _BINS)
    return float(bins.mean(axis=2).max(axis=0).mean())


def _worth(gains: Floats, places: Mapping[str, Floats]) -> tuple[Worth, ...]:
    """What knowing each fact would add, most valuable first; by its place in its range.

    Mean over equal-count bins of the best plan's mean gain, less the best plan's overall mean, less
    the same with the fact shuffled; never below 0.
    """
    overall = float(gains.mean(axis=1).max())
    # Shuffled, a fact says nothing: what its bins still seem to bring is the noise of binning.
    shuffled = np.random.default_rng(len(places)).permutation(gains.shape[1])
    noise = max(0.0, _binned(gains, shuffled) - overall)
    out = []
    for name, column in places.items():
        knowing = _binned(gains, np.argsort(column, kind="stable")) - overall
        out.append(Worth(name, max(0.0, knowing - noise)))
    return tuple(sorted(out, key=lambda w: -w.points))
