"""The way from one pool save to the next where a drain goes on through a soft interruption.

The drain ends at a fixed time, so its own chance is ``e^(-lam_h d2)``; what soft interruptions
change is how far training is by then. Let v(y) be the chance to arrive once the drain has ended
with the job y seconds along its undisturbed course. An interruption takes off y what it had not
saved and the restart, as far as it falls into the drain; what it takes comes out of the wait for
the drain first. The sum runs over the number of soft interruptions, up to three or more of them,
each number at its mean delay: exact for none, and to first order in the spread of the delays.
"""

from __future__ import annotations

from math import comb, factorial

import numpy as np

from advisor.model.drains import Drained, Job, from_pool_save, lost_after
from advisor.model.interruptions import exponent
from advisor.model.normal import Floats

COUNTS = (1, 2, 3)
"""Numbers of soft interruptions during one drain that are told apart; the last means or more."""

LONGEST = 1e30
"""Longest mean restart computed with, s: far over any drain, and its square is still a number."""

_TINY = 1e-300
"""Keeps 0/0 away."""


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
    hazard = f.hard * rest + exponent(1 - after, after) + _delayed(job, rest, end.wait)
    kept = np.exp(-f.hard * p.pool_lag - f.soft * copied)
    return Drained(aborted - alive * np.expm1(-hazard), kept)


def _delayed(job: Job, rest: Floats, wait: Floats) -> Floats:
    """-ln of what soft interruptions in the rest of a drain leave of the chance to arrive.

    Args:
        job: the job.
        rest: of the drain from the first complete local copy on, s.
        wait: of an undisturbed run for the end of the drain, s.
    """
    f, p = job.f, job.p
    running = rest - wait
    end = p.pool_lag - wait
    restart = np.minimum(f.soft_repeat_mean, LONGEST)
    arrival = _exponent_along(job, end)

    def lost_by(delay: Floats) -> Floats:
        """Share of the chance to arrive that a delay takes."""
        behind = _exponent_along(job, np.maximum(end - delay, 0.0))
        with np.errstate(invalid="ignore"):
            more = np.where(np.isfinite(behind), np.maximum(behind - arrival, 0.0), 0.0)
        return -np.expm1(-more)

    at_least = _at_least(f.soft, running, restart)
    lost, by_one = np.zeros(()), np.zeros(())
    for count in COUNTS:
        chance = at_least[count] - at_least.get(count + 1, np.zeros(()))
        delay = _mean_delay(job, count, running, restart, wait)
        by = lost_by(delay)
        by_one = by if count == 1 else by_one
        lost = lost + np.maximum(chance, 0.0) * by
    # In the wait the interval before it is done again.
    redone = job.pace.pool - p.stall
    spare = np.maximum(wait - restart, 0.0)
    beyond = np.where(spare < redone, redone * spare - spare**2 / 2, redone**2 / 2)
    mean = (redone * np.minimum(wait, restart) + beyond) / np.maximum(wait, _TINY)
    waiting = -np.expm1(-f.soft * wait) * lost_by(mean)
    total = lost + waiting - lost * waiting
    # A restart still under way at the end of the drain goes on after it.
    short = np.minimum(restart, rest)
    beyond = restart - short / 2
    under_way = -np.expm1(-f.soft * short)
    over = -np.expm1(-f.hard * beyond)
    late = under_way * over
    # The same interruption delays and ends late: what it loses twice counts once.
    twice = total * late + late * (1 - under_way) * by_one
    return -np.log1p(-np.clip(total + late - twice, 0.0, 1 - 1e-16))


def _exponent_along(job: Job, y: Floats) -> Floats:
    """-ln of the chance to arrive from y seconds along the undisturbed drain, no copy draining.

    What is left of the interval under way shrinks in proportion, from the pace under the drain to
    the pace without.
    """
    f, k, lag = job.f, job.every, job.p.local_lag
    saves = np.minimum(np.floor(y / job.pace.both), k - 1)
    done = y - saves * job.pace.both
    last = saves >= k - 1
    to_copy = np.maximum(lag - done, 0.0)
    own = np.where(last, job.p.pool_stall, 0.0)
    left = np.maximum(job.pace.local * (1 - done / job.pace.both), job.p.stall) + own
    left = np.maximum(left, to_copy)
    survive, fail = f.attempt(to_copy)
    later, later_fail = f.attempt(left - to_copy + np.where(last, 0.0, lag))
    arrived = np.where(last, 0.0, job.way.lost_from_copy(np.maximum(k - saves - 1, 1.0)))
    before = np.where(saves > 0, k - saves + 1, k)
    onwards = later_fail * f.broken(job.way.lost_from_restart(k - saves)) + later * arrived
    lost = fail * f.broken(job.way.lost_from_restart(before)) + survive * onwards
    return exponent(1 - lost, lost)


def _at_least(rate: Floats, time: Floats, dead: Floats) -> dict[int, Floats]:
    """Chance of that many interruptions and more in some time, each with a restart after it."""
    out: dict[int, Floats] = {}
    for count in COUNTS:
        mean = rate * np.maximum(time - (count - 1) * dead, 0.0)
        if count == 1:
            out[count] = -np.expm1(-mean)
            continue
        below = sum((mean**i / factorial(i) for i in range(count)), np.zeros(()))
        out[count] = np.maximum(1 - np.exp(-mean) * below, 0.0)
    return out


def _mean_delay(job: Job, count: int, time: Floats, restart: Floats, wait: Floats) -> Floats:
    """Mean delay after so many interruptions, beyond the wait for the drain, s.

    Interruptions lie anywhere in the time. The work lost goes back to the newest complete copy;
    the interval after a restart takes ``e`` longer to be copied than one after a save, which the
    first loses too and a later one only after such a copy.
    """
    step = job.pace.both
    extra = job.pace.pool + job.p.local_lag - step
    safe = np.maximum(time, _TINY)
    first = np.clip(time / (count + 1) - step * _copies(count, safe, step, 0.0 * extra), 0.0, step)
    later = time / (count + 1) - step * _copies(count, safe, step, extra)
    later = np.clip(later, 0.0, step + extra)
    # Of a restart counts what falls into the drain, which ends a wait after the running does.
    turn = np.clip(restart, wait, time + wait)
    within = ((turn**2 - wait**2) / 2 + restart * (time + wait - turn)) / safe
    total = first + extra + (count - 1) * later + count * within
    # The sum is that of uniform parts, from nothing to twice the first one's mean (Irwin, Hall).
    width = np.maximum(np.minimum(2 * first, step), _TINY)
    least = np.clip((wait - total) / width + count / 2, 0.0, count)
    power = count + 1
    excess = sum(
        (
            (-1) ** j * comb(count, j) * np.maximum(count - least - j, 0.0) ** power
            for j in range(count + 1)
        ),
        np.zeros(()),
    )
    mean = width * excess / factorial(power)
    return np.where(total - width * count / 2 >= wait, total - wait, np.maximum(mean, 0.0))


_FEW = 1e3
"""Copies within a drain above which half an interval is lost on average, whatever the count."""


def _copies(count: int, time: Floats, step: Floats, offset: Floats) -> Floats:
    """Mean number of copies that a gap between interruptions passes, one each ``step`` s.

    With so many interruptions anywhere in the time a gap outlasts x with the chance (1 - x/time) to
    that power; the sum over the copies, of powers of whole numbers, is done in closed form.
    """
    usable = np.maximum(1 - offset / time, 0.0)
    n = np.floor(usable * time / step)
    few = np.minimum(n, _FEW)
    r = np.where(n > 0, step / time, 0.0)
    one = few * (few + 1) / 2
    if count == 1:
        passed = few * usable - r * one
    elif count == 2:
        two = one * (2 * few + 1) / 3
        passed = few * usable**2 - 2 * usable * r * one + r**2 * two
    else:
        two = one * (2 * few + 1) / 3
        passed = few * usable**3 - 3 * usable**2 * r * one + 3 * usable * r**2 * two
        passed = passed - r**3 * one**2
    many = (time / (count + 1) - step / 2 - offset) / step
    return np.where(n <= _FEW, passed, many)
