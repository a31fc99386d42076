"""Spares and one reader for all replicas in an advice: price, conditions, what is not known."""

from __future__ import annotations

import pytest

from advisor.engine.advice import Step
from tests.engine.sessions import advice

JOB = {
    "nodes": "100", "state_total": "6 TB", "pool_write": "100 GB/s", "save_variation": "1",
    "mode": "sync", "nvme": "none", "interval": "35 min", "interval_decided_by": "policy",
    "job_mtbf": "10 h", "restart_time": "30 min", "accelerators_per_node": "0",
    "node_hour": "$20/h", "replacement_wait": "20 min",
}  # fmt: skip
"""CPU nodes with nothing else to change; a spare brings 2.94 points and costs one."""


def step(lever: str, **changes: str) -> Step:
    (found,) = [s for s in advice(**{**JOB, **changes}).plan if s.lever == lever]
    return found


def test_the_price_of_a_spare_is_taken_off_its_saving() -> None:
    found = step("spares")
    assert found.title == "Keep 1 spare node in the allocation"
    assert found.settings == {"spare_nodes": 1.0}
    assert found.goodput_gain == pytest.approx(0.029402, abs=2e-6)
    # 100 nodes x $20 x 8,760 h are $17.52M a year: 1 % of it is the spare's.
    assert found.saves_per_year == pytest.approx((0.029402 - 0.01) * 17.52e6, rel=1e-4)
    assert found.notes == (
        "The spare nodes cost 1.0 point of what the job costs, $175k a year, taken off the saving.",
    )
    assert "a spare that was used is replaced as a lost node is now" in found.conditions
    assert any("outlives a lost node" in text for text in found.conditions)
    # Spares are the scheduler's business.
    assert not any("framework" in text for text in found.conditions)


def test_where_a_spare_stops_paying() -> None:
    # It has to bring what it costs: 0.943347 e^-0.05 (e^(w e^(-w/M)/M) - 1) = 0.01 at 35 min.
    (below,) = [t for t in step("spares").thresholds if t.fact == "replacement_wait"]
    assert (below.direction, below.why) == ("below", "gain")
    assert below.at == pytest.approx(403.6, abs=0.5)


def test_without_a_price_points_are_told_and_no_dollars() -> None:
    found = step("spares", accelerators_per_node="8", stalled_accelerators="800", mode="async")
    assert found.notes[0].startswith("The spare nodes cost 1.0 point of what the job costs")


def test_while_the_wait_is_not_known_the_rule_says_so_and_nothing_is_planned() -> None:
    found = advice(**{k: v for k, v in JOB.items() if k != "replacement_wait"})
    assert found.plan == ()
    assert found.finding("CKR03").state == "unknown"
    assert found.finding("CKR03").missing == ("replacement_wait",)
    # What a restart in 5 min would bring stays a figure beside the plan.
    assert [s.lever for s in found.further] == ["faster_restart"]


def test_a_spare_that_costs_more_than_it_brings_is_left_out() -> None:
    found = advice(**{**JOB, "nodes": "10", "state_total": "600 GB", "pool_write": "10 GB/s"})
    assert found.plan == ()
    assert found.finding("CKR03").state == "clear"


def test_drives_that_the_restart_wiped_are_worth_something_with_spares() -> None:
    drives = {
        **JOB, "nvme": "used", "nvme_write": "5 GB/s", "nvme_tail_ratio": "1",
        "local_survives": "nothing", "local_restart_time": "2 min", "drain_slowdown": "0%",
    }  # fmt: skip
    found = advice(**drives)
    (spares,) = [s for s in found.plan if s.lever == "spares"]
    assert spares.settings["local_survives"] == "process_restart"
    # The wait alone is worth 2.94 points. Half of the interruptions then take 2 min instead of the
    # 639 s that are left of the others: 260 s of 10 h more on average.
    assert spares.goodput_gain > 0.0294 + 0.9 * 260 / 36000


def test_one_reader_and_what_it_rests_on() -> None:
    found = step("broadcast_load", replicas="8", pool_read="100 GB/s", restart_time="20 min",
                 replacement_wait="0 s")  # fmt: skip
    assert found.settings == {"restart_reads": "one_replica"}
    assert found.goodput_gain == pytest.approx(0.010707, abs=2e-6)
    assert any("sending is not counted" in text for text in found.conditions)
    assert found.notes == ()
