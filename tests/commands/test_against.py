"""What other rules would change: verdict, plan and findings, and no file is touched."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from advisor.commands.against import AgainstRow, Outlook, Said
from advisor.commands.against_table import render_text
from advisor.engine.advice import KnowledgeId
from tests.commands.support import inside

PACK = """
schema_version = 1
[pack]
id = "acme"
version = "1.0"
title = "House rules"
[rule.ACME001]
title = "Many nodes"
status = "stable"
severity = "note"
place = "evidence"
when = "nodes > 100"
message = "{nodes:count} nodes start a save at once."
remedy = []
evidence = ["nodes"]
flip = ["nodes"]
doc = "What: many nodes. Why: a burst. When it does not apply: never."
[rule.ACME001.sources.wall]
title = "House rules"
where = "the wall"
[rule.ACME002]
title = "A full pool"
status = "stable"
severity = "error"
place = "evidence"
when = "pool_fill > 0.8"
message = "The pool is full."
remedy = []
evidence = ["pool_fill"]
doc = "What: a full pool. Why: saves fail. When it does not apply: never."
[rule.ACME002.sources.wall]
title = "House rules"
where = "the wall"
"""

NO_ASYNC = '[disable.CKA01]\nreason = "not on our machine"\n'


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "acme.toml").write_text(PACK)
    return folder


def test_a_rule_that_hits_and_one_that_asks(
    pack: Path, ticket: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = ticket.read_bytes(), ticket.stat()
    ran = inside(capsys, "replay", ticket, "--against", pack)
    assert (ran.code, ran.err) == (1, "")
    assert re.search(r"^ticket +\+ACME001$", ran.out, re.MULTILINE)
    assert re.search(r"^ACME001 +1 +0$", ran.out, re.MULTILINE)
    assert re.search(r"^ACME002 +0 +0 +pool_fill in 1$", ran.out, re.MULTILINE)
    assert "1 of 1 sessions would change." in ran.out
    assert re.search(r"rules \S+, against rules \S+, acme 1\.0$", ran.out.strip())
    assert (ticket.read_bytes(), ticket.stat()) == before


def test_a_plan_without_its_first_change(
    pack: Path, ticket: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The worked example: 94.1 % with asynchronous saves; without them less."""
    (pack / "acme.toml").write_text(PACK + NO_ASYNC)
    ran = inside(capsys, "replay", ticket, "--against", pack, "--format", "json")
    (row,) = json.loads(ran.out)["sessions"]
    assert (ran.code, row["changes"]) == (1, True)
    assert row["now"]["plan"][0]["step"] == "CKA01-async_on"
    assert "CKA01-async_on" not in [step["step"] for step in row["against"]["plan"]]
    assert row["now"]["after_goodput"] == pytest.approx(0.941, abs=5e-4)
    assert row["against"]["after_goodput"] < row["now"]["after_goodput"]
    assert row["against"]["findings"]["ACME001"] == {"state": "hit", "severity": "note"}
    assert row["unknown"] == {"ACME002": ["pool_fill"]}
    shown = inside(capsys, "replay", ticket, "--against", pack)
    assert re.search(r"-CKA01-async_on", shown.out)
    assert re.search(r"94\.1 % -> \d\d\.\d %", shown.out)


def test_rules_that_change_nothing(
    pack: Path, few: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (pack / "acme.toml").write_text(PACK.replace("nodes > 100", "nodes > 1000"))
    ran = inside(capsys, "replay", few, "--against", pack)
    assert (ran.code, ran.err) == (0, "")
    assert "0 of 1 sessions would change." in ran.out


def test_louder_waived_and_in_another_order() -> None:
    """By hand, since no pack can give one of our rules another severity."""
    gain: dict[str, float | str | None] = {"mode": "async"}
    now = Outlook(
        "keep",
        {"A-x": gain, "B-y": {}},
        {"A": Said("hit", "note"), "B": Said("hit", "note")},
        0.915,
    )
    then = Outlook(
        "longer",
        {"B-y": {}, "A-x": {"mode": "sync"}},
        {"A": Said("hit", "error"), "B": Said("waived", "note"), "C": Said("error", "note")},
        None,
    )
    known = KnowledgeId("1", "d")
    shown = render_text([AgainstRow(Path("a.toml"), "a", now, then, {})], known, known)
    line = shown.split("\n")[1]
    assert line.split(None, 1)[0] == "a"
    for words in (
        "keep -> longer",
        "~A-x, in another order",
        "~A (note -> error), ~B (hit -> waived), +C (error)",
        "91.5 % -> ?",
    ):
        assert words in line


def test_a_file_that_cannot_be_read(
    pack: Path, few: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (few.parent / "bad.toml").write_text("schema_version = 1\n")
    ran = inside(capsys, "replay", few.parent, "--against", pack)
    assert ran.code == 2
    assert "bad.toml" in ran.err
    assert "1 of 1 sessions would change, 1 cannot be computed." in ran.out


def test_an_answer_to_a_question_of_the_new_rules(
    pack: Path, few: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (pack / "interview.toml").write_text(
        "schema_version = 1\n[fact.seed]\n"
        'topic = "mode"\nlabel = "Seed"\nquestion = "Which seed?"\nwhy = "Runs repeat."\n'
        'find = "The log."\nkind = "count"\n'
    )
    few.write_text(few.read_text() + '\n[answers.seed]\nvalue = "7"\n')
    ran = inside(capsys, "replay", few, "--against", pack, "--format", "json")
    (row,) = json.loads(ran.out)["sessions"]
    assert (ran.code, row["fault"]) == (1, None)


def test_an_update_at_the_same_time_is_refused(
    pack: Path, few: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = inside(capsys, "replay", few, "--against", pack, "--update")
    assert (ran.code, ran.out) == (2, "")
    assert "--against changes no file" in ran.err
