"""Interruptions per second of the simulation, and a plain SimPy simulation of the same job.

Run alone with ``python -m tests.benchmarks.simulation``; SimPy is only needed here, and left out of
the comparison where it is not installed.
"""

from __future__ import annotations

import importlib
import importlib.util
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

from advisor.model.lost_work import goodput
from advisor.model.pattern import Pattern, pattern
from advisor.model.simulate import simulate
from advisor.model.waits import period

TAU, STALL, LAG, SLOW, RESTART = 1800.0, 20.0, 600.0, 0.1, 300.0
"""An asynchronous job: work, stall, drain, s; slow-down; restart, s."""

LENGTH = 200
"""Time of a run, in MTBFs; the first tenth is not counted."""

PEER_RUNS = 60
"""Runs of the peer: a few seconds."""

OUR_RUNS = 20_000
"""Runs of ours: about a second."""


@dataclass(frozen=True)
class Speed:
    """What one simulation reached."""

    goodput: float
    error: float
    interruptions: int
    seconds: float

    @property
    def rate(self) -> float:
        """Interruptions per second."""
        return self.interruptions / self.seconds

    def seconds_for(self, error: float) -> float:
        """Time to that standard error: four times as long for half of it."""
        return self.seconds * (self.error / error) ** 2


def one_tier() -> Pattern:
    """The job, with an MTBF of one pattern."""
    free = pattern(stall=STALL, pool_lag=LAG, pool_slowdown=SLOW, hard_rate=0, hard_restart=RESTART)
    return free.changed(hard_rate=1 / float(period(free, TAU)))


def two_tiers() -> Pattern:
    """Nine node-local saves to one in the pool, drains that start again; MTBF of one pattern."""
    free = pattern(
        stall=STALL, local_lag=60, pool_lag=6 * LAG, local_slowdown=0.05, pool_slowdown=SLOW,
        every=9, hard_rate=0, hard_restart=RESTART, soft_restart=60,
    )  # fmt: skip
    rate = 1 / (9 * float(period(free, TAU)))
    return free.changed(soft_rate=0.7 * rate, hard_rate=0.3 * rate)


def ours(p: Pattern, runs: int) -> Speed:
    """Our simulation of a job."""
    mtbf = 1 / float(p.soft_rate + p.hard_rate)
    start = time.perf_counter()
    found = simulate(p, TAU, until=LENGTH * mtbf, replicas=runs)
    seconds = time.perf_counter() - start
    return Speed(found.goodput, found.error, found.interruptions, seconds)


class Peer:
    """The one-tier job as somebody would write it with SimPy: processes and interrupts."""

    def __init__(self, simpy: Any, rate: float, seed: int) -> None:
        self.simpy, self.rate, self.random = simpy, rate, random.Random(seed)
        self.env = simpy.Environment()
        self.behind = self.safe = 0.0
        self.drain_end = 0.0
        self.draining = 0.0
        self.failures = 0
        self.job = self.env.process(self.train())
        self.env.process(self.fail())

    def fail(self) -> Iterator[Any]:
        while True:
            yield self.env.timeout(self.random.expovariate(self.rate))
            self.failures += 1
            self.job.interrupt()

    def train(self) -> Iterator[Any]:
        resuming = False
        while True:
            try:
                if resuming:
                    yield self.env.timeout(RESTART)
                    resuming = False
                left = max(0.0, self.drain_end - self.env.now)
                slow = min(left, TAU / (1 - SLOW))
                yield self.env.timeout(slow + TAU - slow * (1 - SLOW))
                if self.drain_end > self.env.now:
                    yield self.env.timeout(self.drain_end - self.env.now)
                yield self.env.timeout(STALL)
                self.behind += TAU
                self.draining = self.behind
                self.drain_end = self.env.now + LAG
                self.env.process(self.drain(self.drain_end))
            except self.simpy.Interrupt:
                self.drain_end = -1.0
                self.behind = self.safe
                resuming = True

    def drain(self, end: float) -> Iterator[Any]:
        yield self.env.timeout(LAG)
        if self.drain_end == end:
            self.safe = self.draining


def peer() -> Speed | None:
    """The same with SimPy; None where it is not installed."""
    if importlib.util.find_spec("simpy") is None:
        return None
    simpy = importlib.import_module("simpy")
    rate = float(one_tier().hard_rate)
    until = LENGTH / rate
    shares, failures = [], 0
    start = time.perf_counter()
    for seed in range(PEER_RUNS):
        run = Peer(simpy, rate, seed)
        run.env.run(until=until / 10)
        begun = run.behind
        run.env.run(until=until)
        shares.append((run.behind - begun) / (until * 0.9))
        failures += run.failures
    seconds = time.perf_counter() - start
    return Speed(fmean(shares), stdev(shares) / PEER_RUNS**0.5, failures, seconds)


def lines() -> list[tuple[str, str, str, str]]:
    """Rows of the benchmark table: what, figure, beside what, the bar."""
    mine, deep, other = ours(one_tier(), OUR_RUNS), ours(two_tiers(), OUR_RUNS // 4), peer()
    bar = "at least 1.0 M/s"
    closed = float(goodput(one_tier(), TAU))
    said = f"goodput {mine.goodput:.4f}, closed form {closed:.4f}"
    out = [
        ("interruptions, one tier, MTBF a pattern", f"{mine.rate / 1e6:.1f} M/s", said, bar),
        ("interruptions, two tiers, MTBF a pattern", f"{deep.rate / 1e6:.1f} M/s", "", bar),
    ]
    if other is None:
        out.append(("against SimPy", "", "SimPy is not installed", ""))
    else:
        ratio = other.seconds_for(mine.error) / mine.seconds
        beside = (
            f"SimPy {other.rate / 1e3:.0f} k/s, goodput {other.goodput:.4f} +- {other.error:.4f}"
        )
        out.append(("time to the same 95 % interval", f"{ratio:,.0f}x less", beside, ""))
    return out


def main() -> None:
    """Print them."""
    for name, figure, beside, bar in lines():
        sys.stdout.write(f"{name:44} {figure:>12}  {beside:40} {bar}\n")


if __name__ == "__main__":
    main()
