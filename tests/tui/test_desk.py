"""The desk: what a draft means, which question is open, and answers typed again."""

from __future__ import annotations

import pytest

from advisor.facts.answers import Answer
from advisor.facts.catalogue_file import load_catalogue
from advisor.facts.folders import CATALOGUE_FILE, builtin_rules
from advisor.interview.flow import Checklist
from advisor.interview.meaning import interpret
from advisor.tui.desk import Desk, Draft
from advisor.tui.typed import typed
from tests.ticket_job import TICKET


@pytest.fixture
def desk() -> Desk:
    catalogue = load_catalogue([builtin_rules() / CATALOGUE_FILE])
    return Desk(catalogue, Checklist(catalogue))


FORMS = [
    ("state", "12 TB"),
    ("state", "48 GB/node"),
    ("state", "70B parameters"),
    ("interval", "30 min"),
    ("interval", "440 steps @ 4.1 s"),
    ("interval", "500 steps"),
    ("failures", "12 in 30 d"),
    ("failures", "10 h"),
    ("failures", "3 years/node"),
    ("restart", "15 min"),
    ("restart", "10 min + 5 min"),
    ("nodes", "?"),
    ("pool_write", "~100 GB/s"),
    ("pool_write", "50-80 GB/s"),
    ("framework", "megatron-lm"),
]
"""Questions and the forms their answers are typed in."""


@pytest.mark.parametrize(("name", "text"), FORMS)
def test_an_answer_shown_again_means_the_same(desk: Desk, name: str, text: str) -> None:
    question = desk.checklist.question(name)
    first = interpret(question, text, None).answers
    again = typed(question, first)
    assert interpret(question, again, None).answers == first


def test_time_to_notice_alone_stays_what_it_is(desk: Desk) -> None:
    question = desk.checklist.question("restart")
    text = typed(question, {"detect_time": Answer("10 min")})
    answers = interpret(question, text, None).answers
    assert answers["detect_time"].value == "10 min"
    assert "restart_time" not in answers


def test_back_from_the_second_of_the_five_is_the_first(desk: Desk) -> None:
    desk.answers = {"state_total": Answer("12 TB")}
    desk.current = desk.checklist.question("nodes")
    assert desk.step(-1)
    assert desk.current.id == "state"
    assert not desk.step(-1)


def test_with_the_five_answered_every_question_is_on_the_path(desk: Desk) -> None:
    desk.answers = {name: Answer(text) for name, text in TICKET.items()}
    ids = [question.id for question in desk.path()]
    assert ids == [question.id for question in desk.checklist.questions(desk.answers)]


def test_a_draft_equal_to_the_answer_is_none(desk: Desk) -> None:
    desk.answers = {"nodes": Answer("128", "measured")}
    question = desk.checklist.question("nodes")
    desk.edit(question, Draft("129", "measured"))
    assert question.id in desk.drafts
    desk.edit(question, Draft("128", "measured"))
    assert question.id not in desk.drafts


def test_a_draft_that_is_an_alternative_takes_the_place_of_the_answer(desk: Desk) -> None:
    desk.answers = {"state_total": Answer("12 TB")}
    desk.edit(desk.checklist.question("state"), Draft("70B parameters"))
    counted = desk.typed_answers()
    assert "state_total" not in counted
    assert counted["parameters"].value == "70B"


def test_dont_know_counts_as_done(desk: Desk) -> None:
    assert not desk.five_done()
    desk.answers = {q.specs[0].name: Answer("?", "unknown") for q in desk.checklist.required()}
    assert desk.five_done()
    assert [mark for _, mark in desk.marks()][1:5] == ["?"] * 4
