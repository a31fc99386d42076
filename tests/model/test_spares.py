"""Spare nodes: how often one is free, how many pay, and what they take off a restart."""

from __future__ import annotations

import heapq

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.engine.levers import LEVERS
from advisor.facts.scenario import Scenario
from advisor.model.failures import load_time, rates, restart_time
from advisor.model.spares import MOST_SPARES, best_spares, none_free, spares_share
from tests.model.jobs import job

PLAIN = {
    "nodes": "100", "state_total": "6 TB", "pool_write": "100 GB/s", "mode": "sync",
    "nvme": "none", "interval": "35 min", "job_mtbf": "10 h", "restart_time": "30 min",
}  # fmt: skip


def restart(sc: Scenario) -> float:
    found = rates(sc, np.asarray(6e12), None)
    assert found is not None
    return float(found.hard_restart)


def test_how_often_none_is_free_by_hand() -> None:
    # Poisson with mean 0.1: 1 - e^-0.1, less 0.1 e^-0.1, less 0.005 e^-0.1.
    e = np.exp(-0.1)
    found = none_free(0.1, [0, 1, 2, 3])
    assert found == pytest.approx([1, 1 - e, 1 - 1.1 * e, 1 - 1.105 * e])
    assert none_free([0.0, 5.0], 64) == pytest.approx([0, 0], abs=1e-12)


@given(st.floats(0, 20), st.integers(0, MOST_SPARES - 1))
def test_one_more_spare_never_hurts(waiting: float, spares: int) -> None:
    fewer, more = none_free(waiting, [spares, spares + 1])
    assert 0 <= more <= fewer <= 1
    assert float(none_free(waiting / 2, spares)) <= fewer + 1e-12


def test_a_pool_of_spares_played_through_agrees() -> None:
    """Interruptions at random; each takes a node for the time a replacement takes."""
    rng = np.random.default_rng(6)
    gap, wait, spares, count = 10.0, 6.0, 2, 60_000
    # The time a replacement takes may be anything with that mean: a third of them takes thrice.
    takes = rng.choice([wait * 0.5, wait * 2.0], count, p=[2 / 3, 1 / 3])
    away: list[float] = []
    now, none = 0.0, 0
    for time, lasts in zip(rng.exponential(gap, count), takes, strict=True):
        now += time
        while away and away[0] <= now:
            heapq.heappop(away)
        none += len(away) >= spares
        heapq.heappush(away, now + lasts)
    found = float(none_free(wait / gap, spares))
    assert abs(none / count - found) < 5 * np.sqrt(found / count)


def test_the_number_that_pays() -> None:
    # a = 1/30: one leaves 1/30 x 3.28 % and costs 1 %, two would cost 2 %.
    assert best_spares(1200, 1 / 36000, 0.01) == 1
    # a = 0.5: 0.5 x P(N >= s) is 0.1967, 0.0451, 0.0072, 0.0009; with 1 % each four are too many.
    assert best_spares(1800, 1 / 3600, 0.01) == 3
    assert best_spares(1800, 1 / 3600, 1e-6) > 6
    assert best_spares(0.0, 1 / 3600, 0.01) == 1


def test_the_price_is_a_share_of_what_waits() -> None:
    for answers, share in (
        ({"nodes": "100"}, 0.02),
        ({"nodes": "100", "accelerators_per_node": "0"}, 0.02),
        # 16 of 400 that wait; others of the 100 nodes do something else.
        ({"nodes": "100", "stalled_accelerators": "400"}, 0.04),
    ):
        found = spares_share(job(**answers, spare_nodes="2"))
        assert found == pytest.approx(share), answers
    assert spares_share(job(spare_nodes="2")) is None
    assert spares_share(job(nodes="100")) == 0


def test_spares_take_the_wait_off_the_restart() -> None:
    sc = job(**PLAIN, replacement_wait="20 min")
    assert restart(sc) == 1800
    # No spare is free at 1 - e^(-1/30) of the interruptions.
    left = 1800 - 1200 * np.exp(-1 / 30)
    assert restart(sc.changed({"spare_nodes": 1.0})) == pytest.approx(left)
    assert restart(LEVERS["spares"].apply(sc)) == pytest.approx(left)
    assert restart(sc.changed({"spare_nodes": 9.0})) == pytest.approx(600)


def test_a_job_with_spares_has_no_wait_in_its_restart() -> None:
    sc = job(**PLAIN, replacement_wait="20 min", spare_nodes="2")
    assert restart(sc) == 1800
    assert restart(sc.changed({"spare_nodes": 5.0})) == 1800
    assert LEVERS["spares"].change(sc) == {}


def test_without_the_wait_nothing_is_guessed() -> None:
    sc = job(**PLAIN)
    assert LEVERS["spares"].change(sc) == {}
    assert restart(sc.changed({"spare_nodes": 5.0})) == 1800


def test_phases_lose_the_wait_too() -> None:
    phases = {k: v for k, v in PLAIN.items() if k != "restart_time"}
    sc = job(**phases, detect_time="5 min", init_time="20 min", replacement_wait="15 min")
    assert restart(sc) == 1500
    assert restart(sc.changed({"spare_nodes": 50.0})) == pytest.approx(600)


@pytest.mark.parametrize(
    ("path", "redundancy", "before", "after"),
    [
        ("nothing", "none", 0.0, 0.5),
        ("requeue_same_nodes", "none", 0.0, 0.5),
        ("nothing", "partner", 0.0, 0.85),
        ("process_restart", "none", 0.5, 0.5),
    ],
)
def test_copies_on_the_nodes_that_are_left_survive(
    path: str, redundancy: str, before: float, after: float
) -> None:
    drives = {**PLAIN, "nvme": "used", "local_survives": path, "redundancy": redundancy}
    sc = job(**drives, replacement_wait="20 min")
    found = LEVERS["spares"].apply(sc)
    assert sc.number("survivable_share") == before
    assert found.number("survivable_share") == after
    typed = job(**drives, replacement_wait="20 min", survivable_share="0.3")
    assert LEVERS["spares"].apply(typed).number("survivable_share") == 0.3


def test_one_reader_for_all_replicas() -> None:
    # 8 x 6 TB at 100 GB/s are 480 s, of which 60 s are left.
    read = {**PLAIN, "replicas": "8", "pool_read": "100 GB/s"}
    sc = job(**read)
    assert restart(LEVERS["broadcast_load"].apply(sc)) == pytest.approx(1380)
    assert load_time(sc, np.asarray(6e12)) == pytest.approx(480)
    done = job(**read, restart_reads="one_replica")
    assert restart(done) == 1800
    assert load_time(done, np.asarray(6e12)) == pytest.approx(60)
    assert LEVERS["broadcast_load"].change(done) == {}
    assert LEVERS["broadcast_load"].change(job(**{**read, "replicas": "1"})) == {}
    assert LEVERS["broadcast_load"].change(job(**PLAIN, replicas="8")) == {}
    # A load said to be longer than the whole restart is taken as all of it.
    slow = job(**{**read, "pool_read": "10 GB/s"})
    assert restart(LEVERS["broadcast_load"].apply(slow)) == pytest.approx(1800 / 8)
    phases = {k: v for k, v in read.items() if k != "restart_time"}
    timed = job(**phases, detect_time="5 min", init_time="5 min")
    assert restart(timed) == pytest.approx(1080)
    assert restart(LEVERS["broadcast_load"].apply(timed)) == pytest.approx(660)


def test_waiting_and_reading_are_different_parts_of_a_restart() -> None:
    # 1,500 s of waiting leave 300 s in which 480 s of reading cannot be.
    both = job(**PLAIN, replicas="8", pool_read="100 GB/s", replacement_wait="25 min")
    fewer = LEVERS["broadcast_load"].apply(both)
    assert restart(fewer) == pytest.approx(1800 - 300 * 7 / 8)
    left = restart(LEVERS["spares"].apply(fewer, {"spare_nodes": 50.0}))
    assert left == pytest.approx(300 / 8)


def test_the_goal_for_a_restart_is_the_whole_of_it() -> None:
    sc = job(**PLAIN, replicas="8", pool_read="100 GB/s", replacement_wait="20 min")
    for lever in ("spares", "broadcast_load"):
        sc = LEVERS[lever].apply(sc)
    assert restart(LEVERS["faster_restart"].apply(sc)) == 300


def test_arrays_of_waits() -> None:
    sc = job(**PLAIN, replacement_wait="20 min")
    many = sc.changed(
        {"replacement_wait": np.array([0.0, 600.0, 1200.0, 3600.0]), "spare_nodes": 1.0}
    )
    found = restart_time(many, None)
    waits = np.array([0.0, 600.0, 1200.0])
    assert found[:3] == pytest.approx(1800 - waits * np.exp(-waits / 36000))
    assert found[3] == 0
