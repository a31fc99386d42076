"""Pool copies on their way when a job fails: against a chain, by hand, and what always holds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.model import drain_again
from advisor.model.lost_work import goodput, shares
from advisor.model.pattern import Pattern, pattern
from advisor.model.tiers import stacked
from tests.model.agreement import two_tiers
from tests.model.chain import Chain
from tests.model.plain_simulation import shares_of
from tests.model.test_properties import patterns


def drained(**fields: float) -> Pattern:
    base = {
        "stall": 10.0, "every": 5.0, "pool_lag": 4000.0, "pool_slowdown": 0.2, "soft_rate": 8e-5,
        "hard_rate": 2e-5, "soft_restart": 60.0, "hard_restart": 600.0,
    }  # fmt: skip
    return pattern(**{**base, **fields})


CASES: list[dict[str, Any]] = [
    {},
    {"pool_lag": 6000.0},
    {"pool_lag": 500.0},
    {"every": 1.0, "pool_lag": 700.0},
    {"every": 1.0, "pool_lag": 1800.0, "pool_stall": 50.0},
    {"every": 12.0, "pool_lag": 3300.0},
    {"every": 24.0, "pool_lag": 23000.0},
    {"local_lag": 400.0, "local_slowdown": 0.1},
    {"local_lag": 950.0, "local_slowdown": 0.3, "every": 3.0, "pool_lag": 2500.0},
    {"local_lag": 1400.0, "every": 8.0, "pool_lag": 5000.0},
    {"local_lag": 600.0, "every": 1.0, "pool_lag": 200.0},
    {"local_lag": 600.0, "every": 4.0, "pool_lag": 200.0},
    {"local_lag": 300.0, "every": 7.0, "pool_lag": 2100.0, "soft_restart": 5000.0},
]


@pytest.mark.parametrize("fields", CASES)
@pytest.mark.parametrize("often", [0.01, 1.0, 5.0])
def test_a_drain_that_starts_again_is_the_chain(fields: dict[str, float], often: float) -> None:
    p = drained(**fields)
    p = p.changed(soft_rate=p.soft_rate * often, hard_rate=p.hard_rate * often)
    assert float(goodput(p, 1000.0)) == pytest.approx(Chain(p, 1000.0).goodput(), rel=1e-9)


def test_a_drain_that_outlasts_all_work_goes_by_its_own_time() -> None:
    """By hand: k = 1, drain 5,000 s, work 1,000 s, no restart: from save to save is one drain.

    Got through with a = e^(-(8 + 2)e-5 x 5,000) = 0.606531 at first, else again: a/(1 - 0.8 (1 -
    a)) = 0.606531/0.685225 = 0.885156, the same chance that the copy is kept. The first save:
    e^(-0.1)/(1 - 0.8 (1 - e^(-0.1))) = 0.904837/0.923870 = 0.979399. Saves per hard failure:
    0.979399 x 0.885156/0.114844 = 7.5487, of 1,000 s in 50,000.
    """
    p = drained(every=1.0, stall=0.0, pool_lag=5000.0, soft_restart=0.0, hard_restart=0.0)
    assert float(goodput(p, 1000.0)) == pytest.approx(0.150974, abs=1e-6)


@settings(max_examples=100, deadline=None)
@given(patterns())
def test_without_soft_failures_it_does_not_matter_how_drains_end(
    case: tuple[Pattern, float],
) -> None:
    p, tau = case
    hard = p.changed(soft_rate=0.0, hard_rate=p.soft_rate + p.hard_rate)
    ends = [float(goodput(hard.changed(drain_survives=v), tau)) for v in (0.0, 1.0)]
    # A soft rate of a billionth keeps the short form for hard failures away.
    few = hard.changed(soft_rate=hard.hard_rate * 1e-9)
    ends += [float(goodput(few.changed(drain_survives=v), tau)) for v in (0.0, 1.0)]
    assert ends == pytest.approx([ends[0]] * 4, rel=1e-6, abs=1e-250)


@settings(max_examples=100, deadline=None)
@given(patterns(), st.sampled_from([0.0, 1.0]))
def test_without_hard_failures_is_the_limit_of_few(
    case: tuple[Pattern, float], survives: float
) -> None:
    p, tau = case
    # A hard restart that never succeeds is long however rare it is.
    p = p.changed(kill=0.0, drain_survives=survives, hard_restart=1.0)
    never = float(goodput(p.changed(hard_rate=0.0), tau))
    few = float(goodput(p.changed(hard_rate=p.soft_rate * 1e-30 + 1e-40), tau))
    assert few == pytest.approx(never, rel=1e-9, abs=1e-12)


MONOTONE = (
    ("stall",), ("pool_stall",), ("pool_lag",), ("pool_lag", "pool_stall"), ("local_lag",),
    ("soft_restart",), ("hard_restart",), ("soft_rate",), ("hard_rate",),
    ("soft_rate", "hard_rate"), ("pool_slowdown",), ("local_slowdown",),
)  # fmt: skip
"""What a job can have less of: a faster pool is less lag and less stall on it."""

JOBS = [two_tiers(np.random.default_rng([61, number])) for number in range(400)]


@pytest.mark.parametrize("fields", MONOTONE, ids="-".join)
@pytest.mark.parametrize("factor", [1.02, 1.5, 4.0])
def test_less_of_anything_bad_never_hurts(fields: tuple[str, ...], factor: float) -> None:
    p, tau = stacked([job[0] for job in JOBS]), np.array([job[1] for job in JOBS])
    less = p.changed(**{name: getattr(p, name) / factor for name in fields})
    gain = goodput(less, tau) - goodput(p, tau)
    assert gain.min() > -1e-12


def test_fewer_failures_and_shorter_stalls_tend_to_none() -> None:
    """Nothing lost: goodput 1; nothing but stall and drag: k tau over the length of a pattern."""
    for survives in (0.0, 1.0):
        p = drained(drain_survives=survives, stall=1e-9, pool_lag=1e-9)
        rare = p.changed(soft_rate=1e-15, hard_rate=1e-15)
        assert float(goodput(rare, 1000.0)) == pytest.approx(1.0, abs=1e-9)
        quiet = drained(drain_survives=survives, soft_rate=1e-16, hard_rate=1e-16)
        # 3 intervals of 1,250 + 10 s under the drain, 220 s of the fourth (44 s of drag), and one.
        length = 3 * 1260 + 1044 + 10 + 1010
        assert float(goodput(quiet, 1000.0)) == pytest.approx(5000 / length, rel=1e-9)


def test_jobs_of_every_kind_in_one_call_are_the_same_as_each_alone() -> None:
    p, tau = stacked([job[0] for job in JOBS]), np.array([job[1] for job in JOBS])
    alone = [float(goodput(*job)) for job in JOBS]
    np.testing.assert_allclose(goodput(p, tau), alone, rtol=1e-12)
    found = shares(p, tau)
    for at in range(0, len(JOBS), 40):
        one = shares(*JOBS[at])
        for name in ("stall", "drain", "restart", "rework"):
            assert float(getattr(one, name)) == pytest.approx(float(getattr(found, name)[at]))
    # A grid of intervals by jobs, as the search has it.
    grid = tau * np.array([[0.5], [1.0], [2.0]])
    np.testing.assert_allclose(goodput(p, grid)[1], alone, rtol=1e-12)


def test_what_lies_before_many_saves_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    p, tau = drained(every=200.0, pool_lag=30_000.0, soft_rate=4e-6, hard_rate=1e-6), 1000.0
    whole = float(goodput(p, tau))
    monkeypatch.setattr(drain_again, "MOST_STEPS", 100)
    assert float(goodput(p, tau)) == pytest.approx(whole, abs=1e-4)


@pytest.mark.parametrize(
    "fields",
    [
        {"soft_rate": 2e-5, "hard_rate": 5e-6},
        {"soft_rate": 2e-5, "hard_rate": 5e-6, "pool_lag": 5800.0},
        {"soft_rate": 2e-5, "hard_rate": 5e-6, "pool_lag": 6500.0, "drain_survives": 1.0},
        {"soft_rate": 2e-5, "hard_rate": 5e-6, "soft_restart": 2000.0, "drain_survives": 1.0},
    ],
    ids=["drags again", "waits again", "goes on, with waits", "goes on, long restart"],
)
def test_where_the_time_goes_is_what_an_event_by_event_run_finds(fields: dict[str, float]) -> None:
    """Stall, drain, restart and rework; the first pattern after a hard failure pays no drag."""
    p = drained(**fields)
    found, seen = shares(p, 1000.0), shares_of(p, 1000.0, 8000, seed=3)
    for name, least in (("goodput", 0.006), ("stall", 0.005), ("restart", 0.003)):
        assert float(getattr(found, name)) == pytest.approx(float(getattr(seen, name)), abs=least)
    first = float(p.hard_rate) * 1000 * float(p.every) / float(found.goodput)
    spare = float(found.drain) * first + 0.003
    assert -0.003 < float(found.drain - seen.drain) < spare


VARIED = {
    "stall": (5.0, 20.0),
    "pool_stall": (0.0, 3.0),
    "local_lag": (0.0, 40.0),
    "pool_lag": (100.0, 900.0),
    "local_slowdown": (0.0, 0.2),
    "pool_slowdown": (0.0, 0.3),
    "every": (2.0, 6.0),
    "soft_rate": (1e-5, 4e-4),
    "hard_rate": (1e-6, 1e-4),
    "soft_restart": (10.0, 600.0),
    "hard_restart": (10.0, 900.0),
    "unusable": (0.0, 0.1),
}
"""Lowest and highest of each part of a pattern."""


@pytest.mark.parametrize("survives", [0.0, 1.0])
@pytest.mark.parametrize("name", VARIED)
def test_one_part_may_vary_while_the_others_are_single_values(name: str, survives: float) -> None:
    fixed = {key: (low + high) / 2 for key, (low, high) in VARIED.items()}
    fixed["every"] = 3.0
    values = np.linspace(*VARIED[name], 5)
    values = np.round(values) if name == "every" else values
    varied: dict[str, Any] = {**fixed, name: values}
    together = goodput(pattern(**varied, drain_survives=survives), 120.0)
    alone = [
        float(goodput(pattern(**{**fixed, name: value}, drain_survives=survives), 120.0))
        for value in values
    ]
    assert together.shape == (5,)
    assert together == pytest.approx(alone, rel=1e-12)
