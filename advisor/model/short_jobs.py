"""Goodput of a scenario, with jobs that end before their first save: those never make one."""

from __future__ import annotations

import numpy as np

from advisor.facts.scenario import Scenario
from advisor.model.configuration import Configuration
from advisor.model.job import floats
from advisor.model.lost_work import Shares, ceiling, goodput, shares, without_checkpoints
from advisor.model.normal import Floats


def goodput_at(sc: Scenario, c: Configuration, tau: Floats) -> Floats:
    """Goodput at an interval; the whole job without saves where it is no longer than that.

    Args:
        sc: the scenario.
        c: its configuration, with a pattern.
        tau: work between saves, s.
    """
    assert c.pattern is not None  # noqa: S101 - the caller checked
    steady = goodput(c.pattern, tau)
    length = sc.number("job_length")
    if length is None or not bool(np.any(floats(length) <= tau)):
        return steady
    free = without_checkpoints(floats(length), c.rates.total, c.rates.hard_restart)
    return np.where(floats(length) <= tau, free, steady)


def shares_at(sc: Scenario, c: Configuration, tau: Floats) -> Shares:
    """Goodput and losses at an interval, as ``goodput_at``; they add up to 1."""
    assert c.pattern is not None  # noqa: S101 - the caller checked
    found = shares(c.pattern, tau)
    length = sc.number("job_length")
    if length is None or not bool(np.any(floats(length) <= tau)):
        return found
    ends = floats(length) <= tau
    free = without_checkpoints(floats(length), c.rates.total, c.rates.hard_restart)
    lost = 1 - ceiling(c.rates.total, c.rates.hard_restart)
    return Shares(
        goodput=np.where(ends, free, found.goodput),
        stall=np.where(ends, 0.0, found.stall),
        drain=np.where(ends, 0.0, found.drain),
        restart=np.where(ends, lost, found.restart),
        rework=np.where(ends, 1 - free - lost, found.rework),
    )
