"""The progress bar: only on a terminal, and gone at the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.commands import progress
from tests.commands.support import inside


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "is_terminal", lambda stream: True)


@pytest.mark.usefixtures("terminal")
def test_the_bar_is_drawn_over_itself_and_removed(capsys: pytest.CaptureFixture[str]) -> None:
    """Half of 24 characters is 12; a shorter text is padded so that nothing of the bar stays."""
    with progress.Progress(2) as bar:
        bar.at(1)
        bar.at(2)
    drawn = capsys.readouterr().err.split("\r")[1:]
    assert [text.rstrip() for text in drawn] == [
        f"[{' ' * 24}] 0 of 2",
        f"[{'#' * 12}{' ' * 12}] 1 of 2",
        f"[{'#' * 24}] 2 of 2",
        "",
        "",
    ]
    assert len(drawn[3]) == len(drawn[2])


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(("total", "quiet"), [(1, False), (5, True), (0, False)])
def test_nothing_is_drawn(total: int, quiet: bool, capsys: pytest.CaptureFixture[str]) -> None:
    with progress.Progress(total, quiet=quiet) as bar:
        bar.at(total)
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("terminal")
def test_a_replay_shows_it_on_stderr_alone(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few.with_name("two.toml").write_bytes(few.read_bytes())
    ran = inside(capsys, "replay", few.parent)
    assert "] 2 of 2" in ran.err
    assert "\r" not in ran.out
    assert inside(capsys, "replay", few.parent, "--quiet").err == ""


def test_no_bar_where_stderr_is_no_terminal(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few.with_name("two.toml").write_bytes(few.read_bytes())
    assert inside(capsys, "replay", few.parent).err == ""
