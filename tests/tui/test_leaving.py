"""Keys that work everywhere: ctrl+q ends it in front of whatever is open, Esc closes what opens."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path

import pytest
from textual.pilot import Pilot

from advisor.engine.advice import Advice
from advisor.engine.advise import advise
from advisor.tui.app import AdvisorApp
from advisor.tui.screens.export import ExportScreen
from advisor.tui.screens.results import ResultsScreen
from advisor.tui.screens.sessions import SessionsScreen
from tests.tui.support import (
    MOST_WAIT,
    at_interview,
    drain,
    interview,
    lines,
    press,
    settle,
    shows,
    text,
    until,
    write_session,
)

OPENED: Mapping[str, str] = {
    "f1": "KeysScreen",
    "f2": "ResultsScreen",
    "f3": "SessionsScreen",
    "f4": "ExportScreen",
    "f9": "CommandPalette",
}
"""What each key puts in front of the interview."""


async def opened(app: AdvisorApp, pilot: Pilot[None], key: str) -> None:
    await press(pilot, key)
    await until(lambda: type(app.screen).__name__ == OPENED[key], f"{OPENED[key]} is open")


@pytest.mark.parametrize("key", OPENED)
async def test_ctrl_q_ends_it_from_every_screen_and_dialog(home: Path, key: str) -> None:
    async with interview(write_session(home / "job.toml")) as (app, pilot):
        await opened(app, pilot, key)
        await press(pilot, "ctrl+q")
        await until(lambda: app._exit, "the application ends")
    assert app.return_code == 0


async def test_ctrl_q_ends_it_from_the_keys_over_the_results(home: Path) -> None:
    async with interview(write_session(home / "job.toml")) as (app, pilot):
        await opened(app, pilot, "f2")
        await opened(app, pilot, "f1")
        await press(pilot, "ctrl+q")
        await until(lambda: app._exit, "the application ends")


@pytest.fixture
def slow_advice(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Holds the advice back until it is set."""
    go = threading.Event()

    def waits(*given: object) -> Advice:
        assert go.wait(MOST_WAIT)
        return advise(*given)  # type: ignore[arg-type]  # what the application gives

    monkeypatch.setattr("advisor.engine.advise.advise", waits)
    return go


async def test_escape_behind_f4_closes_what_f4_opens(
    home: Path, slow_advice: threading.Event
) -> None:
    async with interview(write_session(home / "job.toml")) as (app, pilot):
        await opened(app, pilot, "f4")
        assert "Computing the advice" in text(app)
        await press(pilot, "escape")
        assert at_interview(app)
        slow_advice.set()
        await settle(app, pilot)
        await drain(pilot)
        assert at_interview(app)
    assert not (home / "job.md").exists()


async def test_enter_behind_f4_writes_as_soon_as_the_ticket_is_there(
    home: Path, slow_advice: threading.Event
) -> None:
    async with interview(write_session(home / "job.toml")) as (app, pilot):
        await opened(app, pilot, "f4")
        await press(pilot, "enter")
        assert isinstance(app.screen, ExportScreen)
        assert not (home / "job.md").exists()
        slow_advice.set()
        await shows(app, "Written: ~/job.md")
    assert (home / "job.md").is_file()


async def test_the_dialog_says_why_there_is_no_ticket(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from advisor.facts.resolve import AnswerError

    def refuses(*_: object) -> Advice:
        raise AnswerError("nodes", "12.5 is not a whole number.", "Write 12.")

    monkeypatch.setattr("advisor.engine.advise.advise", refuses)
    async with interview(write_session(home / "job.toml")) as (app, pilot):
        await opened(app, pilot, "f4")
        await shows(app, "No results: Nodes in the job: 12.5 is not a whole number.")
        await press(pilot, "enter")
        assert isinstance(app.screen, ExportScreen)
    assert not (home / "job.md").exists()


async def test_a_key_pressed_often_leaves_one_notice(home: Path) -> None:
    async with interview(home / "job.toml") as (app, pilot):
        for _ in range(4):
            await press(pilot, "f7")
            await settle(app, pilot)
        await shows(app, "Nothing to take back.")
        assert text(app).count("Nothing to take back.") == 1
        await press(pilot, "f8")
        await shows(app, "Nothing to give again.")


@pytest.mark.parametrize(
    ("size", "notice"),
    [
        ((80, 15), "Small window: 60x16 or more shows everything."),
        ((30, 8), "Small: 60x16 shows everything."),
        ((10, 3), "Use 60x16."),
    ],
)
async def test_a_small_window_says_so_on_every_screen(
    home: Path, size: tuple[int, int], notice: str
) -> None:
    async with interview(write_session(home / "job.toml"), size) as (app, pilot):
        assert notice in text(app)
        for key, screen in (("f2", ResultsScreen), ("f3", SessionsScreen)):
            await press(pilot, key)
            await until(lambda: isinstance(app.screen, screen), "it is open")  # noqa: B023 - at once
            await settle(app, pilot)
            assert notice in text(app)


async def test_the_results_at_30x8_show_the_headline_a_change_and_its_page(home: Path) -> None:
    async with interview(write_session(home / "job.toml"), (30, 8)) as (app, pilot):
        await press(pilot, "f2")
        await shows(app, "▸ 1 Save async")
        shown = lines(app)
        assert shown[2].strip() == "Checkpoints and failures"
        assert shown[6].strip() == "1 Save asynchronously"
        assert "Choose" in shown[7]


async def test_a_large_window_has_no_such_notice(home: Path) -> None:
    async with interview(write_session(home / "job.toml"), (60, 16)) as (app, pilot):
        assert "60x16" not in text(app)
        await press(pilot, "f2")
        await shows(app, "Save asynchronously")
        assert "60x16" not in text(app)
