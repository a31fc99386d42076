"""The pool rate a configuration needs: the headline before and after the plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from advisor.facts.scenario import Scenario
from advisor.model.burst import Barrier
from advisor.model.configuration import Configuration, configure, work_interval
from advisor.model.job import floats
from advisor.model.lost_work import goodput
from advisor.model.normal import Floats
from advisor.model.pattern import waits
from advisor.model.search import first_true

Statistic = Literal["mean", "p99"]
"""Which save must fit: the mean one, or one in a hundred."""

SLOWEST = 1.0
"""Lowest rate searched, B/s."""

FASTEST = 1e18
"""Highest rate searched, B/s: 1 EB/s, over every catalogue limit."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """Rate the pool must deliver to this job, B/s.

    Attributes:
        rate: the smallest that meets every demand; NaN where none does.
        because: the demands that bind: pause, drain, wait, time_out, goal, stall_cost; with no
            demand at all it is empty and the rate 0.
        feasible: whether some rate meets them.
    """

    rate: Floats
    because: tuple[str, ...]
    feasible: bool


def _time(b: Barrier, statistic: Statistic) -> Floats:
    return b.mean if statistic == "mean" else b.p99


def _at(sc: Scenario, delivered: Floats, statistic: Statistic) -> Mapping[str, Floats]:
    """Each demand at each rate: true where it is met."""
    c = configure(sc, delivered)
    if c is None or c.pool is None:
        return {}
    met: dict[str, Floats] = {}
    limit = _time(c.pool, statistic)
    pause = sc.number("acceptable_pause")
    if c.stalls_on_pool and pause is not None:
        local = floats(0.0) if c.local is None else _time(c.local, statistic)
        met["pause"] = np.asarray(limit + local + c.overhead <= floats(pause))
    # A writer that the next step waits for stalls on the pool although it is asynchronous.
    behind = c.path == "pool_async" and sc.word("drain_hides") == "one_step"
    if behind and pause is not None and c.stall is not None:
        met["pause"] = np.asarray(c.stall + limit - c.pool.mean <= floats(pause))
    interval = work_interval(sc, c.pattern)
    if interval is not None and c.pattern is not None:
        if not c.stalls_on_pool:
            met.update(_drain(sc, c, interval, limit))
        if (c.stalls_on_pool or behind) and pause is None:
            met.update(_goal(sc, c, interval))
    out_name = "collective_timeout" if c.stalls_on_pool else "drain_timeout"
    out = sc.number(out_name)
    if out is not None:
        met["time_out"] = np.asarray(limit <= floats(out))
    return met


def _drain(sc: Scenario, c: Configuration, interval: Floats, drain: Floats) -> Mapping[str, Floats]:
    assert c.pattern is not None  # noqa: S101 - narrowed by the caller
    w = waits(c.pattern, interval)
    between = c.pattern.every * w.segment + w.pool_stall
    extra = c.overhead if c.path == "pool_async" else floats(0.0)
    return {
        "wait": np.asarray(w.pool_wait <= 0),
        "drain": np.asarray(drain + extra <= sc.constant("duty_limit") * between),
    }


def _goal(sc: Scenario, c: Configuration, interval: Floats) -> Mapping[str, Floats]:
    assert c.pattern is not None  # noqa: S101 - narrowed by the caller
    now = goodput(c.pattern, interval)
    target = sc.number("goodput_target")
    if target is not None:
        return {"goal": np.asarray(now >= floats(target))}
    if c.path == "pool_async":
        fastest = configure(sc, floats(FASTEST))
        assert fastest is not None  # noqa: S101 - the same job at a slower rate is there
        assert fastest.pattern is not None  # noqa: S101
        free = fastest.pattern.changed(kill=0.0)
    elif c.path == "pool":
        free = c.pattern.changed(stall=0.0, kill=0.0)
    else:
        free = c.pattern.changed(pool_stall=0.0, kill=0.0)
    return {"stall_cost": np.asarray(now >= goodput(free, interval) - sc.constant("goodput_slack"))}


def _asked(sc: Scenario) -> Scenario:
    """The job whose saves must fit: the full save of a chain of increments must too."""
    basis = sc.word("pool_write_basis")
    sc = sc if basis == "per_writer" else sc.changed({"pool_write_basis": "aggregate"})
    return sc.changed({"full_every": 1.0})


def required_rate(sc: Scenario, statistic: Statistic = "mean") -> Requirement | None:
    """Smallest delivered rate at which every demand of the configuration is met.

    The demands: a stall on the pool within ``acceptable_pause``; no waits and each drain within
    half of the time to the next one; time-outs hold; and, where a stall waits for the pool and no
    pause is given, ``goodput_target``, or within a point of the configuration without that stall.
    The measured-over-modelled ratio is left out: the answer is a rate delivered to this job.

    Args:
        sc: a calibrated scenario of one job.
        statistic: the mean save, or one in a hundred.

    Returns:
        The requirement, or None while the state or the nodes are unknown.
    """
    sc = sc.once(_asked)
    if configure(sc, floats(FASTEST)) is None:
        return None
    at_best = {k: bool(np.all(v)) for k, v in _at(sc, floats(FASTEST), statistic).items()}
    if not at_best:
        return Requirement(floats(0.0), (), True)
    if not all(at_best.values()):
        return Requirement(floats(np.nan), tuple(k for k, ok in at_best.items() if not ok), False)

    def all_met(rate: Floats) -> Floats:
        met = _at(sc, rate, statistic)
        holds = np.ones(rate.shape, dtype=bool)
        for demand in met.values():
            holds = holds & (np.broadcast_to(demand, rate.shape) > 0)
        return holds.astype(np.float64)

    rate = first_true(all_met, SLOWEST, FASTEST)
    below = _at(sc, rate * 0.999, statistic)
    because = tuple(k for k, met in below.items() if not np.all(met))
    return Requirement(rate, because, True)
