"""The way from one pool save to the next where a soft interruption starts the drain again: exact.

With n saves to go and the whole drain ahead let g(n) be the chance not to arrive before a hard
interruption. An interruption in window m of the drain, from the m-th complete local copy on, leads
to g(n - m), one after its end to the ways without a drain. The windows being equally long, the sum
over them is carried along from n to n + 1:

    (1 - G pi_0) g(n) = G sum_m pi_m g(n - m) + (1 - G)(1 - e^(-Lam d2)) + e^(-Lam d2) v(n)

pi_m the chance of an interruption in window m, G of a soft retry, v(n) the loss after the drain.
While the drain outlasts all work to go, how much that is does not matter: g is constant there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.model.drains import (
    AtEnd,
    Course,
    Drained,
    Job,
    from_pool_save,
    from_restart,
    lost_after,
    rows_of,
)
from advisor.model.normal import Floats

MOST_STEPS = 256
"""Steps of the recursion in n: over more saves than that what lies before them is forgotten."""

_TINY = 1e-300
"""Keeps 0/0 away where no drain is ever got through."""


def drained_again(job: Job) -> Drained:
    """Loss and durability after a pool save whose drain a soft interruption starts again."""
    f, p, whole = job.f, job.p, job.whole
    through = whole / np.maximum(whole + f.retry_lost * job.whole_fail, _TINY)
    if not p.local_lag.any():
        # Without a local lag a pool save is the same start as a restart.
        return Drained(_reached(job, from_restart(job)).now, through)
    copied, copied_fail = f.attempt(np.minimum(p.local_lag, p.pool_lag))
    save = from_pool_save(job)
    end = save.at_end(job, job.every)
    # Before the first local copy is complete the pool copy is lost with it.
    lost = (
        copied_fail * f.broken(job.way.lost_from_restart(np.ones(())))
        + f.retry_ok * _sum_from_save(job, save, end)
        + f.retry_lost * (copied - whole)
        + whole * lost_after(job, end, job.every)
    )
    return Drained(lost, f.retry_ok * (copied - whole) * through + whole)


@dataclass(frozen=True, slots=True)
class _Reached:
    """g where the pool save's own windows lead, per job.

    Attributes:
        now: g(k).
        back: g(k - c), c the local copies complete within a restarted drain.
        near: g(k - c + 1).
        windows: sum of a^(m-1) g(k - m) over its whole windows, m from 1 to c - 1.
    """

    now: Floats
    back: Floats
    near: Floats
    windows: Floats


def _sum_from_save(job: Job, save: Course, end: AtEnd) -> Floats:
    """Sum of pi_m g(k - m) over the windows after a pool save, the first ``d1`` after it."""
    f, p = job.f, job.p
    again = from_restart(job)
    saves, copies = _in_drain(job, again)
    own = np.where(end.copy > p.pool_lag, end.saves - 1, end.saves)
    g = _reached(job, again)
    step, step_fail = f.attempt(job.pace.both)
    begun, _ = f.attempt(p.local_lag)
    whole = job.whole
    last = f.attempt(save.copy_of(job, np.maximum(own, 0.0)))[0] - whole
    # A save's windows lie a little later than a restart's: the last of those may not fit.
    fewer = own < copies
    cut = np.where(fewer & (copies > 1), _power(job, copies - 2) * g.near, 0.0)
    several = step_fail * begun * (g.now + step * (g.windows - cut))
    several = several + last * np.where(fewer, g.near, g.back)
    windows = np.where(own > 0, several, np.where(own == 0, last * g.now, 0.0))
    out: Floats = np.where(saves < job.every, windows, g.now * np.maximum(begun - whole, 0.0))
    return out


def _in_drain(job: Job, again: Course) -> tuple[Floats, Floats]:
    """Saves, and complete local copies, within a restarted drain."""
    saves = again.saves_in(job)
    return saves, np.where(again.copy_of(job, saves) > job.p.pool_lag, saves - 1, saves)


def _power(job: Job, m: Floats) -> Floats:
    """a^m, a the chance of no interruption in one interval under both drains."""
    out: Floats = np.exp(-job.f.total * job.pace.both * np.maximum(m, 0.0))
    return out


def _reached(job: Job, again: Course) -> _Reached:
    """g(k) and what the sum over its windows needs, by the recursion where there are several."""
    f, p, k = job.f, job.p, job.every
    saves, copies = _in_drain(job, again)
    whole, whole_fail = job.whole, job.whole_fail
    lost = f.retry_lost * whole_fail
    through = np.maximum(whole + lost, _TINY)
    # After a drain that outlasts all work only the pool save itself is left.
    _, stall_fail = f.attempt(p.stall + p.pool_stall)
    at_once = f.broken(job.way.lost_from_restart(np.ones(())))
    held = (lost + whole * stall_fail * at_once) / through
    after = lost_after(job, again.at_end(job, k), k)
    now = np.where(saves < k, (lost + whole * after) / through, held)
    full = np.broadcast_shapes(now.shape, job.shape)
    now, shape = np.broadcast_to(now, full), full or (1,)
    rows = np.nonzero(np.broadcast_to((saves > 0) & (saves < k) & (f.retry_ok > 0), shape))
    if not rows[0].size:
        return _Reached(now, now, now, now)
    copies, held = rows_of(copies, rows, shape), rows_of(held, rows, shape)
    found = _climbed(job.taken(rows, shape), copies, held, rows[0].size)
    out = []
    for values in found:
        every = np.array(now).reshape(shape)
        every[rows] = values
        out.append(every.reshape(full))
    return _Reached(*out)


def _climbed(
    job: Job, copies: Floats, held: Floats, jobs: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """The recursion for jobs in one row: g(k), g(k - c), g(k - c + 1) and the windows."""
    f, p, again = job.f, job.p, from_restart(job)
    columns = np.arange(jobs)
    count = np.minimum(job.every - again.saves_in(job) + 0 * columns, MOST_STEPS).astype(np.intp)
    m = copies.astype(np.intp)
    step, step_fail = f.attempt(job.pace.both)
    whole, whole_fail = job.whole, job.whole_fail
    first, first_fail = f.attempt(np.minimum(again.first + p.local_lag, p.pool_lag))
    inside_weight = f.retry_ok * first * step_fail
    last_weight = f.retry_ok * (f.attempt(again.copy_of(job, copies))[0] - whole)
    divisor = np.maximum(first + f.retry_lost * first_fail, _TINY)
    before = f.attempt(job.pace.both * np.maximum(copies - 1, 0.0))
    windows = held * before[1] / np.maximum(step_fail, _TINY)
    gain = -np.expm1(-job.way.step)
    g = np.empty((int(count.max()) + 1, jobs))
    g[0] = held
    ends: list[Floats] = []
    for t in range(1, g.shape[0]):
        if t <= 2:
            # From two saves after the drain on, the loss is the one before times A.
            n = job.every - count + t
            loss = lost_after(job, again.at_end(job, n), n)
        else:
            loss = loss + gain * (1 - loss)
        inside = inside_weight * windows + last_weight * g[np.maximum(t - m, 0), columns]
        inside = np.where(m > 0, inside, 0.0)
        g[t] = (inside + f.retry_lost * whole_fail + whole * loss) / divisor
        left = g[np.clip(t - m + 1, 0, t), columns]
        ends.append(windows + 0 * columns)
        windows = np.where(m > 1, g[t] + step * windows - before[0] * left, 0.0)
    at = count
    return (
        g[at, columns],
        g[np.maximum(at - m, 0), columns],
        g[np.clip(at - m + 1, 0, at), columns],
        np.stack(ends)[at - 1, columns],
    )
