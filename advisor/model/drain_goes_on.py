"""The way from one pool save to the next where a drain goes on through a soft interruption.

The drain ends at a fixed time, so its own chance is ``e^(-lam_h d2)``; what soft interruptions
change is how far training is by then. Let v(y) be the chance to arrive once the drain has ended
with the job y seconds along its undisturbed course. An interruption takes off y what it had not
saved and the restart, as far as it falls into the drain; what it takes comes out of the wait for
the drain first. The sum runs over the number of soft interruptions, up to three or more of them,
each number at its mean delay: exact for none, and to first order in the spread of the delays.
"""

from __future__ import annotations

import numpy as np

from advisor.model.drains import Costs, Drained, Job, from_pool_save, lost_after
from advisor.model.interruptions import exponent
from advisor.model.normal import Floats
from advisor.model.soft_delays import COUNTS, TINY, Soft, soft_interruptions


def drained_on(job: Job) -> Drained:
    """Loss and durability after a pool save whose drain goes on through soft interruptions."""
    f, p = job.f, job.p
    save = from_pool_save(job)
    end = save.at_end(job, job.every)
    copied = np.minimum(p.local_lag, p.pool_lag)
    alive, over = f.attempt(copied)
    # Before the first local copy is complete the pool copy is lost with it.
    aborted = over * f.broken(job.way.lost_from_restart(np.ones(())))
    rest = p.pool_lag - copied
    after = lost_after(job, end, job.every)
    soft = soft_interruptions(job, rest, end.wait)
    hazard = f.hard * rest + exponent(1 - after, after) + _delayed(job, soft, rest)
    kept = np.exp(-f.hard * p.pool_lag - f.soft * copied)
    return Drained(aborted - alive * np.expm1(-hazard), kept)


def _delayed(job: Job, soft: Soft, rest: Floats) -> Floats:
    """-ln of what soft interruptions in the rest of a drain leave of the chance to arrive."""
    f = job.f
    arrival = _exponent_along(job, soft.end)

    def lost_by(delay: Floats) -> Floats:
        """Share of the chance to arrive that a delay takes."""
        behind = _exponent_along(job, np.maximum(soft.end - delay, 0.0))
        more = np.where(np.isfinite(behind), np.maximum(behind - arrival, 0.0), 0.0)
        return -np.expm1(-more)

    in_wait = lost_by(soft.late)
    by = {
        count: early * lost_by(soft.delays[count].beyond) + (1 - early) * in_wait
        for count, early in soft.early.items()
    }
    total = sum((soft.chances[count] * by[count] for count in COUNTS), np.zeros(()))
    # A restart still under way at the end of the drain goes on after it.
    short = np.minimum(soft.restart, rest)
    under_way = -np.expm1(-f.soft * short)
    late = -under_way * np.expm1(-f.hard * (soft.restart - short / 2))
    # The same interruption delays and ends late: what it loses twice counts once.
    twice = total * late + late * (1 - under_way) * by[1]
    out: Floats = -np.log1p(-np.clip(total + late - twice, 0.0, 1 - 1e-16))
    return out


def _exponent_along(job: Job, y: Floats) -> Floats:
    """-ln of the chance to arrive from y seconds along the undisturbed drain, no copy draining.

    What is left of the work under way shrinks in proportion, from the pace under the drain to the
    pace without; the stall after it does not.
    """
    f, k, lag = job.f, job.every, job.p.local_lag
    saves = np.minimum(np.floor(y / job.pace.both), k - 1)
    done = y - saves * job.pace.both
    last = saves >= k - 1
    to_copy = np.maximum(lag - done, 0.0)
    own = np.where(last, job.p.pool_stall, 0.0)
    stall = job.p.stall
    work = np.maximum(1 - done / (job.pace.both - stall), 0.0) * (job.pace.local - stall)
    left = work + np.minimum(job.pace.both - done, stall) + own
    left = np.maximum(left, to_copy)
    survive, fail = f.attempt(to_copy)
    later, later_fail = f.attempt(left - to_copy + np.where(last, 0.0, lag))
    arrived = np.where(last, 0.0, job.way.lost_from_copy(np.maximum(k - saves - 1, 1.0)))
    before = np.where(saves > 0, k - saves + 1, k)
    onwards = later_fail * f.broken(job.way.lost_from_restart(k - saves)) + later * arrived
    lost = fail * f.broken(job.way.lost_from_restart(before)) + survive * onwards
    return exponent(1 - lost, lost)


def costs_on(job: Job) -> Costs:
    """Wait and drag of a pool copy whose drain goes on, mean over the numbers of interruptions."""
    p = job.p
    end = from_pool_save(job).at_end(job, job.every)
    soft = soft_interruptions(job, p.pool_lag - np.minimum(p.local_lag, p.pool_lag), end.wait)
    none = 1 - sum(soft.chances.values(), np.zeros(()))
    drag = none * _drag_along(job, soft.end)
    wait = none * end.wait
    again = soft.restart + job.pace.pool - p.stall
    in_wait = np.maximum(end.wait - again, 0.0) ** 2 / (2 * np.maximum(end.wait, TINY))
    for count in COUNTS:
        delay, early, chance = soft.delays[count], soft.early[count], soft.chances[count]
        # Of the wait is left what the delay does not take: (w - x)+ = w - x + (x - w)+.
        left = np.maximum(end.wait - delay.total + delay.beyond, 0.0)
        wait = wait + chance * (early * left + (1 - early) * in_wait)
        reached = soft.end - early * delay.beyond - (1 - early) * soft.late
        drag = drag + chance * _drag_along(job, np.maximum(reached, 0.0))
    return Costs(wait, drag)


def _drag_along(job: Job, y: Floats) -> Floats:
    """Full-speed seconds lost to the drain in the first y seconds of the undisturbed course."""
    saves = np.minimum(np.floor(y / job.pace.both), job.every - 1)
    work = job.pace.in_both
    part = np.minimum((y - saves * job.pace.both) / work.time, 1.0)
    out: Floats = work.pool_drag * (saves + part)
    return out
