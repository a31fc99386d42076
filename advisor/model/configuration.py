"""What a configuration sets: which path the save takes, its stall, its lags and its rates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from advisor.facts.scenario import Scenario
from advisor.model.burst import Barrier, Tail
from advisor.model.failures import Rates, rates, saves_on_notice
from advisor.model.job import (
    Sizes,
    floats,
    has_stream_limit,
    pool_rate,
    sizes,
    tail,
)
from advisor.model.normal import Floats
from advisor.model.pattern import Pattern, pattern
from advisor.model.payload import Payload, given_interval, payload
from advisor.model.save_time import least_time, local_barrier, local_copy_time, pool_barrier
from advisor.model.timeouts import outlasting, time_out
from advisor.model.waits import waits

Path = Literal["pool", "pool_async", "local", "local_with_save", "local_async"]
"""Where a save goes: the pool (synchronous or not), or the node-local drive and then the pool."""

STALLS_ON_POOL = ("pool", "local_with_save")
"""Paths on which compute waits for bytes to reach the pool."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """One configuration of one job, in numbers.

    Attributes:
        path: where a save goes.
        sizes: bytes and writers.
        rates: failures and restarts.
        overhead: planning, gather and metadata of a save, s.
        tail: factors of the pool's save.
        payload: how much of the state a save writes.
        pool: barrier of a full save to the pool, None while neither a rate nor a time is known.
        usual: barrier of the mean save to the pool, shorter than a full one in a chain.
        local: barrier of a save to the node-local drives, None where they are not used.
        stall: stall of every save, s, None while unknown.
        pool_stall: extra stall of a pool save, s.
        local_lag: s until the node-local copy is complete.
        pool_lag: s until the pool copy is complete, None while unknown.
        slowdown: share of training speed lost while a copy drains.
        every: each so-manieth save goes to the pool; 0 for never.
        kill: probability that a time-out kills one save, 0 where the limit is unknown.
        pattern: input of the lost-work formula, None while the stall is unknown.
    """

    path: Path
    sizes: Sizes
    rates: Rates
    overhead: Floats
    tail: Tail
    payload: Payload
    pool: Barrier | None
    usual: Barrier | None
    local: Barrier | None
    stall: Floats | None
    pool_stall: Floats
    local_lag: Floats
    pool_lag: Floats | None
    slowdown: Floats
    every: Floats
    kill: Floats | None
    pattern: Pattern | None

    @property
    def stalls_on_pool(self) -> bool:
        """Whether compute waits for bytes to reach the pool."""
        return self.path in STALLS_ON_POOL


def path_of(sc: Scenario) -> Path:
    """The path of a scenario, by mode, node-local drive and the way the pool copy is made."""
    asynchronous = sc.word("mode") == "async"
    if sc.word("nvme") != "used":
        return "pool_async" if asynchronous else "pool"
    if asynchronous:
        return "local_async"
    return "local_with_save" if sc.word("pool_copy") == "with_save" else "local"


def drain_slowdown(sc: Scenario) -> Floats:
    """Share of training speed lost while a copy drains: as given, or by writer and fabric."""
    value = floats(sc.require("drain_slowdown"))
    if sc.is_given("drain_slowdown") or sc.word("fabric") != "shared":
        return value
    return value + sc.constant("shared_fabric_slowdown")


def configure(sc: Scenario, delivered: Floats | None = None) -> Configuration | None:
    """Everything a configuration sets, None while the state or the nodes are unknown.

    Args:
        sc: the scenario, calibrated.
        delivered: rate of the pool to try instead of the scenario's, B/s; the calibration of the
            save is then left out, since it asks what that rate would need.
    """
    if delivered is None:
        return sc.once(_configure)
    # Searches for the mean save and for one in a hundred begin at the same rates.
    tried = sc.once(_tried)
    rates_tried = delivered.tobytes() if delivered.size <= _KEPT else None
    if rates_tried is None:
        return _configure(sc, delivered)
    if rates_tried not in tried:
        tried[rates_tried] = _configure(sc, delivered)
    return tried[rates_tried]


_KEPT = 64
"""Rates tried at once up to which their outcome is kept: one round of a search for one job."""


def _tried(sc: Scenario) -> dict[bytes, Configuration | None]:
    """What was found at rates tried before; filled as they are tried."""
    return {}


def _configure(sc: Scenario, delivered: Floats | None = None) -> Configuration | None:
    size = sizes(sc)
    if size is None:
        return None
    rate = pool_rate(sc) if delivered is None else delivered
    factors = sc.once(_tail)
    written = payload(sc)
    pool = usual = None
    if rate is not None or has_stream_limit(sc):
        pool = pool_barrier(sc, size, rate, factors, written, floats(1.0))
        # Without increments the mean save is a full one.
        whole = written.mean.ndim == 0 and written.mean == 1
        usual = pool if whole else pool_barrier(sc, size, rate, factors, written, written.mean)
        if delivered is None:
            pool = _as_measured(sc, size, written, pool, floats(1.0))
            usual = _as_measured(sc, size, written, usual, written.mean)
    path = sc.once(path_of)
    overhead = floats(sc.require("save_overhead"))
    hidden = _hidden(sc, path)
    if saves_on_notice(sc):
        found = rates(sc, size.total, None if pool is None else pool.mean + overhead)
    else:
        found = sc.once(_rates)
    if found is None:
        return None
    local = sc.once(_local) if path.startswith("local") else None
    stall = _stall(sc, path, size, usual, local, overhead, hidden)
    every = floats(sc.require("pool_every")) if path.startswith("local") else floats(1.0)
    lag = None if usual is None else np.minimum(_pool_lag(path, usual, overhead), hidden)
    kill = _kill(sc, path, size, pool)
    pool_stall = usual.mean if path == "local_with_save" and usual is not None else floats(0.0)
    local_lag = local_copy_time(sc, size, written) if path == "local_async" else floats(0.0)
    slowdown = sc.once(drain_slowdown)
    ready = stall is not None and (lag is not None or path == "pool")
    return Configuration(
        path=path,
        sizes=size,
        rates=found,
        overhead=overhead,
        tail=factors,
        payload=written,
        pool=pool,
        usual=usual,
        local=local,
        stall=stall,
        pool_stall=pool_stall,
        local_lag=local_lag,
        pool_lag=lag,
        slowdown=slowdown,
        every=every,
        kill=kill,
        pattern=pattern(
            stall=stall,
            pool_stall=pool_stall,
            local_lag=local_lag,
            pool_lag=lag if lag is not None else 0.0,
            local_slowdown=slowdown,
            pool_slowdown=slowdown,
            every=np.maximum(every, 1.0),
            soft_rate=found.soft,
            hard_rate=found.hard,
            soft_restart=found.soft_restart,
            hard_restart=found.hard_restart,
            kill=_joined_kill(path, found, kill),
            announced_rate=found.announced,
            emergency_save=0.0 if pool is None else pool.mean + overhead,
            unusable=floats(sc.require("unusable_share")),
            drain_survives=1.0 if sc.word("drain_survives") == "yes" else 0.0,
        )
        if ready and stall is not None
        else None,
    )


def _as_measured(
    sc: Scenario, size: Sizes, written: Payload, modelled: Barrier, share: Floats
) -> Barrier:
    """A barrier times measured over modelled; times of single ranks never beat bytes over rate."""
    barrier = modelled.scaled(sc.calibration.save)
    least = least_time(sc, size, written, share) if sc.is_given("rank_times") else None
    return barrier if least is None else barrier.at_least(least)


def _tail(sc: Scenario) -> Tail:
    """Factors of the pool's save; asked once the sizes are known."""
    size = sizes(sc)
    assert size is not None  # noqa: S101 - configure has them
    return tail(sc, size.slow)


def _local(sc: Scenario) -> Barrier:
    """Barrier of a save to the node-local drives; asked once the sizes are known."""
    size = sizes(sc)
    assert size is not None  # noqa: S101 - configure has them
    return local_barrier(sc, size, payload(sc))


def _rates(sc: Scenario) -> Rates | None:
    """The rates of a job that never saves on a notice: the time of a save has no part in them."""
    size = sizes(sc)
    return None if size is None else rates(sc, size.total, None)


def _stall(
    sc: Scenario,
    path: Path,
    size: Sizes,
    pool: Barrier | None,
    local: Barrier | None,
    overhead: Floats,
    hidden: Floats,
) -> Floats | None:
    scale = floats(sc.calibration.stall)
    if path == "pool":
        return None if pool is None else (pool.mean + overhead) * scale
    if path in ("pool_async", "local_async"):
        snapshot = size.held / floats(sc.require("snapshot_rate"))
        plans = overhead if sc.word("plans_before_return") == "yes" else floats(0.0)
        late = floats(0.0)
        if path == "pool_async" and bool(np.any(np.isfinite(hidden))):
            if pool is None:
                return None
            late = np.maximum(pool.mean + overhead - hidden, 0.0)
        return (snapshot + plans + late) * scale
    return None if local is None else (local.mean + overhead) * scale


def _hidden(sc: Scenario, path: Path) -> Floats:
    """How much of a drain can go on behind training, s: all of it, or one step of it.

    Some writers are waited for before the next optimiser step (DeepSpeed's decoupled writer).
    """
    if path == "pool_async" and sc.word("drain_hides") == "one_step":
        step = sc.number("step_time")
        return floats(0.0) if step is None else floats(step)
    return floats(np.inf)


def _pool_lag(path: Path, pool: Barrier, overhead: Floats) -> Floats:
    if path in STALLS_ON_POOL:
        return floats(0.0)
    return pool.mean + overhead if path == "pool_async" else pool.mean


def _kill(sc: Scenario, path: Path, size: Sizes, pool: Barrier | None) -> Floats | None:
    """Probability that one save outlasts the limit that counts for it; None while unknown."""
    drains = path not in STALLS_ON_POOL
    limit = time_out(sc, drains=drains)
    if limit is None or pool is None:
        return None
    return outlasting(sc, size, pool, limit, drains=drains)


def _joined_kill(path: Path, found: Rates, kill: Floats | None) -> Floats:
    """What joins the hard rate: nothing where failures were counted here or the save drains."""
    if kill is None or found.counted or path not in STALLS_ON_POOL:
        return floats(0.0)
    return kill


def work_interval(sc: Scenario, p: Pattern | None) -> Floats | None:
    """Useful work between two saves, s: as given, steps x step time, or from a clock period.

    A clock period holds the stall and the drag too; what is left is work, at least a thousandth of
    the period.

    Args:
        sc: the scenario.
        p: its pattern, needed for clock intervals.
    """
    clock = given_interval(sc)
    if clock is None or sc.number("interval") is None:
        return clock
    if sc.word("interval_basis") != "clock" or p is None:
        return clock
    least = clock * 1e-3
    work = np.maximum(clock - p.stall, least)
    for _ in range(20):
        w = waits(p, work)
        found = np.maximum(clock - (w.segment - work) - w.pool_stall / p.every, least)
        if np.array_equal(found, work):
            break  # every further step would give the same
        work = found
    return work
