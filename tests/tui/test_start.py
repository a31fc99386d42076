"""Which session a start opens, and what a crash or somebody else's save leaves to decide."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from advisor.facts.answers import Answer
from advisor.session.journal import Journal
from advisor.session.lock import SessionLock
from advisor.session.places import sessions_folder
from advisor.session.store import digest, load, save
from advisor.tui.app import AdvisorApp
from advisor.tui.screens.ask import AskScreen
from tests.tui.support import (
    NOW,
    answer,
    interview,
    press,
    saved_answers,
    settle,
    shows,
    text,
    until,
    write_session,
)


async def test_first_run_goes_straight_to_question_one(home: Path) -> None:
    async with interview(None) as (app, _):
        assert app.screen is app.interview
        assert app.desk.current.id == "state"
        assert "Five questions. Enter accepts, ? is don't know" in text(app)
    assert list(sessions_folder().iterdir()) == []


async def test_an_unfinished_session_is_offered_and_resumed(home: Path) -> None:
    async with interview(None) as (app, pilot):
        await answer(app, pilot, "12 TB")
    app = AdvisorApp(None, now=lambda: NOW)
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(app, "Your last session")
        assert "saved 29 Nov 14:02, 1 of 5 known." in text(app)
        await press(pilot, "enter")
        await settle(app, pilot)
        assert app.desk.current.id == "nodes"
        assert "1 of 5 known" in text(app)
    app.keeper.finish()
    assert len(list(sessions_folder().iterdir())) == 1


async def test_n_begins_a_new_one(home: Path) -> None:
    async with interview(None) as (app, pilot):
        await answer(app, pilot, "12 TB")
    app = AdvisorApp(None, now=lambda: NOW)
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(app, "Your last session")
        await press(pilot, "n")
        await settle(app, pilot)
        assert "0 of 5 known" in text(app)
        await answer(app, pilot, "9 TB")
    app.keeper.finish()
    assert len(list(sessions_folder().iterdir())) == 2


async def test_a_finished_session_is_not_offered(home: Path) -> None:
    path = write_session(sessions_folder() / "job.toml")
    async with interview(path) as (app, pilot):
        await press(pilot, "f2")
        await shows(app, "15.3 %")
        await settle(app, pilot)
    async with interview(None) as (app, _):
        assert "0 of 5 known" in text(app)


async def test_answers_of_a_killed_run_are_offered_not_forced(home: Path) -> None:
    path = write_session(home / "job.toml", {"nodes": "128"})
    # A run that was killed after the journal and before the file.
    Journal(path, digest(path)).record("state_total", Answer("12 TB"), NOW + timedelta(minutes=1))
    app = AdvisorApp(path, now=lambda: NOW)
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(app, "A run was cut off")
        assert "State of one save" in text(app)
        assert "state_total" not in app.desk.answers
        await press(pilot, "enter")
        await until(lambda: "state_total" in app.desk.answers, "the answer is taken over")
        await settle(app, pilot)
    app.keeper.finish()
    assert saved_answers(path)["state_total"] == ("12 TB", "estimated")


async def test_answers_of_a_killed_run_can_be_dropped(home: Path) -> None:
    path = write_session(home / "job.toml", {"nodes": "128"})
    Journal(path, digest(path)).record("state_total", Answer("12 TB"), NOW + timedelta(minutes=1))
    app = AdvisorApp(path, now=lambda: NOW)
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(app, "A run was cut off")
        await press(pilot, "d")
        await settle(app, pilot)
    app.keeper.finish()
    async with interview(path) as (app, _):
        assert app.screen is app.interview
        assert "state_total" not in app.desk.answers


async def test_a_locked_session_ends_with_code_4(home: Path) -> None:
    path = write_session(home / "job.toml")
    with SessionLock(path):
        app = AdvisorApp(path, now=lambda: NOW)
        async with app.run_test(size=(80, 24)):
            await until(lambda: app.return_code is not None, "the application ends")
    assert app.return_code == 4
    assert "open in another ckpt-advisor" in app.farewell


@pytest.mark.parametrize("content", ["", "schema_version = 9\n", "nodes = [", "\x00\x01"])
async def test_a_file_that_is_no_session_ends_with_code_2(home: Path, content: str) -> None:
    path = home / "job.toml"
    path.write_text(content)
    app = AdvisorApp(path, now=lambda: NOW)
    async with app.run_test(size=(80, 24)):
        await until(lambda: app.return_code is not None, "the application ends")
    assert app.return_code == 2
    assert "job.toml" in app.farewell
    assert path.read_text() == content


async def save_as_somebody_else(path: Path) -> None:
    session, old = load(path)
    save(session.with_answer("keep", Answer("7"), NOW), path, expected_digest=old)


async def test_somebody_elses_save_is_reloaded_with_ours_on_top(home: Path) -> None:
    path = write_session(home / "job.toml", {"state_total": "12 TB"})
    async with interview(path) as (app, pilot):
        await save_as_somebody_else(path)
        await press(pilot, *"128", "enter")
        await shows(app, "The file has changed")
        await press(pilot, "r")
        await until(lambda: not isinstance(app.screen, AskScreen), "the dialog is closed")
        await until(lambda: "keep" in app.desk.answers, "the file is read again")
        await settle(app, pilot)
        assert "not saved" not in text(app)
    assert {"keep", "nodes", "state_total"} == set(saved_answers(path))


async def test_somebody_elses_save_is_left_alone_under_another_name(home: Path) -> None:
    path = write_session(home / "job.toml", {"state_total": "12 TB"})
    async with interview(path) as (app, pilot):
        await save_as_somebody_else(path)
        await press(pilot, *"128", "enter")
        await shows(app, "The file has changed")
        await press(pilot, "s")
        await shows(app, "~/job-2.toml")
        await press(pilot, "enter")
        await until(lambda: (home / "job-2.toml").exists(), "the other file is written")
        await settle(app, pilot)
        await answer(app, pilot, "15 min")
    assert set(saved_answers(path)) == {"keep", "state_total"}
    assert set(saved_answers(home / "job-2.toml")) == {"state_total", "nodes", "interval"}


async def test_a_read_only_folder_shows_a_banner(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_session(home / "job.toml", {"state_total": "12 TB"})

    def read_only(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    async with interview(path) as (app, pilot):
        with monkeypatch.context() as for_now:
            for_now.setattr("advisor.session.store.replace_file", read_only)
            await answer(app, pilot, "128")
        assert "! not saved: this disk is mounted read-only" in text(app)
        assert "2 of 5 known" in text(app)
        await answer(app, pilot, "15 min")
        assert "not saved" not in text(app)
    assert set(saved_answers(path)) == {"state_total", "nodes", "interval"}


async def test_enter_before_the_session_is_open_counts(home: Path) -> None:
    path = home / "job.toml"
    app = AdvisorApp(path, now=lambda: NOW)
    async with app.run_test(size=(80, 24)) as pilot:
        # Typed at once, while the file is still being opened.
        await press(pilot, *"12 TB", "enter")
        await settle(app, pilot)
    app.keeper.finish()
    assert saved_answers(path) == {"state_total": ("12 TB", "estimated")}


async def test_site_facts_are_used_and_copied_in(home: Path) -> None:
    site = home / "site.toml"
    site.write_text('[answers.pool_write]\nvalue = "100 GB/s"\nsource = "measured"\n')
    path = home / "job.toml"
    app = AdvisorApp(path, site=site, now=lambda: NOW)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(app, pilot)
        await answer(app, pilot, "12 TB")
    app.keeper.finish()
    assert 'from = "site"' in path.read_text()
