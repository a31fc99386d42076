"""Measured beats modelled, and what a measured save says about the pool."""

from __future__ import annotations

import pytest

from advisor.model.estimate import estimate
from advisor.model.job import pool_rate
from tests.model.jobs import job

BLOOM = {
    "nodes": "48",
    "state_total": "2300 GB",
    "mode": "sync",
    "nvme": "none",
    "interval_steps": "100",
    "step_time": "105 s",
    "job_mtbf": "7 d",
}


def test_a_measured_stall_is_the_stall() -> None:
    sc = job(**BLOOM, measured_stall="40 s")
    c = estimate(sc).configuration
    assert c is not None
    assert float(c.stall) == pytest.approx(40.0)  # type: ignore[arg-type]
    rate = pool_rate(sc)
    assert rate is not None
    # 2,300 GB in 40 s on average is 57.5 GB/s, 58.4 in the typical save (mean/median 1.0153).
    assert float(rate) == pytest.approx(57.5e9 * 1.0153048, rel=1e-6)
    assert float(c.pool.mean) == pytest.approx(40.0)  # type: ignore[union-attr]


def test_measured_over_modelled_is_kept_beside_a_rate() -> None:
    # 2,300 GB at 100 GB/s: 23 s, mean 23.352 s; 46.704 s measured is 2.0 of it.
    sc = job(**BLOOM, measured_save="46.704 s", pool_write="100 GB/s")
    assert float(sc.calibration.save) == pytest.approx(2.0, rel=1e-4)
    c = estimate(sc).configuration
    assert c is not None
    assert float(c.pool.mean) == pytest.approx(46.704)  # type: ignore[union-attr]
    assert float(c.pool.p99) == pytest.approx(23 * 1.5 * 2, rel=1e-4)  # type: ignore[union-attr]


def test_a_measured_drain_is_the_lag_of_an_asynchronous_save() -> None:
    sc = job(
        **{**BLOOM, "mode": "async"}, measured_stall="1 s", measured_save="420 s",
        pool_write="300 GB/s",
    )  # fmt: skip
    c = estimate(sc).configuration
    assert c is not None
    assert float(c.stall) == pytest.approx(1.0)  # type: ignore[arg-type]
    assert float(c.pool_lag) == pytest.approx(420.0)  # type: ignore[arg-type]


def test_a_save_through_one_stream_says_nothing_about_the_pool() -> None:
    sc = job(**BLOOM, writers="one", measured_stall="3600 s")
    assert pool_rate(sc) is None
    c = estimate(sc).configuration
    assert c is not None
    # 2,300 GB at the published 0.7 GB/s of one stream: 3,286 s, mean 3,336 s.
    assert float(c.stall) == pytest.approx(3600.0)  # type: ignore[arg-type]
    assert float(sc.calibration.save) == pytest.approx(3600 / (2300 / 0.7 * 1.0153048), rel=1e-6)


def test_without_a_rate_or_a_time_there_is_no_goodput() -> None:
    e = estimate(job(**BLOOM))
    assert e.shares is None
    assert "pool_write" in e.missing["goodput"]


def test_no_pool_copy_ever_has_no_steady_goodput() -> None:
    e = estimate(job(**{**BLOOM, "nvme": "used"}, pool_every="0", pool_write="10 GB/s"))
    assert e.shares is None
    assert e.missing["goodput"] == ("pool_every",)


def test_announced_stops_cost_a_save_and_a_restart_but_no_rework() -> None:
    facts = {**BLOOM, "measured_stall": "40 s", "announced_share": "1"}
    handled = estimate(job(**facts, notice_handled="yes", preemption_notice="10 min"))
    short = estimate(job(**facts, notice_handled="yes", preemption_notice="2 min"))
    assert handled.shares is not None
    assert short.shares is not None
    # 2 x (105 + 40) = 290 s of notice are needed: 10 min do, 2 min do not.
    assert float(handled.shares.rework) == pytest.approx(0.0, abs=1e-9)
    assert float(short.shares.rework) > 0.005


def test_zero_interruptions_count_as_a_bound() -> None:
    # No event in 30 days: at most 3 in 30 days, so at least 10 days between them.
    facts = {k: v for k, v in BLOOM.items() if k != "job_mtbf"}
    e = estimate(job(**facts, measured_stall="40 s", interruptions="0", observed_for="30 d"))
    assert e.configuration is not None
    assert 1 / float(e.configuration.rates.total) / 86400 == pytest.approx(10.0)


def test_default_failure_rates_by_accelerators_and_by_cpu_nodes() -> None:
    # 384 accelerators at 1 per 1,000 accelerator-days: 2.604 days; 48 CPU nodes at 0.1 per
    # 1,000 node-days: 208.3 days.
    facts = {k: v for k, v in BLOOM.items() if k != "job_mtbf"}
    for per_node, days in (("8", 2.604), ("0", 208.33)):
        e = estimate(job(**facts, measured_stall="40 s", accelerators_per_node=per_node))
        assert e.configuration is not None
        assert 1 / float(e.configuration.rates.total) / 86400 == pytest.approx(days, rel=1e-3)


def test_a_clock_interval_holds_the_stall() -> None:
    facts = {k: v for k, v in BLOOM.items() if not k.startswith(("interval", "step"))}
    sync = job(**facts, interval="1 h", interval_basis="clock", measured_stall="300 s")
    assert float(estimate(sync).interval) == pytest.approx(3300.0)  # type: ignore[arg-type]
    work = job(**facts, interval="1 h", measured_stall="300 s")
    assert float(estimate(work).interval) == pytest.approx(3600.0)  # type: ignore[arg-type]


def test_a_writer_that_the_next_step_waits_for_hides_one_step() -> None:
    # A save of 40 s behind steps of 10 s: 10 s are hidden, 30 s remain as stall beside the copy.
    facts = {**BLOOM, "mode": "async", "step_time": "10 s", "pool_write": "57.5 GB/s"}
    plain = estimate(job(**facts)).configuration
    one = estimate(job(**facts, drain_hides="one_step")).configuration
    assert plain is not None
    assert one is not None
    save = 40 * 1.0153048
    assert float(one.pool_lag) == pytest.approx(10.0)  # type: ignore[arg-type]
    assert float(one.stall - plain.stall) == pytest.approx(save - 10, rel=1e-6)  # type: ignore[operator]


def test_a_followed_default_follows_what_it_follows() -> None:
    # 10 GB written per node with 4 replicas over 8 nodes: 80 GB in all, 40 GB held by each.
    c = estimate(
        job(nodes="8", state_per_node="10 GB", replicas="4", mode="async", pool_write="1 GB/s")
    ).configuration
    assert c is not None
    assert float(c.sizes.held) == pytest.approx(40e9)
    one = estimate(
        job(
            nodes="100",
            state_total="1 TB",
            writers="one_replica",
            replicas="4",
            pool_write="1 GB/s",
        )
    ).configuration
    assert one is not None
    assert float(one.sizes.writing) == pytest.approx(25)


@pytest.mark.parametrize(
    ("interval", "seconds"),
    [
        # 15.36 TB arrive at 400 GB/s into 4 TB that drain at 100: 5.333 TB in 13.33 s, the rest at
        # 100 GB/s in 100.27 s: 113.6 s (the reference case burst-time-2).
        ("1 h", 113.6),
        # 20 s of work between saves empty 2 TB only: 2.667 TB in 6.667 s, 12.693 TB in 126.93 s.
        ("20 s", 133.6),
    ],
)
def test_a_fast_area_holds_what_it_could_empty(interval: str, seconds: float) -> None:
    sc = job(
        nodes="128", state_per_node="120 GB", mode="sync", node_link="6 GB/s",
        pool_write="100 GB/s", pool_buffer="4 TB", pool_buffer_write="400 GB/s", interval=interval,
    )  # fmt: skip
    c = estimate(sc).configuration
    assert c is not None
    assert float(c.pool.nominal) == pytest.approx(seconds)  # type: ignore[union-attr]


def test_copies_that_never_reach_the_pool_leave_what_hard_failures_leave() -> None:
    # 30 d of work, hard interruptions every 30 h x 20 = 600 h, 15 min to restart:
    # 720/(600 e^(0.25/600) (e^1.2 - 1)) = 0.517.
    e = estimate(
        job(
            nodes="48", state_total="1 TB", nvme="used", mode="sync", pool_every="0",
            redundancy="partner", survivable_share="0.95", job_mtbf="30 h", job_length="30 d",
            interval="30 min", pool_write="10 GB/s",
        )
    )  # fmt: skip
    assert e.shares is None
    assert float(e.no_checkpoint) == pytest.approx(0.517, abs=5e-4)  # type: ignore[arg-type]


def test_an_overhead_is_not_scaled_into_a_measured_drain() -> None:
    sc = job(**{**BLOOM, "mode": "async"}, measured_save="200 s", save_overhead="10 s")
    c = estimate(sc).configuration
    assert c is not None
    assert float(c.pool_lag) == pytest.approx(200.0)  # type: ignore[arg-type]


def test_a_detection_time_alone_is_no_restart_time() -> None:
    c = estimate(job(**BLOOM, measured_stall="40 s", detect_time="5 min")).configuration
    assert c is not None
    assert float(c.rates.hard_restart) == pytest.approx(900.0)
