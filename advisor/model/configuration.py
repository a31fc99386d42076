"""What a configuration sets: which path the save takes, its stall, its lags and its rates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from advisor.facts.scenario import Scenario
from advisor.model.burst import Barrier, Tail, barrier, data_time, two_phase_time, writer_tail
from advisor.model.job import (
    Rates,
    Sizes,
    floats,
    has_stream_limit,
    pool_rate,
    rates,
    sizes,
    tail,
    tail_ratio,
)
from advisor.model.normal import Floats
from advisor.model.pattern import Pattern, pattern, waits
from advisor.model.tails import exceeds, spread_exceeds

Path = Literal["pool", "pool_async", "local", "local_with_save", "local_async"]
"""Where a save goes: the pool (synchronous or not), or the node-local drive and then the pool."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """One configuration of one job, in numbers.

    Attributes:
        path: where a save goes.
        sizes: bytes and writers.
        rates: failures and restarts.
        overhead: planning, gather and metadata of a save, s.
        tail: factors of the pool's save.
        pool: barrier of a save to the pool, None while neither a rate nor a time is known.
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
    pool: Barrier | None
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
        return self.path in ("pool", "local_with_save")


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


def redundancy_bytes(sc: Scenario) -> Floats:
    """Bytes written node-locally over bytes of the state: partner 2, xor m/(m-1), rs m/(m-2).

    Storage factors of SCR's schemes; rs keeps two parity blocks.
    """
    group = floats(sc.require("redundancy_group"))
    match sc.word("redundancy"):
        case "partner":
            return floats(2.0)
        case "xor":
            return group / np.maximum(group - 1, 1)
        case "rs":
            return group / np.maximum(group - 2, 1)
        case _:
            return floats(1.0)


def local_barrier(sc: Scenario, size: Sizes) -> Barrier:
    """Barrier of a save to the node-local drives: the slowest drive, redundancy included."""
    data = size.fullest * redundancy_bytes(sc) / floats(sc.require("nvme_write"))
    peer = sc.number("peer_link")
    if peer is not None:
        data = data + size.fullest * (redundancy_bytes(sc) - 1) / floats(peer)
    slow = writer_tail(floats(sc.require("nvme_tail_ratio")), size.writing)
    return barrier(data, floats(0.0), slow)


def configure(sc: Scenario, delivered: Floats | None = None) -> Configuration | None:
    """Everything a configuration sets, None while the state or the nodes are unknown.

    Args:
        sc: the scenario, calibrated.
        delivered: rate of the pool to try instead of the scenario's, B/s; the calibration of the
            save is then left out, since it asks what that rate would need.
    """
    size = sizes(sc)
    if size is None:
        return None
    rate = pool_rate(sc) if delivered is None else delivered
    factors = tail(sc, size.slow)
    pool = None
    if rate is not None or has_stream_limit(sc):
        data = _data(sc, size, rate)
        pool = barrier(data, size.creates, factors)
        if delivered is None:
            pool = pool.scaled(sc.calibration.save)
    path = path_of(sc)
    overhead = floats(sc.require("save_overhead"))
    hidden = _hidden(sc, path)
    found = rates(sc, size.total, None if pool is None else pool.mean + overhead)
    if found is None:
        return None
    local = local_barrier(sc, size) if path.startswith("local") else None
    stall = _stall(sc, path, size, pool, local, overhead, hidden)
    every = floats(sc.require("pool_every")) if path.startswith("local") else floats(1.0)
    lag = None if pool is None else np.minimum(_pool_lag(path, pool, overhead), hidden)
    kill = _kill(sc, path, size, pool)
    pool_stall = pool.mean if path == "local_with_save" and pool is not None else floats(0.0)
    local_lag = (
        size.fullest / floats(sc.require("nvme_write")) if path == "local_async" else floats(0.0)
    )
    slowdown = drain_slowdown(sc)
    ready = stall is not None and (lag is not None or path == "pool")
    return Configuration(
        path=path,
        sizes=size,
        rates=found,
        overhead=overhead,
        tail=factors,
        pool=pool,
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


def _data(sc: Scenario, size: Sizes, rate: Floats | None) -> Floats:
    """Seconds to move the bytes: at the pool's rate, or through its fast area first.

    The area empties between two saves at the sustained rate only; one fixed-point step takes the
    time of the save itself off that gap.
    """
    plain = data_time(size.total, size.fullest, np.inf if rate is None else rate, size.node_limit)
    area, fast = sc.number("pool_buffer"), sc.number("pool_buffer_write")
    if rate is None or area is None or fast is None:
        return plain
    share = floats(sc.require("pool_share"))
    arriving = np.minimum(size.writing * size.node_limit, floats(fast) * share)
    usable = floats(area) * share
    slowest = size.fullest / size.node_limit
    first = two_phase_time(size.total, arriving, rate, usable)
    every = work_interval(sc, None)
    if every is None:
        return np.maximum(first, slowest)
    gap = every if sc.word("interval_basis") != "clock" else every - first
    return np.maximum(two_phase_time(size.total, arriving, rate, usable, gap), slowest)


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
    if path in ("pool", "local_with_save"):
        return floats(0.0)
    return pool.mean + overhead if path == "pool_async" else pool.mean


def _kill(sc: Scenario, path: Path, size: Sizes, pool: Barrier | None) -> Floats | None:
    """Probability that one save outlasts the limit that counts for it; None while unknown.

    Synchronous: the training group's limit against the spread of the writers where single writers
    were measured, else against the whole save, which is an upper bound. Asynchronous: the limit of
    the group the background save runs in.
    """
    drains = path != "pool" and path != "local_with_save"
    limit = sc.number("drain_timeout" if drains else "collective_timeout")
    if limit is None or pool is None:
        return None
    ratio = tail_ratio(sc)
    if sc.word("pool_write_basis") == "per_writer" and not has_stream_limit(sc) and not drains:
        single = (pool.nominal - size.creates) * floats(sc.calibration.save)
        return spread_exceeds(single, ratio, floats(limit), np.maximum(size.slow, 2.0))
    if sc.word("pool_write_basis") == "per_writer":
        return exceeds(pool.nominal * floats(sc.calibration.save), ratio, floats(limit), size.slow)
    return exceeds(pool.p50, ratio, floats(limit))


def _joined_kill(path: Path, found: Rates, kill: Floats | None) -> Floats:
    """What joins the hard rate: nothing where failures were counted here or the save drains."""
    if kill is None or found.counted or path not in ("pool", "local_with_save"):
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
    every = sc.number("interval")
    if every is None:
        steps, step = sc.number("interval_steps"), sc.number("step_time")
        return None if steps is None or step is None else floats(steps) * floats(step)
    clock = floats(every)
    if sc.word("interval_basis") != "clock" or p is None:
        return clock
    least = clock * 1e-3
    work = np.maximum(clock - p.stall, least)
    for _ in range(20):
        w = waits(p, work)
        work = np.maximum(clock - (w.segment - work) - w.pool_stall / p.every, least)
    return work
