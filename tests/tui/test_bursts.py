"""What is typed faster than the screen follows: a slow line, a paste, a script."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.events import Key
from textual.keys import _character_to_key
from textual.pilot import Pilot

from advisor.session.drafts import read_drafts
from advisor.session.places import state_folder
from tests.ticket_job import TICKET
from tests.tui.support import interview, press, saved_answers, settle, write_session

SAID = ["12 TB", "128", "15 min"]


def burst(pilot: Pilot[None], text: str) -> None:
    """Type a text in one go; a line end is Enter."""
    driver = pilot.app._driver
    assert driver is not None
    for sign in text:
        if sign == "\n":
            driver.send_message(Key("enter", "\r"))
        else:
            name = sign if sign.isalnum() else _character_to_key(sign)
            driver.send_message(Key(name, sign))


@pytest.mark.parametrize("count", [1, 2, 3])
async def test_keys_behind_enter_go_to_the_next_question(count: int, tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    async with interview(path) as (app, pilot):
        burst(pilot, "".join(f"{text}\n" for text in SAID[:count]) + "1")
        await settle(app, pilot)
        await settle(app, pilot)
        names = ["state_total", "nodes", "interval"][:count]
        expected = dict(zip(names, SAID, strict=False))
        assert {k: v for k, (v, _) in saved_answers(path).items() if k in names} == expected
        # The fourth question is a choice: a digit takes its first value.
        assert app.desk.draft(app.desk.current).text == ("sync" if count == 3 else "1")


async def test_a_choice_behind_enter_goes_to_the_next_question(tmp_path: Path) -> None:
    given = {name: TICKET[name] for name in ("nodes", "state_total", "interval", "nvme")}
    path = write_session(tmp_path / "s.toml", {**given, "interval_decided_by": "habit"})
    async with interview(path) as (app, pilot):
        assert app.desk.current.id == "mode"
        burst(pilot, "a\n50 GB/s\n")
        await settle(app, pilot)
        await settle(app, pilot)
        saved = saved_answers(path)
        assert saved["mode"][0] == "async"
        assert "50 GB/s" in [value for value, _ in saved.values()]


async def test_an_enter_that_accepts_nothing_lets_the_next_keys_in(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    async with interview(path) as (app, pilot):
        burst(pilot, "12 bananas\n")
        await settle(app, pilot)
        burst(pilot, "x")
        await settle(app, pilot)
        assert app.desk.draft(app.desk.current).text == "12 bananasx"


async def test_an_accepted_answer_leaves_no_draft_behind(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    async with interview(path) as (app, pilot):
        burst(pilot, "12 TB\n")
        await settle(app, pilot)
        # What the timer would do.
        app.keep_draft()
        await settle(app, pilot)
        assert read_drafts(path) == {}
        await press(pilot, "f7")
        await settle(app, pilot)
        app.keep_draft()
        await settle(app, pilot)
        assert read_drafts(path) == {}


async def test_drafts_of_two_questions_are_both_kept(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    async with interview(path) as (app, pilot):
        burst(pilot, "12")
        await settle(app, pilot)
        await press(pilot, "pagedown")
        burst(pilot, "7")
        await settle(app, pilot)
        app.keep_draft()
        await settle(app, pilot)
        (file,) = state_folder("drafts").iterdir()
        assert json.loads(file.read_text())["drafts"] == {"state_total": "12", "nodes": "7"}


async def test_a_figure_typed_at_a_choice_chooses_nothing(tmp_path: Path) -> None:
    """The s of ``40 GB/s`` is no first letter of "the science needs these states"."""
    given = {name: TICKET[name] for name in ("nodes", "state_total", "interval")}
    path = write_session(tmp_path / "s.toml", given)
    async with interview(path) as (app, pilot):
        app.desk.current = app.desk.checklist.question("interval_decided_by")
        app.interview.open_question(app.desk.current)
        await settle(app, pilot)
        burst(pilot, "90 GB/s")
        await settle(app, pilot)
        assert app.desk.draft(app.desk.current).text == ""
