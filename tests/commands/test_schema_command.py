"""The schemas: editors accept what we read, and mark what we refuse."""

from __future__ import annotations

import json
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from advisor.engine.knowledge import load_knowledge
from advisor.report.json_schema import advice_json_schema
from tests.commands.support import ROOT, inside


@pytest.fixture
def schema(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    ran = inside(capsys, "schema")
    assert (ran.code, ran.err) == (0, "")
    found: dict[str, Any] = json.loads(ran.out)
    jsonschema.Draft202012Validator.check_schema(found)
    return found


def _as_json(value: Any) -> Any:
    """What an editor for TOML hands to a schema: days and times are texts there."""
    if isinstance(value, dict):
        return {key: _as_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_json(item) for item in value]
    return value.isoformat() if isinstance(value, date) else value


def _faults(schema: dict[str, Any], text: str) -> list[str]:
    """Faults under the draft it names, and under the one that taplo follows."""
    data = _as_json(tomllib.loads(text))
    found = [e.message for e in jsonschema.Draft202012Validator(schema).iter_errors(data)]
    old = [e.message for e in jsonschema.Draft4Validator(schema).iter_errors(data)]
    assert sorted(found) == sorted(old)
    return found


@pytest.mark.parametrize("path", sorted((ROOT / "sessions").glob("*.toml")), ids=lambda p: p.stem)
def test_published_sessions_have_no_fault(path: Path, schema: dict[str, Any]) -> None:
    assert _faults(schema, path.read_text()) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[answers.nodes]", "[answers.nodez]", "'nodez' was unexpected"),
        ('value = "128"', "value = 128", "128 is not of type 'string'"),
        ('value = "sync"', 'value = "synch"', "'synch' is not one of"),
        ("[answers.mode]", '[answers.mode]\nhow = "x"', "'how' was unexpected"),
        ("[answers.mode]", '[waivers.CKA01]\nby = "x"\n[answers.mode]', "'reason' is a required"),
    ],
)
def test_faults_are_marked(
    old: str, new: str, said: str, ticket: Path, schema: dict[str, Any]
) -> None:
    text = ticket.read_text()
    assert _faults(schema, text) == []
    faults = _faults(schema, text.replace(old, new, 1))
    assert any(said in fault for fault in faults)


def test_every_fact_comes_with_its_question_and_every_rule_with_its_title(
    schema: dict[str, Any],
) -> None:
    knowledge = load_knowledge()
    facts = schema["properties"]["answers"]["properties"]
    assert [*facts] == [*knowledge.catalogue.facts]
    nodes = knowledge.catalogue.facts["nodes"]
    assert facts["nodes"]["title"] == nodes.label
    assert facts["nodes"]["description"].startswith(nodes.question)
    rules = schema["properties"]["waivers"]["properties"]
    assert {rule: entry["title"] for rule, entry in rules.items()} == {
        rule.id: rule.title for rule in knowledge.pack.rules.values()
    }


def test_the_schema_of_the_export(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(inside(capsys, "schema", "advice").out) == advice_json_schema()


def test_into_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "session.schema.json"
    ran = inside(capsys, "schema", "-o", target)
    assert (ran.code, ran.out, ran.err) == (0, "", f"written to {target}\n")
    assert target.read_text() == inside(capsys, "schema").out


def test_facts_of_a_site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "interview.toml").write_text(
        'schema_version = 1\n[fact.seed]\ntopic = "mode"\nlabel = "Seed"\n'
        'question = "Which seed?"\nwhy = "Runs repeat."\nfind = "The log."\nkind = "count"\n'
    )
    ran = inside(capsys, "schema", "--rules", tmp_path)
    assert "seed" in json.loads(ran.out)["properties"]["answers"]["properties"]
