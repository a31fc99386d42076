"""Whatever is known of a job, every rule has an outcome that can be shown."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.engine.findings import findings, outcomes
from advisor.engine.knowledge import load_knowledge
from advisor.engine.message import UNKNOWN
from advisor.engine.situation import Situation
from tests.rules.fixtures import answers, situation

CHOICES: Mapping[str, tuple[str, ...]] = {
    "mode": ("sync", "async"),
    "nvme": ("none", "present", "used"),
    "writers": ("every_rank", "one_per_node", "one_replica", "one"),
    "pool_kind": ("lustre", "vast", "object_s3", "nfs"),
    "pool_write_basis": ("aggregate", "data_sheet", "per_writer"),
    "pool_copy": ("drained", "with_save"),
    "redundancy": ("none", "partner", "xor"),
    "interval_decided_by": ("policy", "science", "habit", "framework_default"),
    "fabric": ("shared", "separate"),
    "restore_tested": ("no", "yes"),
    "restart_reads": ("every_replica", "one_replica"),
    "notice_handled": ("no", "yes"),
    "exit_timer": ("no", "yes"),
    "export_in_save": ("no", "yes"),
    "save_commit": ("no", "yes"),
    "save_alerts": ("no", "yes"),
    "local_wipe": ("no", "yes"),
    "gds": ("no", "yes"),
    "async_writer": ("thread", "process"),
    "framework": ("megatron-lm", "hf-trainer", "pytorch-dcp", "in-house"),
    "framework_settings": (
        "--async-save",
        "--async-save --use-persistent-ckpt-worker",
        "--async-save --ckpt-format torch --dist-ckpt-workers 2",
    ),
}

NUMBERS: Mapping[str, tuple[str, ...]] = {
    "state_total": ("20 GB", "6 TB", "90 TB"),
    "nodes": ("1", "16", "2048"),
    "accelerators_per_node": ("0", "8"),
    "pool_write": ("2 GB/s", "100 GB/s", "3 TB/s"),
    "node_link": ("1 GB/s", "50 GB/s"),
    "interval": ("10 s", "30 min", "12 h"),
    "measured_save": ("3 s", "300 s"),
    "measured_stall": ("1 s", "240 s"),
    "save_overhead": ("0 s", "90 s"),
    "acceptable_pause": ("1 s", "60 s"),
    "job_mtbf": ("5 min", "10 h", "1 years"),
    "job_length": ("40 min", "54 d"),
    "restart_time": ("0 s", "1 h"),
    "host_memory_free": ("10 GB", "1 TB"),
    "keep": ("1", "3", "100"),
    "pool_free": ("1 TB", "900 TB"),
    "pool_every": ("0", "1", "8"),
    "collective_timeout": ("30 s", "30 min"),
    "drain_timeout": ("30 s", "30 min"),
    "announced_share": ("0%", "90%"),
    "wall_limit": ("20 h",),
    "spare_nodes": ("0", "2"),
    "replacement_wait": ("0 s", "10 min", "2 h"),
    "rank_times": ("60 s, 61 s", "1 ms, 1 h, 2 h"),
    "size_on_disk": ("1 TB", "6 TB"),
    "upgrade_write": ("200 GB/s",),
    "upgrade_price": ("$1M",),
    "replicas": ("1", "8"),
    "changed_fraction": ("0%", "10%", "1"),
    "full_every": ("1", "6"),
    "compress_rate": ("500 MB/s", "80 GB/s"),
    "compressed_fraction": ("50%", "1"),
    "pool_buffer": ("2 TB",),
    "pool_buffer_write": ("400 GB/s",),
    "pool_other_duty": ("60%", "1"),
    "read_requirement": ("4 GB/s",),
    "shm_size": ("64 MB",),
    "tail_ratio": ("1.5", "7"),
    "stripe_count": ("1", "64"),
    "pool_fill": ("50%", "95%"),
    "pool_creates": ("5/s", "20000/s"),
    "pool_read": ("1 GB/s", "3 TB/s"),
    "pool_outages": ("40/year",),
    "nvme_capacity": ("1.6 TB",),
    "nvme_dwpd": ("0.3",),
}

FACTS = {
    name: st.none() | st.just("?") | st.sampled_from(texts)
    for name, texts in {**CHOICES, **NUMBERS}.items()
}


def is_unknown(fact: str, now: Situation) -> bool:
    sc = now.scenario
    if fact == "pool_every":
        # Nothing is unknown, but no copy ever reaches the pool: the fact that says so is named.
        return sc.number(fact) == 0
    if fact == "pool_write" and sc.calibration.implied:
        return True  # a rate taken from the measured save; nobody gave one
    if fact == "measured_save":
        # Only a synchronous stall on the pool stands in for it.
        on_pool = sc.word("mode") == "sync" and sc.word("nvme") != "used"
        return sc.value(fact) is None and (sc.value("measured_stall") is None or not on_pool)
    return sc.value(fact) is None


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.fixed_dictionaries(FACTS))
def test_every_rule_has_an_outcome_that_can_be_shown(facts: dict[str, str | None]) -> None:
    given_answers = answers({k: v for k, v in facts.items() if v is not None}, {})
    now, pack = situation(given_answers), load_knowledge().pack
    said = findings(outcomes(now, pack), now, pack, {}, None)
    assert {f.rule for f in said} == set(pack.rules)
    for finding in said:
        assert finding.state in ("hit", "clear", "unknown"), (finding.rule, finding.message)
        if finding.state == "hit":
            for text in (finding.message, *finding.remedy):
                for bad in (UNKNOWN, "None", "nan", "inf ", "{", "}"):
                    assert bad not in text, (finding.rule, text)
            assert finding.message.endswith("."), finding.message
        if finding.state == "unknown":
            assert finding.missing, finding.rule
            for fact in finding.missing:
                assert is_unknown(fact, now), (finding.rule, fact)
        else:
            assert finding.missing == ()
