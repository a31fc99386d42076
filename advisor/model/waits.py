"""What one interval looks like once the earlier copies must be out first, without interruptions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from advisor.model.normal import Floats
from advisor.model.pattern import NEARLY_STOPPED, Pattern


@dataclass(frozen=True, slots=True)
class Work:
    """The work of one interval while copies drain, all s of wall time.

    Attributes:
        time: from its start to its end.
        local_drag: part of it lost to the drain of a local copy.
        pool_drag: part of it lost to the drain of a pool copy.
    """

    time: Floats
    local_drag: Floats
    pool_drag: Floats


def working(p: Pattern, tau: Floats, local_left: Floats, pool_left: Floats) -> Work:
    """How long the work of one interval takes while two copies drain for so long still.

    The slow-downs of the two add up while both drain; training never stops altogether.

    Args:
        p: the pattern.
        tau: work, full-speed s.
        local_left: of the local copy, s; 0 where none drains.
        pool_left: of the pool copy, s.
    """
    pool = np.minimum(p.pool_slowdown, NEARLY_STOPPED)
    if not local_left.any():
        pool_drag = pool * np.minimum(pool_left, tau / (1 - pool))
        return Work(tau + pool_drag, np.zeros(()), pool_drag)
    local = np.minimum(p.local_slowdown, NEARLY_STOPPED)
    both = np.maximum(1 - local - pool, 1 - NEARLY_STOPPED)
    first = np.minimum(np.minimum(local_left, pool_left), tau / both)
    work = np.maximum(tau - first * both, 0.0)
    slow = np.where(pool_left > local_left, pool, local)
    second = np.minimum(np.maximum(local_left, pool_left) - first, work / (1 - slow))
    alone = slow * second
    of_pool = np.where(pool_left > local_left, alone, 0.0)
    pool_drag = pool * first + of_pool
    local_drag = (1 - both - pool) * first + (alone - of_pool)
    return Work(tau + pool_drag + local_drag, local_drag, pool_drag)


@dataclass(frozen=True, slots=True)
class Pace:
    """Wall time of one interval with its save, s, by what drains meanwhile.

    Attributes:
        free: nothing: the first interval after a restart.
        local: the local copy of the save before it.
        pool: the copy of the last pool save all the time, no local copy.
        both: both of them.
        in_local: the work of ``local``.
        in_both: the work of ``both``.
    """

    free: Floats
    local: Floats
    pool: Floats
    both: Floats
    in_local: Work
    in_both: Work


def pace(p: Pattern, tau: Floats) -> Pace:
    """The four paces of a pattern; a save starts only after the local copy before it is out."""
    none, ever = np.zeros(()), np.full((), np.inf)
    in_local = working(p, tau, p.local_lag, none)
    in_both = working(p, tau, p.local_lag, ever)
    return Pace(
        free=tau + p.stall,
        local=np.maximum(in_local.time, p.local_lag) + p.stall,
        pool=working(p, tau, none, ever).time + p.stall,
        both=np.maximum(in_both.time, p.local_lag) + p.stall,
        in_local=in_local,
        in_both=in_both,
    )


@dataclass(frozen=True, slots=True)
class Waits:
    """What one interval looks like once the previous copies must be out first.

    Attributes:
        local_wait: mean wait of a save for the previous local copy, s.
        pool_wait: wait of a pool save for the previous pool copy, s.
        local_drag: full-speed seconds lost to the local drain, mean per save.
        pool_drag: full-speed seconds lost to the pool drain per pool save.
        segment: mean length of one interval with its stall, wait for the local copy and drag,
            without the pool stall, s.
        pool_stall: extra stall of a pool save with its wait, s.
    """

    local_wait: Floats
    pool_wait: Floats
    local_drag: Floats
    pool_drag: Floats
    segment: Floats
    pool_stall: Floats


def saves_between(p: Pattern) -> Floats:
    """K as a whole number, at least 1."""
    out: Floats = np.maximum(np.rint(p.every), 1.0)
    return out


def waits(p: Pattern, interval: ArrayLike) -> Waits:
    """Waits and drag of every copy for an interval of useful work, without interruptions.

    A save starts only after the previous copy of its kind is out. While a copy drains, training
    runs slower by the drain's slow-down; during a stall the drain goes on at no loss. The pattern
    is walked: j intervals wholly under the pool drain, the one in which it ends, the rest.

    Args:
        p: the pattern.
        interval: work between two saves, full-speed seconds, over 0; broadcasts with ``p``.
    """
    tau = np.asarray(interval, dtype=np.float64)
    return walked(p, tau, pace(p, tau))


def walked(p: Pattern, tau: Floats, at: Pace) -> Waits:
    """``waits`` where the paces are known already."""
    k = saves_between(p)
    under = np.minimum(np.floor(p.pool_lag / at.both), k - 1)
    left = p.pool_lag - under * at.both
    middle = working(p, tau, p.local_lag, left)
    after = k - 1 - under
    ready = np.maximum(middle.time, p.local_lag)
    pool_wait = np.where(after > 0, 0.0, np.maximum(left - ready, 0.0))
    local_drag = local_wait = np.zeros(())
    pool_drag = under * at.in_both.pool_drag + middle.pool_drag
    if p.local_lag.any():
        parts = ((under, at.in_both), (1.0, middle), (after, at.in_local))
        local_drag = sum((n * w.local_drag for n, w in parts), np.zeros(())) / k
        waited = (n * np.maximum(p.local_lag - w.time, 0.0) for n, w in parts)
        local_wait = sum(waited, np.zeros(())) / k
    return Waits(
        local_wait=local_wait,
        pool_wait=pool_wait,
        local_drag=local_drag,
        pool_drag=pool_drag,
        segment=tau + p.stall + local_wait + local_drag + pool_drag / k,
        pool_stall=p.pool_stall + pool_wait,
    )


def period(p: Pattern, interval: ArrayLike) -> Floats:
    """Mean wall time between two saves without interruptions, s; broadcasts."""
    w = waits(p, interval)
    return w.segment + w.pool_stall / saves_between(p)
