"""From answers to facts: which value is in force, from where, and what contradicts it."""

from __future__ import annotations

from functools import cache

import pytest

from advisor.facts.answers import Answer
from advisor.facts.catalogue import Catalogue
from advisor.facts.catalogue_file import load_catalogue
from advisor.facts.folders import CATALOGUE_FILE, builtin_rules
from advisor.facts.resolve import AnswerError, Facts, Suggestion, resolve


@cache
def catalogue() -> Catalogue:
    return load_catalogue([builtin_rules() / CATALOGUE_FILE])


def facts(suggestions: dict[str, Suggestion] | None = None, /, **answers: Answer | str) -> Facts:
    given = {
        name: answer if isinstance(answer, Answer) else Answer(answer, "measured")
        for name, answer in answers.items()
    }
    return resolve(given, catalogue(), suggestions)


def test_a_given_value_keeps_its_range_and_its_source() -> None:
    fact = facts(state_total=Answer("10-20 GB", "estimated")).facts["state_total"]
    assert (fact.low, fact.high) == (10e9, 20e9)
    assert fact.value == pytest.approx((10e9 * 20e9) ** 0.5)  # geometric middle
    assert fact.source == "estimated"


def test_about_is_never_measured() -> None:
    assert facts(state_total="~15 GB").facts["state_total"].source == "estimated"


def test_a_site_fact_is_named_as_such() -> None:
    fact = facts(pool_write=Answer("1 GB/s", "measured", origin="site")).facts["pool_write"]
    assert fact.source == "site"


def test_defaults_followers_and_the_unknown() -> None:
    found = facts(nodes="64").facts
    assert found["restart_time"].source == "default"
    assert found["restart_time"].value == 900.0
    assert (found["restart_time"].low, found["restart_time"].high) == (300.0, 3600.0)
    assert found["writing_nodes"].source == "derived"
    assert found["writing_nodes"].value == 64.0
    assert found["pool_write"].source == "unknown"
    assert found["pool_write"].value is None


def test_dont_know_keeps_its_note() -> None:
    fact = facts(pool_write=Answer("?", "unknown", note="ask storage")).facts["pool_write"]
    assert fact.value is None
    assert fact.note == "ask storage"


def test_a_default_depends_on_the_choice_it_is_for() -> None:
    # Object stores are more uneven than others: 5 against 1.5 from save to save.
    assert facts().facts["save_variation"].value == 1.5
    assert facts(pool_kind="object_s3").facts["save_variation"].value == 5.0


def test_a_suggestion_comes_before_the_default_and_after_an_answer() -> None:
    hint = {"async_writer": Suggestion("process", "Megatron-LM: a process writes")}
    found = facts(hint).facts["async_writer"]
    assert (found.value, found.source) == ("process", "default")
    assert "Megatron" in found.note
    assert facts(hint).scenario().number("drain_slowdown") == 0.1
    assert facts(hint, async_writer="thread").scenario().number("drain_slowdown") == 0.3


@pytest.mark.parametrize(
    ("answers", "kept", "dropped"),
    [
        # 48 nodes x 48 GB = 2,304 GB: agrees with 2,300 GB; both are in force (fullest node).
        ({"nodes": "48", "state_total": "2300 GB", "state_per_node": "48 GB"}, None, ()),
        # The fullest node may hold up to half more than the mean share, 47.9 GB.
        ({"nodes": "48", "state_total": "2300 GB", "state_per_node": "70 GB"}, None, ()),
        # It cannot hold less.
        (
            {"nodes": "48", "state_total": "2300 GB", "state_per_node": "20 GB"},
            "state_total",
            ("state_per_node",),
        ),
        ({"job_mtbf": "10 h", "nodes": "10", "node_mtbf": "100 h"}, None, ("node_mtbf",)),
        ({"job_mtbf": "10 h", "nodes": "10", "node_mtbf": "200 h"}, "job_mtbf", ("node_mtbf",)),
        (
            {"interval": "30 min", "interval_steps": "100", "step_time": "10 s"},
            "interval",
            ("interval_steps",),
        ),
        ({"restart_time": "15 min", "detect_time": "10 min", "init_time": "5 min"}, None,
         ("detect_time",)),
        # Slowest 1.5 times the usual one of 10: lognormal, p99/p50 between 1.44 and 4.30.
        ({"rank_times": "60, 60, 60, 60, 60, 60, 60, 60, 60, 90 s", "tail_ratio": "4"}, None,
         ("tail_ratio",)),
        ({"rank_times": "60, 60, 60, 60, 60, 60, 60, 60, 60, 90 s", "tail_ratio": "5"},
         "rank_times", ("tail_ratio",)),
        ({"rank_times": "60, 60, 60, 60, 60, 60, 60, 60, 60, 90 s", "tail_ratio": "1.3"},
         "rank_times", ("tail_ratio",)),
    ],
)  # fmt: skip
def test_alternatives(answers: dict[str, str], kept: str | None, dropped: tuple[str, ...]) -> None:
    found = facts(**answers)
    assert [c.kept for c in found.contradictions] == ([] if kept is None else [kept])
    inactive = {name for name, fact in found.facts.items() if not fact.active}
    assert inactive == set(dropped)


def test_the_better_source_wins_a_contradiction() -> None:
    found = facts(
        nodes="10", job_mtbf=Answer("10 h", "guessed"), node_mtbf=Answer("200 h", "measured")
    )
    (clash,) = found.contradictions
    assert (clash.kept, clash.dropped) == ("node_mtbf", "job_mtbf")
    assert found.scenario().number("job_mtbf") is None


def test_a_contradiction_of_slow_writers_names_both_ratios() -> None:
    listed = ", ".join(["60 s"] * 9 + ["90 s"])
    (clash,) = facts(rank_times=listed, tail_ratio="5").contradictions
    assert (clash.kept, clash.dropped, clash.unit) == ("rank_times", "tail_ratio", "ratio")
    # The typical slowest of 10 is at q = 0.5^(1/10) = 0.93303, z = 1.4987: 1.5^(2.32635/1.4987).
    assert (clash.kept_value, clash.dropped_value) == pytest.approx((1.8764, 5.0), rel=1e-4)
    guessed = facts(rank_times=Answer(listed, "guessed"), tail_ratio="5")
    assert [c.kept for c in guessed.contradictions] == ["tail_ratio"]
    assert guessed.scenario().times("rank_times") is None
    assert guessed.scenario().number("tail_ratio") == 5.0


def test_a_list_of_times_is_kept_as_typed_and_each_time_has_limits() -> None:
    fact = facts(rank_times=" 41 s, 1 min ").facts["rank_times"]
    assert (fact.value, fact.source) == ("41 s, 1 min", "measured")
    assert facts(rank_times="41 s, 1 min").scenario().times("rank_times") == (41.0, 60.0)
    assert facts(rank_times="?").facts["rank_times"].value is None


def test_a_member_without_what_it_needs_is_not_in_force() -> None:
    found = facts(interval_steps="100", interval="30 min")
    assert found.scenario().number("interval_steps") is None
    assert found.scenario().number("interval") == 1800.0
    alone = facts(interval_steps="100")
    assert alone.contradictions == ()


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("mode", "synch", "sync, async"),
        ("state_total", "18 Gb", "bits"),
        ("nodes", "0", "under the least"),
        ("nodes", "1.5", "whole"),
        ("duty", "150%", "over the most"),
        ("rank_times", "41 s", "One time says nothing"),
        ("rank_times", "41 s, 1 us", "under the least, 0.001 s"),
        ("rank_times", "41 s, 20 years", "over the most, 10 years"),
        ("interval", "30", "unit"),
        ("no_such_fact", "1", "no such fact"),
    ],
)
def test_what_cannot_be_used_says_why(name: str, text: str, words: str) -> None:
    with pytest.raises(AnswerError) as error:
        facts(**{name: text})
    assert error.value.name == name
    assert words in str(error.value)


def test_a_lever_that_changes_a_choice_changes_its_defaults() -> None:
    sc = facts(nodes="8", state_total="1 TB", mode="async").scenario()
    assert sc.number("drain_slowdown") == 0.3
    assert sc.changed({"async_writer": "process"}).number("drain_slowdown") == 0.1
    fixed = sc.changed({"drain_slowdown": 0.2})
    assert fixed.changed({"async_writer": "process"}).number("drain_slowdown") == 0.2
    assert fixed.changed({"drain_slowdown": None}).number("drain_slowdown") == 0.3
