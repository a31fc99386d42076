"""Answers that were published or can be had by hand; each test says which."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.model.burst import data_time
from advisor.model.estimate import estimate
from advisor.model.lost_work import ceiling, goodput, shares, without_checkpoints
from advisor.model.optimum import best_interval, closed_form_interval
from advisor.model.pattern import pattern
from advisor.model.required import required_rate
from advisor.model.tails import slowest_mean, slowest_quantile
from tests.model.jobs import TICKET, job

MINUTE, HOUR = 60.0, 3600.0


def test_48_nodes_of_48_gb_in_a_minute_need_38_4_gb_per_second() -> None:
    # 48 x 48 GB / 60 s = 38.4 GB/s, times the mean factor of the variation between saves:
    # w = ln 1.5 / 2.32635 = 0.17429, exp(w^2/2) = 1.01530.
    sc = job(
        nodes="48", state_per_node="48 GB", mode="sync", interval="30 min",
        acceptable_pause="60 s", pool_write="100 GB/s",
    )  # fmt: skip
    need = required_rate(sc)
    assert need is not None
    assert need.because == ("pause",)
    assert float(need.rate) == pytest.approx(38.4e9 * 1.01530, rel=1e-5)


def test_512_ranks_at_0_4_tb_per_second() -> None:
    # 22 s x 0.4 TB/s = 8.8 TB, 17.1875 GB a rank; with p99/p50 = 5 of single writers the
    # typical slowest of 512 is at 175.2 s.
    sc = job(
        nodes="64", state_total="8.8 TB", mode="sync", pool_write="0.4 TB/s",
        pool_write_basis="per_writer", tail_ratio="5x", tail_of="ranks",
    )  # fmt: skip
    c = estimate(sc).configuration
    assert c is not None
    assert c.pool is not None
    assert float(c.sizes.total / c.sizes.writers) == pytest.approx(17.1875e9)
    assert float(c.pool.nominal) == pytest.approx(22.0)
    assert float(c.pool.p50) == pytest.approx(175.2, abs=0.05)


def test_a_pause_twice_as_long_every_half_hour_costs_three_points() -> None:
    # 60 s of 1,860 s against 120 s of 1,920 s, no failures: 3.23 % against 6.25 %.
    rates = {"hard_rate": 0.0, "hard_restart": 0.0}
    short = shares(pattern(stall=60.0, **rates), 1800.0)
    long = shares(pattern(stall=120.0, **rates), 1800.0)
    assert float(short.stall) == pytest.approx(60 / 1860)
    assert float(long.stall - short.stall) == pytest.approx(0.03, abs=0.001)


@pytest.mark.parametrize(
    ("mtbf_h", "exact_min", "printed_min"), [(24, 116.7, 117), (6, 56.7, 57), (0.25, 9.17, 9.1)]
)
def test_optima_of_daly(mtbf_h: float, exact_min: float, printed_min: float) -> None:
    # Daly 2006, figures 3 to 5: he prints the approximation; the exact optimum is beside it.
    best = closed_form_interval(5 * MINUTE, 0, 0, mtbf_h * HOUR) / MINUTE
    assert float(best) == pytest.approx(exact_min, abs=0.05)
    assert float(best) == pytest.approx(printed_min, rel=0.01)


def test_bloom_loses_0_37_per_cent_to_40_s_every_three_hours() -> None:
    # BigScience chronicles: 40 s every 3 h. 40 / 10,800 = 0.37 %; of the goodput left a bit less.
    found = shares(pattern(stall=40.0, hard_rate=1 / (168 * HOUR), hard_restart=900.0), 3 * HOUR)
    assert float(found.stall) == pytest.approx(0.0037, abs=0.0001)


def test_rsc_projection_of_93_per_cent() -> None:
    # Meta RSC (HPCA 2025): 1.8 h, every 5 min, 5 min to restart, no stall: 0.93. Hourly their
    # first-order formula gives 1 - (30 + 5)/108 = 0.676; the exact model 0.714.
    p = pattern(stall=0.0, hard_rate=1 / (1.8 * HOUR), hard_restart=5 * MINUTE)
    assert float(goodput(p, 5 * MINUTE)) == pytest.approx(0.93, abs=0.005)
    assert float(goodput(p, HOUR)) == pytest.approx(0.714, abs=0.001)


def test_a_drain_can_cost_more_than_a_stall() -> None:
    # Crusoe and PyTorch (April 2025): stall 0.78 s, drain 437 s at 55 %: 0.78 + 0.55 x 437 =
    # 241 s of lost speed; after the change 0.78 + 0.47 x 67 = 32 s.
    rate = {"hard_rate": 0.0, "hard_restart": 0.0}
    for drain, slow, equal in ((437.0, 0.55, 241.13), (67.0, 0.47, 32.27)):
        hidden = pattern(stall=0.78, pool_lag=drain, pool_slowdown=slow, **rate)
        seen = pattern(stall=equal, **rate)
        assert float(goodput(hidden, 3600.0)) == pytest.approx(
            float(goodput(seen, 3600.0)), rel=1e-9
        )


def test_drives_beat_the_pool_from_64_to_80_nodes_on_lassen() -> None:
    # SCR on Lassen: 160 GB/s of pool against 2 GB/s a node: equal at 80 nodes; seen at 64 to 80.
    each = 10e9
    for nodes, local_wins in ((64, False), (81, True)):
        pool = data_time(nodes * each, each, 160e9, np.inf)
        local = data_time(0.0, each, np.inf, 2e9)
        assert bool(local < pool) is local_wins


def test_mlperf_sizes_are_binary() -> None:
    # 8B at 14 bytes is 112.4 GB, which MLPerf prints as 105 GB: 104.7 GiB.
    sc = job(nodes="1", parameters="8030261248", bytes_per_parameter="14")
    c = estimate(sc).configuration
    assert c is not None
    assert float(c.sizes.total) / 2**30 == pytest.approx(104.7, abs=0.05)


def test_means_of_the_slowest_writer() -> None:
    # Published with the model: p99/p50 = 2 gives 2.03 (64 writers), 2.49 (512), 2.65 (1,024).
    for n, mean in ((64, 2.03), (512, 2.49), (1024, 2.65)):
        assert float(slowest_mean(2.0, n)) == pytest.approx(mean, abs=0.005)
    assert float(slowest_quantile(0.5, 2.0, 1.0)) == pytest.approx(1.0)


def test_waits_of_a_drain_longer_than_the_interval() -> None:
    # tau 200, s 2, d 400, sigma 0.1, M 7,200, R 300: derived twice 0.451299; simulated
    # 0.45137 +- 0.00006.
    p = pattern(
        stall=2.0, pool_lag=400.0, pool_slowdown=0.1, hard_rate=1 / 7200, hard_restart=300.0
    )
    assert float(goodput(p, 200.0)) == pytest.approx(0.451299, abs=5e-7)


def test_two_synchronous_tiers_of_the_multi_level_papers() -> None:
    # 75/25 %, M 3 h, s 5, b 120, R 60/600, k 9, tau 349.088: 0.885522.
    p = pattern(
        stall=5.0, pool_stall=120.0, every=9.0, soft_rate=0.75 / 10800, hard_rate=0.25 / 10800,
        soft_restart=60.0, hard_restart=600.0,
    )  # fmt: skip
    assert float(goodput(p, 349.088)) == pytest.approx(0.885522, abs=5e-7)


def test_the_ticket_illustration() -> None:
    # 12 TB at 100 GB/s: 120 s, mean 121.84 s; every 15 min, M 10 h, R 15 min. By hand:
    # 1021.8366/36000 = 0.0283844, e^that - 1 = 0.0287911, times e^0.025 = 1.0253151: 0.0295199;
    # 0.025/0.0295199 = 0.846886.
    now = estimate(job(**TICKET))
    assert now.shares is not None
    assert now.best is not None
    assert float(now.shares.goodput) == pytest.approx(0.846886, abs=2e-6)
    assert float(now.best.interval) / MINUTE == pytest.approx(48.0, abs=0.05)
    assert float(now.shares.restart) == pytest.approx(1 - np.exp(-0.025), rel=1e-9)


def test_ceiling_and_no_checkpoint() -> None:
    # R = 20 min, M = 2.5 h: e^(-1200/9000) = 0.8752 whatever the storage.
    assert float(ceiling(1 / 9000, 1200.0)) == pytest.approx(0.87517, abs=1e-5)
    # 72 h at M = 375 h, R = 15 min: 72/(375 e^(0.25/375) (e^0.192 - 1)) = 0.9065.
    free = without_checkpoints(72 * HOUR, 1 / (375 * HOUR), 900.0)
    assert float(free) == pytest.approx(0.9065, abs=1e-4)


def test_the_best_interval_under_half_still_comes_out() -> None:
    best = best_interval(pattern(stall=3600.0, hard_rate=1 / 3600, hard_restart=600.0), 0.001)
    assert float(best.goodput) == pytest.approx(0.134247, abs=5e-7)
