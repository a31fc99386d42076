"""A run while a pool copy drains, from the save or the restart it begins with: times and chances.

Time counts from the start of the drain. ``at_end`` finds the interval in which the drain ends;
from there on the job is on a way without a drain.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from advisor.model.interruptions import Interruptions
from advisor.model.normal import Floats
from advisor.model.passage import Passage
from advisor.model.pattern import Pattern
from advisor.model.waits import Pace, working


@dataclass(frozen=True, slots=True)
class Job:
    """One pattern at one interval with what follows from the two; everything broadcasts.

    Attributes:
        p: the pattern.
        tau: work between two saves, s.
        every: k, whole.
        pace: wall times of an interval.
        f: interruptions.
        way: chances without a drain.
        whole: chance of no interruption in a time as long as a drain.
        whole_fail: chance of one.
    """

    p: Pattern
    tau: Floats
    every: Floats
    pace: Pace
    f: Interruptions
    way: Passage
    whole: Floats
    whole_fail: Floats

    @property
    def shape(self) -> tuple[int, ...]:
        """Of all jobs: also what moves no copy, such as a restart, may vary over them."""
        return np.broadcast_shapes(*(np.shape(part) for part in _leaves(self)))

    def taken(self, rows: Rows, shape: tuple[int, ...]) -> Job:
        """Some of the jobs of that shape, in one row."""
        out: Job = _taken(self, rows, shape)
        return out


Rows = tuple[NDArray[np.intp], ...]
"""Places of jobs, as ``np.nonzero`` gives them."""


def rows_of(values: Floats, rows: Rows, shape: tuple[int, ...]) -> Floats:
    """Values of some jobs in one row; a single value stays one."""
    out: Floats = values if values.ndim == 0 else np.broadcast_to(values, shape)[rows]
    return out


def _leaves(part: Any) -> Iterator[Floats]:
    if isinstance(part, np.ndarray | np.floating):
        yield np.asarray(part)
        return
    for one in fields(part):
        yield from _leaves(getattr(part, one.name))


def _taken(part: Any, rows: Rows, shape: tuple[int, ...]) -> Any:
    if isinstance(part, np.ndarray | np.floating):
        return rows_of(np.asarray(part), rows, shape)
    return type(part)(*(_taken(getattr(part, x.name), rows, shape) for x in fields(part)))


@dataclass(frozen=True, slots=True)
class AtEnd:
    """Where an undisturbed run is when the drain ends.

    Attributes:
        saves: behind it, fewer than there are to go.
        begin: end of the last of them, s; 0 where there is none.
        copy: when the local copy of that save is complete, s.
        next: end of the save after it, s, waits included.
        wait: the pool save waited for the drain at its end, s.
        drag: full-speed seconds this last interval loses to the pool drain.
    """

    saves: Floats
    begin: Floats
    copy: Floats
    next: Floats
    wait: Floats
    drag: Floats


@dataclass(frozen=True, slots=True)
class Course:
    """A start: a pool save, or a soft restart whose drain starts again.

    Attributes:
        first: length of its first interval with the save, s.
        first_lag: local lag that drains in it, s.
    """

    first: Floats
    first_lag: Floats

    def saves_in(self, job: Job) -> Floats:
        """How many saves, waits for the drain left out, end before the drain does."""
        more = np.floor(np.maximum(job.p.pool_lag - self.first, 0.0) / job.pace.both)
        out: Floats = np.where(job.p.pool_lag < self.first, 0.0, 1 + more)
        return out

    def end_of(self, job: Job, saves: Floats) -> Floats:
        """When so many saves have ended, s."""
        out: Floats = np.where(saves > 0, self.first + (saves - 1) * job.pace.both, 0.0)
        return out

    def copy_of(self, job: Job, saves: Floats) -> Floats:
        """When the local copy of that save is complete, s; a restart begins with one."""
        out: Floats = self.end_of(job, saves) + np.where(saves > 0, job.p.local_lag, self.first_lag)
        return out

    def at_end(self, job: Job, n: Floats) -> AtEnd:
        """The end of the drain with n saves to go at the start, the last to the pool."""
        p = job.p
        saves = np.minimum(self.saves_in(job), n - 1)
        begin = self.end_of(job, saves)
        left = p.pool_lag - begin
        lag = np.where(saves > 0, p.local_lag, self.first_lag)
        work = working(p, job.tau, lag, left)
        ready = np.maximum(work.time, lag)
        last = saves >= n - 1
        wait = np.where(last, np.maximum(left - ready, 0.0), 0.0)
        own = p.stall + np.where(last, p.pool_stall, 0.0)
        return AtEnd(
            saves, begin, self.copy_of(job, saves), begin + ready + wait + own, wait, work.pool_drag
        )


def from_pool_save(job: Job) -> Course:
    """The course of a pool save: its local copy drains at first."""
    return Course(job.pace.both, np.asarray(job.p.local_lag))


def from_restart(job: Job) -> Course:
    """The course of a soft restart with its pool drain started again."""
    return Course(job.pace.pool, np.zeros(()))


def lost_after(job: Job, at: AtEnd, n: Floats) -> Floats:
    """Chance not to arrive at the next pool save once the drain has ended, no copy draining.

    Until the next local copy is complete an interruption goes back to the one before; where there
    is none, to the pool copy.

    Args:
        job: the job.
        at: the end of the drain.
        n: saves that were to go at its start.
    """
    f, way, lag = job.f, job.way, job.p.pool_lag
    survive, fail = f.attempt(np.maximum(at.copy - lag, 0.0))
    before = np.where(at.saves > 0, n - at.saves + 1, job.every)
    last = at.saves >= n - 1
    until = at.next + np.where(last, 0.0, job.p.local_lag)
    later, later_fail = f.attempt(until - np.maximum(at.copy, lag))
    arrived = np.where(last, 0.0, way.lost_from_copy(np.maximum(n - at.saves - 1, 1.0)))
    onwards = later_fail * f.broken(way.lost_from_restart(n - at.saves)) + later * arrived
    out: Floats = fail * f.broken(way.lost_from_restart(before)) + survive * onwards
    return out


@dataclass(frozen=True, slots=True)
class Drained:
    """What a pool save leads to.

    Attributes:
        lost: chance of a hard interruption before the next pool save.
        kept: chance that its copy is complete before one, and not lost with a local copy.
    """

    lost: Floats
    kept: Floats


@dataclass(frozen=True, slots=True)
class Costs:
    """What pool copies cost one pattern that is not lost, s.

    Attributes:
        wait: of its pool save for the copy before.
        drag: full-speed seconds lost to the drain.
    """

    wait: Floats
    drag: Floats
