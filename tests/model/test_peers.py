"""Copies on other nodes: the exchange, and what survives, against answers computed by others."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.model.configuration import configure
from advisor.model.peers import exchange_time, held_bytes, survives, survives_at_least
from tests.model.jobs import job
from tests.model.reference import RTOL, cases

Case = dict[str, Any]


@pytest.mark.parametrize(("inputs", "outputs"), cases("peer_memory_recovery_probability"))
def test_probability_that_the_copies_survive(inputs: Case, outputs: Case) -> None:
    n, m, k = inputs["N"], inputs["m"], inputs["k"]
    assert survives_at_least(n, m, k) == pytest.approx(outputs["lower_bound"], rel=RTOL)
    assert survives(n, m, k) == pytest.approx(outputs["exact_group_placement"], rel=RTOL)


@pytest.mark.parametrize(("inputs", "outputs"), cases("peer_replication_time"))
def test_time_and_memory_of_the_exchange(inputs: Case, outputs: Case) -> None:
    size, copies = inputs["state_bytes"], inputs["copies"]
    time = exchange_time(size, copies, inputs["node_nic_Bps"])
    assert float(time) == pytest.approx(outputs["t_s"], rel=RTOL)
    assert float(held_bytes(size, copies)) == pytest.approx(outputs["host_mem_bytes"], rel=RTOL)


@given(st.integers(1, 4), st.integers(1, 4), st.data())
def test_every_choice_of_lost_nodes_counted_one_by_one(
    groups: int, copies: int, data: st.DataObject
) -> None:
    nodes = groups * copies
    lost = data.draw(st.integers(0, nodes))
    kept = total = 0
    for gone in combinations(range(nodes), lost):
        total += 1
        whole = (set(range(g * copies, (g + 1) * copies)) for g in range(groups))
        kept += not any(group <= set(gone) for group in whole)
    assert survives(nodes, copies, lost) == pytest.approx(kept / total, abs=1e-12)
    assert survives_at_least(nodes, copies, lost) <= survives(nodes, copies, lost) + 1e-12


def test_fewer_lost_nodes_than_copies_lose_nothing() -> None:
    assert survives(1_000_000, 2, 1) == 1.0
    assert survives_at_least(1_000_000, 2, 1) == 1.0
    # Two of a million: only the partner of the first one hurts, 1 of 999,999.
    assert survives(1_000_000, 2, 2) == pytest.approx(1 - 1 / 999_999, abs=1e-15)


@pytest.mark.parametrize(
    ("nodes", "copies", "lost"), [(15, 2, 1), (0, 1, 0), (4, 2, 5), (4, 2, -1)]
)
def test_impossible_groups_are_refused(nodes: int, copies: int, lost: int) -> None:
    with pytest.raises(ValueError, match="nodes"):
        survives(nodes, copies, lost)
    with pytest.raises(ValueError, match="nodes"):
        survives_at_least(nodes, copies, lost)


PEERED = {
    "nodes": "100", "state_total": "6 TB", "pool_write": "100 GB/s", "interval": "1 h",
    "job_mtbf": "10 h", "nvme": "used", "nvme_write": "5 GB/s", "nvme_tail_ratio": "1",
    "peer_link": "10 GB/s", "local_survives": "node_reboot",
}  # fmt: skip
"""60 GB on each of 100 nodes."""


def test_a_partner_copy_stalls_a_synchronous_save() -> None:
    c = configure(job(**PEERED, mode="sync", redundancy="partner"))
    assert c is not None
    assert c.stall is not None
    # 120 GB to the drives at 5 GB/s, 60 GB to the partner at 10 GB/s.
    assert float(c.stall) == pytest.approx(24 + 6)
    assert float(c.local_lag) == 0


def test_a_partner_copy_of_an_asynchronous_save_is_lag() -> None:
    lone = configure(job(**PEERED, mode="async"))
    paired = configure(job(**PEERED, mode="async", redundancy="partner"))
    assert lone is not None
    assert paired is not None
    assert float(lone.local_lag) == pytest.approx(12)
    assert float(paired.local_lag) == pytest.approx(24 + 6)
    assert np.array_equal(lone.stall, paired.stall)  # type: ignore[arg-type]  # both known
    # What survives follows the redundancy: 0.5 without, 0.85 with.
    assert float(lone.rates.soft / lone.rates.total) == pytest.approx(0.5)
    assert float(paired.rates.soft / paired.rates.total) == pytest.approx(0.85)


def test_a_share_somebody_typed_stays_with_the_redundancy() -> None:
    c = configure(job(**PEERED, mode="sync", redundancy="partner", survivable_share="30%"))
    assert c is not None
    assert float(c.rates.soft / c.rates.total) == pytest.approx(0.3)
