"""The list of saved sessions."""

from __future__ import annotations

from pathlib import Path

from textual.pilot import Pilot

from advisor.session.lock import SessionLock
from advisor.session.places import sessions_folder
from advisor.tui.app import AdvisorApp
from advisor.tui.screens.sessions import SessionsScreen
from tests.tui.support import (
    answer,
    at_interview,
    interview,
    press,
    settle,
    shows,
    text,
    until,
    write_session,
)


async def open_list(app: AdvisorApp, pilot: Pilot[None]) -> None:
    await press(pilot, "f3")
    await until(lambda: isinstance(app.screen, SessionsScreen), "the list is open")
    await until(lambda: "Reading the folder" not in text(app), "the list is filled")
    await settle(app, pilot)


async def test_sessions_are_listed_with_what_is_known(home: Path) -> None:
    write_session(sessions_folder() / "ticket.toml")
    write_session(sessions_folder() / "few.toml", {"nodes": "8"})
    (sessions_folder() / "newer.toml").write_text("schema_version = 9\n")
    (sessions_folder() / "broken.toml").write_text("nodes = [")
    async with interview(None) as (app, pilot):
        await open_list(app, pilot)
        shown = text(app)
        assert "29 Nov 14:02 5 of 5" in shown
        assert "29 Nov 14:02 1 of 5" in shown
        assert "! newer needs a newer ckpt-advisor" in shown
        assert "! broken cannot be read" in shown


async def test_enter_opens_one_and_n_begins_anew(home: Path) -> None:
    write_session(sessions_folder() / "ticket.toml")
    async with interview(None) as (app, pilot):
        await open_list(app, pilot)
        await press(pilot, "enter")
        await until(lambda: app.screen is app.interview, "the session is open")
        await until(lambda: "5 of 5 known" in text(app), "its answers are shown")
        await settle(app, pilot)
        assert "Goodput 84.7 %" in text(app)  # the example ticket
        await open_list(app, pilot)
        assert "* ticket" in text(app)
        await press(pilot, "n")
        await until(lambda: app.screen is app.interview, "the new session is open")
        await shows(app, "0 of 5 known")
        await settle(app, pilot)


async def test_a_session_open_elsewhere_is_not_opened(home: Path) -> None:
    path = write_session(sessions_folder() / "ticket.toml")
    async with interview(None) as (app, pilot):
        with SessionLock(path):
            await open_list(app, pilot)
            await press(pilot, "enter")
            await until(lambda: bool(app._notifications), "it says why")
            (notice,) = app._notifications
            assert "open in another ckpt-advisor" in notice.message
        await answer(app, pilot, "12 TB")
        assert "1 of 5 known" in text(app)


async def test_a_broken_file_is_not_opened(home: Path) -> None:
    (sessions_folder() / "broken.toml").write_text("nodes = [")
    async with interview(None) as (app, pilot):
        await open_list(app, pilot)
        await press(pilot, "enter")
        await settle(app, pilot)
        assert isinstance(app.screen, SessionsScreen)
        await press(pilot, "escape")
        await settle(app, pilot)
        assert at_interview(app)


async def test_a_session_gets_a_title(home: Path) -> None:
    path = write_session(home / "job.toml")
    async with interview(path) as (app, pilot):
        app.action_rename()
        await shows(app, "Name this session")
        await press(pilot, *"BLOOM 176B", "enter")
        await until(lambda: app.session_title == "BLOOM 176B", "the title is taken")
        await settle(app, pilot)
        assert "ckpt-advisor BLOOM 176B" in text(app)
    assert 'title = "BLOOM 176B"' in path.read_text()
