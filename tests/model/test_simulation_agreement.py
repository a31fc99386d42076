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
    WIDE,
    Row,
    counts,
    one_tier,
    read,
    render,
    rows,
    two_tiers,
    wide,
)

TOLD, STORED = read(TABLE.read_text(encoding="utf-8"))


def test_the_stored_counts_are_those_of_the_stored_rows() -> None:
    assert counts(STORED) == TOLD
    found = [TOLD[f"{name}: jobs"] for name in ("one tier", "two tiers", "wide")]
    assert found == [ONE_TIER, TWO_TIERS, WIDE]
    assert len({row.name for row in STORED}) == ONE_TIER + TWO_TIERS + WIDE


def test_one_tier_agrees() -> None:
    """Of 200, 10 are expected outside; over 19 happens once in 300 times by chance."""
    assert TOLD["one tier: outside the 95 % interval"] <= 19
    assert TOLD["one tier: over 4 standard errors"] == 0


@pytest.mark.parametrize(("name", "label"), [("two tiers", "two-tiers"), ("wide", "wide")])
def test_two_tiers_agree(name: str, label: str) -> None:
    """None is half a point off; what there is, is mostly chance."""
    jobs = [row for row in STORED if row.name.startswith(label)]
    assert TOLD[f"{name}: MTBF longer than a pattern"] > 0.6 * len(jobs)
    assert TOLD[f"{name}: of these over 1.5 points"] == 0
    assert TOLD[f"{name}: of these over 0.5 points"] == 0
    assert TOLD[f"{name}: of these over 4 standard errors"] <= 2
    assert TOLD[f"{name}: of all over 0.5 points"] == 0
    # The simulated value is printed for those with frequent interruptions alone.
    assert all(row.holds for row in jobs if row.ratio > 1)
    assert not all(row.holds for row in jobs)


def test_drains_that_start_again_are_exact() -> None:
    """Of 200 jobs 10 are expected outside the 95 % interval; over 19 by chance once in 300."""
    again = [
        row
        for label, draw, number in (("two-tiers", two_tiers, TWO_TIERS), ("wide", wide, WIDE))
        for at in range(number)
        for row in STORED
        if row.name == f"{label}-{at:03d}"
        and float(draw(np.random.default_rng([len(label), at]))[0].drain_survives) == 0
    ]
    assert len(again) > 150
    assert sum(abs(row.z) > 1.96 for row in again) <= 0.095 * len(again)
    assert max(abs(row.z) for row in again) < 4


def test_one_tier_and_waits_are_among_the_jobs() -> None:
    jobs = [one_tier(np.random.default_rng([8, number])) for number in range(ONE_TIER)]
    drained = [(p, tau) for p, tau in jobs if float(p.pool_lag) > 0]
    waiting = [1 for p, tau in drained if tau < (1 - float(p.pool_slowdown)) * float(p.pool_lag)]
    assert len(drained) > 80
    assert len(jobs) - len(drained) > 50
    assert len(waiting) > 10


@pytest.mark.parametrize(
    ("draw", "label", "numbers"),
    [
        (one_tier, "one-tier", range(0, 200, 20)),
        (two_tiers, "two-tiers", range(0, 100, 20)),
        (wide, "wide", range(0, 300, 60)),
    ],
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
