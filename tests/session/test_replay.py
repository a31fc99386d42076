"""Replay: the record of an advice, what counts as a difference, and how one is explained."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

import advisor
from advisor.engine.knowledge import Knowledge, load_knowledge
from advisor.facts.answers import Answer
from advisor.session.differences import Difference, differences
from advisor.session.document import Session, Waiver, render_session
from advisor.session.replay import Replayed, is_current, replay, with_record
from advisor.session.store import load, save

ANSWERS = {
    "nodes": "128",
    "state_total": "12 TB",
    "pool_write": "100 GB/s",
    "interval": "15 min",
    "mode": "sync",
    "nvme": "present",
    "job_mtbf": "10 h",
    "restart_time": "15 min",
    "accelerator_hour": "$3/h",
    "acceptable_pause": "60 s",
    "host_memory_free": "1 TB",
    "framework": "megatron-lm",
    "framework_version": "0.16.0",
}


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


@pytest.fixture(scope="module")
def job() -> Session:
    answers = {name: Answer(value) for name, value in ANSWERS.items()}
    return Session("job", updated=datetime(2026, 11, 29, tzinfo=UTC), answers=answers)


@pytest.fixture(scope="module")
def advised(job: Session, knowledge: Knowledge) -> Session:
    """The job with the advice of today stored."""
    return _advised(job, knowledge)


def _advised(job: Session, knowledge: Knowledge) -> Session:
    record = replay(job, knowledge).record
    assert record is not None
    return with_record(job, record)


def _stored(session: Session) -> dict[str, Any]:
    assert session.advice is not None
    return dict(session.advice)


def _edited(session: Session, **changes: Any) -> Session:
    return replace(session, advice={**_stored(session), **changes})


def test_a_session_without_advice_is_new(job: Session, knowledge: Knowledge) -> None:
    result = replay(job, knowledge)
    assert (result.session_id, result.state, result.differences) == ("job", "new", ())


def test_the_record_survives_its_file(
    advised: Session, knowledge: Knowledge, tmp_path: Path
) -> None:
    path = tmp_path / "job.toml"
    save(advised, path, expected_digest=None)
    again = load(path, knowledge.catalogue)[0]
    assert again.advice == advised.advice
    result = replay(again, knowledge)
    assert (result.state, result.differences, result.why) == ("same", (), ())


def test_the_record_has_the_figures_of_the_worked_example(advised: Session) -> None:
    """Expected: a save takes 12 TB over 100 GB/s; 15.3 % lost is $4.12M of 1024 x 8760 h x $3."""
    stored = _stored(advised)
    assert stored["barrier_p50_s"] == pytest.approx(12e12 / 100e9)
    assert stored["bytes_total"] == pytest.approx(12e12)
    assert stored["interruptions_per_year"] == pytest.approx(8760 / 10)
    assert stored["goodput"] == pytest.approx(0.847, abs=5e-4)
    assert stored["after_goodput"] == pytest.approx(0.941, abs=5e-4)
    lost = 1024 * 8760 * 3 * (1 - stored["goodput"])
    assert stored["idle_cost_per_year"] == pytest.approx(lost)
    assert (stored["interval_verdict"], stored["interval_s"]) == ("longer", 900)
    assert stored["knowledge_version"]
    assert len(stored["knowledge_digest"]) == len(stored["answers_digest"]) == 64
    assert stored["advisor_version"] == advisor.__version__
    assert stored["missing"] == []
    step = stored["plan"]["CKA01-async_on"]
    assert (step["order"], step["settings"]["mode"]) == (1, "async")
    assert stored["goodput"] + step["goodput_gain"] == pytest.approx(stored["after_goodput"])


def test_the_record_is_plain_toml_without_nulls(job: Session, knowledge: Knowledge) -> None:
    few = replace(job, answers={"nodes": Answer("128"), "mode": Answer("sync")})
    stored = _advised(few, knowledge)
    assert tomllib.loads(render_session(stored))["advice"] == stored.advice
    assert "goodput" not in _stored(stored)
    assert {"goodput", "after_goodput", "idle_cost_per_year"} <= set(_stored(stored)["missing"])
    assert replay(stored, knowledge).state == "same"


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        (lambda a: {"goodput": a["goodput"] * (1 + 5e-7)}, False),
        (lambda a: {"goodput": a["goodput"] * (1 + 5e-6)}, True),
        (lambda a: {"loss_drain": 5e-10}, False),
        (lambda a: {"loss_drain": 5e-8}, True),
        (lambda a: {"best_interval_s": a["best_interval_s"] * (1 + 5e-5)}, False),
        (lambda a: {"best_interval_s": a["best_interval_s"] * (1 + 5e-4)}, True),
        (lambda a: {"after_best_interval_s": a["after_best_interval_s"] * 1.00005}, False),
        (lambda a: {"interval_s": 900}, False),
        (lambda a: {"interval_s": "900"}, True),
        (lambda a: {"path": "local"}, True),
        (lambda a: {"hits": [*a["hits"][1:]]}, True),
        (lambda a: {"interval_verdict": "keep"}, True),
    ],
)
def test_tolerances(
    change: Callable[[Mapping[str, Any]], dict[str, Any]], differs: bool, advised: Session
) -> None:
    now = _stored(advised)
    changes = change(now)
    wanted = [Difference(key, then, now[key]) for key, then in changes.items()] if differs else []
    assert list(differences({**now, **changes}, now)) == wanted


def test_a_figure_counts_as_new_only_where_the_record_says_it_was_missing() -> None:
    now = {"goodput": 0.9, "missing": [], "plan": {}}
    assert differences({"missing": []}, now) == ()
    assert differences({"missing": ["goodput"]}, now) == (Difference("goodput", None, 0.9),)


def test_a_figure_that_is_gone_is_a_difference() -> None:
    now = {"missing": ["goodput"], "plan": {}}
    assert differences({"goodput": 0.9}, now) == (Difference("goodput", 0.9, None),)


def test_the_plan_step_by_step() -> None:
    one = {"order": 1, "goodput_gain": 0.1, "settings": {"mode": "async"}}
    two = {"order": 2, "goodput_gain": 0.01, "settings": {"interval": 900.0}}
    now = {"plan": {"CKA01-async_on": one}}
    assert differences({}, now) == ()
    assert differences(now, now) == ()
    assert differences({"plan": {"CKA01-async_on": {"order": 1}}}, now) == ()
    assert differences({"plan": {}}, now) == (Difference("plan.CKA01-async_on", None, one),)
    gone = differences({"plan": {"CKA01-async_on": one, "CKI01-longer_interval": two}}, now)
    assert gone == (Difference("plan.CKI01-longer_interval", two, None),)
    setting = differences({"plan": {"CKA01-async_on": {**one, "settings": {}}}}, now)
    assert setting == (Difference("plan.CKA01-async_on.settings.mode", None, "async"),)
    assert differences({"plan": "none"}, now) == (Difference("plan", "none", now["plan"]),)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"knowledge_version": "2025.01", "knowledge_digest": "0"}, "rules 2025.01 became "),
        ({"knowledge_digest": "0"}, "the rules changed, their version did not"),
        ({"advisor_version": "0.0.1"}, "ckpt-advisor 0.0.1 became "),
        ({}, "same answers, rules and version"),
    ],
)
def test_a_difference_is_explained(
    changes: dict[str, str], why: str, advised: Session, knowledge: Knowledge
) -> None:
    result = replay(_edited(advised, goodput=0.5, **changes), knowledge)
    assert result.state == "differs"
    assert len(result.why) == 1
    assert result.why[0].startswith(why)


def test_changed_rules_without_a_changed_figure_are_no_difference(
    advised: Session, knowledge: Knowledge
) -> None:
    old = _edited(advised, knowledge_digest="0")
    result = replay(old, knowledge)
    assert (result.state, result.why) == ("same", ())
    assert result.record is not None
    assert not is_current(old, result.record)
    assert is_current(advised, result.record)


def test_a_changed_answer_is_seen(advised: Session, knowledge: Knowledge) -> None:
    edited = advised.with_answer("interval", Answer("20 min"), datetime(2026, 11, 30, tzinfo=UTC))
    result = replay(edited, knowledge)
    assert result.why == ("the answers changed since it was stored",)
    assert Difference("interval_s", 900.0, 1200.0) in result.differences


def test_a_hand_written_record_is_compared_by_what_it_says(
    job: Session, knowledge: Knowledge
) -> None:
    assert replay(replace(job, advice={"interval_s": 900}), knowledge).state == "same"
    result = replay(replace(job, advice={"goodput": 0.7}), knowledge)
    assert [item.key for item in result.differences] == ["goodput"]
    assert result.why == ("the stored advice does not say what it was computed with",)


def test_waivers_are_judged_at_the_day_of_the_session(job: Session, knowledge: Knowledge) -> None:
    waiver = {"CKA01": Waiver("not before the upgrade", until=date(2026, 12, 1))}
    before = replace(job, waivers=waiver)
    after = replace(before, updated=datetime(2026, 12, 2, tzinfo=UTC))
    assert "CKA01" not in _hits(replay(before, knowledge))
    assert "CKA01" in _hits(replay(after, knowledge))


def test_an_answer_that_cannot_be_read_is_an_error_of_this_session(
    job: Session, knowledge: Knowledge
) -> None:
    result = replay(replace(job, answers={**job.answers, "nodes": Answer("12x")}), knowledge)
    assert (result.state, result.record) == ("error", None)
    assert result.why[0].startswith("nodes: ")


def test_the_record_does_not_depend_on_the_order_of_the_answers(
    job: Session, knowledge: Knowledge
) -> None:
    turned = replace(job, answers=dict(reversed(list(job.answers.items()))))
    assert _advised(turned, knowledge).advice == _advised(job, knowledge).advice


def test_storing_the_advice_changes_nothing_else(job: Session, advised: Session) -> None:
    assert replace(advised, advice=None) == job


def _hits(result: Replayed) -> list[str]:
    assert result.record is not None
    return list(result.record["hits"])
