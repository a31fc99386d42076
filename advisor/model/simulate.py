"""Event simulation of the semantics that the lost-work formula describes: the second witness.

Each step takes every replica from one interruption to the next. A soft failure goes back to the
newest complete copy; a hard one to the newest copy in the pool, and aborts drains. A failure in a
soft restart repeats it (soft) or turns it hard; any failure in a hard restart repeats it. Written
from those rules, not from the formula.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.model.arrivals import Failures, gaps
from advisor.model.normal import Floats
from advisor.model.pattern import Pattern
from advisor.model.trajectory import Place, Route, first_pool_save, place, route

Bools = NDArray[np.bool_]

BURN_IN = 0.1
"""Share of the time before counting begins, so that both ends miss the same unsaved work."""

BLOCK = 2048
"""Replicas side by side: their state fits into a core's cache (about 40 arrays of 16 kB)."""

_ALIVE = 0.75
"""Share of replicas still running below which the finished ones are dropped."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """What came out.

    Attributes:
        goodput: mean over replicas.
        error: standard error of the mean.
        interruptions: how many were simulated.
        replicas: how many ran to the end.
    """

    goodput: float
    error: float
    interruptions: int
    replicas: int

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval."""
        return self.goodput - 1.96 * self.error

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval."""
        return self.goodput + 1.96 * self.error


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a simulation is.

    Attributes:
        share: of the simulated time that is done, a fraction.
        result: of the replicas that ran to the end; None while fewer than two have.
    """

    share: float
    result: Simulated | None


@dataclass(frozen=True, slots=True)
class Rules:
    """What failures and restarts do."""

    rate: float
    soft: float
    soft_restart: float
    hard_restart: float
    kill: float
    survives: bool

    @staticmethod
    def of(p: Pattern) -> Rules:
        """Those of one job (scalars)."""
        soft = float(p.soft_rate)
        return Rules(
            rate=soft + float(p.hard_rate),
            soft=soft,
            soft_restart=float(p.soft_restart),
            hard_restart=float(p.hard_restart),
            kill=float(p.kill),
            survives=float(p.drain_survives) > 0,
        )


class _Replicas:
    """State just after an interruption; one row per replica."""

    def __init__(self, count: int) -> None:
        self.row = np.arange(count)
        self.clock = np.zeros(count)
        self.pattern = np.zeros(count)
        """Pool saves before the copy that is restored."""
        self.index = np.zeros(count)
        """Saves since the last of them, in that copy."""
        self.drain = np.zeros(count)
        """What is left of the drain of that pool save, s; 0 where its copy is complete."""
        self.restart = np.zeros(count)
        """How long the restart under way takes, s; at the very start there is none."""
        self.hard = np.zeros(count, dtype=np.bool_)

    def keep(self, rows: Bools) -> None:
        """Drop the replicas that are finished."""
        for name, values in vars(self).items():
            setattr(self, name, values[rows])


class Block:
    """Some replicas from start to end."""

    def __init__(
        self, job: Route, rules: Rules, until: float, count: int, rng: np.random.Generator,
        law: Failures,
    ) -> None:  # fmt: skip
        self.job, self.rules, self.until, self.rng = job, rules, until, rng
        self.start = BURN_IN * until
        self.draw = gaps(rng, rules.rate, law)
        self.state = _Replicas(count)
        self.work = np.zeros(count)
        """Saves done between the start of counting and the end."""
        self.interruptions = 0

    def step(self) -> float:
        """Take every replica to its next interruption; returns the share of the time done."""
        r, rules, job = self.state, self.rules, self.job
        gap = np.minimum(self.draw(r.clock.size), self.until)
        time = np.maximum(gap - r.restart, 0.0)
        drain = np.maximum(r.drain - r.restart, 0.0) if rules.survives else r.drain
        way = first_pool_save(job, time, r.index, drain)
        killed = None
        if rules.kill > 0:
            # The save that a time-out kills never completes.
            saves = self.rng.geometric(min(rules.kill, 1.0), r.clock.size) - 1.0
            ends = np.nextafter(way[0] + saves * job.period, 0.0)
            killed = (gap > r.restart) & (ends < time)
            time = np.where(killed, ends, time)
            gap = np.where(killed, r.restart + ends, gap)
        then = r.clock + gap
        self._count(r, then, drain)
        at = place(job, time, r.index, drain, way)
        alive = then < self.until
        count = int(np.count_nonzero(alive))
        self.interruptions += count
        self._fail(r, at, gap, killed)
        r.clock = then
        if count < _ALIVE * alive.size:
            r.keep(alive)
        # Replicas dropped before are complete.
        left = self.until * alive.size - float(np.minimum(then, self.until).sum())
        return 1 - left / (self.until * self.work.size)

    def _count(self, r: _Replicas, then: Floats, drain: Floats) -> None:
        """Note the saves done at the start of counting and at the end, for who passes them."""
        for sign, moment in ((-1.0, self.start), (1.0, self.until)):
            rows = np.flatnonzero((r.clock < moment) & (then >= moment))
            if rows.size:
                time = np.maximum(moment - r.clock[rows] - r.restart[rows], 0.0)
                index, left = r.index[rows], drain[rows]
                at = place(
                    self.job, time, index, left, first_pool_save(self.job, time, index, left)
                )
                saves = (r.pattern[rows] + at.pattern) * self.job.every + at.saved
                self.work[r.row[rows]] += sign * saves

    def _fail(self, r: _Replicas, at: Place, gap: Floats, killed: Bools | None) -> None:
        """What is lost, and the restart that begins."""
        rules = self.rules
        pattern = r.pattern + at.pattern
        left = at.left
        if rules.survives and rules.soft > 0:
            # Such a drain also goes on during a soft restart.
            left = np.where(at.pattern > 0, left, np.maximum(r.drain - gap, 0.0))
        going = left > 0
        if rules.soft <= 0:
            r.pattern = pattern - going
            r.restart = np.full(gap.size, rules.hard_restart)
            return
        soft = self.rng.random(gap.size) * rules.rate < rules.soft
        soft &= ~(r.hard & (gap < r.restart))
        if killed is not None:
            soft &= ~killed
        # A pool copy whose local source was not complete is lost with it.
        none = at.local < 0
        back = going & (none | ~soft)
        r.pattern = pattern - back
        index = np.where(none, np.where(going, self.job.every - 1.0, 0.0), at.local)
        r.index = np.where(soft, index, 0.0)
        again = left if rules.survives else np.where(going, self.job.pool_lag, 0.0)
        r.drain = np.where(soft & ~back, again, 0.0)
        r.restart = np.where(soft, rules.soft_restart, rules.hard_restart)
        r.hard = ~soft

    @property
    def finished(self) -> bool:
        """Whether every replica has reached the end."""
        return not bool((self.state.clock < self.until).any())


def steps(
    p: Pattern,
    interval: float,
    *,
    until: float,
    replicas: int,
    seed: int,
    failures: Failures | None = None,
) -> Iterator[Progress]:
    """Run the simulation, yielding after each step how far it is; the last one has the result.

    Args:
        p: pattern of one job (scalars); announced stops and unusable copies are left out.
        interval: work between saves, s.
        until: simulated seconds per replica; the first tenth is not counted.
        replicas: how many, at least 2.
        seed: of the random numbers.
        failures: how interruptions arrive, Poisson unless said.
    """
    job, rules, law = route(p, interval), Rules.of(p), failures or Failures()
    blocks = -(-replicas // BLOCK)
    sizes = [len(part) for part in np.array_split(np.arange(replicas), blocks)]
    shares: list[Floats] = []
    interruptions, done = 0, 0
    result: Simulated | None = None
    for size, source in zip(sizes, np.random.SeedSequence(seed).spawn(blocks), strict=True):
        block = Block(job, rules, until, size, np.random.default_rng(source), law)
        while not block.finished:
            yield Progress((done + block.step() * size) / replicas, result)
        done += size
        interruptions += block.interruptions
        shares.append(block.work * (interval / (until - block.start)))
        result = _result(np.concatenate(shares), interruptions)
        yield Progress(done / replicas, result)


def _result(shares: Floats, interruptions: int) -> Simulated:
    error = shares.std(ddof=1) / np.sqrt(shares.size)
    return Simulated(float(shares.mean()), float(error), interruptions, shares.size)


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
        p: pattern of one job (scalars); announced stops and unusable copies are left out.
        interval: work between saves, s.
        until: simulated seconds per replica; many MTBFs, so that the ends do not count.
        replicas: how many, at least 2.
        seed: of the random numbers.
        failures: how interruptions arrive.

    Raises:
        ValueError: fewer than two replicas.
    """
    if replicas < 2:
        raise ValueError("a standard error needs two replicas")
    last: Simulated | None = None
    for progress in steps(
        p, interval, until=until, replicas=replicas, seed=seed, failures=failures
    ):
        last = progress.result
    assert last is not None  # noqa: S101 - the last step has it
    return last
