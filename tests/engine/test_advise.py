"""The one door, on jobs whose answer was worked out apart from this code."""

from __future__ import annotations

import dataclasses
from datetime import UTC, date, datetime

import pytest

from advisor.engine.advise import advise
from advisor.engine.knowledge import load_knowledge
from advisor.facts.answers import Answer
from advisor.facts.resolve import AnswerError
from tests.engine.sessions import TICKET, Job, advice, job


def test_the_ticket_illustration_comes_out() -> None:
    # Printed in the illustration: 84.7 -> 94.1 %, $4.12M, $2.53M, 11.5/0/2.5/1.4 % -> 0.7/1.3/2.5/
    # 1.5 %, band 15 to 25 min, best 19 min and 48 min, 117 GB, 1.6 points, 0.8 point.
    found = advice(**TICKET)
    before, after = found.before, found.after
    assert before.goodput == pytest.approx(0.847, abs=5e-4)
    assert after.goodput == pytest.approx(0.941, abs=5e-4)
    assert before.idle_cost_per_year == pytest.approx(4.12e6, rel=2e-3)
    assert before.loss is not None
    assert [round(100 * x, 1) for x in dataclasses.astuple(before.loss)] == [11.5, 0.0, 2.5, 1.4]
    assert after.loss is not None
    assert [round(100 * x, 1) for x in dataclasses.astuple(after.loss)] == [0.7, 1.3, 2.5, 1.5]
    assert after.flat_band is not None
    assert [round(x / 60) for x in after.flat_band] == [15, 25]
    assert round((after.best_interval or 0) / 60) == 19
    assert round((before.best_interval or 0) / 60) == 48
    assert [step.key for step in found.plan] == ["CKA01-async_on"]
    step = found.plan[0]
    assert step.saves_per_year == pytest.approx(2.53e6, rel=2e-3)
    limits = {t.fact: t.at for t in step.thresholds if t.why == "limit"}
    assert limits["host_memory_free"] == pytest.approx(117e9, rel=3e-3)
    slow = next(t for t in step.thresholds if t.fact == "drain_slowdown")
    assert slow.direction == "above"
    assert slow.at == pytest.approx(0.9, abs=0.05)
    assert "--use-persistent-ckpt-worker" in step.config[0].text
    assert found.further[0].goodput_gain == pytest.approx(0.016, abs=5e-4)
    assert found.purchases[0].goodput_gain == pytest.approx(0.008, abs=5e-4)
    assert found.verdict.interval == "longer"


def test_gains_add_up_to_the_whole() -> None:
    found = advice(**{**TICKET, "interval": "2 h", "interval_decided_by": "habit"})
    assert len(found.plan) == 2
    assert found.before.goodput is not None
    assert found.after.goodput is not None
    total = sum(step.goodput_gain for step in found.plan)
    assert total == pytest.approx(found.after.goodput - found.before.goodput, abs=1e-12)
    assert [step.order for step in found.plan] == [1, 2]


def test_a_policy_holds_the_interval_and_is_priced() -> None:
    found = advice(**{**TICKET, "interval_decided_by": "policy"})
    assert all(step.lever != "longer_interval" for step in found.plan)
    assert found.finding("CKI04").state == "hit"
    assert found.finding("CKI01").state == "clear"


def test_flags_that_do_nothing_are_found_and_the_job_is_what_runs() -> None:
    # Megatron core 0.16 switches --async-save alone off: the job is synchronous.
    found = advice(**{**TICKET, "mode": "async", "framework_settings": "--async-save"})
    assert found.before.path == "pool"
    assert found.before.goodput == pytest.approx(0.847, abs=5e-4)
    assert found.finding("CKA05").state == "hit"
    assert found.plan[0].key == "CKA05-async_on"


def test_memory_that_is_too_small_rules_asynchronous_saves_out() -> None:
    # 12 TB / 128 = 93.75 GB a node; 80 % of 100 GB is 80 GB.
    found = advice(**{**TICKET, "host_memory_free": "100 GB"})
    assert all(step.lever != "async_on" for step in found.plan)
    assert any("host memory" in text for text in found.refused)
    assert found.finding("CKA02").state == "hit"


def test_unknown_memory_is_a_condition() -> None:
    facts = {k: v for k, v in TICKET.items() if k != "host_memory_free"}
    found = advice(**facts)
    assert found.plan[0].lever == "async_on"
    assert any("93.8 GB" in text for text in found.plan[0].conditions)


def test_a_framework_without_asynchronous_saves_gets_no_such_flag() -> None:
    found = advice(**{**TICKET, "framework": "hf-trainer", "framework_version": "4.50"})
    assert all(step.lever != "async_on" for step in found.plan)
    assert found.finding("CKA07").state == "hit"
    assert found.finding("CKA01").state == "clear"


def test_a_job_that_is_right_is_left_alone() -> None:
    # Asynchronous by a process, 19 min: the best interval of the illustration after its change.
    facts = {**TICKET, "mode": "async", "interval": "19 min", "async_writer": "process"}
    found = advice(**facts, framework_settings="--async-save --use-persistent-ckpt-worker")
    assert found.plan == ()
    assert found.verdict.interval == "keep"
    assert found.after == found.before


def test_too_few_facts_give_a_requirement_and_no_goodput() -> None:
    found = advice(nodes="48", state_per_node="48 GB", mode="sync", acceptable_pause="60 s")
    assert found.before.goodput is None
    assert "pool_write" in found.before.missing["goodput"]
    assert found.before.simple_required_pool_write == pytest.approx(38.4e9)
    assert found.plan == ()
    assert set(found.missing_required) == {"interval", "nvme"}


def test_no_facts_at_all_say_what_is_needed() -> None:
    found = advice()
    assert found.before.goodput is None
    assert set(found.missing_required) == {"state_total", "nodes", "interval", "mode", "nvme"}
    assert found.before.idle_cost_per_year is None


def test_dont_know_is_an_answer() -> None:
    found = advice(**{**TICKET, "nvme": "?", "mode": "?"})
    assert found.missing_required == ()
    assert found.facts["nvme"].source == "default"
    assert found.before.goodput is not None


def test_a_rule_that_is_waived_offers_nothing_until_it_ends() -> None:
    @dataclasses.dataclass
    class Waiver:
        reason: str
        until: date | None

    def waived(day: int) -> Job:
        base = job(**TICKET)
        base.updated = datetime(2026, 11, day, tzinfo=UTC)
        base.waivers = {"CKA01": Waiver("until the memory upgrade", date(2026, 11, 15))}
        return base

    held = advise(waived(10), load_knowledge())
    assert held.finding("CKA01").state == "waived"
    assert held.finding("CKA01").waiver == "until the memory upgrade"
    assert all(step.rule != "CKA01" for step in held.plan)
    ended = advise(waived(20), load_knowledge())
    assert ended.finding("CKA01").state == "hit"
    assert ended.plan[0].rule == "CKA01"


def test_a_contradiction_is_kept_with_both_sides() -> None:
    answers = dict(job(**TICKET).answers)
    answers["parameters"] = Answer("1e12", "guessed")  # x 14 = 14 TB against 12 TB
    found = advise(Job(answers), load_knowledge())
    (clash,) = found.contradictions
    assert (clash.kept, clash.dropped) == ("state_total", "parameters")
    assert (clash.kept_value, clash.dropped_value) == pytest.approx((12e12, 14e12))
    answers["state_total"] = Answer("12 TB", "guessed")
    answers["parameters"] = Answer("1e12", "measured")
    better = advise(Job(answers), load_knowledge())
    assert better.contradictions[0].kept == "parameters"
    assert better.before.save.bytes_total == pytest.approx(14e12)


def test_an_answer_that_cannot_be_read_names_the_fact() -> None:
    with pytest.raises(AnswerError) as error:
        advice(**{**TICKET, "pool_write": "100 Gigs"})
    assert error.value.name == "pool_write"


def test_the_upgrade_is_judged_after_the_plan() -> None:
    found = advice(**TICKET, upgrade_write="200 GB/s", upgrade_price="$5M")
    (buy,) = found.purchases
    # 0.8 point of $26.9M a year is $210k; $5M over 5 years is $1M a year.
    assert buy.verdict.startswith("Do not buy")
    cheap = advice(**TICKET, upgrade_write="200 GB/s", upgrade_price="$500k")
    assert cheap.purchases[0].verdict.startswith("Pays")


def test_a_huge_and_a_tiny_job_are_no_errors() -> None:
    for nodes, state in (("1", "1 kB"), ("1000000", "1 EB"), ("100,000", "50 PB")):
        found = advice(
            nodes=nodes, state_total=state, interval="30 min", mode="sync", nvme="none",
            pool_write="1 TB/s", host_memory_free="1 TB",
        )  # fmt: skip
        assert found.before.goodput is not None
        assert 0 <= found.before.goodput <= 1
        assert not [f.rule for f in found.findings if f.state == "error"]


def test_a_rate_taken_from_the_measured_save_says_so() -> None:
    facts = {k: v for k, v in TICKET.items() if k != "pool_write"}
    found = advice(**facts, measured_stall="120 s")
    pool = found.facts["pool_write"]
    # 12 TB in 120 s is 100 GB/s, times 1.0153 for the typical save.
    assert pool.source == "derived"
    assert pool.value == pytest.approx(101.53e9, rel=1e-3)
    assert found.before.save.measured_over_modelled is None
    assert found.finding("CKB01").state == "unknown"
    assert "pool_write" in found.finding("CKB01").missing


def test_a_job_that_needs_no_periodic_save_is_told_to_save_at_the_end() -> None:
    # 1 h of work, an interruption a month: e^(1/720) of rework is 0.07 %.
    found = advice(**{**TICKET, "job_length": "1 h", "job_mtbf": "30 d"})
    assert found.verdict.interval == "none"
    assert found.plan[0].title == "Save at the end only"
    policy = advice(
        **{**TICKET, "job_length": "1 h", "job_mtbf": "30 d", "interval_decided_by": "science"}
    )
    assert policy.verdict.interval != "none"
