"""What a drawing needs beside the figures: goodput over intervals, and saves against a time-out."""

from __future__ import annotations

import numpy as np

from advisor.engine.curve_types import GoodputCurve, SaveTail
from advisor.engine.situation import Situation, number
from advisor.model.best import goodput_over
from advisor.model.normal import Floats
from advisor.model.timeouts import counts_spread, outlasting, time_out
from advisor.model.waits import period

_INTERVALS = (1.0, 1e7)
"""Shortest and longest interval of a curve, s: below and above lies no training job's choice."""

_PER_DECADE = 30
"""Points of a curve per factor of ten: no corner is seen at the size of a page."""

_AROUND = 30.0
"""How far a tail goes to each side of the typical save and the time-out, as a factor."""


def goodput_curve(s: Situation) -> GoodputCurve | None:
    """Goodput over intervals, through the present and the best one.

    None while the save is unknown, and where no copy ever reaches the pool: a hard failure then
    loses all work, whatever the interval.
    """
    c, best = s.estimate.configuration, s.estimate.best
    if c is None or c.pattern is None or bool(np.any(c.every < 1)):
        return None
    marks = [number(s.estimate.interval)]
    if best is not None:
        marks += [number(v) for v in (best.interval, best.band_low, best.band_high)]
    tau = _with_marks(*_INTERVALS, marks)
    found = goodput_over(s.scenario, c, tau)
    shown = tau
    if s.scenario.word("interval_basis") == "clock" and s.scenario.number("interval") is not None:
        shown = np.broadcast_to(period(c.pattern, tau), tau.shape)
    known = np.isfinite(found) & np.isfinite(shown)
    return GoodputCurve(_floats(shown[known]), _floats(found[known]))


def save_tail(s: Situation) -> SaveTail | None:
    """Saves against the time-out; None where nobody named one or the save is unknown."""
    c = s.estimate.configuration
    if c is None or c.pool is None:
        return None
    drains = not c.stalls_on_pool
    limit, typical = number(time_out(s.scenario, drains=drains)), number(c.pool.p50)
    if not limit or not typical:
        return None
    low, high = min(limit, typical) / _AROUND, max(limit, typical) * _AROUND
    seconds = _with_marks(low, high, [limit, typical])
    chance = outlasting(s.scenario, c.sizes, c.pool, seconds, drains=drains)
    return SaveTail(
        seconds=_floats(seconds),
        chance=_floats(np.broadcast_to(chance, seconds.shape)),
        limit=limit,
        outlasts_limit=float(chance[int(np.searchsorted(seconds, limit))]),
        spread=counts_spread(s.scenario, drains=drains),
        drains=drains,
    )


def _with_marks(low: float, high: float, marks: list[float | None]) -> Floats:
    """Evenly spaced on a logarithmic axis, with the finite marks among them."""
    count = int(np.ceil(_PER_DECADE * np.log10(high / low))) + 1
    exact = [m for m in marks if m is not None and 0 < m < np.inf]
    return np.unique(np.concatenate([np.geomspace(low, high, count), exact]))


def _floats(values: Floats) -> tuple[float, ...]:
    return tuple(values.tolist())
