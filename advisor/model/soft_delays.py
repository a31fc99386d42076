"""Soft interruptions during a drain that goes on: how many, and how far each puts training back.

Interruptions at random lie anywhere in a time, given how many there are; how much work since the
newest complete copy one loses is then a mean over the gaps between them, in closed form.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, factorial

import numpy as np

from advisor.model.drains import Job
from advisor.model.normal import Floats

COUNTS = (1, 2, 3)
"""Numbers of soft interruptions during one drain that are told apart; the last means or more."""

LONGEST = 1e30
"""Longest mean restart computed with, s: far over any drain, and its square is still a number."""

TINY = 1e-300
"""Keeps 0/0 away."""


@dataclass(frozen=True, slots=True)
class Delay:
    """Of a number of soft interruptions, s.

    Attributes:
        total: mean time that they take off the course under the drain.
        beyond: mean of what of it exceeds the wait for the drain.
    """

    total: Floats
    beyond: Floats


def _delay(
    job: Job, count: int, mean: Floats, rest: Floats, restart: Floats, wait: Floats
) -> Delay:
    """Mean delay by so many interruptions.

    One lies anywhere in the time before the wait; of several the first does, and the work done
    again takes the others to the end of the drain. The work lost goes back to the newest complete
    copy; the interval after a restart takes ``e`` longer to be copied than one after a save, which
    the first loses too and a later one only after such a copy.

    Args:
        job: the job.
        count: how many, the last of ``COUNTS`` for so many or more.
        mean: how many they are on average.
        rest: of the drain, s.
        restart: mean soft restart, s.
        wait: for the end of the drain, undisturbed, s.
    """
    time = rest - wait if count == 1 else rest
    step = job.pace.both
    extra = np.maximum(job.pace.pool + job.p.local_lag - step, 0.0)
    safe = np.maximum(time, TINY)
    # The gaps share what the restarts between them leave.
    free = np.maximum(time - (mean - 1) * np.minimum(restart, time), TINY)
    gap = free / (mean + 1)
    if count < COUNTS[-1]:
        passed = [_copies(count, free, step, e) for e in (0.0 * extra, extra)]
    else:
        passed = [_copies_of_many(gap, step, e) for e in (0.0 * extra, extra)]
    first = np.clip(gap - step * passed[0], 0.0, step)
    later = np.clip(gap - step * passed[1], 0.0, step + extra)
    # Of a restart counts what falls into the drain.
    least = rest - time
    turn = np.clip(restart, least, rest)
    within = ((turn**2 - least**2) / 2 + restart * (rest - turn)) / safe
    total = first + extra + (mean - 1) * later + mean * within
    # The sum is that of uniform parts, from nothing to twice the first one's mean (Irwin, Hall).
    width = np.maximum(np.minimum(2 * first, step), TINY)
    least = np.clip((wait - total) / width + count / 2, 0.0, count)
    power = count + 1
    excess = sum(
        (
            (-1) ** j * comb(count, j) * np.maximum(count - least - j, 0.0) ** power
            for j in range(count + 1)
        ),
        np.zeros(()),
    )
    mean = np.maximum(width * excess / factorial(power), 0.0)
    beyond = np.where(total - width * count / 2 >= wait, total - wait, mean)
    return Delay(total, beyond)


@dataclass(frozen=True, slots=True)
class Soft:
    """What soft interruptions do during the rest of a drain.

    Attributes:
        end: where an undisturbed run is when its work is done or the drain ends, s along its
            course.
        restart: mean soft restart, s.
        chances: of each number of interruptions; the last means or more.
        early: share of each in which the first does not lie in the wait.
        delays: by each number, where it does not.
        late: delay by one in the wait, mean, s: the interval before it is done again.
    """

    end: Floats
    restart: Floats
    chances: dict[int, Floats]
    early: dict[int, Floats]
    delays: dict[int, Delay]
    late: Floats


def soft_interruptions(job: Job, rest: Floats, wait: Floats) -> Soft:
    """Soft interruptions from the first complete local copy to the end of the drain.

    Args:
        job: the job.
        rest: of the drain from that copy on, s.
        wait: of an undisturbed run for the end of the drain, s.
    """
    f = job.f
    restart = np.minimum(f.soft_repeat_mean, LONGEST)
    at_least = _at_least(f.soft, rest, restart)
    nobody = np.zeros(())
    means: dict[int, Floats] = {c: np.full((), float(c)) for c in COUNTS[:-1]}
    means[COUNTS[-1]] = _mean_of_most(f.soft, rest, restart, at_least)
    again = job.pace.pool - job.p.stall
    spare = np.maximum(wait - restart, 0.0)
    beyond = np.where(spare < again, again * spare - spare**2 / 2, again**2 / 2)
    idle = wait / np.maximum(rest, TINY)
    return Soft(
        end=job.p.pool_lag - wait,
        restart=restart,
        chances={c: np.maximum(at_least[c] - at_least.get(c + 1, nobody), 0.0) for c in COUNTS},
        early={c: 1 - idle**c for c in COUNTS},
        delays={c: _delay(job, c, means[c], rest, restart, wait) for c in COUNTS},
        late=(again * np.minimum(wait, restart) + beyond) / np.maximum(wait, TINY),
    )


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


def _mean_of_most(
    rate: Floats, time: Floats, restart: Floats, at_least: dict[int, Floats]
) -> Floats:
    """Mean number of interruptions where there are as many as the last of ``COUNTS``, or more."""
    most = COUNTS[-1]
    every = rate * time / (1 + rate * np.minimum(restart, time))
    fewer = sum((at_least[c] for c in COUNTS[:-1]), np.zeros(()))
    chance = at_least[most]
    more = (every - fewer) / np.maximum(chance, TINY) + (most - 1)
    out: Floats = np.clip(np.where(chance > 1e-9, more, most), most, np.maximum(every, 0.0) + most)
    return out


def _copies_of_many(gap: Floats, step: Floats, offset: Floats) -> Floats:
    """Mean number of copies that one of many gaps passes: their lengths are then exponential."""
    out: Floats = np.exp(-offset / gap) / np.expm1(np.maximum(step / gap, TINY))
    return out


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
    else:
        two = one * (2 * few + 1) / 3
        passed = few * usable**2 - 2 * usable * r * one + r**2 * two
    many = (time / (count + 1) - step / 2 - offset) / step
    return np.where(n <= _FEW, passed, many)
