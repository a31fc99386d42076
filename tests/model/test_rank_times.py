"""Jobs whose ranks were timed: the barrier, its floor, time-outs, and what changes keep of it."""

from __future__ import annotations

import pytest

from advisor.engine.levers import LEVERS
from advisor.facts.scenario import Scenario
from advisor.model.bill import options
from advisor.model.configuration import Configuration, configure
from advisor.model.required import required_rate
from tests.model.jobs import job

PLAIN = {
    "nodes": "2", "ranks_per_node": "1", "state_total": "200 GB", "mode": "sync", "nvme": "none",
    "interval": "30 min", "job_mtbf": "10 h", "restart_time": "10 min",
}  # fmt: skip
FOUR = "40 s, 44 s, 60 s, 80 s"
"""Of two writers the slower takes 64.5 s on average, 60 s usually and 80 s once in a hundred."""


def found(sc: Scenario) -> Configuration:
    c = configure(sc)
    assert c is not None
    assert c.pool is not None
    return c


@pytest.mark.parametrize(
    "rate",
    [
        {},
        {"pool_write": "10 GB/s"},  # V/B = 20 s
        {"pool_write": "10 GB/s", "pool_write_basis": "data_sheet"},
        {"pool_write": "10 GB/s", "pool_write_basis": "per_writer"},
        {"pool_write": "10 GB/s", "pool_write_basis": "per_writer", "tail_ratio": "5"},
    ],
    ids=str,
)
def test_the_barrier_is_that_of_the_measured_times(rate: dict[str, str]) -> None:
    pool = found(job(**PLAIN, rank_times=FOUR, **rate)).pool
    assert pool is not None
    assert (pool.mean, pool.p50, pool.p99) == pytest.approx((64.5, 60, 80))


def test_bytes_over_rate_stay_a_floor() -> None:
    # 200 GB at 2.5 GB/s are 80 s; at 2 GB/s 100 s, longer than every time measured.
    for rate, mean, p50 in (
        ("2.5 GB/s", 80, 80),
        ("2 GB/s", 100, 100),
        ("3 GB/s", 200 / 3, 200 / 3),
    ):
        pool = found(job(**PLAIN, rank_times=FOUR, pool_write=rate)).pool
        assert pool is not None
        assert (pool.mean, pool.p50) == pytest.approx((mean, p50))


def test_a_data_sheet_is_a_floor_only_at_its_full_rate() -> None:
    # 0.45 of 5 GB/s would be 88.9 s; the sheet itself 40 s, which is no bound here.
    rated = {"pool_write": "5 GB/s", "pool_write_basis": "data_sheet"}
    pool = found(job(**PLAIN, rank_times=FOUR, **rated)).pool
    assert pool is not None
    assert pool.mean == pytest.approx(64.5)


def test_slow_nodes_count_once_where_whole_nodes_are_slow() -> None:
    ranks = {**PLAIN, "nodes": "1", "ranks_per_node": "2"}
    assert found(job(**ranks, rank_times=FOUR)).pool is not None
    for of, mean in (("ranks", 64.5), ("nodes", 56.0)):
        pool = found(job(**ranks, rank_times=FOUR, tail_of=of)).pool
        assert pool is not None
        assert pool.mean == pytest.approx(mean)


def test_a_measured_save_comes_first_and_keeps_the_shape() -> None:
    pool = found(job(**PLAIN, rank_times=FOUR, measured_save="129 s")).pool
    assert pool is not None
    assert (pool.mean, pool.p50, pool.p99) == pytest.approx((129, 120, 160))


def test_background_writing_is_no_part_of_the_overhead() -> None:
    c = found(job(**{**PLAIN, "mode": "async"}, rank_times=FOUR, save_overhead="10 s"))
    assert c.pool_lag == pytest.approx(74.5)


def test_time_outs_count_the_spread_as_it_was_measured() -> None:
    # Two of four times, 16 pairs: farther apart than 16 s in half of them; over 80 s in none.
    for limit, kill in (("16 s", 0.5), ("39 s", 2 / 16), ("41 s", 0)):
        c = found(job(**PLAIN, rank_times=FOUR, collective_timeout=limit))
        assert c.kill == pytest.approx(kill)
    drained = {**PLAIN, "mode": "async", "rank_times": FOUR}
    for limit, kill in (("60 s", 7 / 16), ("80 s", 0)):
        assert found(job(**drained, drain_timeout=limit)).kill == pytest.approx(kill)


def test_twice_the_state_takes_twice_as_long_on_the_same_path() -> None:
    sc = job(**PLAIN, rank_times=FOUR, pool_write="10 GB/s")
    pool = found(sc.changed({"state_total": 400e9})).pool
    assert pool is not None
    assert (pool.mean, pool.p99) == pytest.approx((129, 160))


def test_times_of_one_writer_say_nothing_of_shards() -> None:
    sc = job(**PLAIN, writers="one", rank_times="50 s, 70 s", pool_write="10 GB/s")
    pool = found(sc).pool
    assert pool is not None
    assert pool.mean == pytest.approx(60)
    sharded = LEVERS["sharded_save"].apply(sc)
    plain = LEVERS["sharded_save"].apply(job(**PLAIN, writers="one", pool_write="10 GB/s"))
    a, b = found(sharded).pool, found(plain).pool
    assert a is not None
    assert b is not None
    assert a.mean == pytest.approx(float(b.mean))


def test_the_rate_required_is_one_with_its_slowest_writer_inside() -> None:
    plain = required_rate(job(**PLAIN, acceptable_pause="20 s"))
    timed = required_rate(job(**PLAIN, acceptable_pause="20 s", rank_times=FOUR))
    assert plain is not None
    assert timed is not None
    assert timed.rate == pytest.approx(float(plain.rate))
    # Single writers' rates: the mean of the slower of two over the usual time is 64.5/44.
    single = {"pool_write": "10 GB/s", "pool_write_basis": "per_writer"}
    found_rate = required_rate(job(**PLAIN, **single, acceptable_pause="20 s", rank_times=FOUR))
    assert found_rate is not None
    assert found_rate.rate == pytest.approx(200e9 / 20 * 64.5 / 44, rel=1e-3)


def test_namespaces_of_other_storage_have_their_own_slow_writers() -> None:
    # 100 GB a node at 1 GB/s without a tail: 100 s, whatever the ranks took on the pool.
    remote = {
        "remote_write": "1 GB/s",
        "nvme_tail_ratio": "1",
        "remote_committed": "$900/node-year",
    }
    namespaces = options(job(**PLAIN, **remote, pool_write="10 GB/s", rank_times=FOUR))["remote"]
    pool = found(namespaces).pool
    assert pool is not None
    assert pool.mean == pytest.approx(100)
