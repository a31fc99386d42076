"""The SARIF log: valid by the schema of the standard, and right where no schema looks."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import jsonschema  # type: ignore[import-untyped]  # it ships no types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.engine.advice import Finding
from advisor.engine.advise import advise
from advisor.engine.knowledge import Knowledge, load_knowledge
from advisor.facts.answers import Answer
from advisor.report.sarif import fingerprint, message_text, render
from advisor.session.document import Session, Waiver, render_session
from advisor.session.store import load
from tests.report.support import CASES, session
from tests.report.test_report_html import ATTACKS
from tests.ticket_job import TICKET

SCHEMA = json.loads(
    (Path(__file__).parent / "schemas" / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8")
)
TODAY = date(2026, 11, 29)
SESSIONS = Path(__file__).parents[2] / "sessions"


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def log_of(path: Path, knowledge: Knowledge) -> dict[str, Any]:
    """The log of a session file, valid or the test fails."""
    found = load(path, knowledge.catalogue)[0]
    log: dict[str, Any] = json.loads(render(advise(found, knowledge, TODAY), knowledge, path))
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    check(log)
    return log


def check(log: dict[str, Any]) -> None:
    """What the standard asks and the schema cannot."""
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        # 3.27.10: a level only where something failed.
        assert (result["kind"] == "fail") == (result["level"] != "none")
        assert result["suppressions"] == [] or result["kind"] == "fail"


def written(folder: Path, one: Session, name: str = "job.toml") -> Path:
    path = folder / name
    path.write_text(render_session(one), encoding="utf-8")
    return path


def results(log: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {r["ruleId"]: r for r in log["runs"][0]["results"]}


def line(path: Path, place: dict[str, Any]) -> tuple[str, str]:
    """The line a location points at, with the table it stands in."""
    number = place["physicalLocation"]["region"]["startLine"]
    lines = path.read_text(encoding="utf-8").split("\n")[:number]
    table = next((ln for ln in reversed(lines) if ln.startswith("[")), "")
    return table, lines[-1]


@pytest.mark.parametrize("name", CASES)
def test_every_kind_of_job_gives_a_valid_log(
    name: str, tmp_path: Path, knowledge: Knowledge
) -> None:
    base, changes = CASES[name]
    answers = {k: v for k, v in {**base, **changes}.items() if v is not None}
    log_of(written(tmp_path, session(answers)), knowledge)


@pytest.mark.parametrize("name", ["bloom-176b", "e3sm-frontier-2k", "llama3-405b", "meta-rsc-16k"])
def test_the_published_sessions_give_a_valid_log(name: str, knowledge: Knowledge) -> None:
    path = SESSIONS / f"{name}.toml"
    for result in log_of(path, knowledge)["runs"][0]["results"]:
        table, text = line(path, result["locations"][0])
        assert table.startswith("[answers.") == text.startswith("value = ")
        assert table.startswith("[answers.") or text == "[session]"


def test_the_schema_sees_a_level_it_does_not_know(tmp_path: Path, knowledge: Knowledge) -> None:
    log = log_of(written(tmp_path, session(TICKET)), knowledge)
    log["runs"][0]["results"][0]["level"] = "danger"
    with pytest.raises(jsonschema.ValidationError, match="danger"):
        jsonschema.Draft4Validator(SCHEMA).validate(log)


def test_what_applies_is_a_failure_at_its_answer(tmp_path: Path, knowledge: Knowledge) -> None:
    path = written(tmp_path, session(TICKET))
    found = results(log_of(path, knowledge))
    stalls = found["CKA01"]
    assert (stalls["kind"], stalls["level"]) == ("fail", "warning")
    assert line(path, stalls["locations"][0]) == ("[answers.mode]", 'value = "sync"')
    assert stalls["message"]["text"].startswith(
        "Saves stall the job although they could run in the background. 2.03 min of stall"
    )
    # What the interval is about is the interval, though the condition names a computed value.
    short = found["CKI01"]
    assert line(path, short["locations"][0]) == ("[answers.interval]", 'value = "15 min"')


def test_an_alternative_answer_is_pointed_at(tmp_path: Path, knowledge: Knowledge) -> None:
    steps = {**TICKET, "interval_steps": "220", "step_time": "4.1 s"}
    del steps["interval"]
    path = written(tmp_path, session(steps))
    place = results(log_of(path, knowledge))["CKI01"]["locations"][0]
    assert line(path, place) == ("[answers.interval_steps]", 'value = "220"')


def test_what_needs_an_answer_is_open_and_says_which(tmp_path: Path, knowledge: Knowledge) -> None:
    path = written(tmp_path, session(TICKET))
    undecided = results(log_of(path, knowledge))["CKV02"]
    assert (undecided["kind"], undecided["level"]) == ("open", "none")
    text = undecided["message"]["text"]
    assert re.fullmatch(r"Undecided: [^.]+\. Needs saves kept\.", text), text


def test_what_does_not_apply_is_a_rule_looked_at_and_no_result(
    tmp_path: Path, knowledge: Knowledge
) -> None:
    log = log_of(written(tmp_path, session(TICKET)), knowledge)
    advice = advise(session(TICKET), knowledge, TODAY)
    clear = {f.rule for f in advice.findings if f.state == "clear" or f.superseded_by}
    assert clear
    assert clear & set(results(log)) == set()
    rules = {rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]}
    assert rules == set(knowledge.pack.rules)


def test_a_waiver_suppresses_with_its_reason_and_its_line(
    tmp_path: Path, knowledge: Knowledge
) -> None:
    waiver = Waiver("no memory\nbefore the upgrade", date(2027, 3, 31), "Ada")
    path = written(tmp_path, session(TICKET, waivers={"CKA01": waiver}))
    stalls = results(log_of(path, knowledge))["CKA01"]
    (suppression,) = stalls["suppressions"]
    assert suppression["kind"] == "inSource"
    assert suppression["status"] == "accepted"
    reason = "no memory before the upgrade (by Ada, until 2027-03-31)"
    assert suppression["justification"] == reason
    assert line(path, suppression["location"])[0] == "[waivers.CKA01]"


def test_a_waiver_that_ended_suppresses_nothing(tmp_path: Path, knowledge: Knowledge) -> None:
    over = Waiver("until the upgrade", date(2026, 1, 1))
    path = written(tmp_path, session(TICKET, waivers={"CKA01": over}))
    assert results(log_of(path, knowledge))["CKA01"]["suppressions"] == []


def marks(log: dict[str, Any]) -> dict[str, dict[str, str]]:
    return {rule: r["partialFingerprints"] for rule, r in results(log).items()}


def test_fingerprints_stay_when_lines_move_and_answers_change(
    tmp_path: Path, knowledge: Knowledge
) -> None:
    path = written(tmp_path, session(TICKET))
    before = log_of(path, knowledge)
    assert log_of(path, knowledge) == before
    path.write_text("# a comment\n\n" + path.read_text().replace('"15 min"', '"16 min"', 1))
    after = log_of(path, knowledge)
    moved = results(after)["CKI01"]["locations"], results(before)["CKI01"]["locations"]
    assert moved[0] != moved[1]
    assert marks(after) == marks(before)


def test_fingerprints_tell_rules_and_sessions_apart(tmp_path: Path, knowledge: Knowledge) -> None:
    one = log_of(written(tmp_path, session(TICKET, name="a")), knowledge)
    other = log_of(written(tmp_path, session(TICKET, name="b")), knowledge)
    every = [tuple(m.values()) for log in (one, other) for m in marks(log).values()]
    assert len(set(every)) == len(every)
    ids = [log["runs"][0]["automationDetails"]["id"] for log in (one, other)]
    assert ids == ["ckpt-advisor/a/", "ckpt-advisor/b/"]


def test_a_session_and_a_rule_are_not_run_together() -> None:
    assert fingerprint("a", "bCK01") != fingerprint("ab", "CK01")


@pytest.mark.parametrize("name", ["job.toml", "a b.toml", "50%.toml", "é#?.toml", "[x](y).toml"])
def test_the_file_is_found_by_its_address(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, knowledge: Knowledge
) -> None:
    (tmp_path / "jobs").mkdir()
    path = written(tmp_path / "jobs", session({"nodes": "16"}), name)
    monkeypatch.chdir(tmp_path)
    run = log_of(Path("jobs") / name, knowledge)["runs"][0]
    inside = run["artifacts"][0]["location"]
    assert inside["uriBaseId"] in run["originalUriBaseIds"]
    assert re.fullmatch(r"[\w./%~-]+", inside["uri"], re.ASCII)
    assert unquote(inside["uri"]) == f"jobs/{name}"
    monkeypatch.chdir(tmp_path / "jobs" / "..")
    assert log_of(path, knowledge)["runs"][0]["artifacts"][0]["location"] == inside
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    outside = log_of(path, knowledge)["runs"][0]["artifacts"][0]["location"]
    assert "uriBaseId" not in outside
    assert Path(unquote(urlsplit(outside["uri"]).path)) == path


def read_back(message: str) -> str:
    """A plain text message as a viewer shows it; fails on an argument or a link left in it."""
    assert re.search(r"(?<!\{)(?:\{\{)*\{\d+\}", message) is None
    assert re.search(r"(?<!\\)\]\(", message) is None
    return message.replace("{{", "{").replace("}}", "}").replace("\\](", "](")


@pytest.mark.parametrize("typed", [a for a in ATTACKS if "\t" not in a])
def test_messages_come_back_as_they_were(typed: str) -> None:
    assert read_back(message_text(typed)) == typed


@given(st.text(st.sampled_from("{}[]()\\01a ")))
def test_no_text_makes_an_argument_or_a_link(typed: str) -> None:
    read_back(message_text(typed))


def test_what_people_typed_is_harmless(tmp_path: Path, knowledge: Knowledge) -> None:
    typed = "x {0} [a](javascript:b) </script> \u202e\x1b[1m"
    facts = {**{k: Answer(v, "measured") for k, v in TICKET.items()}}
    facts["framework"] = Answer(typed, "measured")
    one = replace(session(facts, name=f"id {typed}"), waivers={"CKA01": Waiver(typed)})
    path = written(tmp_path, one)
    log = log_of(path, knowledge)
    for result in log["runs"][0]["results"]:
        read_back(result["message"]["text"])
    assert "\u202e" not in json.dumps(log, ensure_ascii=False)
    assert "\x1b" not in json.dumps(log, ensure_ascii=False)


def test_a_rule_that_could_not_be_judged_is_told_as_such(
    tmp_path: Path, knowledge: Knowledge
) -> None:
    advice = advise(session(TICKET), knowledge, TODAY)
    failed = Finding("CKA01", "t", "error", "warning", message="a division\nby {zero}")
    advice = replace(advice, findings=(failed,))
    path = written(tmp_path, session(TICKET))
    log = json.loads(render(advice, knowledge, path))
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    (run,) = log["runs"]
    assert run["results"] == []
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    (told,) = invocation["toolExecutionNotifications"]
    assert told["associatedRule"] == {"id": "CKA01"}
    assert told["message"]["text"] == "Could not be judged: a division by {{zero}}"


def test_every_rule_explains_itself(tmp_path: Path, knowledge: Knowledge) -> None:
    log = log_of(written(tmp_path, session(TICKET)), knowledge)
    for rule in log["runs"][0]["tool"]["driver"]["rules"]:
        ours = knowledge.pack.rules[rule["id"]]
        assert rule["defaultConfiguration"]["level"] == ours.severity
        assert rule["shortDescription"]["text"].endswith(".")
        for source in ours.sources:
            assert " ".join(source.split()) in read_back(rule["help"]["text"])
        assert "**Why:**" in rule["help"]["markdown"]
        # As much as GitHub shows of a description.
        assert len(rule["fullDescription"]["text"]) <= 1024
