"""The three-term bill of pool, node-local drives and remote namespaces, worked out by hand."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest

from advisor.facts.scenario import Scenario
from advisor.model.bill import Bill, at_scale, bill, options, totals_at
from advisor.model.configuration import configure
from tests.model.jobs import job

# 100 nodes of 8 at $3/h; 6 TB at 100 GB/s without variation: 60 s.
PRICED = {
    "nodes": "100",
    "state_total": "6 TB",
    "pool_write": "100 GB/s",
    "save_variation": "1",
    "interval": "60 min",
    "mode": "sync",
    "nvme": "present",
    "nvme_write": "5 GB/s",
    "nvme_tail_ratio": "1",
    "survivable_share": "0%",
    "drain_slowdown": "0%",
    "job_mtbf": "10 h",
    "restart_time": "0 s",
    "accelerator_hour": "$3/h",
    "keep": "4",
    "pool_committed": "$300k/year",
    "pool_per_tb": "$250/TB-year",
    "nvme_committed": "$900/node-year",
    "nvme_capacity": "1.6 TB",
    "nvme_dwpd": "0.3",
    "remote_write": "2 GB/s",
    "remote_committed": "$1500/node-year",
}

YEAR = 800 * 3.0 * 8760
"""Price of 800 accelerators for a year, dollars."""


def best_of_hand(stall: float, lag: float, m: float) -> tuple[float, float]:
    """Best interval and goodput by a fine grid of the published formula: no drag, no restart."""
    grid = np.geomspace(10, 20000, 200_001)
    tau = grid[grid >= lag]
    value = tau / (m * exp(lag / m) * np.expm1((tau + stall) / m))
    at = int(value.argmax())
    return float(tau[at]), float(value[at])


def found(option: str, sc: Scenario) -> Bill:
    (there,) = [other for name, other in options(sc).items() if name == option]
    return bill(option, there)  # type: ignore[arg-type]  # one of the three


def test_the_pool() -> None:
    # $300,000; 4 copies of 6 TB at $250; a stall of 60 s at an MTBF of 36,000 s.
    line = found("pool", job(**PRICED))
    assert float(line.committed or 0) == 300_000
    assert float(line.per_unit or 0) == 6_000
    _, goodput = best_of_hand(60, 0, 36000)
    assert float(line.misbehaviour or 0) == pytest.approx((1 - goodput) * YEAR, rel=1e-6)
    # 1 - e^(-v) - ... : about sqrt(2 x 60/36,000) = 5.8 % of $21.0M.
    assert 1.1e6 < float(line.misbehaviour or 0) < 1.25e6
    assert float(line.total or 0) == pytest.approx(306_000 + (1 - goodput) * YEAR, rel=1e-6)


def test_the_drives() -> None:
    # $900 x 100 nodes. A stall of 60 GB at 5 GB/s, 12 s, and a drain of 60 s that costs nothing
    # but the work at risk.
    line = found("node_local", job(**PRICED))
    assert float(line.committed or 0) == 90_000
    tau, goodput = best_of_hand(12, 60, 36000)
    assert float(line.misbehaviour or 0) == pytest.approx((1 - goodput) * YEAR, rel=1e-6)
    # A save of 60 GB every tau on 1.6 TB, rated for 0.3 a day: sets of drives beyond the first.
    sets = 60e9 * 86400 / tau / 1.6e12 / 0.3 - 1
    assert sets > 5
    assert float(line.per_unit or 0) == pytest.approx(90_000 * sets, rel=1e-3)
    # Drives that outlast their rating cost nothing on top.
    strong = found("node_local", job(**{**PRICED, "nvme_dwpd": "30"}))
    assert float(strong.per_unit or 0) == 0


def test_the_namespaces() -> None:
    # 60 GB of each node at 2 GB/s is 30 s, whatever the pool does.
    sc = job(**PRICED)
    there = options(sc)["remote"]
    c = configure(there)
    assert c is not None
    assert float(np.asarray(c.stall)) == pytest.approx(30)
    line = bill("remote", there)
    _, goodput = best_of_hand(30, 0, 36000)
    assert float(line.committed or 0) == 150_000
    assert float(line.per_unit or 0) == 0
    assert float(line.misbehaviour or 0) == pytest.approx((1 - goodput) * YEAR, rel=1e-6)
    # The link of a node limits it too.
    slow = options(job(**PRICED, node_link="1 GB/s"))["remote"]
    limited = configure(slow)
    assert limited is not None
    assert float(np.asarray(limited.stall)) == pytest.approx(60)


def test_what_is_unknown_is_named_and_not_invented() -> None:
    sc = job(**{k: v for k, v in PRICED.items() if k not in ("pool_committed", "keep")})
    line = found("pool", sc)
    assert line.committed is None
    assert line.per_unit is None
    assert line.total is None
    assert line.missing == {"committed": ("pool_committed",), "per_unit": ("keep",)}
    worn = found("node_local", job(**{k: v for k, v in PRICED.items() if k != "nvme_dwpd"}))
    assert worn.missing == {"per_unit": ("nvme_dwpd",)}
    processors = {**PRICED, "accelerators_per_node": "0"}
    unpriced = found("pool", job(**processors))
    assert unpriced.missing == {"misbehaviour": ("node_hour",)}
    hour = found("pool", job(**processors, node_hour="$2/h"))
    _, goodput = best_of_hand(60, 0, 36000)
    assert float(hour.misbehaviour or 0) == pytest.approx((1 - goodput) * 200 * 8760, rel=1e-6)
    silent = found("pool", job(**{k: v for k, v in PRICED.items() if k != "pool_write"}))
    assert silent.missing == {"misbehaviour": ("pool_write",)}


def test_no_price_no_bill() -> None:
    prices = ("pool_committed", "nvme_committed", "remote_committed")
    assert options(job(**{k: v for k, v in PRICED.items() if k not in prices})) == {}
    alone = {k: v for k, v in PRICED.items() if not k.startswith(("nvme", "remote"))}
    assert set(options(job(**alone))) == {"pool"}


def test_a_measured_save_stays_with_its_path() -> None:
    # 120 s measured where 60 s are modelled: the pool keeps the factor, the drives have their own.
    sc = job(**PRICED, measured_save="120 s")
    on_pool, on_drives = (configure(options(sc)[name]) for name in ("pool", "node_local"))
    assert on_pool is not None
    assert on_drives is not None
    assert float(np.asarray(on_pool.stall)) == pytest.approx(120)
    assert float(np.asarray(on_drives.stall)) == pytest.approx(12)
    assert float(np.asarray(on_drives.pool_lag)) == pytest.approx(120)


def test_kills_are_on_the_bill() -> None:
    # No count of this job, so the kills come on top: every save over 30 s is killed.
    facts = {k: v for k, v in PRICED.items() if k != "job_mtbf"}
    without = found("pool", job(**facts, node_mtbf="1000 h"))
    killed = found("pool", job(**facts, node_mtbf="1000 h", collective_timeout="30 s"))
    assert float(killed.misbehaviour or 0) > 3 * float(without.misbehaviour or 0)


def test_the_job_at_another_scale() -> None:
    # Twice the nodes: twice the bytes and failures, so 120 s at the pool and an MTBF of 5 h.
    sc = job(**PRICED)
    twice = configure(at_scale(sc, np.array([200.0])))
    assert twice is not None
    assert twice.stall is not None
    assert float(twice.stall[0]) == pytest.approx(120)
    assert float(1 / twice.rates.total[0]) == pytest.approx(18000)
    # The drives take as long as before.
    local = configure(options(at_scale(sc, np.array([200.0])))["node_local"])
    assert local is not None
    assert local.stall is not None
    assert float(local.stall[0]) == pytest.approx(12)


def test_totals_at_this_scale_are_those_of_the_bills() -> None:
    sc = job(**PRICED)
    totals = totals_at(sc, np.array([100.0]))
    assert set(totals) == {"pool", "node_local", "remote"}
    for option, there in options(sc).items():
        total = bill(option, there).total
        assert total is not None
        assert float(totals[option][0]) == pytest.approx(float(total), rel=1e-5)


def test_first_order_of_the_pool_at_scale() -> None:
    # Loss about sqrt(2 s/M): s and 1/M both grow with the nodes, so it grows in proportion.
    sc = job(**{**PRICED, "pool_write": "10 TB/s"})
    nodes = np.array([100.0, 200.0])
    idle = totals_at(sc, nodes)["pool"] - 300_000 - 6_000 * nodes / 100
    assert log(idle[1] / idle[0]) / log(2) == pytest.approx(2, abs=0.02)
