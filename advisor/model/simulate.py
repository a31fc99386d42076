"""Event simulation of the semantics that the lost-work formula describes: the second witness.

Vectorised over replicas: each step advances every replica to its own next event (a failure, the end
of a phase, the end of a drain). Drains go on during stalls at no loss of speed. A soft failure goes
back to the newest complete copy; a hard one to the newest copy in the pool, and aborts drains. A
failure in a soft restart repeats it (soft) or turns it hard; any failure in a hard restart repeats
it. Written from those rules, not from the formula.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from advisor.model.normal import Floats
from advisor.model.pattern import Pattern

Bools = NDArray[np.bool_]

WORK, WAIT_LOCAL, WAIT_POOL, STALL, SOFT_RESTART, HARD_RESTART = range(6)
"""What a replica is doing."""

BURN_IN = 0.1
"""Share of the time before counting begins, so that both ends miss the same unsaved work."""

_NEVER = np.inf
"""Time to an event that is not under way."""


@dataclass(frozen=True, slots=True)
class Failures:
    """How interruptions arrive.

    Attributes:
        shape: of Weibull gaps, renewed at each failure; 1 is Poisson.
        cluster: probability that a failure is followed by another one soon.
        cluster_gap: mean gap of such a follow-up, s.
    """

    shape: float = 1.0
    cluster: float = 0.0
    cluster_gap: float = 600.0


@dataclass(frozen=True, slots=True)
class Simulated:
    """What came out.

    Attributes:
        goodput: mean over replicas.
        error: standard error of the mean.
        interruptions: how many were simulated.
    """

    goodput: float
    error: float
    interruptions: int

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval."""
        return self.goodput - 1.96 * self.error

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval."""
        return self.goodput + 1.96 * self.error


class _Replicas:
    """State of all replicas; one array per quantity."""

    def __init__(self, count: int, interval: float) -> None:
        self.clock = np.zeros(count)
        self.phase = np.full(count, WORK)
        self.left = np.full(count, float(interval))
        """Full-speed work left in WORK, seconds left in the other phases."""
        self.work = np.zeros(count)
        """Useful work done since the start, at the last save or restore."""
        self.index = np.zeros(count, dtype=np.int64)
        """Saves since the last pool save."""
        self.local = np.zeros(count)
        """Work held by the newest complete node-local copy, and its index."""
        self.local_index = np.zeros(count, dtype=np.int64)
        self.pool = np.zeros(count)
        """Work held by the newest complete pool copy."""
        self.local_drain = np.full(count, _NEVER)
        self.pool_drain = np.full(count, _NEVER)
        self.draining = np.zeros(count)
        """Work held by the copy that drains to the pool."""
        self.copying = np.zeros(count)
        """Work held by the copy that drains to the node-local drive, and its index."""
        self.copying_index = np.zeros(count, dtype=np.int64)
        self.counted_from = np.zeros(count)
        """Work done when counting began."""
        self.failure = np.zeros(count)
        self.failures = np.zeros(count, dtype=np.int64)


def _scalars(p: Pattern) -> dict[str, float]:
    return {f.name: float(getattr(p, f.name)) for f in fields(Pattern)}


def steps(
    p: Pattern,
    interval: float,
    *,
    until: float,
    replicas: int,
    seed: int,
    failures: Failures | None = None,
) -> Iterator[tuple[float, _Replicas]]:
    """Run the simulation, yielding the share done after each step (for a progress bar).

    Args:
        p: pattern of one job (scalars); announced stops, kills and unusable copies are left out.
        interval: work between saves, s.
        until: simulated seconds per replica; the first tenth is not counted.
        replicas: how many run side by side.
        seed: of the random numbers.
        failures: how interruptions arrive, Poisson unless said.
    """
    v = _scalars(p)
    start = BURN_IN * until
    law = failures or Failures()
    rng = np.random.default_rng(seed)
    rate = v["soft_rate"] + v["hard_rate"]
    draw = _gaps(rng, rate, law)
    r = _Replicas(replicas, interval)
    r.failure = draw(replicas)
    rows = np.arange(replicas)
    while rows.size:
        speed = _speed(r, rows, v)
        phase, left = r.phase[rows], r.left[rows]
        working = phase == WORK
        ends = np.where(working, left / speed, left)
        ends = np.where(phase == WAIT_LOCAL, np.minimum(r.local_drain[rows], _NEVER), ends)
        ends = np.where(phase == WAIT_POOL, np.minimum(r.pool_drain[rows], _NEVER), ends)
        frozen = phase == HARD_RESTART
        local_end = np.where(frozen, _NEVER, r.local_drain[rows])
        pool_end = np.where(frozen, _NEVER, r.pool_drain[rows])
        dt = np.minimum(np.minimum(ends, r.failure[rows]), np.minimum(local_end, pool_end))
        before = r.clock[rows]
        dt = np.minimum(dt, np.where(before < start, start, until) - before)
        r.clock[rows] += dt
        r.left[rows] -= np.where(working, dt * speed, dt)
        r.failure[rows] -= dt
        r.local_drain[rows] = local_end - dt
        r.pool_drain[rows] = pool_end - dt
        begun = rows[(before < start) & (r.clock[rows] >= start)]
        r.counted_from[begun] = r.work[begun]
        _finish_drains(r, rows)
        failed = rows[r.failure[rows] <= 0]
        done = rows[(r.failure[rows] > 0) & (dt >= ends) & (r.clock[rows] < until)]
        _advance(r, done, v, interval)
        if failed.size:
            soft = rng.random(failed.size) * rate < v["soft_rate"]
            _fail(r, failed, soft, v, interval)
            r.failure[failed] = draw(failed.size)
        rows = rows[r.clock[rows] < until]
        yield float(r.clock.mean() / until), r


def _gaps(rng: np.random.Generator, rate: float, law: Failures) -> Callable[[int], Floats]:
    if rate <= 0:
        return lambda count: np.full(count, _NEVER)
    from math import gamma

    scale = 1 / (rate * gamma(1 + 1 / law.shape))
    if law.cluster > 0:
        # Follow-ups come on top; the mean gap is held.
        alone = (1 / rate - law.cluster * law.cluster_gap) / (1 - law.cluster)
        scale = max(alone, 1e-9) / gamma(1 + 1 / law.shape)

    def draw(count: int) -> Floats:
        gaps = scale * (
            rng.standard_exponential(count) if law.shape == 1 else rng.weibull(law.shape, count)
        )
        if law.cluster > 0:
            soon = rng.random(count) < law.cluster
            gaps = np.where(soon, law.cluster_gap * rng.standard_exponential(count), gaps)
        return np.maximum(gaps, 1e-12)

    return draw


def _speed(r: _Replicas, rows: NDArray[np.int64], v: dict[str, float]) -> Floats:
    local = np.isfinite(r.local_drain[rows]) * v["local_slowdown"]
    pool = np.isfinite(r.pool_drain[rows]) * v["pool_slowdown"]
    out: Floats = np.maximum(1 - local - pool, 1e-9)
    return out


def _finish_drains(r: _Replicas, rows: NDArray[np.int64]) -> None:
    out = rows[r.local_drain[rows] <= 0]
    r.local[out] = r.copying[out]
    r.local_index[out] = r.copying_index[out]
    r.local_drain[out] = _NEVER
    gone = rows[r.pool_drain[rows] <= 0]
    r.pool[gone] = r.draining[gone]
    r.pool_drain[gone] = _NEVER


def _advance(r: _Replicas, rows: NDArray[np.int64], v: dict[str, float], interval: float) -> None:
    """Phases that ended: work to waits, waits to the stall, the stall to the next work."""
    every = int(v["every"])
    phase = r.phase[rows]
    saving = rows[phase <= WAIT_POOL]
    if saving.size:
        local_busy = np.isfinite(r.local_drain[saving])
        to_pool = r.index[saving] + 1 >= every
        pool_busy = to_pool & np.isfinite(r.pool_drain[saving])
        stall = v["stall"] + np.where(to_pool, v["pool_stall"], 0.0)
        r.phase[saving] = np.where(local_busy, WAIT_LOCAL, np.where(pool_busy, WAIT_POOL, STALL))
        r.left[saving] = np.where(local_busy | pool_busy, 0.0, stall)
    _saved(r, rows[phase == STALL], v, interval, every)
    back = rows[(phase == SOFT_RESTART) | (phase == HARD_RESTART)]
    r.phase[back] = WORK
    r.left[back] = interval


def _saved(
    r: _Replicas, rows: NDArray[np.int64], v: dict[str, float], interval: float, every: int
) -> None:
    if not rows.size:
        return
    r.work[rows] += interval
    r.index[rows] += 1
    to_pool = r.index[rows] >= every
    r.index[rows] = np.where(to_pool, 0, r.index[rows])
    if v["local_lag"] > 0:
        r.copying[rows], r.copying_index[rows] = r.work[rows], r.index[rows]
        r.local_drain[rows] = v["local_lag"]
    else:
        r.local[rows], r.local_index[rows] = r.work[rows], r.index[rows]
    sent = rows[to_pool]
    if v["pool_lag"] > 0:
        r.draining[sent] = r.work[sent]
        r.pool_drain[sent] = v["pool_lag"]
    else:
        r.pool[sent] = r.work[sent]
    r.phase[rows] = WORK
    r.left[rows] = interval


def _fail(
    r: _Replicas, rows: NDArray[np.int64], soft: Bools, v: dict[str, float], interval: float
) -> None:
    r.failures[rows] += 1
    in_hard = r.phase[rows] == HARD_RESTART
    soft = soft & ~in_hard
    a, b = rows[soft], rows[~soft]
    # Soft: back to the newest complete copy; a copy still on its way to the drive is lost.
    newer_pool = r.pool[a] > r.local[a]
    r.work[a] = np.maximum(r.local[a], r.pool[a])
    r.index[a] = np.where(newer_pool, 0, r.local_index[a])
    unfinished = np.isfinite(r.local_drain[a]) & (r.draining[a] == r.copying[a])
    r.local_drain[a] = _NEVER
    r.pool_drain[a] = np.where(unfinished, _NEVER, r.pool_drain[a])
    if v["drain_survives"] <= 0:
        r.pool_drain[a] = np.where(np.isfinite(r.pool_drain[a]), v["pool_lag"], _NEVER)
    r.phase[a], r.left[a] = SOFT_RESTART, v["soft_restart"]
    # Hard: back to the pool, drains and node-local copies gone.
    r.work[b] = r.pool[b]
    r.local[b], r.local_index[b], r.index[b] = r.pool[b], 0, 0
    r.local_drain[b] = r.pool_drain[b] = _NEVER
    r.phase[b], r.left[b] = HARD_RESTART, v["hard_restart"]


def simulate(
    p: Pattern,
    interval: float,
    *,
    until: float,
    replicas: int = 1000,
    seed: int = 1,
    failures: Failures | None = None,
) -> Simulated:
    """Goodput of one job by simulation, with its standard error.

    Args:
        p: pattern of one job (scalars).
        interval: work between saves, s.
        until: simulated seconds per replica; many MTBFs, so that the ends do not count.
        replicas: how many.
        seed: of the random numbers.
        failures: how interruptions arrive.
    """
    last: _Replicas | None = None
    for _, last in steps(p, interval, until=until, replicas=replicas, seed=seed, failures=failures):
        pass
    assert last is not None  # noqa: S101 - there is at least one step
    share = (last.work - last.counted_from) / (until * (1 - BURN_IN))
    return Simulated(
        goodput=float(share.mean()),
        error=float(share.std(ddof=1) / np.sqrt(replicas)),
        interruptions=int(last.failures.sum()),
    )
