"""One run, event by event, in plain Python: what the vectorised simulation must reproduce exactly.

No tables, no skipping: every end of work, stall, drain and restart is an event of its own. It also
keeps books of what the work that is kept has cost.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf, isclose
from random import Random

import numpy as np

from advisor.model.lost_work import Shares
from advisor.model.pattern import Pattern


@dataclass
class Paid:
    """What one save and the work before it took, s: ``drag`` in full-speed seconds."""

    stall: float = 0.0
    wait: float = 0.0
    drag: float = 0.0


@dataclass
class Run:
    """One job that saves every ``interval`` s of work, from time 0."""

    p: Pattern
    interval: float
    phase: str = "work"
    left: float = 0.0
    saves: int = 0
    local: int = 0
    pool: int = 0
    local_copy: tuple[float, int] | None = None
    pool_copy: tuple[float, int] | None = None
    seen: list[tuple[float, int]] = field(default_factory=list)
    clock: float = 0.0
    restarting: float = 0.0
    kept: list[Paid] = field(default_factory=list)
    now: Paid = field(default_factory=Paid)

    def __post_init__(self) -> None:
        self.left = self.interval
        self.every = round(float(self.p.every))

    def speed(self) -> float:
        slow = float(self.p.local_slowdown) if self.local_copy else 0.0
        slow += float(self.p.pool_slowdown) if self.pool_copy else 0.0
        return max(1 - slow, 1e-9)

    def drains(self) -> bool:
        """A pool copy does not move while a job restarts whose drains start again with it."""
        return self.phase != "soft restart" or float(self.p.drain_survives) > 0

    def next_event(self) -> float:
        times = [inf]
        if self.phase == "work":
            times.append(self.left / self.speed())
        elif self.phase not in ("wait local", "wait pool"):
            times.append(self.left)
        if self.local_copy:
            times.append(self.local_copy[0])
        if self.pool_copy and self.drains():
            times.append(self.pool_copy[0])
        return min(times)

    def pass_time(self, time: float) -> None:
        self.clock += time
        self.book(time)
        self.left -= time * (self.speed() if self.phase == "work" else 1)
        if self.local_copy:
            self.local_copy = (self.local_copy[0] - time, self.local_copy[1])
        if self.pool_copy and self.drains():
            self.pool_copy = (self.pool_copy[0] - time, self.pool_copy[1])

    def book(self, time: float) -> None:
        if self.phase == "work":
            self.now.drag += time * (1 - self.speed())
        elif self.phase == "stall":
            self.now.stall += time
        elif self.phase.startswith("wait"):
            self.now.wait += time
        else:
            self.restarting += time

    def settle(self) -> None:
        """Handle everything that is due now; a hair early counts as due."""
        due = 1e-9 * max(1.0, self.interval)
        if self.local_copy and self.local_copy[0] <= due:
            self.local, self.local_copy = self.local_copy[1], None
        if self.pool_copy and self.pool_copy[0] <= due and self.drains():
            self.pool, self.pool_copy = self.pool_copy[1], None
        to_pool = (self.saves + 1) % self.every == 0
        if self.phase == "work" and self.left <= due:
            self.phase = "wait local"
        if self.phase == "wait local" and not self.local_copy:
            self.phase = "wait pool"
        if self.phase == "wait pool" and not (to_pool and self.pool_copy):
            self.phase = "stall"
            self.left = float(self.p.stall) + (float(self.p.pool_stall) if to_pool else 0.0)
        if self.phase == "stall" and self.left <= due:
            self.saved(to_pool)
        if self.phase.endswith("restart") and self.left <= due:
            self.phase, self.left = "work", self.interval

    def saved(self, to_pool: bool) -> None:
        self.saves += 1
        self.kept.append(self.now)
        self.now = Paid()
        if float(self.p.local_lag) > 0:
            self.local_copy = (float(self.p.local_lag), self.saves)
        else:
            self.local = self.saves
        if to_pool and float(self.p.pool_lag) > 0:
            self.pool_copy = (float(self.p.pool_lag), self.saves)
        elif to_pool:
            self.pool = self.saves
        self.phase, self.left = "work", self.interval

    def fail(self, soft: bool) -> None:
        if soft and self.phase != "hard restart":
            if self.pool_copy and self.local_copy and self.pool_copy[1] == self.local_copy[1]:
                self.pool_copy = None
            self.local_copy = None
            self.saves = max(self.local, self.pool)
            if self.pool_copy and float(self.p.drain_survives) <= 0:
                self.pool_copy = (float(self.p.pool_lag), self.pool_copy[1])
            self.phase, self.left = "soft restart", float(self.p.soft_restart)
        else:
            self.local_copy = self.pool_copy = None
            self.saves = self.local = self.pool
            self.phase, self.left = "hard restart", float(self.p.hard_restart)
        del self.kept[self.saves :]
        self.now = Paid()

    def until(self, end: float) -> None:
        while True:
            time = self.next_event()
            if self.clock + time > end or isclose(self.clock, end, rel_tol=1e-12):
                break
            self.pass_time(time)
            self.settle()
        self.pass_time(end - self.clock)


def saves_after(
    p: Pattern, interval: float, failures: Iterable[tuple[float, bool]]
) -> list[tuple[int, int]]:
    """Per interruption: saves behind the job just before it and just after it.

    Args:
        p: pattern of one job.
        interval: work between saves, s.
        failures: gap before each interruption, s, and whether it is soft.
    """
    run = Run(p, interval)
    found = []
    now = 0.0
    for gap, soft in failures:
        now += gap
        run.until(now)
        before = run.saves
        run.fail(soft)
        found.append((before, run.saves))
    return found


def shares_of(p: Pattern, interval: float, interruptions: int, seed: int) -> Shares:
    """Where the time of one long run goes; stall and drain of the work that is kept.

    Args:
        p: pattern of one job.
        interval: work between saves, s.
        interruptions: at random, so many of them.
        seed: of the random numbers.
    """
    random = Random(seed)
    run = Run(p, interval)
    soft, total = float(p.soft_rate), float(p.soft_rate + p.hard_rate)
    now = 0.0
    for _ in range(interruptions):
        now += random.expovariate(total)
        run.until(now)
        run.fail(random.random() * total < soft)
    stall = sum(paid.stall + paid.wait for paid in run.kept)
    drag = sum(paid.drag for paid in run.kept)
    useful, restart = run.saves * interval, run.restarting
    parts = (useful, stall, drag, restart, now - useful - stall - drag - restart)
    return Shares(*(np.asarray(part / now) for part in parts))
