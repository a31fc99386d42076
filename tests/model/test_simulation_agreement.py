"""The stored table of the closed form against the simulation, and a few of its jobs once more."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from advisor.model.pattern import Pattern
from tests.model.agreement import (
    ONE_TIER,
    TABLE,
    TWO_TIERS,
    Row,
    counts,
    one_tier,
    read,
    render,
    rows,
    two_tiers,
)

TOLD, STORED = read(TABLE.read_text(encoding="utf-8"))


def test_the_stored_counts_are_those_of_the_stored_rows() -> None:
    assert counts(STORED) == TOLD
    assert (TOLD["one tier: jobs"], TOLD["two tiers: jobs"]) == (ONE_TIER, TWO_TIERS)
    assert len({row.name for row in STORED}) == ONE_TIER + TWO_TIERS


def test_one_tier_agrees() -> None:
    """Of 200, 10 are expected outside; over 19 happens once in 300 times by chance."""
    assert TOLD["one tier: outside the 95 % interval"] <= 19
    assert TOLD["one tier: over 4 standard errors"] == 0


def test_two_tiers_agree() -> None:
    """Where interruptions are rarer than patterns nothing is off; the errors are 0.1 point."""
    assert TOLD["two tiers: MTBF longer than a pattern"] >= 95
    assert TOLD["two tiers: of these over 1.5 points"] == 0
    assert TOLD["two tiers: of these over 0.5 points"] == 0
    assert TOLD["two tiers: of these over 4 standard errors"] == 0
    # The others are those that the simulated value is printed for.
    two = [row for row in STORED if row.name.startswith("two-tier")]
    assert all(row.holds for row in two if row.ratio > 1)
    assert max(abs(row.points) for row in two if row.holds) < 0.5


def test_one_tier_and_waits_are_among_the_jobs() -> None:
    jobs = [one_tier(np.random.default_rng([8, number])) for number in range(ONE_TIER)]
    drained = [(p, tau) for p, tau in jobs if float(p.pool_lag) > 0]
    waiting = [1 for p, tau in drained if tau < (1 - float(p.pool_slowdown)) * float(p.pool_lag)]
    assert len(drained) > 80
    assert len(jobs) - len(drained) > 50
    assert len(waiting) > 10


@pytest.mark.parametrize(
    ("draw", "label", "numbers"),
    [(one_tier, "one-tier", range(0, 200, 20)), (two_tiers, "two-tiers", range(0, 100, 20))],
)
def test_some_jobs_come_out_the_same_again(
    draw: Callable[[np.random.Generator], tuple[Pattern, float]], label: str, numbers: range
) -> None:
    """To the six digits stored: the random numbers are NumPy's PCG64, the same everywhere."""
    stored = {row.name: row for row in STORED}
    for row in rows(draw, label, numbers):
        known = stored[row.name]
        assert row.formula == pytest.approx(known.formula, abs=1e-6)
        assert row.simulated == pytest.approx(known.simulated, abs=2e-6)
        assert row.holds == known.holds


def test_a_table_reads_back() -> None:
    table = [
        Row("one-tier-000", 0.9, 0.89, 0.004, 2.5, holds=True),
        Row("two-tiers-000", 0.9, 0.8, 0.0004, 1.25, holds=False),
    ]
    told, again = read(render(table))
    assert again == table
    # 0.01 is 2.5 errors; 10 points are over 1.5.
    assert told["one tier: outside the 95 % interval"] == 1
    assert told["two tiers: of these over 1.5 points"] == 1
    assert told["two tiers: closed form said to hold alone"] == 0
