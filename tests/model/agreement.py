"""The table beside this file: the closed form and the simulation of 600 random jobs.

``python -m tests.model.agreement`` writes it anew.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from advisor.model.lost_work import goodput
from advisor.model.pattern import Pattern, pattern
from advisor.model.simulate import simulate
from advisor.model.validity import closed_form_holds
from advisor.model.waits import period

TABLE = Path(__file__).with_name("simulation_agreement.txt")
"""The stored table."""

ONE_TIER, TWO_TIERS, WIDE = 200, 100, 300
"""How many jobs of each."""

REPLICAS = 2000
"""Per job."""

LENGTH = 150
"""Simulated time per replica, in MTBFs or patterns, the longer; the first tenth is not counted."""


@dataclass(frozen=True)
class Row:
    """One job in the table."""

    name: str
    formula: float
    simulated: float
    error: float
    ratio: float
    holds: bool

    @property
    def z(self) -> float:
        """Difference in standard errors."""
        return (self.formula - self.simulated) / self.error

    @property
    def points(self) -> float:
        """Difference in points; positive where the formula is higher."""
        return 100 * (self.formula - self.simulated)


def _log(rng: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def one_tier(rng: np.random.Generator) -> tuple[Pattern, float]:
    """A synchronous or asynchronous job; every third asynchronous one has to wait."""
    mtbf = _log(rng, 3600, 30 * 86400)
    tau = mtbf * _log(rng, 0.005, 0.5)
    stall = tau * _log(rng, 0.003, 0.3)
    lag, slow = 0.0, 0.0
    if rng.random() < 0.6:
        slow = float(rng.choice([0.03, 0.1, 0.3, 0.5]))
        lag = tau * float(rng.uniform(0.05, 1.5))
        stall *= 0.1
    restart = min(_log(rng, 60, 3600), mtbf / 2)
    p = pattern(
        stall=stall, pool_lag=lag, pool_slowdown=slow, hard_rate=1 / mtbf, hard_restart=restart
    )
    return p, tau


def two_tiers(rng: np.random.Generator) -> tuple[Pattern, float]:
    """A job with a local tier: synchronous, drained, or asynchronous to both."""
    mtbf = _log(rng, 3600, 30 * 86400)
    every = int(rng.integers(1, 13))
    tau = mtbf * _log(rng, 0.03, 1.0) / every
    stall = tau * _log(rng, 0.003, 0.1)
    kind = int(rng.integers(3))
    soft = float(rng.uniform(0.3, 0.95))
    pool = tau * every * float(rng.uniform(0.05, 1.1))
    slow = float(rng.choice([0.03, 0.1, 0.3]))
    hard_restart = min(_log(rng, 120, 3600), mtbf / 3)
    p = pattern(
        stall=stall,
        pool_stall=pool * 0.2 if kind == 0 else 0.0,
        local_lag=tau * float(rng.uniform(0.02, 0.5)) if kind == 2 else 0.0,
        pool_lag=0.0 if kind == 0 else pool,
        local_slowdown=slow if kind == 2 else 0.0,
        pool_slowdown=0.0 if kind == 0 else slow,
        every=every,
        soft_rate=soft / mtbf,
        hard_rate=(1 - soft) / mtbf,
        soft_restart=hard_restart * float(rng.uniform(0.1, 1)),
        hard_restart=hard_restart,
        drain_survives=float(rng.integers(2)),
    )
    return p, tau


def wide(rng: np.random.Generator) -> tuple[Pattern, float]:
    """Two tiers over wider ranges: larger k, longer waits, late local copies, long restarts.

    MTBFs from far longer than a pattern to three times shorter.
    """
    mtbf = _log(rng, 3600, 30 * 86400)
    every = int(rng.choice([1, 1, 2, 3, 4, 6, 8, 12, 16, 24, 40]))
    tau = mtbf * _log(rng, 0.03, 3.0) / every
    kind = int(rng.integers(4))
    soft = float(rng.uniform(0.2, 0.99))
    pool = tau * every * float(rng.uniform(0.02, 1.5))
    hard_restart = min(_log(rng, 60, 7200), mtbf / 3)
    p = pattern(
        stall=tau * _log(rng, 0.001, 0.2),
        pool_stall=pool * 0.2 if kind == 0 else 0.0,
        local_lag=tau * float(rng.uniform(0.02, 1.1)) if kind >= 2 else 0.0,
        pool_lag=pool if kind else 0.0,
        local_slowdown=float(rng.choice([0.0, 0.1, 0.3])) if kind >= 2 else 0.0,
        pool_slowdown=float(rng.choice([0.0, 0.03, 0.1, 0.3, 0.5])) if kind else 0.0,
        every=every,
        soft_rate=soft / mtbf,
        hard_rate=(1 - soft) / mtbf,
        soft_restart=min(tau * every * _log(rng, 0.001, 1.5), mtbf),
        hard_restart=hard_restart,
        drain_survives=float(rng.integers(2)),
    )
    return p, tau


def ratio_of(p: Pattern, tau: float) -> float:
    """MTBF in patterns: how many whole patterns fit between two interruptions."""
    length = float(p.every * period(p, tau))
    return 1 / (float(p.soft_rate + p.hard_rate) * length)


def rows(
    draw: Callable[[np.random.Generator], tuple[Pattern, float]], label: str, numbers: Iterable[int]
) -> Iterator[Row]:
    """The jobs of one kind; each has its own seed, so that any of them can be done alone."""
    for number in numbers:
        p, tau = draw(np.random.default_rng([len(label), number]))
        ratio = ratio_of(p, tau)
        length = LENGTH * max(1.0, 1 / ratio) / float(p.soft_rate + p.hard_rate)
        found = simulate(p, tau, until=length, replicas=REPLICAS, seed=number)
        yield Row(
            f"{label}-{number:03d}",
            float(goodput(p, tau)),
            found.goodput,
            found.error,
            ratio,
            bool(closed_form_holds(p, tau)),
        )


def counts(table: list[Row]) -> dict[str, int]:
    """What the comparison is judged by."""
    one = [row for row in table if row.name.startswith("one-tier")]
    out = {
        "one tier: jobs": len(one),
        "one tier: outside the 95 % interval": sum(abs(row.z) > 1.96 for row in one),
        "one tier: over 4 standard errors": sum(abs(row.z) > 4 for row in one),
    }
    for name, label in (("two tiers", "two-tiers"), ("wide", "wide")):
        two = [row for row in table if row.name.startswith(label)]
        long = [row for row in two if row.ratio > 1]
        out |= {
            f"{name}: jobs": len(two),
            f"{name}: MTBF longer than a pattern": len(long),
            f"{name}: of these over 1.5 points": sum(abs(row.points) > 1.5 for row in long),
            f"{name}: of these over 0.5 points": sum(abs(row.points) > 0.5 for row in long),
            f"{name}: of these over 4 standard errors": sum(abs(row.z) > 4 for row in long),
            f"{name}: of all over 0.5 points": sum(abs(row.points) > 0.5 for row in two),
            f"{name}: closed form said to hold alone": sum(row.holds for row in two),
        }
    return out


_HEAD = (
    f"{'job':13}{'formula':>10}{'simulated':>11}{'error':>10}{'z':>9}{'points':>8}"
    f"{'MTBF/pattern':>14}  closed form"
)


def render(table: list[Row]) -> str:
    """The table as text, its counts first."""
    lines = [f"{name}: {count}" for name, count in counts(table).items()]
    lines += ["", _HEAD]
    for row in table:
        word = "holds" if row.holds else "simulate"
        lines.append(
            f"{row.name:13}{row.formula:10.6f}{row.simulated:11.6f}{row.error:10.6f}"
            f"{row.z:9.2f}{row.points:8.3f}{row.ratio:14.3f}  {word}"
        )
    return "\n".join(lines) + "\n"


def read(text: str) -> tuple[dict[str, int], list[Row]]:
    """The counts and the rows of a stored table."""
    head, _, body = text.partition("\n\n")
    told = {}
    for line in head.splitlines():
        name, _, count = line.rpartition(": ")
        told[name] = int(count)
    table = []
    for line in body.splitlines()[1:]:
        name, formula, simulated, error, _, _, ratio, word = line.split()
        table.append(
            Row(name, float(formula), float(simulated), float(error), float(ratio), word == "holds")
        )
    return told, table


def main() -> None:
    """Write the table anew and print its counts."""
    table = [*rows(one_tier, "one-tier", range(ONE_TIER))]
    table += rows(two_tiers, "two-tiers", range(TWO_TIERS))
    table += rows(wide, "wide", range(WIDE))
    text = render(table)
    TABLE.write_text(text, encoding="utf-8")
    sys.stdout.write(text.partition("\n\n")[0] + "\n")


if __name__ == "__main__":
    main()
