"""What the closed form leaves out, against simulation and by hand."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings

from advisor.model.lost_work import goodput
from advisor.model.pattern import Pattern, pattern
from advisor.model.waits import period, waits
from advisor.model.simulate import simulate
from advisor.model.trajectory import route
from advisor.model.validity import closed_form_holds, left_out
from tests.model.agreement import one_tier
from tests.model.test_properties import patterns


def drained(**fields: float) -> Pattern:
    base = {
        "stall": 10.0, "every": 5.0, "pool_lag": 4000.0, "soft_rate": 4e-5, "hard_rate": 1e-5,
        "soft_restart": 60.0, "hard_restart": 600.0,
    }  # fmt: skip
    return pattern(**{**base, **fields})


@pytest.mark.parametrize("seed", range(20))
def test_nothing_is_left_out_with_one_tier(seed: int) -> None:
    p, tau = one_tier(np.random.default_rng(seed))
    assert float(left_out(p, tau)) == 0
    assert bool(closed_form_holds(p, tau))


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"drain_survives": 1.0, "pool_lag": 6500.0},
        {"drain_survives": 1.0, "pool_slowdown": 0.3},
        {"pool_slowdown": 0.3},
    ],
    ids=["starts again", "goes on, with waits", "goes on, with drag", "drags again"],
)
def test_what_is_left_out_is_what_the_simulation_finds(fields: dict[str, float]) -> None:
    """First order in the soft failures of a pattern: within a third, and of the same sign."""
    p, tau = drained(**fields), 1000.0
    found = simulate(p, tau, until=200 / 5e-5, replicas=4096)
    excess = float(goodput(p, tau)) - found.goodput
    assert abs(excess) > 0.004
    assert float(left_out(p, tau)) == pytest.approx(excess, rel=1 / 3)
    assert not bool(closed_form_holds(p, tau))


def test_the_local_drag_is_charged_beside_a_wait_that_contains_it() -> None:
    """No failures, by hand: k = 2, work 100, no stall, d2 = 300, d1 = 50 at slow-down 0.4.

    The pool save waits until 300 in either case, so a pattern lasts 300 s. Running takes 2 x 120 s;
    the closed form adds 2 x 20 s of drag to a wait of 300 - 200 s and arrives at 340 s.
    """
    p = pattern(
        stall=0, every=2, local_lag=50, local_slowdown=0.4, pool_lag=300, hard_rate=0,
        hard_restart=0,
    )  # fmt: skip
    assert route(p, 100).period == pytest.approx(300)
    w = waits(p, 100)
    charged = float(2 * w.segment + w.pool_stall)
    if charged != pytest.approx(300):
        assert charged == pytest.approx(340)
        assert float(left_out(p, 100)) == pytest.approx(200 / 340 - 200 / 300, abs=0.01)


def test_a_drain_that_takes_a_third_of_a_pattern_may_stand_alone() -> None:
    p = drained(pool_lag=1500.0, pool_slowdown=0.05, soft_rate=4e-6, hard_rate=1e-6)
    assert bool(closed_form_holds(p, 1000.0))
    often = drained(pool_lag=1500.0, pool_slowdown=0.05, soft_rate=4e-4, hard_rate=1e-4)
    assert not bool(closed_form_holds(often, 1000.0))


@settings(max_examples=200, deadline=None)
@given(patterns())
def test_every_scenario_has_an_answer(case: tuple[Pattern, float]) -> None:
    p, tau = case
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(float(left_out(p, tau)))
        assert closed_form_holds(p, tau).shape == ()


@settings(max_examples=40, deadline=None)
@given(patterns())
def test_every_scenario_can_be_simulated(case: tuple[Pattern, float]) -> None:
    p, tau = case
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Saves that a time-out kills are interruptions too.
        rate = float(p.soft_rate + p.hard_rate + p.kill / period(p, tau))
        found = simulate(p, tau, until=20 / rate, replicas=3)
    # A run this short can lose more than it does: what was under way when counting began.
    ends = 2 * float(p.every) * tau * rate / 20
    assert -2 * ends <= found.goodput <= 1 + 2 * ends
    assert np.isfinite(found.error)


def test_a_thousand_jobs_in_one_call() -> None:
    lags = np.linspace(100, 6000, 1000)
    p = drained().changed(pool_lag=lags)
    each = [float(left_out(drained(pool_lag=lag), 1000.0)) for lag in lags[::100]]
    np.testing.assert_allclose(left_out(p, 1000.0)[::100], each)
    assert closed_form_holds(p, 1000.0).shape == (1000,)
