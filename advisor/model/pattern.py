"""What a configuration sets: the numbers the lost-work formula needs, and the waits they imply."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from advisor.model.normal import Floats

NEARLY_STOPPED = 1 - 1e-9
"""Largest slow-down computed with, a fraction: training that stands still while a copy drains."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One job's saves and failures; every field broadcasts with the others.

    Attributes:
        stall: stall of a save, s.
        pool_stall: extra stall of a save that also goes to the pool, s.
        local_lag: time until the local copy can be restored from, s.
        pool_lag: time until the pool copy can be restored from, s.
        local_slowdown: fraction of training speed lost while the local copy drains.
        pool_slowdown: the same while the pool copy drains.
        every: each so-manieth save also goes to the pool, at least 1.
        soft_rate: interruptions the local copy survives, 1/s.
        hard_rate: interruptions it does not, 1/s.
        soft_restart: from a soft interruption to training again, s.
        hard_restart: the same after a hard one, s.
        kill: probability that one save to the pool is killed by a time-out; over the time between
            two of them it joins the hard rate.
        announced_rate: interruptions announced early enough to save first, 1/s.
        emergency_save: that save, s.
        unusable: probability that the newest copy cannot be restored from.
        drain_survives: 1 where a pool drain goes on through a soft failure, 0 where it restarts.
    """

    stall: Floats
    pool_stall: Floats
    local_lag: Floats
    pool_lag: Floats
    local_slowdown: Floats
    pool_slowdown: Floats
    every: Floats
    soft_rate: Floats
    hard_rate: Floats
    soft_restart: Floats
    hard_restart: Floats
    kill: Floats
    announced_rate: Floats
    emergency_save: Floats
    unusable: Floats
    drain_survives: Floats

    def changed(self, **fields: ArrayLike) -> Pattern:
        """The same pattern with some fields replaced (converted to arrays)."""
        arrays: dict[str, Any] = {k: np.asarray(v, dtype=np.float64) for k, v in fields.items()}
        return replace(self, **arrays)


def pattern(
    *,
    stall: ArrayLike,
    hard_rate: ArrayLike,
    hard_restart: ArrayLike,
    pool_stall: ArrayLike = 0.0,
    local_lag: ArrayLike = 0.0,
    pool_lag: ArrayLike = 0.0,
    local_slowdown: ArrayLike = 0.0,
    pool_slowdown: ArrayLike = 0.0,
    every: ArrayLike = 1.0,
    soft_rate: ArrayLike = 0.0,
    soft_restart: ArrayLike = 0.0,
    kill: ArrayLike = 0.0,
    announced_rate: ArrayLike = 0.0,
    emergency_save: ArrayLike = 0.0,
    unusable: ArrayLike = 0.0,
    drain_survives: ArrayLike = 0.0,
) -> Pattern:
    """Build a pattern from numbers or arrays; what is left out is one synchronous tier.

    Args and units are those of ``Pattern``.
    """
    values = dict(locals())
    return Pattern(**{k: np.asarray(v, dtype=np.float64) for k, v in values.items()})


@dataclass(frozen=True, slots=True)
class Waits:
    """What one interval looks like once the previous copies must be out first.

    Attributes:
        local_wait: wait of each save for the previous local copy, s.
        pool_wait: wait of each pool save for the previous pool copy, s.
        local_drag: full-speed seconds lost to the local drain per save.
        pool_drag: full-speed seconds lost to the pool drain per pool save.
        soft_extra: extra length of the attempt after a soft failure (lag left of the local copy).
        hard_lag: lag left of the pool copy beyond the drag and the wait, s.
        segment: length of one interval with its stall and drag, without the pool stall, s.
        pool_stall: extra stall of a pool save with its wait, s.
    """

    local_wait: Floats
    pool_wait: Floats
    local_drag: Floats
    pool_drag: Floats
    soft_extra: Floats
    hard_lag: Floats
    segment: Floats
    pool_stall: Floats


def waits(p: Pattern, interval: ArrayLike) -> Waits:
    """Waits, drag and lag of every copy for an interval of useful work.

    A save starts only after the previous copy of its kind is out. While a copy drains, training
    runs slower by the drain's slow-down; during a stall the drain goes on at no loss.

    Args:
        p: the pattern.
        interval: work between two saves, full-speed seconds, over 0; broadcasts with ``p``.
    """
    tau = np.asarray(interval, dtype=np.float64)
    k = p.every
    # A drain that stops training altogether makes no progress; the cap keeps 0 x inf away.
    local_slow = np.minimum(p.local_slowdown, NEARLY_STOPPED)
    pool_slow = np.minimum(p.pool_slowdown, NEARLY_STOPPED)
    run1 = tau / (1 - local_slow)
    local_wait = np.maximum(0.0, p.local_lag - run1)
    local_drag = local_slow * np.minimum(p.local_lag, run1)
    soft_extra = p.local_lag - local_drag - local_wait
    s = p.stall + local_wait

    run = tau / (1 - pool_slow)
    pool_wait = np.maximum(0.0, p.pool_lag - k * run - (k - 1) * s)
    step = run + s
    full = np.floor(p.pool_lag / step)
    under = np.minimum(full * run + np.minimum(p.pool_lag - full * step, run), k * run)
    pool_drag = pool_slow * under
    hard_lag = p.pool_lag - pool_drag - pool_wait
    segment = tau + s + local_drag + pool_drag / k
    return Waits(
        local_wait=local_wait,
        pool_wait=pool_wait,
        local_drag=local_drag,
        pool_drag=pool_drag,
        soft_extra=soft_extra,
        hard_lag=hard_lag,
        segment=segment,
        pool_stall=p.pool_stall + pool_wait,
    )


def period(p: Pattern, interval: ArrayLike) -> Floats:
    """Mean wall time between two saves without interruptions, s; broadcasts."""
    w = waits(p, interval)
    return w.segment + w.pool_stall / p.every
