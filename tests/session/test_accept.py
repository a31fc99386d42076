"""How an answer enters a session."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from advisor.facts.answers import Answer
from advisor.session.accept import accept, changes
from advisor.session.document import Session
from advisor.session.journal import Change, apply

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
LATER = NOW + timedelta(minutes=5)

OLD = Session("a", updated=NOW, answers={"nodes": Answer("4"), "state_total": Answer("1 TB")})


def test_new_answers_go_to_the_end_in_the_order_given() -> None:
    given = {"mode": Answer("sync"), "nvme": Answer("none")}
    after = accept(OLD, given, (), LATER)
    assert list(after.answers) == ["nodes", "state_total", "mode", "nvme"]
    assert after.updated == LATER


def test_a_changed_answer_keeps_its_place() -> None:
    after = accept(OLD, {"nodes": Answer("8")}, (), LATER)
    assert list(after.answers) == ["nodes", "state_total"]
    assert after.answers["nodes"].value == "8"


def test_an_alternative_takes_the_place_of_another() -> None:
    after = accept(OLD, {"parameters": Answer("70B")}, ("state_total", "state_per_node"), LATER)
    assert list(after.answers) == ["nodes", "parameters"]


def test_nothing_new_is_the_same_session() -> None:
    assert accept(OLD, {"nodes": Answer("4")}, ("parameters",), LATER) is OLD


def test_advice_goes_with_the_values_it_was_given_for() -> None:
    advised = Session("a", answers={"nodes": Answer("4", "measured")}, advice={"goodput": 0.9})
    assert accept(advised, {"nodes": Answer("8", "measured")}, (), LATER).advice is None
    assert accept(advised, {"nodes": Answer("4", "guessed")}, (), LATER).advice is None
    noted = accept(advised, {"nodes": Answer("4", "measured", "squeue")}, (), LATER)
    assert noted.advice == {"goodput": 0.9}


def test_changes_lead_from_one_session_to_the_other() -> None:
    after = accept(OLD, {"parameters": Answer("70B")}, ("state_total",), LATER)
    made = changes(OLD, after, LATER)
    assert made == (
        Change(LATER, "state_total", None),
        Change(LATER, "parameters", Answer("70B")),
    )
    assert apply(OLD, made) == after
    assert changes(OLD, OLD, LATER) == ()
