"""The ticket on stdout and in a file, and files that must not be harmed."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from pathlib import Path

import pytest

from advisor.report.formats import FORMATS
from tests.commands.support import inside, outside


@pytest.mark.parametrize("form", ["md", "text"])
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
