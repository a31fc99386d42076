"""Every action by key, by palette and by mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.screen import ModalScreen

from advisor.tui.actions import ACTIONS
from advisor.tui.screens.keys import KeysScreen
from advisor.tui.screens.results import ResultsScreen
from advisor.tui.screens.sessions import SessionsScreen
from tests.tui.support import (
    at_interview,
    interview,
    lines,
    press,
    settle,
    shows,
    text,
    until,
    write_session,
)


async def test_the_palette_offers_every_action(home: Path) -> None:
    async with interview(home / "job.toml") as (app, _):
        offered = {command.title for command in app.get_system_commands(app.screen)}
        for one in ACTIONS:
            if one.id != "palette":
                assert any(title.startswith(one.title) for title in offered)


async def test_the_palette_runs_them(home: Path) -> None:
    async with interview(write_session(home / "job.toml")) as (app, pilot):
        await press(pilot, "ctrl+p")
        await until(lambda: isinstance(app.screen, ModalScreen), "the palette is open")
        await press(pilot, *"results")
        await until(lambda: "What to change, and what it brings." in text(app), "it is found")
        await press(pilot, "enter")
        await until(lambda: isinstance(app.screen, ResultsScreen), "the results are open")
        await settle(app, pilot)


def test_every_action_has_a_method_and_ids_are_unique() -> None:
    from advisor.tui.app import AdvisorApp

    ids = [one.id for one in ACTIONS]
    assert len(ids) == len(set(ids))
    assert all(callable(getattr(AdvisorApp, f"action_{name}")) for name in ids)


@pytest.mark.parametrize(
    ("words", "screen"),
    [("F2 Results", ResultsScreen), ("F3 Sessions", SessionsScreen), ("F1 Keys", KeysScreen)],
    ids=["results", "sessions", "keys"],
)
async def test_the_footer_can_be_clicked(home: Path, words: str, screen: type) -> None:
    async with interview(write_session(home / "job.toml")) as (app, pilot):
        column = lines(app)[23].index(words)
        await pilot.click(offset=(column + 1, 23))
        await until(lambda: isinstance(app.screen, screen), f"{words} was clicked")
        await settle(app, pilot)


async def test_next_in_the_footer_accepts(home: Path) -> None:
    async with interview(home / "job.toml") as (app, pilot):
        await press(pilot, *"12 TB")
        await pilot.click(offset=(2, 23))
        await settle(app, pilot)
        assert app.desk.current.id == "nodes"


async def test_keys_of_the_interview_do_nothing_under_a_dialog(home: Path) -> None:
    async with interview(write_session(home / "job.toml")) as (app, pilot):
        await press(pilot, "f1")
        await until(lambda: isinstance(app.screen, KeysScreen), "the help is open")
        await press(pilot, "f2", "f3", "f7")
        await settle(app, pilot)
        assert isinstance(app.screen, KeysScreen)
        await press(pilot, "escape")
        await settle(app, pilot)
        assert at_interview(app)
        assert "5 of 5 known" in text(app)


async def test_help_names_the_question_and_the_keys(home: Path) -> None:
    async with interview(home / "job.toml", (120, 40)) as (app, pilot):
        await press(pilot, "f1")
        await settle(app, pilot)
        assert "du -sb --apparent-size" in text(app)
        assert "F7 Undo" in text(app)


async def test_help_on_the_mode_names_the_log_lines_of_the_framework(home: Path) -> None:
    async with interview(write_session(home / "job.toml"), (120, 40)) as (app, pilot):
        await until(lambda: app.knowledge is not None, "the knowledge is there")
        app.desk.open_topic(4)
        app.interview.open_question(app.desk.current)
        await shows(app, "scheduled an async checkpoint save")
        await press(pilot, "f1")
        await until(lambda: isinstance(app.screen, KeysScreen), "the help is open")
        await shows(app, "Blocking save:")


async def test_dont_know_from_the_palette(home: Path) -> None:
    async with interview(home / "job.toml") as (app, pilot):
        app.action_dont_know()
        await until(lambda: app.desk.current.id == "nodes", "the next question is open")
        await settle(app, pilot)
        assert app.desk.answers["state_total"].is_unknown


async def test_quitting_needs_no_question(home: Path) -> None:
    async with interview(home / "job.toml") as (app, pilot):
        await press(pilot, "ctrl+q")
        await until(lambda: app.return_code is not None, "the application ends")
    assert app.return_code == 0
