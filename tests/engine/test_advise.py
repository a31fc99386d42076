"""The one door, on jobs whose answer was worked out apart from this code."""

from __future__ import annotations

import dataclasses
from datetime import UTC, date, datetime

import pytest

from advisor.engine.advise import advise
from advisor.engine.knowledge import load_knowledge
from advisor.facts.answers import Answer
from advisor.facts.resolve import AnswerError
from tests.engine.sessions import Job, advice, job
from tests.ticket_job import TICKET


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
        by: str = ""

    def waived(day: int) -> Job:
        base = job(**TICKET)
        base.updated = datetime(2026, 11, day, tzinfo=UTC)
        base.waivers = {"CKA01": Waiver("until the memory upgrade", date(2026, 11, 15))}
        return base

    held = advise(waived(10), load_knowledge())
    assert held.finding("CKA01").state == "waived"
    assert held.finding("CKA01").waiver == "until the memory upgrade (until 2026-11-15)"
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


def test_a_wall_limit_bounds_the_interval() -> None:
    # Without a save before the limit two intervals have to fit into its 4 h.
    facts = {**TICKET, "job_mtbf": "400 d", "job_length": "2000 h", "wall_limit": "4 h"}
    found = advice(**facts, exit_timer="no")
    assert found.verdict.interval != "none"
    assert found.after.interval is not None
    assert found.after.interval <= 2 * 3600
    with_timer = advice(**facts, exit_timer="yes")
    assert with_timer.after.interval is not None
    assert with_timer.after.interval <= 4 * 3600


def test_nothing_is_dropped_where_dropping_gains_nothing() -> None:
    # 400 MB every 30 min: the saves cost nothing, so there is nothing to gain by going without.
    found = advice(
        nodes="1", state_total="400 MB", pool_write="1 GB/s", interval="30 min", mode="sync",
        nvme="none", job_length="4 h",
    )  # fmt: skip
    assert found.verdict.interval != "none"
    assert found.finding("CKI06").state == "clear"


def test_what_the_plan_brings_up_is_said() -> None:
    # Ten copies 50 min apart reach back over 4 h; ten copies of the shorter interval do not.
    found = advice(
        **{**TICKET, "interval": "50 min", "keep": "10", "pool_free": "900 TB", "mode": "async"},
        framework_settings="--async-save --use-persistent-ckpt-worker",
    )
    assert found.finding("CKV03").state == "clear"
    assert found.after.interval is not None
    assert found.after.interval * 10 < 4 * 3600
    assert [f.rule for f in found.brought_up] == ["CKV03"]


def test_a_purchase_that_pays_has_thresholds() -> None:
    found = advice(**TICKET, upgrade_write="200 GB/s", upgrade_price="$500k")
    (buy,) = found.purchases
    assert buy.pays
    price = next(t for t in buy.thresholds if t.fact == "upgrade_price")
    # It pays while a fifth of the price is under the yearly gain.
    assert price.direction == "above"
    assert buy.saves_per_year is not None
    assert price.at == pytest.approx(5 * buy.saves_per_year, rel=1e-4)


def test_clock_intervals_are_shown_by_the_clock() -> None:
    found = advice(**{**TICKET, "interval": "1 h", "interval_basis": "clock"})
    assert found.before.shown_interval == 3600
    assert found.before.interval == pytest.approx(3600 - 121.84, abs=0.01)
    assert found.before.clock is not None
    assert found.before.best_interval is not None
    assert found.before.clock.best == pytest.approx(found.before.best_interval + 121.84, abs=0.01)


def test_dont_know_how_it_saves_is_a_condition_of_changing_it() -> None:
    found = advice(**{**TICKET, "mode": "?"})
    step = next(s for s in found.plan if s.lever == "async_on")
    assert any("nobody knew" in text for text in step.conditions)


def test_a_framework_without_a_file_is_named() -> None:
    facts = {k: v for k, v in TICKET.items() if not k.startswith("framework")}
    found = advice(**facts, framework="homegrown")
    assert any("homegrown" in text for text in found.plan[0].conditions)


def test_a_job_that_ends_before_its_first_save_makes_none() -> None:
    # 119 s of work, a save every 27 min: nothing to drop, and nothing lost to stalls.
    found = advice(
        state_total="12 TB", nodes="9", pool_write="17 GB/s", interval="27 min", mode="sync",
        nvme="none", job_length="119 s", save_overhead="134 s",
    )  # fmt: skip
    assert found.before.loss is not None
    assert found.before.loss.stall == 0.0
    assert found.before.goodput == pytest.approx(found.before.no_checkpoint_goodput)
    assert found.plan == ()


def test_no_step_of_a_plan_loses_on_the_way() -> None:
    # A shorter interval pays only once the drives make its saves cheap.
    found = advice(
        state_total="200 TB", nodes="2000", interval="8 h", job_mtbf="6 h", measured_save="2 h",
        nvme="present", pool_every="10", mode="sync",
    )  # fmt: skip
    assert len(found.plan) > 1
    assert all(step.goodput_gain >= -1e-9 for step in found.plan)
    assert found.before.goodput is not None
    assert found.after.goodput is not None
    total = sum(step.goodput_gain for step in found.plan)
    assert total == pytest.approx(found.after.goodput - found.before.goodput, abs=1e-9)


def test_a_slower_pool_is_said_to_cost() -> None:
    found = advice(**TICKET, upgrade_write="50 GB/s", upgrade_price="$1M")
    assert found.purchases[0].goodput_gain < 0
    assert "would cost" in found.purchases[0].verdict


def test_shares_after_dropping_the_saves_add_up() -> None:
    found = advice(
        state_total="1 TB", nodes="4259", interval="64.9 s", job_mtbf="790706 s", mode="sync",
        job_length="5849.83 s", measured_save="588482 s", nvme="used", local_restart_time="11 h",
    )  # fmt: skip
    after = found.after
    assert after.goodput is not None
    assert after.loss is not None
    assert after.goodput + after.loss.total == pytest.approx(1.0)
    assert after.ceiling is not None
    assert after.goodput <= after.ceiling


def test_where_the_formula_is_off_the_simulated_value_stands_beside_it() -> None:
    # Interruptions come faster than pool copies, and drains go on through the soft ones.
    facts = {
        "state_total": "100 TB", "nodes": "500", "pool_write": "5 GB/s", "interval": "30 min",
        "mode": "async", "nvme": "used", "pool_every": "12", "job_mtbf": "6 h",
        "local_survives": "process_restart", "redundancy": "partner",
        "interval_decided_by": "policy",
    }  # fmt: skip
    found = advice(**facts, drain_survives="yes")
    assert found.before.goodput is not None
    assert found.before.simulated_goodput is not None
    low, high = found.before.simulated_goodput
    assert 0 < low < high < 1
    assert abs(found.before.goodput - (low + high) / 2) < 0.01
    # One that starts again is in the formula.
    assert advice(**facts, drain_survives="no").before.simulated_goodput is None
    assert advice(**TICKET).before.simulated_goodput is None
