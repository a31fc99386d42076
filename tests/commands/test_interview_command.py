"""The interview command: which of its two forms is started, and the refusal without a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from advisor.commands import interview
from tests.commands.support import inside, outside

Started = list[tuple[str, Path | None, dict[str, Any]]]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    """What was started, with the two interviews replaced by notes."""
    notes: Started = []

    def note(name: str, code: int) -> Callable[..., int]:
        def start(path: Path | None, **options: Any) -> int:
            notes.append((name, path, options))
            return code

        return start

    screen, plain = ModuleType("app"), ModuleType("plain")
    screen.run_interview = note("screen", 4)  # type: ignore[attr-defined]  # a module made up here
    plain.run_plain = note("plain", 0)  # type: ignore[attr-defined]  # a module made up here
    monkeypatch.setitem(sys.modules, "advisor.tui.app", screen)
    monkeypatch.setitem(sys.modules, "advisor.commands.plain", plain)
    return notes


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interview, "is_terminal", lambda stream: True)
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(
    ("words", "path", "no_color"),
    [([], None, False), (["a.toml"], Path("a.toml"), False), (["--no-color"], None, True)],
)
def test_the_screen_on_a_terminal(
    words: list[str],
    path: Path | None,
    no_color: bool,
    started: Started,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert inside(capsys, *words).code == 4
    options = {"rules": (), "site": None, "no_color": no_color, "quiet": False}
    assert started == [("screen", path, options)]


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(("name", "value"), [("TERM", "dumb"), ("CKPT_ADVISOR_PLAIN", "1")])
def test_line_prompts_where_the_environment_asks(
    name: str,
    value: str,
    started: Started,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(name, value)
    assert inside(capsys, "interview", "a.toml").code == 0
    assert [(form, path) for form, path, _ in started] == [("plain", Path("a.toml"))]
    options = started[0][2]
    assert options["now"]().tzinfo is not None
    assert "nodes" in options["knowledge_loader"]().catalogue.facts


def test_plain_needs_no_terminal(started: Started, capsys: pytest.CaptureFixture[str]) -> None:
    assert inside(capsys, "--plain").code == 0
    assert started[0][0] == "plain"


@pytest.mark.usefixtures("terminal")
def test_the_site_file_and_the_rules_reach_both(
    tmp_path: Path, started: Started, capsys: pytest.CaptureFixture[str]
) -> None:
    site = tmp_path / "site.toml"
    site.write_text('[answers.pool_write]\nvalue = "70 GB/s"\n')
    (tmp_path / "frameworks").mkdir()
    (tmp_path / "frameworks" / "ours.toml").touch()
    options = ("--site", str(site), "--rules", str(tmp_path / "frameworks"))
    assert inside(capsys, *options).code == 4
    assert started[0][2]["site"] == site
    assert started[0][2]["rules"] == (tmp_path / "frameworks",)
    site.write_text('[answers.pool_write]\nvalue = "70 GB"\n')
    ran = inside(capsys, "--plain", "--site", str(site))
    assert ran.code == 2
    assert f"{site}:2:9: " in ran.err
    site.write_text('[answers.pool_write]\nvalue = "70 GB/s"\n')
    assert inside(capsys, "--plain", "--site", str(site)).code == 0
    assert started[1][2]["site"]["pool_write"].value == "70 GB/s"


@pytest.mark.parametrize("words", [[], ["interview"], ["job.toml"]])
def test_without_a_terminal_it_names_the_headless_command(words: list[str]) -> None:
    ran = outside(*words, CKPT_ADVISOR_PLAIN="1")
    assert (ran.code, ran.out) == (2, "")
    assert "the interview needs a terminal" in ran.err
    wanted = "ckpt-advisor advise job.toml" if "job.toml" in words else "ckpt-advisor advise --set"
    assert wanted in ran.err


def test_a_rules_folder_that_is_not_there_is_told_before_the_first_screen(
    started: Started, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = inside(capsys, "--plain", "--rules", "/nowhere")
    assert ran.code == 2
    assert ran.err.startswith("ckpt-advisor: /nowhere: there is no such folder")
    assert not started
