"""Chains of increments and compression: reference answers, and what a job's saves become."""

from __future__ import annotations

from math import exp, isclose, log
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.facts.scenario import Scenario
from advisor.model.best import best_of
from advisor.model.configuration import Configuration, configure
from advisor.model.optimum import best_interval
from advisor.model.payload import (
    best_chain,
    best_speedup,
    chain_bytes,
    chain_reads,
    changed_after,
    codec_needed,
)
from advisor.model.required import required_rate
from tests.model.jobs import job
from tests.model.reference import cases, close

Case = dict[str, Any]

# 6 TB from 100 nodes to a pool of 100 GB/s without variation: 60 s, 60 GB and 1 GB/s a node.
PLAIN = {
    "nodes": "100",
    "state_total": "6 TB",
    "pool_write": "100 GB/s",
    "save_variation": "1",
    "interval": "60 min",
    "mode": "sync",
    "nvme": "none",
    "job_mtbf": "10 h",
    "restart_time": "15 min",
}


def configured(sc: Scenario) -> Configuration:
    c = configure(sc)
    assert c is not None
    return c


def seconds(value: object) -> float:
    return float(np.asarray(value))


@pytest.mark.parametrize(("inputs", "outputs"), cases("incremental_chain_optimum"))
def test_best_chain(inputs: Case, outputs: Case) -> None:
    mtbf, save, load = inputs["M_s"], inputs["C_full_s"], inputs["R_full_s"]
    found = best_chain(mtbf, save, load, inputs["f"])
    assert found.every == outputs["K_opt"]
    assert close(found.save, outputs["C_mean"])
    assert close(found.restart, outputs["R_mean"])
    assert close(found.loss, outputs["H"])
    assert close(found.interval, outputs["tau_opt"])
    full = best_chain(mtbf, save, load, inputs["f"], longest=1)
    assert close(full.loss, outputs["H_full"])


@pytest.mark.parametrize(("inputs", "outputs"), cases("one_shot_increment_size"))
def test_size_of_one_increment(inputs: Case, outputs: Case) -> None:
    found = changed_after(inputs["f"], inputs["intervals_since_baseline"])
    assert close(seconds(found), outputs["fraction"])


@pytest.mark.parametrize(("inputs", "outputs"), cases("compression_break_even"))
def test_break_even_of_a_codec(inputs: Case, outputs: Case) -> None:
    left, share = 1 / inputs["ratio"], inputs["node_write_GBps"]
    assert close(left, outputs["r"])
    found = seconds(codec_needed(share, left))
    assert close(found, outputs["min_Bc_serial_GBps"])
    assert close(share, outputs["min_Bc_pipelined_GBps"])
    assert close(seconds(best_speedup(left)), outputs["best_speedup"])


def test_nothing_to_gain_from_a_codec_that_leaves_all() -> None:
    assert seconds(codec_needed(1e9, 1.0)) == np.inf


def test_a_dense_optimiser_gains_nothing_from_increments() -> None:
    # Everything changes: each increment is a full save, and a restart reads all K/2 of them.
    assert seconds(chain_bytes(1.0, 8.0)) == 1.0
    assert seconds(chain_reads(1.0, 8.0)) == 4.5
    assert best_chain(36000.0, 60.0, 30.0, 1.0).every == 1


@given(
    st.floats(0, 1, exclude_max=True), st.integers(1, 200), st.floats(0.01, 50), st.floats(0.01, 50)
)
def test_chains_stay_between_their_ends(f: float, k: int, n: float, more: float) -> None:
    assert f - 1e-12 <= seconds(chain_bytes(f, k)) <= 1 + 1e-12
    assert seconds(chain_reads(f, k)) >= 1
    first, then = seconds(changed_after(f, n)), seconds(changed_after(f, n + more))
    assert 0 <= first <= then <= 1


@given(st.floats(1e3, 1e7), st.floats(0.1, 1e4), st.floats(0, 1e4), st.floats(0, 1))
def test_no_other_chain_loses_less(m: float, c: float, load: float, f: float) -> None:
    found = best_chain(m, c, load, f, longest=40)
    for k in range(1, 41):
        cost, reads = c * (1 + (k - 1) * f) / k, load * (1 + f * (k - 1) / 2)
        assert found.loss <= (2 * cost / m) ** 0.5 + reads / m + 1e-12


def test_the_mean_save_is_smaller_and_limits_see_the_full_one() -> None:
    # A fifth changes, a full save every 5: (1 + 4 x 0.2)/5 = 0.36 of 60 s is 21.6 s.
    sc = job(**PLAIN, changed_fraction="0.2", full_every="5", collective_timeout="30 s")
    c = configured(sc)
    assert c.pool is not None
    assert c.usual is not None
    assert seconds(c.stall) == pytest.approx(21.6)
    assert seconds(c.usual.mean) == pytest.approx(21.6)
    assert seconds(c.pool.mean) == pytest.approx(60)
    assert seconds(c.kill) == 1.0
    # A pause of 30 s asks for 6 TB/30 s whatever the increments are.
    needed = required_rate(sc.changed({"acceptable_pause": 30.0, "collective_timeout": None}))
    assert needed is not None
    assert seconds(needed.rate) == pytest.approx(2e11, rel=1e-6)


def test_a_restart_reads_the_chain() -> None:
    # A full copy is read at 20 GB/s in 300 s; 1 + 0.2 x 4/2 = 1.4 of it.
    facts = {**PLAIN, "pool_read": "20 GB/s", "changed_fraction": "0.2"}
    before = job(**facts)
    after = before.changed({"full_every": 5.0})
    assert seconds(configured(before).rates.hard_restart) == 900
    assert seconds(configured(after).rates.hard_restart) == pytest.approx(900 + 0.4 * 300)
    # Where the chain is there already, the restart given was seen with it.
    there = job(**facts, full_every="5")
    assert seconds(configured(there).rates.hard_restart) == 900
    gone = there.changed({"full_every": 1.0})
    assert seconds(configured(gone).rates.hard_restart) == pytest.approx(900 - 0.4 * 300)
    # By phases: 10 min and 1.4 x 300 s.
    phases = {k: v for k, v in facts.items() if k != "restart_time"}
    parts = job(**phases, detect_time="10 min", init_time="0 s", full_every="5")
    assert seconds(configured(parts).rates.hard_restart) == pytest.approx(600 + 420)


def test_increments_grow_with_the_interval() -> None:
    # A fifth changes in 1 h; in 2 h 1 - 0.8^2 = 0.36, so (1 + 4 x 0.36)/5 = 0.488 of 60 s.
    sc = job(**PLAIN, changed_fraction="0.2", full_every="5")
    later = sc.changed({"interval": 7200.0})
    assert seconds(configured(later).stall) == pytest.approx(0.488 * 60)
    steps = sc.changed({"interval": None, "interval_steps": 100.0, "step_time": 72.0})
    assert seconds(configured(steps).stall) == pytest.approx(0.488 * 60)


def test_the_best_interval_knows_that_increments_grow() -> None:
    sc = job(**PLAIN, changed_fraction="0.2", full_every="5")
    c = configured(sc)
    assert c.pattern is not None
    best = best_of(sc, c.pattern, 0.001)

    def by_hand(tau: float) -> float:
        """Daly's complete model with the save of that interval."""
        f = 1 - exp(tau / 3600 * log(0.8))
        save = 60 * (1 + 4 * f) / 5
        # A restart of 900 s includes the reads of the chain as it is (f = 0.2): more reads, more
        # time, at the pool's 100 GB/s.
        restart = 900 + 60 * ((1 + 2 * f) - 1.4)
        m = 36000.0
        return tau / (m * exp(restart / m) * (exp((tau + save) / m) - 1))

    grid = [by_hand(t) for t in np.geomspace(200, 20000, 400)]
    assert seconds(best.goodput) == pytest.approx(max(grid), abs=2e-6)
    assert seconds(best.goodput) == pytest.approx(by_hand(float(best.interval)), rel=1e-9)
    assert by_hand(float(best.band_low)) == pytest.approx(float(best.goodput) - 0.001, abs=1e-6)
    # With the increments of an hour, sqrt(2 x 21.6 x 36,000) = 1,247 s or so would be taken.
    fixed = best_interval(c.pattern, 0.001)
    assert not isclose(float(best.interval), float(fixed.interval), rel_tol=0.05)
    assert by_hand(float(best.interval)) > by_hand(float(fixed.interval))


def test_compression_is_waited_for_where_the_codec_is_slower() -> None:
    # 0.8 of the bytes at 1 GB/s a node: 48 s, while a codec of 5 GB/s needs 12 s.
    quick = job(**PLAIN, compress_rate="5 GB/s", compressed_fraction="0.8")
    assert seconds(configured(quick).stall) == pytest.approx(48)
    # A codec of 0.8 GB/s needs 75 s for 60 GB.
    slow = job(**PLAIN, compress_rate="0.8 GB/s", compressed_fraction="0.8")
    assert seconds(configured(slow).stall) == pytest.approx(75)
    # Nobody knows the codec: nothing is said to be compressed.
    unknown = job(**PLAIN, compressed_fraction="0.8")
    assert seconds(configured(unknown).stall) == pytest.approx(60)


def test_drives_get_the_increments_too() -> None:
    # 60 GB x 0.36 at 5 GB/s.
    local = {**PLAIN, "nvme": "used", "nvme_write": "5 GB/s", "nvme_tail_ratio": "1"}
    c = configured(job(**local, changed_fraction="0.2", full_every="5"))
    assert seconds(c.stall) == pytest.approx(60 * 0.36 / 5)
    assert seconds(c.pool_lag) == pytest.approx(21.6)
    squeezed = configured(job(**local, compress_rate="4 GB/s", compressed_fraction="0.5"))
    # The codec of 4 GB/s is slower than 30 GB at 5 GB/s.
    assert seconds(squeezed.stall) == pytest.approx(15)


def test_a_measured_save_is_the_mean_one() -> None:
    # 43.2 s measured against 21.6 s modelled: twice; the full save is then 120 s.
    sc = job(**PLAIN, changed_fraction="0.2", full_every="5", measured_save="43.2 s")
    assert seconds(sc.calibration.save) == pytest.approx(2)
    c = configured(sc)
    assert c.pool is not None
    assert seconds(c.pool.mean) == pytest.approx(120)


def test_a_measured_save_of_increments_stands_in_for_the_rate() -> None:
    # 6 TB x 0.36 in 21.6 s is 100 GB/s.
    facts = {k: v for k, v in PLAIN.items() if k != "pool_write"}
    sc = job(**facts, changed_fraction="0.2", full_every="5", measured_save="21.6 s")
    assert seconds(sc.number("pool_write")) == pytest.approx(1e11)
