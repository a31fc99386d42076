"""Wait and drag of pool copies whose drain a soft interruption starts again, per pattern kept.

The recursion of the restarted drain once more, with what is paid on the way: an interruption in
window m keeps m intervals with the drag they had under the drain.
"""

from __future__ import annotations

import numpy as np

from advisor.model.drains import Costs, Course, Job, from_pool_save, from_restart
from advisor.model.normal import Floats
from advisor.model.waits import Waits, working

MOST_SAVES = 256
"""Saves between pool saves up to which they are walked; beyond, what an undisturbed run pays."""

_UNLIKELY = 1e-9
"""Chance to reach the next pool save below which the mean over those that do says nothing."""


def costs_again(job: Job, undisturbed: Waits) -> Costs:
    """Mean wait and drag of a pattern that is kept.

    Args:
        job: the job.
        undisturbed: its waits without interruptions, which stand where the mean says nothing.
    """
    most = int(np.max(job.every))
    plain = Costs(undisturbed.pool_wait, undisturbed.pool_drag)
    if most > MOST_SAVES:
        return plain
    shape = np.broadcast_shapes(undisturbed.pool_wait.shape, job.whole.shape, job.way.step.shape)
    nothing = np.zeros(())
    alone = working(job.p, job.tau, nothing, np.full((), np.inf)).pool_drag
    again, save = from_restart(job), from_pool_save(job)
    # Chance to arrive with n saves to go and the whole drain ahead; with it wait, and drag.
    known = np.zeros((3, most + 1, *shape))
    for n in range(1, most + 1):
        going = np.broadcast_to(np.asarray(float(n)), shape)
        stays, paid = _first_step(job, again, alone, going, known[:, : n + 1])
        known[:, n] = paid / np.maximum(1 - stays, _UNLIKELY)
    every = np.broadcast_to(job.every, shape)
    stays, paid = _first_step(job, save, job.pace.in_both.pool_drag, every, known)
    paid = paid + stays * np.take_along_axis(known, every[None, None].astype(np.intp), 1)[:, 0]
    # Before the first local copy is complete the pool copy is lost, and no drain is left.
    lost = job.f.attempt(np.minimum(job.p.local_lag, job.p.pool_lag))[1]
    aborted = job.f.retry_ok * lost * (1 - job.way.lost_from_restart(np.ones(())))
    chance = paid[0] + aborted
    told, safe = chance > _UNLIKELY, np.maximum(chance, _UNLIKELY)
    return Costs(
        np.where(told, paid[1] / safe, plain.wait), np.where(told, paid[2] / safe, plain.drag)
    )


def _first_step(
    job: Job, course: Course, first: Floats, n: Floats, known: Floats
) -> tuple[Floats, Floats]:
    """Up to the first interruption that counts, or to the pool save.

    Args:
        job: the job.
        course: how it starts.
        first: drag of its first interval under the drain, s.
        n: saves to go.
        known: chance, wait and drag from restarts with fewer to go, (3, saves, *jobs).

    Returns:
        The chance to start again with the same n, and the rest of the three.
    """
    f, p = job.f, job.p

    def dragged(saves: Floats) -> Floats:
        return np.where(saves > 0, first + (saves - 1) * job.pace.in_both.pool_drag, 0.0)

    m = np.arange(known.shape[1], dtype=np.float64).reshape((-1,) + (1,) * n.ndim)
    begin = f.attempt(np.minimum(course.copy_of(job, m), p.pool_lag))[0]
    end = np.where(
        m < n - 1, f.attempt(np.minimum(course.copy_of(job, m + 1), p.pool_lag))[0], job.whole
    )
    window = f.retry_ok * np.where(m < n, begin - end, 0.0)
    there = np.take_along_axis(known, np.maximum(n - m, 0).astype(np.intp)[None], 1)
    there = np.stack([there[0], there[1], there[2] + dragged(m) * there[0]])
    paid = (window[1:] * there[:, 1:]).sum(axis=1)
    # Once the drain has ended: see ``lost_after``.
    at = course.at_end(job, n)
    survive, fail = f.attempt(np.maximum(at.copy - p.pool_lag, 0.0))
    last = at.saves >= n - 1
    until = at.next + np.where(last, 0.0, p.local_lag)
    later, later_fail = f.attempt(until - np.maximum(at.copy, p.pool_lag))
    before = np.where(at.saves > 0, n - at.saves + 1, job.every)
    arrived = np.where(last, 1.0, 1 - job.way.lost_from_copy(np.maximum(n - at.saves - 1, 1.0)))
    ways = (
        (fail * f.retry_ok * (1 - job.way.lost_from_restart(before)), dragged(at.saves - 1)),
        (
            survive * later_fail * f.retry_ok * (1 - job.way.lost_from_restart(n - at.saves)),
            dragged(at.saves),
        ),
        (survive * later * arrived, dragged(at.saves) + at.drag),
    )
    chance = job.whole * sum((c for c, _ in ways), np.zeros(()))
    drag = job.whole * sum((c * d for c, d in ways), np.zeros(()))
    wait = job.whole * ways[2][0] * at.wait
    paid = paid + np.stack(np.broadcast_arrays(chance, wait, drag))
    return window[0], paid
