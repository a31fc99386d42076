"""The checklist: what is asked, in which order, for which answers."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.engine.knowledge import Knowledge, load_knowledge
from advisor.facts.answers import Answer
from advisor.interview.flow import Checklist, Question, answered

FIVE = {
    "state_total": "12 TB",
    "nodes": "128",
    "interval": "15 min",
    "mode": "sync",
    "nvme": "present",
}
"""One answer to each of the five questions."""

CHECKLIST = Checklist(load_knowledge().catalogue)
"""For properties, which take no fixtures of narrower scope."""


def answers(**texts: str) -> dict[str, Answer]:
    return {name: Answer(text) for name, text in texts.items()}


def ids(questions: tuple[Question, ...]) -> list[str]:
    return [question.id for question in questions]


def following(checklist: Checklist, after: str | None = None, **texts: str) -> str | None:
    question = checklist.next_question(answers(**texts), after)
    return None if question is None else question.id


def test_the_five_stand_in_the_order_of_the_interview(checklist: Checklist) -> None:
    five = checklist.required()
    assert ids(five) == ["state", "nodes", "interval", "mode", "nvme"]
    assert [question.number for question in five] == [1, 2, 3, 4, 5]
    assert all(question.required and question.follows == "" for question in five)


def test_alternatives_are_one_question(checklist: Checklist) -> None:
    state = checklist.question("state")
    assert [s.name for s in state.specs] == ["state_total", "state_per_node", "parameters"]
    assert checklist.question("parameters") == state
    assert [s.name for s in checklist.question("interval").companions] == ["step_time"]


def test_a_follow_up_names_the_question_it_refines(checklist: Checklist) -> None:
    pool = checklist.question("pool_write")
    assert (pool.required, pool.number, pool.follows) == (False, 0, "nodes")
    # Money refines none of the five.
    assert checklist.question("accelerator_hour").follows == ""


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ({}, "state"),
        ({"state_total": "12 TB"}, "nodes"),
        ({"state_per_node": "48 GB"}, "nodes"),
        ({"parameters": "70B"}, "nodes"),
        ({"nodes": "128"}, "state"),
        ({"state_total": "?"}, "nodes"),
        ({"state_total": "12 TB", "nodes": "128", "nvme": "used"}, "interval"),
        # A number of steps is no interval before the time of one is known.
        ({"state_total": "12 TB", "nodes": "128", "interval_steps": "440"}, "step_time"),
        (
            {
                "state_total": "12 TB",
                "nodes": "128",
                "interval_steps": "440",
                "step_time": "4.1 s",
            },
            "mode",
        ),
        (
            {"state_total": "12 TB", "nodes": "128", "interval_steps": "440", "step_time": "?"},
            "mode",
        ),
        # The other alternative is complete, so the steps need nothing more.
        (
            {"state_total": "1 TB", "nodes": "8", "interval_steps": "4", "interval": "1 h"},
            "mode",
        ),
    ],
)
def test_the_five_come_first(checklist: Checklist, texts: dict[str, str], expected: str) -> None:
    assert following(checklist, **texts) == expected


def test_the_time_of_a_step_can_be_left_for_later_but_comes_back(checklist: Checklist) -> None:
    texts = {"state_total": "12 TB", "nodes": "128", "interval_steps": "440"}
    assert following(checklist, "step_time", **texts) == "mode"
    assert following(checklist, "mode", **texts, mode="sync") == "step_time"


def test_what_moves_the_result_most_is_asked_first(checklist: Checklist) -> None:
    # Without a rate of the pool there is no goodput; then the failures, then what can be changed.
    assert following(checklist, **FIVE) == "pool_write"
    assert following(checklist, "pool_write", **FIVE) == "failures"
    assert following(checklist, "failures", **FIVE) == "framework"
    # Behind the early ones the topics in their order; replicas only with more than one node.
    assert following(checklist, "accelerator_hour", **FIVE) == "replicas"
    single = {**FIVE, "nodes": "1"}
    assert following(checklist, "accelerator_hour", **single) == "changed_fraction"


def test_walking_on_goes_round_and_leaves_out_what_was_skipped_just_now(
    checklist: Checklist,
) -> None:
    assert following(checklist, "replicas", **FIVE) == "changed_fraction"
    # Nothing is asked behind the last topic, so what is open at the top follows.
    last = ids(checklist.questions(answers(**FIVE)))[-1]
    assert following(checklist, last, **FIVE) == "pool_write"


def test_nothing_is_left_when_everything_is_answered(checklist: Checklist) -> None:
    everything = dict.fromkeys(load_knowledge().catalogue.facts, Answer("?"))
    assert checklist.next_question(everything) is None
    assert checklist.next_question(everything, "pool_write") is None


def test_an_unknown_question_is_an_error(checklist: Checklist) -> None:
    with pytest.raises(KeyError):
        checklist.question("zork")
    with pytest.raises(KeyError):
        checklist.next_question(answers(**FIVE), "zork")


@pytest.mark.parametrize(
    ("texts", "name", "asked"),
    [
        # A condition over a fact with a default holds on the default: 8 accelerators a node.
        ({}, "accelerator_hour", True),
        ({"accelerators_per_node": "0"}, "accelerator_hour", False),
        ({"accelerators_per_node": "0"}, "node_hour", True),
        ({}, "single_stream_write", False),
        ({"writers": "one"}, "single_stream_write", True),
        ({"writers": "one_per_node"}, "single_stream_write", True),
        ({}, "snapshot_rate", False),
        ({"mode": "async"}, "snapshot_rate", True),
        ({"mode": "async", "measured_stall": "6 s"}, "snapshot_rate", False),
        # Nobody was asked for the mode: nothing follows from it. Who does not know it is asked
        # what goes with the mode that is taken then, synchronous.
        ({}, "acceptable_pause", False),
        ({"mode": "?"}, "acceptable_pause", True),
        ({"mode": "?"}, "snapshot_rate", False),
        ({"announced_share": "30%"}, "preemption_notice", True),
        ({"announced_share": "?"}, "preemption_notice", False),
        # An answer that cannot be read counts as unknown.
        ({"announced_share": "often"}, "preemption_notice", False),
        # 128 nodes x 8 ranks = 1,024; 512 nodes x 8 = 4,096, from which creates are asked.
        ({"nodes": "128"}, "pool_creates", False),
        ({"nodes": "512"}, "pool_creates", True),
    ],
)
def test_follow_ups_are_asked_by_their_conditions(
    checklist: Checklist, texts: dict[str, str], name: str, asked: bool
) -> None:
    assert (name in ids(checklist.questions(answers(**texts)))) is asked


def test_an_answered_follow_up_stays_when_its_condition_goes(checklist: Checklist) -> None:
    given = answers(mode="async", snapshot_rate="50 GB/s")
    assert "snapshot_rate" in ids(checklist.questions(given))
    given["mode"] = Answer("sync")
    assert "snapshot_rate" in ids(checklist.questions(given))
    del given["snapshot_rate"]
    assert "snapshot_rate" not in ids(checklist.questions(given))


def test_each_topic_starts_with_its_question_of_the_five(checklist: Checklist) -> None:
    shown = checklist.questions(answers(**FIVE))
    seen: set[str] = set()
    for question in shown:
        if question.topic.id not in seen and question.topic.id != "money":
            assert question.required
        seen.add(question.topic.id)
    numbers = [question.topic.number for question in shown]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize(
    ("texts", "known"),
    [
        ({}, 0),
        ({"state_total": "12 TB", "nodes": "128"}, 2),
        ({"state_total": "?", "nodes": "128"}, 1),
        ({"interval_steps": "440"}, 0),
        ({"interval_steps": "440", "step_time": "4 s"}, 1),
        ({"nodes": "many"}, 0),
        (FIVE, 5),
    ],
)
def test_known_of_the_five(checklist: Checklist, texts: dict[str, str], known: int) -> None:
    assert checklist.known_required(answers(**texts)) == known


def test_do_not_know_is_an_answer(checklist: Checklist) -> None:
    assert answered(checklist.question("nodes"), answers(nodes="?"))
    assert not answered(checklist.question("nodes"), {})


@given(st.permutations(sorted(FIVE)))
def test_the_order_of_answering_does_not_matter(order: list[str]) -> None:
    in_this_order: dict[str, Answer] = {}
    for name in order:
        in_this_order[name] = Answer(FIVE[name])
    sorted_ones = answers(**FIVE)
    assert in_this_order == sorted_ones
    assert CHECKLIST.questions(in_this_order) == CHECKLIST.questions(sorted_ones)
    assert CHECKLIST.next_question(in_this_order) == CHECKLIST.next_question(sorted_ones)


@settings(max_examples=30)
@given(st.data())
def test_an_interview_ends_and_asks_nothing_twice(data: st.DataObject) -> None:
    """Whatever is chosen or not known, every question comes at most once."""
    given_so_far: dict[str, Answer] = {}
    asked: list[str] = []
    after: str | None = None
    while (question := CHECKLIST.next_question(given_so_far, after)) is not None:
        assert question.id not in asked
        asked.append(question.id)
        spec = question.specs[0]
        known = data.draw(st.booleans())
        members = list(spec.choices) if spec.kind == "choice" else [spec.hint.split(", ")[0]]
        text = data.draw(st.sampled_from(members)) if known else "?"
        given_so_far[spec.name] = Answer(text)
        after = question.id
    assert asked[:5] == ["state", "nodes", "interval", "mode", "nvme"]


def test_every_question_can_be_reached(knowledge: Knowledge, checklist: Checklist) -> None:
    everything = dict.fromkeys(knowledge.catalogue.facts, Answer("?"))
    names = {s.name for q in checklist.questions(everything) for s in q.specs}
    assert names == set(knowledge.catalogue.facts)


def test_the_first_screen_stays_light() -> None:
    """Neither the questions nor their reading nor the saving may wait for a large library."""
    code = (
        "import sys\n"
        "import advisor.interview.flow, advisor.interview.meaning, advisor.interview.live\n"
        "import advisor.interview.wording, advisor.session.editing\n"
        "print([name for name in ('numpy', 'pydantic', 'textual') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
