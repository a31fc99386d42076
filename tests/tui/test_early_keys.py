"""What is typed before the first question is on the screen."""

from __future__ import annotations

import asyncio
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Mapping
from datetime import timedelta
from fcntl import ioctl
from pathlib import Path

import pytest

from advisor.facts.answers import Answer
from advisor.session.journal import Journal
from advisor.session.store import digest
from advisor.tui.app import AdvisorApp
from tests.tui.support import (
    MOST_WAIT,
    NOW,
    answer,
    interview,
    press,
    saved_answers,
    settle,
    text,
    until,
    write_session,
)
from tests.tui.test_bursts import burst

BEFORE = b"12 TB\r128\r"
"""Typed before anything is on the screen."""

SAVED = {"state_total": ("12 TB", "estimated"), "nodes": ("128", "estimated")}
"""What it means."""


def type_at_once(path: Path, environment: Mapping[str, str], wait: float) -> None:
    """Start the interview in a terminal, type after ``wait`` seconds, leave when it is saved."""
    pid, terminal = pty.fork()
    if pid == 0:
        command = [sys.executable, "-m", "advisor", str(path)]
        os.execve(command[0], command, dict(environment))  # noqa: S606 - becomes the program
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    try:
        time.sleep(wait)
        os.write(terminal, BEFORE)
        end = time.monotonic() + MOST_WAIT
        while not (path.exists() and "answers.nodes" in path.read_text()):
            assert time.monotonic() < end, "waited in vain for both answers"
            if select.select([terminal], [], [], 0.05)[0]:
                os.read(terminal, 65536)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(terminal)


def slow(app: AdvisorApp) -> AdvisorApp:
    """Reading the questions takes its time, as on a distant disk."""
    begin = app.begin

    async def late() -> None:
        await asyncio.sleep(0.3)
        await begin()

    app.begin = late  # type: ignore[method-assign]
    return app


@pytest.mark.parametrize("wait", [0.0, 0.1, 0.15, 0.2, 0.3])
def test_keys_typed_before_the_screen_is_up_are_answers(home: Path, wait: float) -> None:
    path = home / "job.toml"
    environment = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": os.getcwd()}
    type_at_once(path, environment, wait)
    assert saved_answers(path) == SAVED


async def test_keys_wait_until_the_questions_are_read(home: Path) -> None:
    path = home / "job.toml"
    app = slow(AdvisorApp(path, now=lambda: NOW))
    async with app.run_test(size=(80, 24)) as pilot:
        assert not app.is_built
        assert "Five questions. Enter accepts" in text(app)
        burst(pilot, "12 TB\n128\n")
        await settle(app, pilot)
        await until(lambda: len(app.desk.answers) == 2, "both answers are taken")
        await settle(app, pilot)
    app.keeper.finish()
    assert saved_answers(path) == SAVED


async def test_keys_typed_before_a_dialog_do_not_answer_it(home: Path) -> None:
    async with interview(None) as (app, pilot):
        await answer(app, pilot, "12 TB")
    app = slow(AdvisorApp(None, now=lambda: NOW))
    async with app.run_test(size=(80, 24)) as pilot:
        burst(pilot, "n\n9 TB\n")
        await until(lambda: "Your last session" in text(app), "the dialog")
        await until(lambda: "typed before this came up is not used" in text(app), "the notice")
        await press(pilot, "enter")
        await settle(app, pilot)
        assert app.desk.answers["state_total"].value == "12 TB"
        assert app.desk.drafts == {}
    app.keeper.finish()


async def test_keys_typed_before_what_a_crash_left_is_offered_do_not_take_it(home: Path) -> None:
    path = write_session(home / "job.toml", {"nodes": "128"})
    Journal(path, digest(path)).record("state_total", Answer("12 TB"), NOW + timedelta(minutes=1))
    app = slow(AdvisorApp(path, now=lambda: NOW))
    async with app.run_test(size=(80, 24)) as pilot:
        burst(pilot, "\n")
        await until(lambda: "A run was cut off" in text(app), "the dialog")
        await settle(app, pilot)
        assert "state_total" not in app.desk.answers
        await press(pilot, "d")
        await settle(app, pilot)
    app.keeper.finish()


async def test_leaving_works_before_the_questions_are_read(home: Path) -> None:
    app = AdvisorApp(home / "job.toml", now=lambda: NOW)

    async def never() -> None:
        app.leave(143)

    app.begin = never  # type: ignore[method-assign]
    async with app.run_test(size=(80, 24)):
        await until(lambda: app.return_code is not None, "the application ends")
    app.keep_draft()
    app.keeper.finish()
    assert app.return_code == 143
