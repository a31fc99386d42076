"""One-shot advice: the worked example, every form of a fact, exit codes, the site file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands.support import Ran, inside, settings

FIVE = {"state": "12 TB", "nodes": "128", "interval": "15 min", "mode": "sync", "nvme": "none"}


def _words(facts: dict[str, str]) -> list[str]:
    return [word for name, value in facts.items() for word in ("--set", f"{name}={value}")]


def _facts(ran: Ran) -> dict[str, dict[str, object]]:
    assert ran.err == ""
    facts: dict[str, dict[str, object]] = json.loads(ran.out)["facts"]
    return facts


def test_the_worked_example_from_settings_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """Expected figures: the published worked example of the ticket."""
    ran = inside(capsys, "advise", *settings())
    assert (ran.code, ran.err) == (0, "")
    for figure in ("15.3 %", "$4.12M", "84.7 %", "94.1 %", "9.4 points", "--async-save"):
        assert figure in ran.out


def test_the_same_from_its_file_by_path_and_by_name(
    ticket: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    by_path = inside(capsys, "advise", ticket)
    assert "84.7 %" in by_path.out
    folder = home / "data" / "sessions"
    folder.mkdir(parents=True)
    ticket.rename(folder / "ticket.toml")
    assert inside(capsys, "advise", "ticket") == by_path


def test_json_is_all_there_is_on_stdout(ticket: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "advise", ticket, "--format", "json")
    data = json.loads(ran.out)
    assert (ran.code, ran.err) == (0, "")
    assert data["session"]["id"] == "ticket"
    assert data["before"]["goodput"] == pytest.approx(0.847, abs=5e-4)
    assert data["after"]["goodput"] == pytest.approx(0.941, abs=5e-4)
    assert [step["lever"] for step in data["plan"]] == ["async_on"]


def test_a_setting_replaces_the_answer_of_the_file(
    ticket: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = _facts(inside(capsys, "advise", ticket, "--set", "nodes=64", "--format", "json"))
    assert (facts["nodes"]["value"], facts["mode"]["value"]) == (64, "sync")


def test_a_range_and_a_guess_reach_the_advice(capsys: pytest.CaptureFixture[str]) -> None:
    """A range of rates counts as its geometric mean: 80 and 125 give 100."""
    words = ["--set", "pool_write=80-125 GB/s", "--set", "nodes=~500", "--set", "pool_read=?"]
    facts = _facts(inside(capsys, "advise", *words, "--format", "json"))
    pool = facts["pool_write"]
    assert (pool["value"], pool["low"], pool["high"]) == (pytest.approx(100e9), 80e9, 125e9)
    assert [facts[n]["source"] for n in ("pool_write", "nodes", "pool_read")] == [
        "estimated",
        "estimated",
        "unknown",
    ]


def test_a_setting_outweighs_a_measured_alternative_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.toml"
    path.write_text(
        'schema_version = 1\n[session]\nid = "a"\n'
        '[answers.interval]\nvalue = "15 min"\nsource = "measured"\n'
        '[answers.nodes]\nvalue = "8"\n'
    )
    ran = inside(capsys, "advise", path, "--set", "interval=100 steps @ 3 s", "--format", "json")
    facts = _facts(ran)
    assert (facts["interval_steps"]["value"], facts["step_time"]["value"]) == (100, 3)
    assert facts["interval"]["source"] == "unknown"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("nodse=3", 'there is no fact "nodse"\n    did you mean "nodes"?'),
        ("nodes", 'write FACT=VALUE\n    for example --set nodes="128"'),
        ("=3", "write FACT=VALUE"),
        ("nodes=", "--set nodes: Nothing was typed."),
        ("pool_write=18 GB", "--set pool_write: "),
        ("state_total=18G", "--set state_total: "),
        ("mode=asyn", 'did you mean "async"?'),
        ("nodes=0", "--set nodes: "),
        ("interval=-5 min", "--set interval: The value is negative."),
        ("state=\x1b[2J", "--set state: "),
    ],
)
def test_a_setting_that_cannot_be_read(
    typed: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = inside(capsys, "advise", "--set", typed)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert "\x1b" not in ran.err


@pytest.mark.parametrize(
    ("severity", "code"), [("note", 1), ("warning", 1), ("error", 0), (None, 0)]
)
def test_fail_on_a_job_with_warnings_and_no_errors(
    severity: str | None, code: int, ticket: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fail = ["--fail-on", severity] if severity else []
    ran = inside(capsys, "advise", ticket, "--format", "json", *fail)
    found = json.loads(ran.out)["findings"].values()
    hits = {finding["severity"] for finding in found if finding["state"] == "hit"}
    assert "warning" in hits
    assert "error" not in hits
    assert ran.code == code


def test_fail_on_with_a_job_that_is_killed_by_its_own_save(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """12 TB over 1 GB/s is 200 min, far over a collective time-out of 10 min."""
    slow = settings(pool_write="1 GB/s", collective_timeout="10 min", interval="1 d")
    assert inside(capsys, "advise", *slow, "--fail-on", "error").code == 1


@pytest.mark.parametrize("left_out", [*FIVE, "pool_write"])
def test_too_few_facts_for_fail_on(left_out: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing of the rest is bad enough for an error, and without one of these none is certain."""
    facts = {**FIVE, "pool_write": "100 GB/s", "job_mtbf": "10 h"}
    del facts[left_out]
    assert inside(capsys, "advise", *_words(facts)).code == 0
    assert inside(capsys, "advise", *_words(facts), "--fail-on", "error").code == 3


def test_the_site_file_fills_in_and_never_replaces(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    usual = home / "config" / "site.toml"
    usual.parent.mkdir()
    usual.write_text('[answers.pool_write]\nvalue = "70 GB/s"\n[answers.nodes]\nvalue = "9"\n')
    words = ["advise", "--set", "nodes=4", "--format", "json"]
    facts = _facts(inside(capsys, *words))
    assert (facts["pool_write"]["value"], facts["pool_write"]["source"]) == (70e9, "site")
    assert (facts["nodes"]["value"], facts["nodes"]["source"]) == (4, "estimated")
    other = tmp_path / "other.toml"
    other.write_text('[answers.pool_write]\nvalue = "60 GB/s"\n')
    facts = _facts(inside(capsys, *words, "--site", other))
    assert facts["pool_write"]["value"] == 60e9


def test_a_faulty_site_file_is_told_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = tmp_path / "site.toml"
    site.write_text('[answers.pool_write]\nvalue = "70 GB"\n')
    ran = inside(capsys, "advise", "--set", "nodes=4", "--site", site)
    assert ran.code == 2
    assert f"{site}:2:9: answers.pool_write.value: " in ran.err
    ran = inside(capsys, "advise", "--set", "nodes=4", "--site", tmp_path / "none.toml")
    assert (ran.code, ran.out) == (2, "")
    assert "there is no such file" in ran.err


@pytest.mark.parametrize("name", ["Megatron-LM", "megatron lm", "MEGATRON_LM"])
def test_a_framework_is_known_however_it_is_spelled(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = inside(capsys, "advise", *settings(framework=name))
    assert (ran.err, "--async-save" in ran.out) == ("", True)


def test_a_framework_nobody_knows_is_said_to_be_one(capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "advise", *settings(framework="megatron"))
    assert ran.code == 0
    assert 'nothing is known about the framework "megatron"' in ran.err
    assert "megatron-lm" in ran.err


def _waived(ticket: Path, rule: str, until: str) -> None:
    with ticket.open("a") as file:
        file.write(f'\n[waivers.{rule}]\nreason = "no host memory"\n{until}\n')


@pytest.mark.parametrize("saved", ["", "updated = 2019-12-24T10:00:00Z"])
def test_a_waiver_that_ended_hides_nothing(
    saved: str, ticket: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A session nobody saves again must not keep its waivers for ever."""
    _waived(ticket, "CKA01", "until = 2020-01-01")
    lines = [
        saved if line.startswith("updated") else line for line in ticket.read_text().split("\n")
    ]
    ticket.write_text("\n".join(lines))
    ran = inside(capsys, "advise", ticket)
    assert "--async-save" in ran.out


def test_a_waiver_in_force_is_named_in_the_headline(
    ticket: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _waived(ticket, "CKA01", "")
    ran = inside(capsys, "advise", ticket)
    assert "--async-save" not in ran.out
    _waived(ticket, "CKI01", "")
    kept = inside(capsys, "advise", ticket)
    assert ("Keep the configuration" in kept.out) == ("beside what was waived" in kept.out)


def test_a_waiver_of_no_rule_is_said_to_be_one(
    ticket: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _waived(ticket, "CKA99", "")
    assert 'there is no rule "CKA99" to waive' in inside(capsys, "advise", ticket).err


def test_fail_on_names_what_failed(ticket: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "advise", ticket, "--fail-on", "note")
    assert ran.code == 1
    assert "CKA01" in ran.err


def test_a_wrong_choice_gets_all_choices_and_no_opposite(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ran = inside(capsys, "advise", *settings(nvme="absent"))
    assert (ran.code, "did you mean" in ran.err) == (2, False)
    assert "present" in ran.err
    assert "none" in ran.err


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("banana", '"banana" is not a version of Megatron-LM'),
        ("99.1", "Megatron Core 99.1 is newer than"),
        ("", "No version of Megatron-LM"),
    ],
)
def test_a_version_that_is_not_known_is_a_visible_assumption(
    version: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # Asynchronous already, so that no lines to paste could say it.
    ran = inside(capsys, "advise", *settings(framework_version=version, mode="async"))
    shown = " ".join(ran.out.split())
    assert "Framework version: " in shown
    assert said in shown
    known = inside(capsys, "advise", *settings(mode="async"))
    assert "Framework version" not in known.out


@pytest.mark.parametrize("words", [["--set", "foo=1"], ["nothere.toml"], ["--rules", "/nosuch"]])
def test_every_message_without_a_place_in_a_file_begins_with_our_name(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    ran = inside(capsys, "advise", *words)
    assert ran.code == 2
    assert ran.err.startswith("ckpt-advisor")
