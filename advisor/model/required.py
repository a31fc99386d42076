"""The pool rate a configuration needs: the headline before and after the plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from advisor.facts.scenario import Scenario
from advisor.model.burst import Barrier
from advisor.model.configuration import Configuration, configure, work_interval
from advisor.model.job import floats, whole_saves
from advisor.model.lost_work import goodput
from advisor.model.normal import Floats
from advisor.model.search import first_true
from advisor.model.waits import waits

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
        short: where none does, per demand that fails at any rate: what it takes, and what it may
            take (of the goal: the goodput wished, and what is reached).
        as_measured: demands that no rate meets in the model, and the measured save does.
    """

    rate: Floats
    because: tuple[str, ...]
    feasible: bool
    short: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    as_measured: tuple[str, ...] = ()


_Demand = tuple[Floats, Floats]
"""What a demand takes and what it may take at each rate: met where the first is no more."""


def _met_as_measured(sc: Scenario, statistic: Statistic) -> frozenset[str]:
    """Demands the present stall is seen to meet, whatever the model says of links and writers.

    Args:
        sc: the calibrated scenario; a change of the path has dropped the ratios of the measurement.
        statistic: which save must meet the pause.
    """
    c = configure(sc)
    measured = sc.is_given("measured_stall") or sc.is_given("measured_save")
    pause = sc.number("acceptable_pause")
    if not measured or c is None or c.path != "pool" or c.pool is None or c.stall is None:
        return frozenset()
    met: set[str] = set()
    slow = _time(c.pool, statistic) - c.pool.mean
    if pause is not None and bool(np.all(c.stall + slow <= floats(pause))):
        met.add("pause")
    interval = work_interval(sc, c.pattern)
    if interval is not None and c.pattern is not None and pause is None:
        met |= {name for name, one in _goal(sc, c, interval).items() if np.all(_met(one))}
    return frozenset(met)


def _time(b: Barrier, statistic: Statistic) -> Floats:
    return b.mean if statistic == "mean" else b.p99


def _met(demand: _Demand) -> Floats:
    return np.asarray(demand[0] <= demand[1])


def _at(sc: Scenario, delivered: Floats, statistic: Statistic) -> Mapping[str, _Demand]:
    """Each demand at each rate."""
    c = configure(sc, delivered)
    if c is None or c.pool is None:
        return {}
    met: dict[str, _Demand] = {}
    limit = _time(c.pool, statistic)
    pause = sc.number("acceptable_pause")
    if c.stalls_on_pool and pause is not None:
        local = floats(0.0) if c.local is None else _time(c.local, statistic)
        met["pause"] = (limit + local + c.overhead, floats(pause))
    # A writer that the next step waits for stalls on the pool although it is asynchronous.
    behind = c.path == "pool_async" and sc.word("drain_hides") == "one_step"
    if behind and pause is not None and c.stall is not None:
        met["pause"] = (c.stall + limit - c.pool.mean, floats(pause))
    interval = work_interval(sc, c.pattern)
    if interval is not None and c.pattern is not None:
        if not c.stalls_on_pool:
            met.update(_drain(sc, c, interval, limit))
        if (c.stalls_on_pool or behind) and pause is None:
            met.update(_goal(sc, c, interval))
    out_name = "collective_timeout" if c.stalls_on_pool else "drain_timeout"
    out = sc.number(out_name)
    if out is not None:
        met["time_out"] = (limit, floats(out))
    return met


def _drain(
    sc: Scenario, c: Configuration, interval: Floats, drain: Floats
) -> Mapping[str, _Demand]:
    assert c.pattern is not None  # noqa: S101 - narrowed by the caller
    w = waits(c.pattern, interval)
    between = c.pattern.every * w.segment + w.pool_stall
    extra = c.overhead if c.path == "pool_async" else floats(0.0)
    return {
        "wait": (floats(w.pool_wait), floats(0.0)),
        "drain": (drain + extra, sc.constant("duty_limit") * between),
    }


def _goal(sc: Scenario, c: Configuration, interval: Floats) -> Mapping[str, _Demand]:
    assert c.pattern is not None  # noqa: S101 - narrowed by the caller
    now = goodput(c.pattern, interval)
    target = sc.number("goodput_target")
    if target is not None:
        return {"goal": (floats(target), now)}
    if c.path == "pool_async":
        fastest = configure(sc, floats(FASTEST))
        assert fastest is not None  # noqa: S101 - the same job at a slower rate is there
        assert fastest.pattern is not None  # noqa: S101
        free = fastest.pattern.changed(kill=0.0)
    elif c.path == "pool":
        free = c.pattern.changed(stall=0.0, kill=0.0)
    else:
        free = c.pattern.changed(pool_stall=0.0, kill=0.0)
    return {"stall_cost": (goodput(free, interval) - sc.constant("goodput_slack"), now)}


def _asked(sc: Scenario) -> Scenario:
    """The job whose saves must fit: the full save of a chain of increments must too."""
    sc = sc if sc.word("pool_write_basis") == "per_writer" else whole_saves(sc)
    return sc.changed({"full_every": 1.0})


def required_rate(sc: Scenario, statistic: Statistic = "mean") -> Requirement | None:
    """Smallest delivered rate at which every demand of the configuration is met.

    The demands: a stall on the pool within ``acceptable_pause``; no waits and each drain within
    half of the time to the next one; time-outs hold; and, where a stall waits for the pool and no
    pause is given, ``goodput_target``, or within a point of the configuration without that stall.
    The measured-over-modelled ratio is left out: the answer is a rate delivered to this job. A
    demand that no rate meets in the model but the measured save does asks nothing of the pool.

    Args:
        sc: a calibrated scenario of one job.
        statistic: the mean save, or one in a hundred.

    Returns:
        The requirement, or None while the state or the nodes are unknown.
    """
    present = sc
    sc = sc.once(_asked)
    if configure(sc, floats(FASTEST)) is None:
        return None
    at_best = _at(sc, floats(FASTEST), statistic)
    if not at_best:
        return Requirement(floats(0.0), (), True)
    unmet = {k: v for k, v in at_best.items() if not np.all(_met(v))}
    seen = _met_as_measured(present, statistic) if unmet else frozenset()
    failing = {k: v for k, v in unmet.items() if k not in seen}
    if failing:
        short = {k: (float(np.max(v[0])), float(np.min(v[1]))) for k, v in failing.items()}
        return Requirement(floats(np.nan), tuple(failing), False, short)
    left = set(at_best) - set(unmet)
    if not left:
        return Requirement(floats(0.0), (), True, as_measured=tuple(unmet))

    def all_met(rate: Floats) -> Floats:
        met = _at(sc, rate, statistic)
        holds = np.ones(rate.shape, dtype=bool)
        for demand in (met[name] for name in left):
            holds = holds & np.broadcast_to(_met(demand), rate.shape)
        return holds.astype(np.float64)

    rate = first_true(all_met, SLOWEST, FASTEST)
    below = _at(sc, rate * 0.999, statistic)
    because = tuple(k for k, demand in below.items() if k in left and not np.all(_met(demand)))
    return Requirement(rate, because, True, as_measured=tuple(unmet))
