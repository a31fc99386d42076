"""Where the framework has no tier or peer copy of its own: which storage layers are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.engine.advice import Advice, Alternative, Finding
from advisor.engine.advise import advise
from advisor.engine.knowledge import load_knowledge
from tests.engine.layer_support import SMALL, write
from tests.engine.sessions import advice, job
from tests.ticket_job import TICKET

LACKING = {**TICKET, "framework": "pytorch-dcp", "framework_version": "2.9", "pool_kind": "lustre",
           "host_memory_free": "50 GB"}  # fmt: skip
"""The job of the ticket in a framework without a tier; its memory does not hold a save in flight,
so that the drives are what is left."""

MIRRORLESS = {
    "nodes": "100", "state_per_node": "60 GB", "pool_write": "100 GB/s", "save_variation": "1",
    "mode": "sync", "nvme": "used", "interval": "60 min", "job_mtbf": "10 h",
    "restart_time": "30 min", "nvme_write": "5 GB/s", "nvme_tail_ratio": "1",
    "accelerators_per_node": "0", "local_restart_time": "0 s", "local_survives": "node_reboot",
    "framework": "pytorch-dcp", "framework_version": "2.9",
}  # fmt: skip
"""Node-local copies without redundancy, in a framework without peer copies."""

EVERYWHERE = SMALL.replace('pools = ["nfs"]', 'pools = ["any"]')
"""A layer that fits every job, so that only what a test changes keeps it out."""


def ids(found: Finding) -> list[str]:
    return [one.layer for one in found.nearest]


def named(found: Finding, layer: str) -> Alternative:
    return next(one for one in found.nearest if one.layer == layer)


def advice_with(folder: Path, **answers: str) -> Advice:
    return advise(job(**answers), load_knowledge((folder,)))


def test_dcp_on_lustre_is_offered_the_cache_and_the_file_system() -> None:
    found = advice(**LACKING).finding("CKT09")
    # The layer made for the pool comes before the one for any pool.
    assert ids(found) == ["lustre-pcc", "beeond"]
    pcc, beeond = found.nearest
    assert "lctl pcc add LUSTRE_DIR NODE_LOCAL_DIR" in pcc.config.text
    assert "beeond start -n NODE_FILE -d NODE_LOCAL_DIR -c MOUNT_DIR" in beeond.config.text
    assert pcc.lever == beeond.lever == "tiering"


def test_what_is_lost_with_a_node_is_said_with_the_offer() -> None:
    pcc, beeond = advice(**LACKING).finding("CKT09").nearest
    assert (pcc.survives, beeond.survives) == ("no", "only_with")
    assert pcc.copy.startswith("A copy in it is lost with its node.")
    assert "only with -k and -j" in beeond.copy


def test_lines_nobody_read_say_so() -> None:
    pcc = advice(**LACKING).finding("CKT09").nearest[0]
    assert any("inferred, not read in the source" in note for note in pcc.config.notes)


@pytest.mark.parametrize(
    ("pool", "expected"),
    [
        ("object_s3", ["sagemaker-hyperpod", "alluxio"]),
        # Nebula was made for just this job, and is gone.
        ("object_azure", ["alluxio", "juicefs"]),
        ("gpfs", ["beeond", "gekkofs"]),
    ],
)
def test_the_kind_of_pool_decides(pool: str, expected: list[str]) -> None:
    assert ids(advice(**{**LACKING, "pool_kind": pool}).finding("CKT09")) == expected


def test_an_unknown_pool_gets_only_what_stands_before_any() -> None:
    answers = {name: text for name, text in LACKING.items() if name != "pool_kind"}
    assert ids(advice(**answers).finding("CKT09")) == ["beeond", "gekkofs"]


@pytest.mark.parametrize(
    ("old", "new", "there"),
    [
        ("", "", True),
        ('pools = ["any"]', 'pools = ["nfs"]', False),
        ('frameworks = ["any"]', 'frameworks = ["scr"]', False),
        ('frameworks = ["any"]', "frameworks = []", False),
        ('gives = ["tiering", "peer_copy"]', 'gives = ["compression", "peer_copy"]', False),
        ('as_of = "2026', 'deprecated = true\ninstead = "Another."\nas_of = "2026', False),
    ],
)
def test_one_that_does_not_fit_or_is_deprecated_is_not_offered(
    tmp_path: Path, old: str, new: str, there: bool
) -> None:
    # It keeps its copies, so it comes first of those for any pool wherever it may come at all.
    text = EVERYWHERE.replace('survives = "no"', 'survives = "yes"').replace(old, new, 1)
    write(tmp_path / "storage", text)
    found = advice_with(tmp_path, **{**LACKING, "pool_kind": "gpfs"}).finding("CKT09")
    assert ("mine" in ids(found)) is there
    assert len(found.nearest) == 2


def test_a_framework_with_a_tier_of_its_own_is_offered_none() -> None:
    found = advice(**{**LACKING, "framework": "scr", "framework_version": "3.1"})
    assert found.finding("CKT09").state == "clear"
    assert all(not f.nearest for f in found.findings)


def test_what_the_plan_brings_already_is_not_offered_again() -> None:
    # With room for asynchronous saves the drives add under 0.2 point to the plan.
    found = advice(**{**LACKING, "host_memory_free": "1 TB"})
    assert "async_on" in {step.lever for step in found.plan}
    lacking = found.finding("CKT09")
    assert lacking.state == "hit"
    assert lacking.nearest == ()
    assert lacking.with_plan == "The plan is as good without it."


def test_what_is_left_beside_the_plan_is_said_where_it_differs() -> None:
    # One writer is the larger loss; once every rank writes, the drives have less to save.
    found = advice(**{**LACKING, "writers": "one", "single_stream_write": "1 GB/s"})
    assert "sharded_save" in {step.lever for step in found.plan}
    lacking = found.finding("CKT09")
    assert ids(lacking) == ["lustre-pcc", "beeond"]
    now, then = lacking.message.split()[0], lacking.with_plan.split()[3]
    assert lacking.with_plan.startswith("With the plan: ")
    assert float(then) < float(now)


def test_a_job_that_needs_no_saves_is_offered_none() -> None:
    found = advice(**{**LACKING, "job_length": "30 min"})
    assert found.verdict.interval == "none"
    assert all(not f.nearest for f in found.findings)


def test_peer_copies_come_from_a_mirrored_file_system() -> None:
    found = advice(**MIRRORLESS).finding("CKP04")
    beeond = named(found, "beeond")
    assert beeond.lever == "peer_copy"
    assert "-k -j" in beeond.config.text


def test_peer_copies_of_the_service_made_for_the_framework_come_first() -> None:
    orbax = {"framework": "orbax", "framework_version": "0.11", "pool_kind": "object_gcs"}
    found = advice(**{**MIRRORLESS, **orbax}).finding("CKP04")
    assert ids(found) == ["gke-multi-tier", "beeond"]
    assert found.nearest[0].survives == "yes"


def test_the_interval_of_the_job_is_in_the_lines(tmp_path: Path) -> None:
    answers = {**LACKING, "pool_kind": "gpfs", "interval": "45 min",
               "interval_decided_by": "policy"}  # fmt: skip
    text = EVERYWHERE.replace("{pool_every}", "{interval_min}")
    write(tmp_path / "storage", text.replace('survives = "no"', 'survives = "yes"'))
    found = advice_with(tmp_path, **answers).finding("CKT09")
    assert named(found, "mine").config.text == "mine start DIR --every 45"
