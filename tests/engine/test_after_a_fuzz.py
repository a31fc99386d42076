"""Jobs that a random search found wrong: each with what must hold instead."""

from __future__ import annotations

import pytest

from advisor.engine.findings import findings, outcomes
from advisor.engine.knowledge import load_knowledge
from tests.engine.sessions import advice
from tests.rules.fixtures import answers, situation


def test_a_time_out_on_a_job_that_hardly_ever_fails_is_simulated_in_bounds() -> None:
    # 1,000 years between failures of a node: 125 million saves between two interruptions.
    found = advice(
        nodes="19", pool_kind="vast", state_per_node="401 GB", pool_write="3676000000 B/s",
        interval="2650 s", node_mtbf="1000 years", collective_timeout="2920 s",
    )  # fmt: skip
    low, high = found.before.simulated_goodput or (0.0, 1.0)
    assert 0 <= low <= high <= 1


def test_outages_are_no_more_than_all_interruptions() -> None:
    found = advice(
        state_total="2 TB", nodes="600", pool_write="100 GB/s", interval="1 h",
        pool_outages="200/year", job_mtbf="30 d",
    )  # fmt: skip
    assert found.finding("CKT07").message.startswith("100 % of the interruptions")


@pytest.mark.parametrize("decided_by", ["policy", "habit"])
def test_an_interval_longer_than_the_job_is_not_too_long(decided_by: str) -> None:
    found = advice(
        parameters="94B", nodes="14", pool_write="100 MB/s", interval="10 d", job_length="1 d",
        interval_decided_by=decided_by,
    )  # fmt: skip
    assert found.verdict.interval == "keep"
    assert "too long" not in found.verdict.text
    assert found.finding("CKI04").state == "clear"


def test_steps_without_their_time_ask_for_the_time() -> None:
    pack = load_knowledge().pack
    now = situation(
        answers(
            {
                "parameters": "94B",
                "nodes": "4614",
                "pool_write": "100 GB/s",
                "interval_steps": "7",
                "mode": "sync",
                "nvme": "none",
            },
            {},
        )
    )
    said = {f.rule: f for f in findings(outcomes(now, pack), now, pack, {}, None)}
    for rule in ("CKI01", "CKI02", "CKI03", "CKA03", "CKR01"):
        assert said[rule].state == "unknown"
        assert "step_time" in said[rule].missing, rule
    assert all(f.missing for f in said.values() if f.state == "unknown")


def test_where_no_interval_helps_the_verdict_asks_for_no_other() -> None:
    found = advice(
        state_total="2 TB", nodes="1000000", pool_write="1 TB/s", interval="1 h",
        node_mtbf="1 years", restart_time="1 h", mode="sync", nvme="none",
    )  # fmt: skip
    assert found.verdict.text.startswith("No interval helps")
    assert found.verdict.interval == "keep"
