"""The ticket on stdout and in a file, and files that must not be harmed."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.facts.answers import Answer
from advisor.report.formats import FORMATS
from advisor.session.document import Session
from advisor.session.store import save
from tests.commands.support import inside, outside
from tests.ticket_job import TICKET


@pytest.mark.parametrize("form", ["md", "text", "jira"])
def test_the_ticket(form: str, ticket: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Expected figures: the published worked example."""
    ran = inside(capsys, "export", ticket, "--format", form)
    assert (ran.code, ran.err) == (0, "")
    for figure in ("84.7 %", "94.1 %", "$2.53M", "117 GB", "--async-save"):
        assert figure in ran.out
    assert ran.out.endswith("\n")
    assert not ran.out.endswith("\n\n")


def test_markdown_is_the_default(ticket: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert inside(capsys, "export", ticket) == inside(capsys, "export", ticket, "--format", "md")


def test_json(ticket: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "export", ticket, "--format", "json")
    assert json.loads(ran.out)["after"]["goodput"] == pytest.approx(0.941, abs=5e-4)


def test_html_is_one_page_with_its_drawings(
    ticket: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = inside(capsys, "export", ticket, "--format", "html")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("<!DOCTYPE html>\n")
    assert ran.out.count("<svg ") == 4
    assert "--async-save" in ran.out


def test_sarif_points_at_the_session_as_it_was_named(
    ticket: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ticket.parent)
    ran = inside(capsys, "export", ticket.name, "--format", "sarif", "--set", "mode=sync")
    assert (ran.code, ran.err) == (0, "")
    (run,) = json.loads(ran.out)["runs"]
    places = {r["ruleId"]: r["locations"][0]["physicalLocation"] for r in run["results"]}
    assert places["CKA01"]["artifactLocation"]["uri"] == ticket.name
    number = places["CKA01"]["region"]["startLine"]
    assert ticket.read_text().split("\n")[number - 2] == "[answers.mode]"


def test_the_help_names_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    shown = " ".join(inside(capsys, "export", "--help").out.split())
    for name, form in FORMATS.items():
        assert f"{name} for {form.purpose}" in shown


def test_the_document_format_of_atlassian(ticket: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "export", ticket, "--format", "adf")
    assert (ran.code, ran.err) == (0, "")
    document = json.loads(ran.out)
    assert (document["type"], document["version"]) == ("doc", 1)
    assert ran.out.count("\n") == 1
    for figure in ("84.7 %", "94.1 %", "$2.53M", "117 GB", "--async-save"):
        assert figure in ran.out


def test_slack_gets_the_short_form_unless_asked(
    ticket: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = inside(capsys, "export", ticket, "--format", "slack")
    assert (short.code, short.err) == (0, "")
    for figure in ("84.7 %", "94.1 %", "$2.53M", "--async-save"):
        assert figure in short.out
    assert "*All facts*" not in short.out
    full = inside(capsys, "export", ticket, "--format", "slack", "--length", "full")
    assert "*All facts*" in full.out


@pytest.mark.parametrize("form", ["md", "jira", "adf", "slack", "text"])
def test_two_lengths(form: str, ticket: Path, capsys: pytest.CaptureFixture[str]) -> None:
    short, full = (
        inside(capsys, "export", ticket, "--format", form, "--length", length).out
        for length in ("summary", "full")
    )
    assert "All facts" not in short
    assert len(short) < len(full) / 2
    assert short.count("84.7 %") == 1


def test_json_has_one_length(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "export", few, "--format", "json", "--length", "summary")
    assert (ran.code, ran.out) == (2, "")
    assert "json has one length" in ran.err


@pytest.mark.parametrize(("form", "limit"), [("jira", 32_767), ("adf", 32_767), ("slack", 40_000)])
def test_what_the_target_takes_is_kept_and_the_cut_named(
    form: str, limit: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Limits: of a Jira text field and of a Slack message."""
    path = tmp_path / "long.toml"
    answers = {name: Answer(value, "measured") for name, value in TICKET.items()}
    answers["nodes"] = Answer("128", "measured", note="a long note " * 5000)
    save(Session("long", answers=answers), path, expected_digest=None)
    ran = inside(capsys, "export", path, "--format", form, "--length", "full")
    assert (ran.code, ran.err) == (0, "")
    assert len(ran.out) <= limit
    assert "Shortened: all facts" in ran.out
    assert f"to fit {limit:,} characters." in ran.out
    assert "--async-save" in ran.out


def test_what_cannot_be_cut_to_the_limit_is_a_fault(
    few: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tight = replace(FORMATS["jira"], limit=20)
    monkeypatch.setattr("advisor.report.formats.FORMATS", {**FORMATS, "jira": tight})
    ran = inside(capsys, "export", few, "--format", "jira")
    assert (ran.code, ran.out) == (2, "")
    assert "20 characters are too few for this report" in ran.err


@pytest.mark.parametrize("form", FORMATS)
def test_the_file_holds_what_stdout_would(
    form: str, few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = inside(capsys, "export", few, "--format", form).out
    assert inside(capsys, "export", few, "--format", form, "-o", "-").out == shown
    target = tmp_path / "ticket.out"
    target.write_text("old")
    target.chmod(0o640)
    ran = inside(capsys, "export", few, "--format", form, "-o", target)
    assert (ran.code, ran.out, ran.err) == (0, "", f"written to {target}\n")
    assert target.read_text(encoding="utf-8") == shown
    assert shown.endswith("\n")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["few", "ticket.out"]


def test_quiet_says_nothing(few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "export", few, "-q", "-o", tmp_path / "a.md")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_a_link_keeps_pointing_at_the_file(
    few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target, link = tmp_path / "a.md", tmp_path / "link.md"
    target.write_text("old")
    link.symlink_to(target)
    assert inside(capsys, "export", few, "-o", link).code == 0
    assert link.is_symlink()
    assert "128" in target.read_text()


def test_a_device_is_written_to_and_stays_a_device(
    few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert inside(capsys, "export", few, "-o", "/dev/null").code == 0
    assert not Path("/dev/null").is_file()
    ran = inside(capsys, "export", few, "-o", "/dev/full")
    assert ran.code == 2
    assert "/dev/full: the disk is full" in ran.err


def test_a_pipe_that_nobody_reads_is_told_at_once_and_stays(
    few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # In a process of its own: opening it the usual way would wait for a reader for ever.
    ran = outside("export", few, "-o", pipe)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        f"ckpt-advisor: {pipe}: nobody reads from this pipe; start its reader first, "
        "or name a file\n"
    )
    assert pipe.is_fifo()


def test_a_pipe_with_a_reader_gets_the_whole_ticket(few: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        ran = outside("export", few, "-o", pipe, "--quiet")
        while ran.code == 2:  # cat has not opened it yet
            ran = outside("export", few, "-o", pipe, "--quiet")
        assert reader.stdout is not None
        got = reader.stdout.read().decode()
    assert ran.code == 0
    assert got == outside("export", few).out
    assert pipe.is_fifo()


def test_the_standard_output_by_its_name(few: Path) -> None:
    ran = outside("export", few, "-o", "/dev/stdout", "--quiet")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == outside("export", few).out


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (".", "this is a folder; name a file in it"),
        ("no/such/a.md", "there is no such folder"),
        ("file/a.md", "a part of this path is a file, not a folder"),
        ("a" * 300, "this name is too long"),
    ],
)
def test_a_target_that_cannot_be(
    target: str,
    said: str,
    few: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    before = sorted(os.listdir())
    ran = inside(capsys, "export", few, "-o", target)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert sorted(os.listdir()) == before


def test_the_session_itself_is_not_overwritten(
    few: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = few.read_bytes()
    ran = inside(capsys, "export", few, "-o", few.parent / "." / few.name)
    assert ran.code == 2
    assert "is the session itself" in ran.err
    assert few.read_bytes() == before
