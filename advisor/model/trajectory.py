"""Where an undisturbed run is at any time after a restart: the part of a simulation without chance.

Between two interruptions nothing is random, and after a save to the pool the same pattern repeats
for ever: it is walked once, save by save, and whole patterns are skipped. Drains go on by the wall
clock, during stalls too; training is slower while they run. A save starts only after the previous
copy of its kind is out.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from advisor.model.normal import Floats
from advisor.model.pattern import Pattern

SLOWEST = 1e-9
"""Least training speed while copies drain, a fraction: progress never stops altogether."""

_SHRINK = 0.5
"""Share of rows still walking below which the others are dropped: dropping costs a few steps."""


@dataclass(frozen=True, slots=True)
class Route:
    """One job's saves, with the pattern that repeats after a save to the pool.

    Attributes:
        interval: work between saves, full-speed seconds.
        stall: of every save, s.
        pool_stall: extra one of a save to the pool, s.
        local_lag: until the node-local copy is complete, s.
        pool_lag: until the pool copy is complete, s.
        local_slow: speed lost while the local copy drains, a fraction.
        pool_slow: the same for the pool copy.
        every: each so-manieth save goes to the pool.
        saves: ends of the saves in the repeating pattern, s after a pool save; the last is the
            next pool save. Shape (every,).
    """

    interval: float
    stall: float
    pool_stall: float
    local_lag: float
    pool_lag: float
    local_slow: float
    pool_slow: float
    every: int
    saves: Floats

    @property
    def period(self) -> float:
        """Length of the repeating pattern, s."""
        return float(self.saves[-1])

    @property
    def copies(self) -> Floats:
        """When the local copies of the repeating pattern are complete, s; shape (every,)."""
        begun = np.concatenate(([0.0], self.saves[:-1]))
        return begun + self.local_lag


@dataclass(frozen=True, slots=True)
class Place:
    """Where runs are; every array has one row per run.

    Attributes:
        pattern: saves to the pool since the start of the run.
        saved: saves since the last of those.
        local: newest complete local copy, in saves since the last pool save; -1 is the one before.
        left: how long the pool copy of the last pool save still drains, s; 0 where it is complete.
    """

    pattern: Floats
    saved: Floats
    local: Floats
    left: Floats


def route(p: Pattern, interval: float) -> Route:
    """Walk the repeating pattern of one job.

    Args:
        p: its pattern; fields are scalars.
        interval: work between saves, s, over 0.
    """
    v = {f.name: float(getattr(p, f.name)) for f in fields(Pattern)}
    every = max(1, round(v["every"]))
    empty = np.zeros(0)
    plain = Route(
        float(interval), v["stall"], v["pool_stall"], v["local_lag"], v["pool_lag"],
        v["local_slowdown"], v["pool_slowdown"], every, empty,
    )  # fmt: skip
    saves = np.zeros(every)
    now = np.zeros(1)
    for at in range(every):
        ready = now + working_time(plain, plain.local_lag, np.maximum(plain.pool_lag - now, 0.0))
        ready = np.maximum(ready, now + plain.local_lag)
        last = at == every - 1
        if last:
            ready = np.maximum(ready, plain.pool_lag)
        now = ready + plain.stall + (plain.pool_stall if last else 0.0)
        saves[at] = now[0]
    return Route(
        plain.interval, plain.stall, plain.pool_stall, plain.local_lag, plain.pool_lag,
        plain.local_slow, plain.pool_slow, every, saves,
    )  # fmt: skip


def working_time(job: Route, local_left: float, pool_left: Floats) -> Floats:
    """Wall time of one interval's work, s, while copies drain for so long still.

    Args:
        job: the job.
        local_left: of the local copy, s.
        pool_left: of the pool copy, s; shape (n,).
    """
    alone = max(1 - job.pool_slow, SLOWEST)
    if local_left <= 0:
        slow = np.minimum(pool_left, job.interval / alone)
        out: Floats = slow + (job.interval - slow * alone)
        return out
    both = max(1 - job.pool_slow - job.local_slow, SLOWEST)
    local = max(1 - job.local_slow, SLOWEST)
    first = np.minimum(np.minimum(pool_left, local_left), job.interval / both)
    work = job.interval - first * both
    rate = np.where(pool_left > local_left, alone, local)
    rest = np.maximum(pool_left, local_left) - first
    # Where the first stretch used all the work, nothing is left for the second.
    second = np.minimum(rest, np.maximum(work, 0.0) / rate)
    total: Floats = first + second + np.maximum(work - second * rate, 0.0)
    return total


def first_pool_save(
    job: Route, time: Floats, index: Floats, drain: Floats
) -> tuple[Floats, Floats, Floats]:
    """The way from a restart to the first save to the pool.

    Args:
        job: the job.
        time: how long training has run since the restart, s; shape (n,).
        index: saves since the last pool save in the copy it started from.
        drain: how long the copy of that pool save still drained when training began, s; 0: done.

    Returns:
        When the pool save ends, s after training began (may be too early where that is later than
        ``time`` anyway); how many saves before it, and how many local copies of those, are complete
        at ``time``.
    """
    to_pool = job.every - index
    begin = job.interval + job.stall
    if job.every == 1:
        zero = np.zeros(time.shape)
        if not drain.any():
            return np.full(time.shape, begin + job.pool_stall), zero, zero
        ready = np.maximum(working_time(job, 0.0, drain), drain)
        return ready + job.stall + job.pool_stall, zero, zero
    pace = working_time(job, job.local_lag, np.zeros(1))[0]
    pace = max(pace, job.local_lag) + job.stall
    ends = begin + (to_pool - 1) * pace + job.pool_stall
    most = to_pool - 1
    saved = np.clip(np.floor((time - begin) / pace) + 1, 0, most)
    local = saved
    if job.local_lag > 0:
        local = np.clip(np.floor((time - begin - job.local_lag) / pace) + 1, 0, most)
    rows = np.flatnonzero(drain)
    if rows.size:
        if local is saved:
            local = saved.copy()
        found = _under_a_drain(job, time[rows], to_pool[rows], drain[rows])
        ends[rows], saved[rows], local[rows] = found
    return ends, saved, local


def _under_a_drain(
    job: Route, time: Floats, to_pool: Floats, drain: Floats
) -> tuple[Floats, Floats, Floats]:
    """Walk save by save, since how long each takes depends on what is left of the drain."""
    count = time.size
    ends, saved, local = np.full(count, np.inf), np.zeros(count), np.zeros(count)
    rows = np.arange(count)
    now = np.zeros(count)
    for at in range(job.every):
        lag = job.local_lag if at else 0.0
        ready = now + working_time(job, lag, np.maximum(drain - now, 0.0))
        if lag:
            ready = np.maximum(ready, now + lag)
        last = to_pool == at + 1
        now = np.where(last, np.maximum(ready, drain) + job.pool_stall, ready) + job.stall
        done = rows[last]
        ends[done] = now[last]
        going = (to_pool > at + 1) & (now <= time)
        saved[rows] += going
        local[rows] += going & (now + job.local_lag <= time)
        alive = np.count_nonzero(going)
        if not alive:
            break
        if alive < _SHRINK * rows.size:
            rows, now, time = rows[going], now[going], time[going]
            to_pool, drain = to_pool[going], drain[going]
    return ends, saved, local


def place(
    job: Route,
    time: Floats,
    index: Floats,
    drain: Floats,
    way: tuple[Floats, Floats, Floats],
) -> Place:
    """Where runs are after training for a time.

    Args:
        job: the job.
        time: since training began, s, at least 0; shape (n,).
        index: saves since the last pool save in the copy it started from.
        drain: how long the copy of that pool save still drained then, s; 0 where it was complete.
        way: what ``first_pool_save`` found, for this time or a later one before the pool save.
    """
    ends, saved, local = way
    since = time - ends
    inside = since >= 0
    left = np.maximum(drain - time, 0.0)
    if not inside.any():
        return Place(np.zeros(time.shape), index + saved, index + local, left)
    after = _in_pattern(job, np.maximum(since, 0.0))
    return Place(
        np.where(inside, after.pattern, 0.0),
        np.where(inside, after.saved, index + saved),
        np.where(inside, after.local, index + local),
        np.where(inside, after.left, left),
    )


def _in_pattern(job: Route, since: Floats) -> Place:
    """Where runs are so long after their first pool save, s."""
    whole = np.floor(since / job.period)
    inner = since - whole * job.period
    left = np.maximum(job.pool_lag - inner, 0.0)
    saved: Floats = np.zeros(since.shape)
    if job.every > 1:
        saved = job.saves[:-1].searchsorted(inner, side="right").astype(np.float64)
    local = saved
    if job.local_lag > 0:
        local = job.copies.searchsorted(inner, side="right").astype(np.float64) - 1
    return Place(whole + 1, saved, local, left)
