"""The ticket: written to a file, copied, and never over something else unasked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.pilot import Pilot

from advisor.tui.app import AdvisorApp
from advisor.tui.screens.export import ExportScreen
from tests.tui.support import (
    at_interview,
    interview,
    press,
    settle,
    shows,
    text,
    until,
    write_session,
)


@pytest.fixture(autouse=True)
def copied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was sent to the terminal's clipboard."""
    sent: list[str] = []
    monkeypatch.setattr(AdvisorApp, "copy_to_clipboard", lambda _, text: sent.append(text))
    return sent


async def open_export(app: AdvisorApp, pilot: Pilot[None]) -> None:
    await press(pilot, "f4")
    await until(lambda: isinstance(app.screen, ExportScreen), "the export dialog is open")
    await settle(app, pilot)


async def test_enter_writes_beside_the_session_and_copies(home: Path, copied: list[str]) -> None:
    async with interview(write_session(home / "job.toml")) as (app, pilot):
        await open_export(app, pilot)
        assert "~/job.md" in text(app)
        await press(pilot, "enter")
        await shows(app, "Written: ~/job.md")
        assert "OSC 52" in text(app)
    ticket = (home / "job.md").read_text()
    assert "15.3 %" in ticket  # the example ticket
    assert copied == [ticket]


async def test_another_path_can_be_typed(home: Path) -> None:
    async with interview(write_session(home / "job.toml")) as (app, pilot):
        await open_export(app, pilot)
        await press(pilot, *["backspace"] * 6, *"other.md", "enter")
        await shows(app, "Written: ~/other.md")
    assert (home / "other.md").is_file()
    assert not (home / "job.md").exists()


async def test_a_file_that_is_there_is_replaced_on_the_second_enter_only(home: Path) -> None:
    (home / "job.md").write_text("mine")
    async with interview(write_session(home / "job.toml")) as (app, pilot):
        await open_export(app, pilot)
        await press(pilot, "enter")
        await shows(app, "Enter again replaces it.")
        assert (home / "job.md").read_text() == "mine"
        await press(pilot, "enter")
        await shows(app, "Written: ~/job.md")
    assert (home / "job.md").read_text() != "mine"


async def test_a_folder_is_refused_and_the_copy_still_made(home: Path, copied: list[str]) -> None:
    async with interview(write_session(home / "job.toml")) as (app, pilot):
        await open_export(app, pilot)
        await press(pilot, *["backspace"] * 7, "enter")
        await shows(app, "this is a folder")
        assert len(copied) == 1
        await press(pilot, "escape")
        await settle(app, pilot)
        assert at_interview(app)


async def test_export_works_where_the_session_cannot_be_saved(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_session(home / "job.toml")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    async with interview(path) as (app, pilot):
        monkeypatch.setattr("advisor.session.store.replace_file", full)
        await press(pilot, "enter")
        app.interview.action_topic(2)
        await settle(app, pilot)
        await press(pilot, *["backspace"] * 3, *"64", "enter")
        await shows(app, "not saved: the disk is full")
        await open_export(app, pilot)
        await press(pilot, "enter")
        await shows(app, "Written: ~/job.md")
    assert "64" in (home / "job.md").read_text()


async def test_escape_writes_nothing(home: Path, copied: list[str]) -> None:
    async with interview(write_session(home / "job.toml")) as (app, pilot):
        await open_export(app, pilot)
        await press(pilot, "escape")
        await settle(app, pilot)
    assert not (home / "job.md").exists()
    assert copied == []


async def test_a_pipe_is_not_replaced_by_a_file(home: Path) -> None:
    os.mkfifo(home / "pipe")
    async with interview(write_session(home / "job.toml")) as (app, pilot):
        await open_export(app, pilot)
        await press(pilot, *["backspace"] * 6, *"pipe", "enter")
        await shows(app, "nobody reads from this pipe")
    assert (home / "pipe").is_fifo()
