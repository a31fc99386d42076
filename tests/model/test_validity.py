"""What the closed form leaves out, against simulation and by hand."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings

from advisor.model.lost_work import goodput
from advisor.model.pattern import Pattern, pattern
from advisor.model.simulate import simulate
from advisor.model.trajectory import route
from advisor.model.validity import closed_form_holds, left_out
from advisor.model.waits import period, waits
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
        {"pool_lag": 6500.0},
        {"drain_survives": 1.0, "soft_restart": 5000.0, "pool_slowdown": 0.3},
        {"drain_survives": 1.0, "local_lag": 700.0, "every": 2.0},
    ],
    ids=[
        "starts again", "goes on, with waits", "goes on, with drag", "drags again", "waits again",
        "goes on, long restart", "goes on, late local copies",
    ],
)  # fmt: skip
def test_copies_on_their_way_are_in_the_closed_form(fields: dict[str, float]) -> None:
    """Each of these was 0.5 to 5 points off while every pattern was charged the same."""
    p, tau = drained(**fields), 1000.0
    found = simulate(p, tau, until=200 / 5e-5, replicas=4096)
    assert abs(float(goodput(p, tau)) - found.goodput) < 4 * found.error + 0.0005
    assert float(left_out(p, tau)) == 0
    assert bool(closed_form_holds(p, tau))


def test_a_kill_loses_a_whole_interval_and_is_charged_half() -> None:
    p = pattern(stall=100, hard_rate=1 / 20_000, hard_restart=300, kill=0.05)
    found = simulate(p, 1000.0, until=200 * 20_000, replicas=4096)
    excess = float(goodput(p, 1000.0)) - found.goodput
    assert excess > 10 * found.error
    assert float(left_out(p, 1000.0)) == pytest.approx(excess, rel=0.1)
    assert not bool(closed_form_holds(p, 1000.0))


def test_the_local_drag_is_part_of_the_time_the_pool_copy_takes() -> None:
    """No failures, by hand: k = 2, work 100, no stall, d2 = 300, d1 = 50 at slow-down 0.4.

    Running takes 2 x 120 s, 40 s of it drag, and the pool save waits until 300 s.
    """
    p = pattern(
        stall=0, every=2, local_lag=50, local_slowdown=0.4, pool_lag=300, hard_rate=0,
        hard_restart=0,
    )  # fmt: skip
    w = waits(p, 100)
    assert (float(w.local_drag), float(w.pool_drag), float(w.pool_wait)) == (20, 0, 60)
    assert float(2 * w.segment + w.pool_stall) == pytest.approx(300)
    assert float(goodput(p, 100)) == pytest.approx(200 / 300)


@settings(max_examples=200, deadline=None)
@given(patterns())
def test_an_undisturbed_pattern_is_as_long_as_it_is_when_walked(
    case: tuple[Pattern, float],
) -> None:
    p, tau = case
    whole = float(p.every) * float(period(p, tau))
    assert whole == pytest.approx(route(p, tau).period, rel=1e-6)


def test_where_drains_go_on_and_patterns_hardly_end_the_simulation_is_named() -> None:
    often = drained(drain_survives=1.0, soft_rate=4e-4, hard_rate=1e-4)
    assert not bool(closed_form_holds(often, 1000.0))
    found = simulate(often, 1000.0, until=200 / 5e-4, replicas=4096)
    # Still within the half point that is said of it.
    assert abs(float(goodput(often, 1000.0)) - found.goodput) < 0.005
    assert bool(closed_form_holds(often.changed(drain_survives=0.0), 1000.0))
    assert bool(closed_form_holds(often.changed(pool_lag=0.0), 1000.0))


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
    kills = np.linspace(0, 0.02, 1000)
    p = drained(drain_survives=1.0).changed(kill=kills)
    each = [float(left_out(drained(drain_survives=1.0, kill=kill), 1000.0)) for kill in kills[::99]]
    np.testing.assert_allclose(left_out(p, 1000.0)[::99], each)
    holds = closed_form_holds(p, 1000.0)
    assert holds.shape == (1000,)
    assert holds[0]
    assert not holds[-1]
