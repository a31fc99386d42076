"""The pool rate a configuration needs, each demand worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.model.required import required_rate
from tests.model.jobs import TICKET, job

KAPPA = 1.0153048
"""Mean over median of saves with p99/p50 = 1.5: exp((ln 1.5 / 2.32635)^2 / 2)."""


def rate(need: object) -> float:
    return float(need.rate)  # type: ignore[attr-defined]  # a Requirement


def test_a_pause_sets_the_rate_of_a_synchronous_save() -> None:
    need = required_rate(job(**TICKET))
    assert need is not None
    assert need.because == ("pause",)
    assert rate(need) == pytest.approx(12e12 * KAPPA / 60, rel=1e-6)


def test_one_save_in_a_hundred_asks_for_half_as_much_again() -> None:
    need = required_rate(job(**TICKET), "p99")
    assert need is not None
    assert rate(need) == pytest.approx(12e12 * 1.5 / 60, rel=1e-6)


def test_creates_and_overhead_leave_less_of_the_pause() -> None:
    # 128 nodes x 8 files / 100 per second = 10.24 s, overhead 10 s: 39.76 s are left.
    sc = job(**TICKET, pool_creates="100", save_overhead="10 s")
    need = required_rate(sc)
    assert need is not None
    assert rate(need) == pytest.approx(12e12 * KAPPA / (60 - 10.24 - 10), rel=1e-6)


def test_a_pause_shorter_than_the_creates_is_out_of_reach() -> None:
    sc = job(**TICKET, pool_creates="10")  # 102.4 s of creates for a pause of 60 s
    need = required_rate(sc)
    assert need is not None
    assert not need.feasible
    assert "pause" in need.because


def test_a_node_link_can_be_what_binds() -> None:
    # 93.75 GB a node over 1 GB/s take 93.75 s whatever the pool.
    need = required_rate(job(**TICKET, node_link="1 GB/s"))
    assert need is not None
    assert not need.feasible


ONE_STEP = {**TICKET, "mode": "async", "drain_hides": "one_step", "step_time": "4 s"}


def test_a_drain_the_next_step_waits_for_is_a_pause() -> None:
    # s = 93.75/15 = 6.25 s and all of the drain but one step of 4 s stall: 6.25 + d - 4 = 60.
    need = required_rate(job(**ONE_STEP))
    assert need is not None
    assert need.because == ("pause",)
    assert rate(need) == pytest.approx(12e12 * KAPPA / 57.75, rel=1e-6)


def test_without_a_pause_such_a_drain_may_cost_a_point() -> None:
    """As a synchronous save may, which has no step to hide behind."""
    free = {name: value for name, value in ONE_STEP.items() if name != "acceptable_pause"}
    need = required_rate(job(**free))
    still = required_rate(job(**{**free, "mode": "sync"}))
    assert need is not None
    assert still is not None
    assert need.because == ("stall_cost",)
    # One step of 4 s hides, at 30 % less speed: such a drain may take 2.8 s longer.
    hidden = 4 * (1 - 0.3)
    assert 12e12 * KAPPA * (1 / rate(need) - 1 / rate(still)) == pytest.approx(hidden, rel=0.05)


def test_a_drain_must_end_within_half_of_the_interval() -> None:
    # s = 93.75/15 = 6.25 s, threads 30 %: d = (900 + 6.25 + 0.3 d)/2, so d = 906.25/1.7 = 533.1 s
    # (d is under tau/0.7, so its whole drag counts); B = 12 TB x kappa / d.
    sc = job(**{**TICKET, "mode": "async"})
    need = required_rate(sc)
    assert need is not None
    assert need.because == ("drain",)
    assert rate(need) == pytest.approx(12e12 * KAPPA / (906.25 / 1.7), rel=1e-6)


def test_without_a_pause_a_stall_may_cost_one_point() -> None:
    # No failures to speak of (1,000 years): 900/(900 + s) = 0.99, so s = 9.0909 s.
    facts = {k: v for k, v in TICKET.items() if k != "acceptable_pause"}
    sc = job(**{**facts, "job_mtbf": "10 years", "restart_time": "1 s"})
    need = required_rate(sc)
    assert need is not None
    assert need.because == ("stall_cost",)
    assert rate(need) == pytest.approx(12e12 * KAPPA / 9.0909, rel=1e-3)


def test_a_goal_replaces_the_point() -> None:
    facts = {k: v for k, v in TICKET.items() if k != "acceptable_pause"}
    sc = job(**{**facts, "job_mtbf": "10 years", "restart_time": "1 s", "goodput_target": "0.9"})
    need = required_rate(sc)
    assert need is not None
    assert need.because == ("goal",)
    # 900/(900 + s) = 0.9: s = 100 s.
    assert rate(need) == pytest.approx(12e12 * KAPPA / 100, rel=1e-3)


def test_a_goal_over_the_ceiling_is_out_of_reach() -> None:
    # M 1 h, R 15 min: e^-0.25 = 0.78 at most.
    facts = {k: v for k, v in TICKET.items() if k != "acceptable_pause"}
    need = required_rate(job(**{**facts, "job_mtbf": "1 h", "goodput_target": "0.9"}))
    assert need is not None
    assert not need.feasible
    assert need.because == ("goal",)


def test_a_time_out_can_set_the_rate() -> None:
    sc = job(**{**TICKET, "acceptable_pause": "30 min", "collective_timeout": "100 s"})
    need = required_rate(sc)
    assert need is not None
    assert need.because == ("time_out",)
    assert rate(need) == pytest.approx(12e12 * KAPPA / 100, rel=1e-6)


def test_a_data_sheet_pool_needs_the_same_delivered_rate() -> None:
    sheet = required_rate(job(**{**TICKET, "pool_write_basis": "data_sheet"}))
    plain = required_rate(job(**TICKET))
    assert sheet is not None
    assert plain is not None
    assert rate(sheet) == pytest.approx(rate(plain))


def test_nothing_is_required_where_nothing_is_asked() -> None:
    need = required_rate(job(nodes="8", state_total="1 TB", mode="async"))
    assert need is not None
    assert need.because == ()


@settings(max_examples=40, deadline=None)
@given(
    st.floats(1.0, 600.0), st.floats(1e10, 1e13), st.sampled_from(["sync", "async"]),
    st.floats(60.0, 7200.0),
)  # fmt: skip
def test_the_rate_meets_every_demand_and_a_little_less_does_not(
    pause: float, total: float, mode: str, interval: float
) -> None:
    from advisor.model.job import floats
    from advisor.model.required import _at

    sc = job(
        nodes="64", state_total=f"{total!r} B", mode=mode, interval=f"{interval!r} s",
        acceptable_pause=f"{pause!r} s", pool_write="10 GB/s",
    )  # fmt: skip
    need = required_rate(sc)
    assert need is not None
    if not need.feasible or not need.because:
        return
    at = _at(sc, floats(rate(need) * 1.001), "mean")
    below = _at(sc, floats(rate(need) * 0.999), "mean")
    assert all(bool(takes <= may) for takes, may in at.values())
    assert not all(bool(takes <= may) for takes, may in below.values())


def test_what_no_rate_meets_is_told_with_what_is_left_and_what_may_be() -> None:
    # 90 s of overhead against a pause of 60 s; at any rate the bytes take next to nothing.
    pause = required_rate(job(**TICKET, save_overhead="90 s"))
    assert pause is not None
    assert not pause.feasible
    assert pause.short == {"pause": pytest.approx((90, 60))}
    # No goodput over e^(-R/M): 15 min in 10 h leave 0.9753.
    goal = {k: v for k, v in TICKET.items() if k != "acceptable_pause"}
    wished = required_rate(job(**goal, goodput_target="99%"))
    assert wished is not None
    (needed, reached) = wished.short["goal"]
    assert needed == pytest.approx(0.99)
    assert 0.95 < reached < 0.9753
    assert required_rate(job(**TICKET)).short == {}  # type: ignore[union-attr]  # it is there


SLOW_WRITERS = {
    "nodes": "48",
    "state_total": "2.3 TB",
    "mode": "sync",
    "interval": "3 h",
    "nvme": "none",
    "job_mtbf": "7 d",
    "writers": "one_per_node",
    "single_stream_write": "0.7 GB/s",
    "acceptable_pause": "60 s",
}
"""2,300 GB over 48 writers of 0.7 GB/s: 68.5 s whatever the pool does."""


def test_a_pause_that_no_rate_meets_in_the_model_is_met_by_a_shorter_measured_stall() -> None:
    need = required_rate(job(**SLOW_WRITERS, measured_stall="40 s"))
    assert need is not None
    assert need.feasible
    assert need.as_measured == ("pause",)
    assert need.because == ()
    assert rate(need) == 0


@pytest.mark.parametrize("measured", [{"measured_stall": "61 s"}, {}])
def test_without_such_a_measurement_no_rate_is_enough(measured: dict[str, str]) -> None:
    need = required_rate(job(**{**SLOW_WRITERS, **measured}))
    assert need is not None
    assert not need.feasible
    assert need.because == ("pause",)
    assert need.as_measured == ()


def test_a_time_out_asks_for_its_rate_beside_a_pause_met_as_measured() -> None:
    # The writers take 68.5 s times the variation of saves; a limit of 100 s binds the pool.
    need = required_rate(job(**SLOW_WRITERS, measured_stall="40 s", collective_timeout="100 s"))
    assert need is not None
    assert need.because == ("time_out",)
    assert rate(need) == pytest.approx(2.3e12 * KAPPA / 100, rel=1e-6)
