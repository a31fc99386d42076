"""The best interval of a scenario, where what a save takes may itself depend on the interval."""

from __future__ import annotations

import numpy as np

from advisor.facts.scenario import Scenario
from advisor.model.configuration import Configuration, configure
from advisor.model.lost_work import goodput
from advisor.model.normal import Floats
from advisor.model.optimum import Best, best_interval, best_of_curve, jobs_of
from advisor.model.pattern import Pattern
from advisor.model.payload import is_chain
from advisor.model.short_jobs import goodput_at


def depends_on_interval(sc: Scenario) -> bool:
    """Whether a save takes longer or shorter at another interval.

    An increment grows with the work since the last save; a buffered pool empties in between.
    """
    buffered = sc.number("pool_buffer") is not None and sc.number("pool_buffer_write") is not None
    return buffered or is_chain(sc)


def best_of(sc: Scenario, p: Pattern, band: float) -> Best:
    """The best interval of a scenario, with every interval within ``band`` of its goodput.

    Args:
        sc: the scenario, calibrated.
        p: its pattern at the present interval.
        band: width of the flat band in goodput.
    """
    if not depends_on_interval(sc):
        return best_interval(p, band)

    def curve(interval: Floats) -> Floats:
        c = configure(_at(sc, interval))
        if c is None or c.pattern is None:
            return np.full(interval.shape, np.nan)
        return np.broadcast_to(goodput(c.pattern, interval), interval.shape)

    return best_of_curve(curve, jobs_of(p), band)


def goodput_over(sc: Scenario, c: Configuration, intervals: Floats) -> Floats:
    """Goodput at many intervals, with saves that get longer or shorter with the interval.

    Args:
        sc: the scenario, calibrated.
        c: its configuration at the present interval, with a pattern.
        intervals: work between saves, s, one dimension.

    Returns:
        Values of the same shape; NaN where a save is unknown.
    """
    at: Configuration | None = c
    if depends_on_interval(sc):
        at = configure(_at(sc, intervals))
    if at is None or at.pattern is None:
        return np.full(intervals.shape, np.nan)
    return np.broadcast_to(goodput_at(sc, at, intervals), intervals.shape)


def _at(sc: Scenario, interval: Floats) -> Scenario:
    return sc.changed({"interval": interval, "interval_steps": None, "interval_basis": "work"})
