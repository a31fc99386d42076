"""Driving the interview without a terminal, and reading what it shows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from textual.events import Key
from textual.keys import _character_to_key
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.strip import Strip

from advisor.facts.answers import Answer
from advisor.session.document import Session
from advisor.session.store import load, save
from advisor.tui.app import AdvisorApp
from tests.ticket_job import TICKET

NOW = datetime(2026, 11, 29, 14, 2, 11, tzinfo=UTC)
"""The clock of every test."""

MOST_WAIT = 10.0
"""Seconds until a wait is given up; the slowest, loading the model, takes under one."""

HOPS = 7
"""A key goes by the driver, application, screen, field, card and screen again: one round each."""


def write_session(path: Path, answers: Mapping[str, str] = TICKET, note: str = "") -> Path:
    """Save a session with measured answers."""
    given = {name: Answer(value, "measured", note=note) for name, value in answers.items()}
    save(Session(path.stem, "", NOW, NOW, answers=given), path, expected_digest=None)
    return path


def saved_answers(path: Path) -> dict[str, tuple[str, str]]:
    """Value and source of every answer in a file."""
    return {name: (one.value, one.source) for name, one in load(path)[0].answers.items()}


async def until(condition: Callable[[], bool], what: str) -> None:
    """Wait for a condition; fail with what was waited for."""
    end = asyncio.get_running_loop().time() + MOST_WAIT
    while not condition():
        assert asyncio.get_running_loop().time() < end, f"waited in vain: {what}"
        await asyncio.sleep(0.005)


async def drain(pilot: Pilot[None]) -> None:
    """Wait until every message sent so far is handled and painted.

    The pilot's own pause waits for the processor to be idle instead, which takes 50 ms a key.
    """
    app = pilot.app
    for _ in range(HOPS):
        way: list[MessagePump] = [app, app.screen]
        if app.focused is not None:
            way += app.focused.ancestors_with_self
        for one in dict.fromkeys(way):
            handled = asyncio.Event()
            if one.call_later(handled.set):
                await asyncio.wait_for(handled.wait(), MOST_WAIT)
    await pilot._wait_for_screen()
    app.screen._on_timer_update()


async def settle(app: AdvisorApp, pilot: Pilot[None]) -> None:
    """Wait until everything asked for is saved, computed and shown."""
    await until(lambda: app.knowledge is not None, "the model is loaded")
    await until(lambda: app.keeper.editing is not None, "the session is open")
    await drain(pilot)
    await asyncio.wait_for(app.keeper.settled(), MOST_WAIT)
    await asyncio.wait_for(app.estimator.settled(), MOST_WAIT)
    await drain(pilot)


@asynccontextmanager
async def interview(
    path: Path | None, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[AdvisorApp, Pilot[None]]]:
    """The interview, running and at rest."""
    app = AdvisorApp(path, now=lambda: NOW)
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(app, pilot)
        yield app, pilot
        await asyncio.wait_for(app.keeper.settled(), MOST_WAIT)
    app.keeper.finish()


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys, by their names or as single characters, one after the other."""
    driver = pilot.app._driver
    assert driver is not None
    for key in keys:
        name = key if len(key) > 1 or key.isalnum() else _character_to_key(key)
        driver.send_message(Key(name, key if len(key) == 1 else None))
        if len(key) > 1:
            # Such a key may move the focus, which decides where the next one goes.
            await drain(pilot)
    await drain(pilot)


async def type_text(pilot: Pilot[None], text: str) -> None:
    """Press the keys of a text."""
    await press(pilot, *text)


async def answer(app: AdvisorApp, pilot: Pilot[None], text: str) -> None:
    """Type an answer, accept it, and wait until it is saved."""
    await press(pilot, *text, "enter")
    await settle(app, pilot)


def lines(app: AdvisorApp) -> list[str]:
    """The screen as the terminal gets it, line by line, blanks at the end left out."""
    strips: list[Strip] = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips]


def text(app: AdvisorApp) -> str:
    """The whole screen without frames and with single spaces, to look for sentences in."""
    return " ".join(" ".join(lines(app)).replace("│", " ").split())


def part(app: AdvisorApp, selector: str) -> str:
    """The text of one part of the screen, with single spaces."""
    region = app.screen.query_one(selector).region
    strips = app.screen._compositor.render_strips()[region.y : region.bottom]
    rows = ["".join(s.text for s in strip.crop(region.x, region.right)) for strip in strips]
    return " ".join(" ".join(rows).replace("│", " ").split())


async def shows(app: AdvisorApp, sentence: str) -> None:
    """Wait until a sentence is on the screen: short notices take a moment to appear."""
    await until(lambda: sentence in text(app), f"the screen shows {sentence!r}")


def at_interview(app: AdvisorApp) -> bool:
    """Whether no other screen and no dialog is in front."""
    return app.screen is app.interview
