"""Going back and forward, and what becomes of text that was not accepted."""

from __future__ import annotations

from pathlib import Path

from tests.tui.support import (
    answer,
    drain,
    interview,
    lines,
    press,
    saved_answers,
    settle,
    text,
    until,
    write_session,
)


async def test_back_is_never_blocked_by_a_text_that_cannot_be_read(home: Path) -> None:
    path = home / "job.toml"
    async with interview(path) as (app, pilot):
        await answer(app, pilot, "12 TB")
        await press(pilot, *"12x", "pageup")
        await settle(app, pilot)
        assert app.desk.current.id == "state"
        assert "2 Nodes !" in lines(app)[1]
        await press(pilot, "pagedown")
        await settle(app, pilot)
        assert app.desk.current.id == "nodes"
        assert "12x" in text(app)
        assert "! " in text(app)
    assert saved_answers(path) == {"state_total": ("12 TB", "estimated")}


async def test_enter_on_a_text_that_cannot_be_read_says_why(home: Path) -> None:
    path = home / "job.toml"
    async with interview(path) as (app, pilot):
        await press(pilot, *"18 Gb", "enter")
        await settle(app, pilot)
        assert app.desk.current.id == "state"
        # Bits are no size: the quantity grammar refuses them with what to write.
        assert "bit" in text(app)
    assert not path.exists()


async def test_the_last_accepted_value_keeps_driving_the_estimate(home: Path) -> None:
    path = write_session(home / "job.toml")
    async with interview(path) as (app, pilot):
        app.interview.action_topic(3)
        await settle(app, pilot)
        await press(pilot, "q")
        await settle(app, pilot)
        assert "not understood" not in text(app)  # not while it is being typed
        await press(pilot, "enter")
        await settle(app, pilot)
        assert "Goodput 84.7 %" in text(app)  # the example ticket
        assert "! Interval: the text typed is not understood; the accepted answer" in text(app)


async def test_a_readable_draft_is_marked_and_counts_in_the_estimate_only(home: Path) -> None:
    path = write_session(home / "job.toml")
    async with interview(path, (120, 40)) as (app, pilot):
        app.interview.action_topic(3)
        await settle(app, pilot)
        await press(pilot, *["backspace"] * 6, *"48 min", "pageup")
        await settle(app, pilot)
        assert "3 Interval ~" in lines(app)[1]
        assert "Goodput 89.7 %" in text(app)  # the example ticket
    assert saved_answers(path)["interval"] == ("15 min", "measured")


async def test_drafts_are_there_after_a_restart(home: Path) -> None:
    path = home / "job.toml"
    async with interview(path) as (app, pilot):
        await answer(app, pilot, "12 TB")
        await press(pilot, *"12x")
        app.keep_draft()
        await settle(app, pilot)
    async with interview(path) as (app, pilot):
        assert app.desk.current.id == "nodes"
        assert "12x" in text(app)
        assert "2 Nodes !" in lines(app)[1]


async def test_a_click_on_a_step_opens_it(home: Path) -> None:
    async with interview(home / "job.toml") as (app, pilot):
        column = lines(app)[1].index("5 NVMe")
        await pilot.click(offset=(column + 2, 1))
        await drain(pilot)
        assert app.desk.current.id == "nvme"
        assert "Is there node-local NVMe" in text(app)


async def test_a_click_on_an_answer_opens_its_question(home: Path) -> None:
    path = write_session(home / "job.toml")
    async with interview(path, (120, 40)) as (app, pilot):
        row = next(n for n, line in enumerate(lines(app)) if "Pool write rate" in line)
        await pilot.click(offset=(8, row))
        await drain(pilot)
        assert app.desk.current.id == "pool_write"


async def test_arrows_scroll_a_question_that_is_longer_than_the_window(home: Path) -> None:
    async with interview(home / "job.toml", (60, 16)) as (app, pilot):
        before = lines(app)
        await press(pilot, "down", "down")
        await until(lambda: lines(app) != before, "it scrolls down")
        await press(pilot, "up", "up")
        await until(lambda: lines(app) == before, "and up again")


async def test_resizing_keeps_the_typed_text_and_the_focus(home: Path) -> None:
    async with interview(home / "job.toml") as (app, pilot):
        await press(pilot, *"12 T")
        for size in ((120, 40), (60, 16), (40, 12), (200, 60), (80, 24)):
            await pilot.resize_terminal(*size)
            await drain(pilot)
            assert "12 T" in text(app)
        assert app.focused is not None
        assert app.focused.id == "value"


async def test_a_tiny_window_is_still_usable(home: Path) -> None:
    path = home / "job.toml"
    async with interview(path, (48, 12)) as (app, pilot):
        assert "Small window" in text(app)
        assert "Estimate needs:" in text(app)
        await answer(app, pilot, "12 TB")
        assert "How many nodes" in text(app)
    assert saved_answers(path) == {"state_total": ("12 TB", "estimated")}
