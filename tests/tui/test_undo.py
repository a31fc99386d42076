"""Taking answers back and giving them again; both are saved."""

from __future__ import annotations

from pathlib import Path

from tests.tui.support import answer, interview, press, saved_answers, settle, shows, text


async def test_undo_and_redo_change_the_file(home: Path) -> None:
    path = home / "job.toml"
    async with interview(path) as (app, pilot):
        await answer(app, pilot, "12 TB")
        await answer(app, pilot, "128")
        await press(pilot, "f7")
        await settle(app, pilot)
        assert app.desk.current.id == "nodes"
        assert "1 of 5 known" in text(app)
        assert set(saved_answers(path)) == {"state_total"}
        await press(pilot, "f8")
        await settle(app, pilot)
        assert "2 of 5 known" in text(app)
        assert set(saved_answers(path)) == {"state_total", "nodes"}


async def test_undo_of_a_change_shows_the_old_value(home: Path) -> None:
    async with interview(home / "job.toml") as (app, pilot):
        await answer(app, pilot, "12 TB")
        await press(pilot, "pageup", *["backspace"] * 5, *"9 TB", "enter")
        await settle(app, pilot)
        await press(pilot, "f7")
        await settle(app, pilot)
        assert app.desk.current.id == "state"
        assert app.desk.draft(app.desk.current).text == "12 TB"
        assert "12 TB" in text(app)


async def test_nothing_to_undo_says_so(home: Path) -> None:
    async with interview(home / "job.toml") as (app, pilot):
        await press(pilot, "f7")
        await shows(app, "Nothing to take back.")


async def test_shift_f7_as_terminals_send_it(home: Path) -> None:
    path = home / "job.toml"
    async with interview(path) as (app, pilot):
        await answer(app, pilot, "12 TB")
        await press(pilot, "f7")
        await settle(app, pilot)
        await press(pilot, "f19")  # what xterm's code for shift+F7 is read as
        await settle(app, pilot)
    assert set(saved_answers(path)) == {"state_total"}
