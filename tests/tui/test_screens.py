"""Every screen as text, at the design size and in a large window.

The expected screens are files beside this one. After a deliberate change write them anew with
``CKPT_ADVISOR_SCREENS=write pytest tests/tui/test_screens.py`` and read the difference.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from advisor.session.places import sessions_folder
from advisor.tui.app import AdvisorApp
from tests.ticket_job import TICKET
from tests.tui.support import interview, lines, press, settle, shows, text, until, write_session
from tests.tui.ticket import ticket_advice

FOLDER = Path(__file__).parent / "screens"
"""The expected screens."""

WRITE = os.environ.get("CKPT_ADVISOR_SCREENS") == "write"
"""Whether to write them anew."""

SIZES = [(80, 24), (120, 40), (60, 16)]
"""Design size, large window, smallest with everything."""

Steps = Callable[[AdvisorApp, Pilot[None]], Awaitable[None]]


async def first(app: AdvisorApp, pilot: Pilot[None]) -> None:
    """Question 1 of a new session: nothing to do."""


async def interval(app: AdvisorApp, pilot: Pilot[None]) -> None:
    app.interview.action_topic(3)


async def not_understood(app: AdvisorApp, pilot: Pilot[None]) -> None:
    app.interview.action_topic(3)
    await press(pilot, "q", "enter")


async def choice(app: AdvisorApp, pilot: Pilot[None]) -> None:
    app.interview.action_topic(5)


async def results(app: AdvisorApp, pilot: Pilot[None]) -> None:
    await press(pilot, "f2")
    await until(lambda: "Results" in text(app) and "Computing" not in text(app), "the advice")


async def figures(app: AdvisorApp, pilot: Pilot[None]) -> None:
    await results(app, pilot)
    await settle(app, pilot)
    await press(pilot, "down", "down", "down")


async def change(app: AdvisorApp, pilot: Pilot[None]) -> None:
    await results(app, pilot)
    await settle(app, pilot)
    await press(pilot, "down")


async def what_if(app: AdvisorApp, pilot: Pilot[None]) -> None:
    app.action_what_if()
    await shows(app, "as answered")
    await until(lambda: text(app).count("84.7 %") == 2, "the figures")
    await press(pilot, "down", "right", "right")
    await shows(app, "was 100 GB/s")
    # The goodput at 158 GB/s, two steps of a tenth of a decade up.
    await shows(app, "88.6 %")


async def sessions(app: AdvisorApp, pilot: Pilot[None]) -> None:
    await press(pilot, "f3")
    await shows(app, "few")


async def export(app: AdvisorApp, pilot: Pilot[None]) -> None:
    await press(pilot, "f4")
    await shows(app, "It is copied as well.")


async def keys(app: AdvisorApp, pilot: Pilot[None]) -> None:
    app.interview.action_topic(3)
    await press(pilot, "f1")
    await shows(app, "Keys and help")


def boxed(app: AdvisorApp) -> list[str]:
    """The screen with nothing around the dialog."""
    region = app.screen.query_one(".box").region
    strips = app.screen._compositor.render_strips()
    rows = range(region.y, region.bottom)
    inside = {y: strips[y].crop(region.x, region.right) for y in rows}
    return [
        (" " * region.x + inside[y].text).rstrip() if y in inside else ""
        for y in range(app.size.height)
    ]


SCREENS: dict[str, tuple[Steps, bool]] = {
    "first": (first, False),
    "interval": (interval, True),
    "not-understood": (not_understood, True),
    "choice": (choice, True),
    "results": (results, True),
    "figures": (figures, True),
    "change": (change, True),
    "what-if": (what_if, True),
    "sessions": (sessions, True),
    "export": (export, True),
    "keys": (keys, True),
}
"""How to get to each screen, and whether the session is that of the example ticket."""


@pytest.mark.parametrize("size", SIZES, ids=[f"{w}x{h}" for w, h in SIZES])
@pytest.mark.parametrize("name", SCREENS)
async def test_screen(
    home: Path, name: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The figures of the results are those of the ticket whatever the rules say today.
    monkeypatch.setattr("advisor.engine.advise.advise", lambda *_: ticket_advice())
    steps, answered = SCREENS[name]
    path = sessions_folder() / "llama-b.toml"
    write_session(sessions_folder() / "few.toml", {"nodes": "8"})
    if answered:
        write_session(path, TICKET)
    async with interview(path, size) as (app, pilot):
        await steps(app, pilot)
        await settle(app, pilot)
        # The screen behind a dialog is painted at its own time: only the dialog counts.
        shown = lines(app) if not app.screen.is_modal else boxed(app)
    assert len(shown) == size[1]
    assert max(cell_len(line) for line in shown) <= size[0]
    expected = FOLDER / f"{name}-{size[0]}x{size[1]}.txt"
    content = "\n".join(shown) + "\n"
    if WRITE:
        expected.write_text(content)
    assert content == expected.read_text()


@pytest.mark.parametrize("name", ["interval", "results", "sessions"])
async def test_without_colours_the_screens_say_the_same(
    home: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    await test_screen(home, name, (80, 24), monkeypatch)
