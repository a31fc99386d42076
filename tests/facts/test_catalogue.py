"""The declared facts: all of them, each of the right kind, with texts, limits and defaults."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from advisor.facts.catalogue import EACH, NUMERIC_KINDS, Catalogue, FactSpec
from advisor.facts.catalogue_file import load_catalogue
from advisor.facts.quantity import parse, parse_steps

RULES = Path(__file__).parents[2] / "rules" / "interview.toml"

# Typed from the product's table of facts: topic, then kind, then names.
EXPECTED: dict[str, dict[str, str]] = {
    "state": {
        "size": "state_total state_per_node size_on_disk state_held_per_node host_memory_free",
        "count": "parameters bytes_per_parameter replicas full_every files_per_node",
        "ratio": "changed_fraction compressed_fraction",
        "rate": "compress_rate",
    },
    "nodes": {
        "count": "nodes writing_nodes stalled_accelerators accelerators_per_node ranks_per_node"
        " storage_targets stripe_count",
        "choice": "writers pool_kind pool_write_basis tail_of fabric",
        "rate": "single_stream_write node_link client_write pool_write pool_read"
        " pool_buffer_write read_requirement",
        "ratio": "pool_share pool_fill pool_other_duty save_variation tail_ratio",
        "size": "pool_buffer pool_free",
        "per_second": "pool_creates",
        "durations": "rank_times",
        "duration": "pool_failover",
    },
    "interval": {
        "duration": "interval step_time acceptable_pause observed_for job_mtbf node_mtbf"
        " restart_time detect_time init_time preemption_notice wall_limit job_length"
        " collective_timeout detection_window eval_every replacement_wait",
        "count": "interval_steps interruptions spare_nodes keep",
        "choice": "interval_basis interval_decided_by notice_handled restore_tested exit_timer"
        " save_commit save_alerts restart_reads",
        "ratio": "goodput_target announced_share hang_share unusable_share",
        "per_year": "pool_outages",
    },
    "mode": {
        "choice": "mode async_writer gds export_in_save drain_survives fsync plans_before_return"
        " drain_hides",
        "count": "host_copies",
        "text": "framework framework_version framework_settings",
        "size": "shm_size",
        "duration": "measured_stall measured_save save_overhead drain_timeout",
        "rate": "snapshot_rate",
        "ratio": "drain_slowdown",
    },
    "nvme": {
        "choice": "nvme pool_copy redundancy local_survives local_wipe",
        "rate": "nvme_write peer_link",
        "ratio": "nvme_tail_ratio survivable_share",
        "size": "nvme_free nvme_capacity",
        "count": "nvme_dwpd pool_every failure_domain_nodes redundancy_group peer_jump",
        "duration": "local_restart_time",
    },
    "money": {
        "money_per_hour": "accelerator_hour node_hour",
        "ratio": "duty",
        "money_per_year": "pool_committed",
        "money_per_tb_year": "pool_per_tb",
        "money_per_node_year": "nvme_committed remote_committed",
        "rate": "remote_write upgrade_write",
        "money": "upgrade_price",
        "count": "upgrade_years",
    },
}

CHOICES = {
    "writers": "every_rank one_per_node one_replica one",
    "pool_kind": "nfs lustre gpfs weka vast daos beegfs ceph object_s3 object_gcs object_azure"
    " nvmeof other",
    "pool_write_basis": "aggregate data_sheet per_writer",
    "tail_of": "ranks nodes",
    "fabric": "shared separate",
    "interval_basis": "work clock",
    "interval_decided_by": "calculated framework_default habit save_cost incident science policy"
    " unknown",
    "mode": "sync async",
    "async_writer": "thread process",
    "nvme": "none present used",
    "drain_hides": "all one_step",
    "restart_reads": "every_replica one_replica",
    "pool_copy": "drained with_save",
    "redundancy": "none partner xor rs",
    "local_survives": "process_restart node_reboot requeue_same_nodes nothing",
}
"""Members of every choice in the order shown; the others are no and yes."""

GROUPS = {
    "state": "state_total state_per_node parameters",
    "interval": "interval interval_steps",
    "failures": "interruptions job_mtbf node_mtbf",
    "restart": "restart_time detect_time",
    "slow_writers": "rank_times tail_ratio",
}


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue([RULES])


SPECS = tuple(load_catalogue([RULES]).facts.values())
every_fact = pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)


def test_every_fact_is_declared_with_topic_and_kind(catalogue: Catalogue) -> None:
    expected = {
        name: (topic, kind)
        for topic, kinds in EXPECTED.items()
        for kind, names in kinds.items()
        for name in names.split()
    }
    assert {n: (s.topic, s.kind) for n, s in catalogue.facts.items()} == expected


def test_topics_are_numbered_in_order_and_facts_stand_together(catalogue: Catalogue) -> None:
    assert [(t.number, t.id) for t in catalogue.topics.values()] == list(enumerate(EXPECTED, 1))
    order = list(dict.fromkeys(spec.topic for spec in catalogue.facts.values()))
    assert order == list(EXPECTED)
    by_topic = [spec.name for topic in EXPECTED for spec in catalogue.topic_facts(topic)]
    assert by_topic == list(catalogue.facts)
    assert catalogue.version
    assert catalogue.title


def test_five_questions_are_required(catalogue: Catalogue) -> None:
    required = {spec.group or spec.name for spec in catalogue.facts.values() if spec.required}
    assert required == {"state", "nodes", "interval", "mode", "nvme"}


def test_groups_in_order_of_preference(catalogue: Catalogue) -> None:
    for group, names in GROUPS.items():
        assert [spec.name for spec in catalogue.group(group)] == names.split()
    needs = {spec.name: spec.needs for spec in catalogue.facts.values() if spec.needs}
    assert needs == {
        "interval_steps": ("step_time",),
        "interruptions": ("observed_for",),
        "detect_time": ("init_time",),
    }


@every_fact
def test_choices(spec: FactSpec) -> None:
    members = CHOICES.get(spec.name, "no yes").split() if spec.kind == "choice" else []
    assert list(spec.choices) == members
    assert all(label and label == label.strip() for label in spec.choices.values())


@every_fact
def test_texts_are_complete(spec: FactSpec) -> None:
    assert spec.question.endswith("?")
    assert spec.why.endswith(".")
    assert not re.search(r"\.\s", spec.why), "one sentence says what it decides"
    assert spec.find == spec.find.strip()
    assert len(spec.find.splitlines()) <= 2
    assert not spec.find.endswith((",", ":", ";"))
    assert 2 <= len(spec.label.split()) <= 6
    assert spec.label[0].isupper()
    for text in (spec.label, spec.question, spec.why, spec.find):
        assert "!" not in text
        assert "`" not in text


def test_texts_of_topics_and_constants(catalogue: Catalogue) -> None:
    for topic in catalogue.topics.values():
        assert topic.question.endswith("?")
        assert topic.help.endswith(".")
        assert "!" not in topic.title + topic.question + topic.help
    for constant in catalogue.constants.values():
        assert constant.source.endswith(".")
        assert "!" not in constant.source


@every_fact
def test_hints_can_be_typed(spec: FactSpec) -> None:
    if spec.kind == "choice":
        return
    examples = spec.hint.split(", ")
    assert examples[-1] == "?"
    for example in examples if spec.is_number else ():
        if "@" in example:
            assert parse_steps(example)
            continue
        value = parse(example, spec.kind, per=spec.per).value
        if value is not None:
            assert (spec.minimum or 0) <= value <= (spec.maximum or float("inf"))


# Smallest and largest value that must be admitted, from the product's table of limits, SI.
AT_LEAST = {
    "size": (1e3, 1e18),
    "rate": (1e3, 1e15),
    "duration": (1.0, 10 * 365 * 86400),
    "ratio": (1.0, 1.0),
    "count": (2.0, 100.0),
}
ZERO = (
    "accelerators_per_node stalled_accelerators files_per_node changed_fraction pool_other_duty"
    " replacement_wait"
    " pool_failover interruptions spare_nodes restart_time detect_time init_time goodput_target"
    " announced_share preemption_notice hang_share detection_window unusable_share pool_outages"
    " measured_stall save_overhead drain_slowdown survivable_share local_restart_time pool_every"
    " duty accelerator_hour node_hour pool_committed pool_per_tb nvme_committed remote_committed"
    " upgrade_price pool_fill"
)
FROM_ONE_SECOND = "interval observed_for job_mtbf node_mtbf wall_limit eval_every"


@every_fact
def test_limits(spec: FactSpec) -> None:
    assert (spec.minimum is None) == (spec.kind not in NUMERIC_KINDS and spec.kind not in EACH)
    if spec.minimum is None or spec.maximum is None:
        return
    low, high = AT_LEAST.get(EACH.get(spec.kind, spec.kind), (1.0, 1e3))
    assert spec.minimum <= low
    if spec.name != "unusable_share":  # all saves unusable would be no checkpointing at all
        assert spec.maximum >= high
    assert (spec.minimum == 0) == (spec.name in ZERO.split())
    if spec.kind == "duration" and spec.minimum > 0:
        assert spec.minimum == (1.0 if spec.name in FROM_ONE_SECOND.split() else 1e-3)
    if spec.kind == "ratio":
        over_one = spec.name in ("tail_ratio", "save_variation", "nvme_tail_ratio")
        assert (spec.minimum, spec.maximum) == (1, 1000) if over_one else spec.maximum <= 1


def test_particular_limits(catalogue: Catalogue) -> None:
    nodes = catalogue.facts["nodes"]
    assert (nodes.minimum, nodes.maximum, nodes.whole) == (1, 1e6, True)
    assert (catalogue.facts["parameters"].maximum or 0) >= 1e13


def test_settings_are_exact_and_the_world_varies(catalogue: Catalogue) -> None:
    settings = "interval interval_steps keep pool_every replicas nodes writing_nodes full_every"
    world = (
        "state_total state_per_node parameters pool_write nvme_write interruptions job_mtbf"
        " node_mtbf restart_time drain_slowdown accelerator_hour survivable_share step_time"
    )
    assert not any(catalogue.facts[name].world for name in settings.split())
    assert all(catalogue.facts[name].world for name in world.split())
    words = [spec for spec in catalogue.facts.values() if spec.kind in ("choice", "text")]
    assert not any(spec.world for spec in words)
