"""The fleet as a document: the sum in a sentence, the marks, and what is left out."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from advisor.engine.advice import KnowledgeId
from advisor.report import markdown, text
from advisor.report.fleet import fleet_report, headline, why_not
from advisor.report.fleet_json import render
from advisor.session.fleet import FleetRow

ONE = FleetRow(
    Path("one.toml"), "one", "One", 128, 0.812, 0.923, 2e6, 1e6,
    first_change="Save asynchronously", changes=2, answered=date(2026, 1, 2), measured=3, answers=9,
)  # fmt: skip
KEEP = replace(ONE, session="keep", saving=0.0, idle=5e5, changes=0, first_change="")
LACKS = FleetRow(Path("lacks.toml"), "lacks", missing=("Pool write rate", "Nodes"))
BAD = FleetRow(Path("bad.toml"), "bad", fault="line 3: this is missing")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([ONE], "1 job loses $2M a year; changes of configuration would give back $1M of it."),
        ([ONE, KEEP], "2 jobs lose $2.5M a year; changes to 1 of them would give back $1M of it."),
        ([KEEP, BAD], "1 of 2 sessions loses $500k a year; no change is worth its effort."),
        (
            [replace(ONE, price_assumed=True), LACKS, BAD],
            "1 of 3 sessions loses about $2M a year; changes of configuration would give back $1M"
            " of it.",
        ),
        ([LACKS], "None of 1 session could be computed."),
        ([replace(ONE, idle=None, saving=None)], "1 job computed; no price is known."),
    ],
)
def test_the_first_sentence(rows: list[FleetRow], said: str) -> None:
    assert headline(rows) == said


def test_the_table_and_its_sum() -> None:
    lines = text.render(fleet_report([KEEP, ONE], "idle"), 100).split("\n")
    assert lines[2].split() == [
        *("session", "nodes", "goodput", "after", "idle", "a", "year", "would", "save"),
        *("first", "change"),
    ]
    assert lines[4].split() == [
        *("one", "128", "81.2", "%", "92.3", "%", "$2M", "$1M"),
        *["Save", "asynchronously", "(1", "of", "2)"],
    ]
    assert lines[5].split()[-1] == "keep"
    assert lines[6].split() == ["all", "$2.5M", "$1M"]


def test_an_assumed_price_is_marked_everywhere() -> None:
    shown = text.render(fleet_report([replace(ONE, price_assumed=True), KEEP], "saving"), 100)
    assert "~$1M" in shown
    assert "~$2.5M" in shown
    assert " $500k" in shown
    assert "~: nobody gave the price of an hour" in shown


def test_the_view_of_the_evidence() -> None:
    shown = markdown.render(fleet_report([ONE, replace(ONE, answered=None)], "evidence"))
    assert "| one | no date | 3 of 9 | 128 |" in shown
    assert shown.index("no date") < shown.index("2026-01-02")


def test_what_could_not_be_computed_is_named_with_the_reason() -> None:
    shown = text.render(fleet_report([ONE, LACKS, BAD], "idle"), 100)
    assert "- lacks: not known: pool write rate and nodes." in shown
    assert "- bad: cannot be read, line 3: this is missing." in shown
    assert why_not(FleetRow(Path("x"), "x")) == "no periodic save is computed for it"


def test_the_same_for_scripts() -> None:
    data = json.loads(render([KEEP, BAD, LACKS, ONE], "saving", KnowledgeId("1", "d")))
    assert [row["session"] for row in data["sessions"]] == ["one", "keep"]
    assert (data["idle_cost_per_year"], data["saves_per_year"]) == (2.5e6, 1e6)
    assert data["sessions"][0]["answered"] == "2026-01-02"
    assert data["sessions"][1]["first_change"] is None
    assert [(row["session"], row["fault"]) for row in data["not_computed"]] == [
        ("bad", "line 3: this is missing"),
        ("lacks", None),
    ]
    assert data["not_computed"][1]["missing"] == ["Pool write rate", "Nodes"]
