"""The results of the example ticket on the screen."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest
from textual.pilot import Pilot

from advisor.engine.advice import Advice
from advisor.tui.app import AdvisorApp
from advisor.tui.screens.results import ResultsScreen
from tests.tui.support import (
    MOST_WAIT,
    at_interview,
    interview,
    lines,
    part,
    press,
    settle,
    shows,
    text,
    until,
    write_session,
)
from tests.tui.ticket import ticket_advice


async def open_results(app: AdvisorApp, pilot: Pilot[None]) -> ResultsScreen:
    await press(pilot, "f2")
    await until(lambda: isinstance(app.screen, ResultsScreen), "the results are open")
    screen = app.screen
    assert isinstance(screen, ResultsScreen)
    await until(lambda: "Computing" not in text(app), "the advice is there")
    await settle(app, pilot)
    return screen


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
async def test_headline_and_first_change(home: Path, size: tuple[int, int]) -> None:
    async with interview(write_session(home / "job.toml"), size) as (app, pilot):
        await open_results(app, pilot)
        shown = text(app)
        # All figures: the example ticket.
        assert "15.3 % of its compute, $4.12M a year" in shown
        assert "▸ 1 Save asynchronously" in shown
        assert "+9.4 points" in shown
        assert "--async-save --use-persistent-ckpt-worker" in part(app, "#page")


async def test_thresholds_of_the_change(home: Path) -> None:
    async with interview(write_session(home / "job.toml"), (120, 40)) as (app, pilot):
        await open_results(app, pilot)
        assert "Stops being possible if" in part(app, "#page")
        assert "Free host memory is below 117 GB" in part(app, "#page")  # the example ticket


async def test_the_list_is_walked_with_the_arrows(home: Path) -> None:
    async with interview(write_session(home / "job.toml"), (120, 40)) as (app, pilot):
        await open_results(app, pilot)
        await press(pilot, "down")
        assert "▸ Interval, as it is now: make it longer" in text(app)
        # 14.7 to 24.6 min: the example ticket rounds them to 15 and 25.
        assert "After the changes every interval from 14.7 min to 24.6 min" in part(app, "#page")
        await press(pilot, "down")
        # 12 TB in 60 s less the variation of saves: 203 GB/s; the plain quotient is 200 GB/s.
        assert "Pool rate needed 203 GB/s" in part(app, "#page")
        assert "bytes over pause 200 GB/s" in part(app, "#page")


async def test_the_page_scrolls(home: Path) -> None:
    async with interview(write_session(home / "job.toml")) as (app, pilot):
        await open_results(app, pilot)
        before = lines(app)
        await press(pilot, "pagedown")
        await until(lambda: lines(app) != before, "the page scrolls down")
        await press(pilot, "pageup")
        await until(lambda: lines(app) == before, "and up again")


async def test_c_copies_the_lines_of_the_selected_change(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with interview(write_session(home / "job.toml")) as (app, pilot):
        await open_results(app, pilot)
        sent: list[str] = []
        monkeypatch.setattr(app, "copy_to_clipboard", sent.append)
        await press(pilot, "c")
        await shows(app, "OSC 52")
        assert len(sent) == 1
        assert sent[0].startswith("--async-save --use-persistent-ckpt-worker")


async def test_escape_goes_back_to_the_question(home: Path) -> None:
    async with interview(write_session(home / "job.toml")) as (app, pilot):
        await open_results(app, pilot)
        await press(pilot, "escape")
        await settle(app, pilot)
        assert at_interview(app)
        await press(pilot, "f2")
        await settle(app, pilot)


async def test_leaving_before_the_advice_is_there(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = threading.Event()
    leave = threading.Event()

    def slow(*_: object) -> Advice:
        begun.set()
        leave.wait(MOST_WAIT)
        return ticket_advice()

    monkeypatch.setattr("advisor.engine.advise.advise", slow)
    async with interview(write_session(home / "job.toml")) as (app, pilot):
        await press(pilot, "f2")
        await until(begun.is_set, "the advice is being computed")
        assert "Computing the advice" in text(app)
        await press(pilot, "escape")
        leave.set()
        await settle(app, pilot)
        assert at_interview(app)
        await press(pilot, *"40 s", "enter")
        await settle(app, pilot)
        assert app.return_code is None


async def test_results_accept_what_was_typed_and_name_what_cannot_be_read(home: Path) -> None:
    path = write_session(home / "job.toml")
    async with interview(path) as (app, pilot):
        app.interview.action_topic(3)
        await press(pilot, *["backspace"] * 6, *"48 min")
        app.interview.action_question("pool_write")
        await press(pilot, "x")
        await open_results(app, pilot)
        assert "Accepted as typed: Interval." in text(app)
        assert "Not understood and not counted: Pool write rate." in text(app)
        assert app.desk.answers["interval"].value == "48 min"


async def test_too_few_facts_give_questions_and_no_zeros(home: Path) -> None:
    path = write_session(home / "job.toml", {"nodes": "128"})
    async with interview(path) as (app, pilot):
        screen = await open_results(app, pilot)
        assert "Open questions" in text(app)
        everything = " ".join(b.text for page in screen._pages for b in page.blocks)
        # nan as a word: the help names the framework nanotron.
        for wrong in ("None", r"\bnan\b", "inf ", " 0 %"):
            assert not re.search(wrong, everything)


async def test_the_advice_is_noted_in_the_session(home: Path) -> None:
    path = write_session(home / "job.toml")
    async with interview(path) as (app, pilot):
        await open_results(app, pilot)
    assert "[advice]" in path.read_text()
