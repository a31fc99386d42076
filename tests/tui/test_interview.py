"""The interview typed from the first key to the last, with the real knowledge."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.support import (
    answer,
    drain,
    interview,
    lines,
    press,
    saved_answers,
    settle,
    shows,
    text,
    type_text,
    write_session,
)

SIZES = [(80, 24), (120, 40), (60, 16)]
"""The design size, a large window, and the smallest in which everything is shown."""


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x40", "60x16"])
async def test_five_answers_are_typed_saved_and_estimated(
    home: Path, size: tuple[int, int]
) -> None:
    path = home / "job.toml"
    async with interview(path, size) as (app, pilot):
        assert app.focused is not None
        assert app.focused.id == "value"
        for typed in ("12 TB", "128", "15 min"):
            await answer(app, pilot, typed)
        await answer(app, pilot, "s")  # the first letter of "synchronous: training waits"
        await answer(app, pilot, "2")  # the second choice: present, not used for checkpoints
        assert "5 of 5 known" in text(app)
        # 12 TB from 128 nodes is what was typed; a rate is still missing for a goodput.
        assert "Needs: Pool write rate" in text(app)
    assert saved_answers(path) == {
        "state_total": ("12 TB", "estimated"),
        "nodes": ("128", "estimated"),
        "interval": ("15 min", "estimated"),
        "mode": ("sync", "estimated"),
        "nvme": ("present", "estimated"),
    }


async def test_after_the_five_the_follow_ups_are_asked(home: Path) -> None:
    async with interview(home / "job.toml") as (app, pilot):
        for typed in ("12 TB", "128", "15 min", "s", "1"):
            await answer(app, pilot, typed)
        assert app.desk.current.number == 0
        assert "All five answered: F2 shows the results." in text(app)
        first = app.desk.current.id
        await press(pilot, "enter")  # an empty follow-up is skipped
        await settle(app, pilot)
        assert app.desk.current.id != first
        assert first not in app.desk.answers


async def test_skipping_every_follow_up_ends(home: Path) -> None:
    async with interview(home / "job.toml") as (app, pilot):
        for typed in ("12 TB", "128", "15 min", "s", "1"):
            await answer(app, pilot, typed)
        asked = len(app.desk.checklist.questions(app.desk.answers))
        await press(pilot, *["enter"] * asked)
        assert "Nothing is left to ask. F2 shows the results." in text(app)


async def test_steps_give_two_facts_and_are_shown_again_as_typed(home: Path) -> None:
    path = home / "job.toml"
    async with interview(path) as (app, pilot):
        await answer(app, pilot, "12 TB")
        await answer(app, pilot, "128")
        await type_text(pilot, "440 steps @ 4.1 s")
        await drain(pilot)
        # 440 x 4.1 s = 1,804 s = 30.07 min
        assert "= 30.1 min" in text(app)
        await press(pilot, "enter", "pageup")
        await settle(app, pilot)
        assert "440 steps @ 4.1 s" in text(app)
    assert saved_answers(path)["interval_steps"][0] == "440"
    assert saved_answers(path)["step_time"][0] == "4.1 s"


async def test_question_mark_is_an_answer(home: Path) -> None:
    path = home / "job.toml"
    async with interview(path) as (app, pilot):
        await type_text(pilot, "?")
        await drain(pilot)
        assert "[ don't know ]" in text(app)
        await press(pilot, "enter")
        await settle(app, pilot)
        assert app.desk.current.id == "nodes"
        assert lines(app)[1].lstrip().startswith("1 State ?")
    assert saved_answers(path) == {"state_total": ("?", "unknown")}


async def test_question_mark_in_a_row_of_choices(home: Path) -> None:
    path = home / "job.toml"
    async with interview(path) as (app, pilot):
        for typed in ("12 TB", "128", "15 min"):
            await answer(app, pilot, typed)
        await press(pilot, "?")
        await drain(pilot)
        assert "[ don't know ]" in text(app)
        await press(pilot, "enter")
        await settle(app, pilot)
    assert saved_answers(path)["mode"] == ("?", "unknown")


async def test_certainty_and_note_by_keys(home: Path) -> None:
    path = home / "job.toml"
    async with interview(path) as (app, pilot):
        await type_text(pilot, "12 TB")
        await press(pilot, "tab", "m")  # measured
        await press(pilot, "tab")
        await type_text(pilot, "du of the last one")
        await press(pilot, "enter")
        await settle(app, pilot)
    session = saved_answers(path)
    assert session == {"state_total": ("12 TB", "measured")}
    assert 'note = "du of the last one"' in path.read_text()


async def test_certainty_by_mouse(home: Path) -> None:
    path = home / "job.toml"
    async with interview(path) as (app, pilot):
        await type_text(pilot, "12 TB")
        row = next(n for n, line in enumerate(lines(app)) if "( guessed )" in line)
        column = lines(app)[row].index("guessed")
        await pilot.click(offset=(column, row))
        await drain(pilot)
        assert "[ guessed ]" in text(app)
        await press(pilot, "enter")
        await settle(app, pilot)
    assert saved_answers(path)["state_total"] == ("12 TB", "guessed")


async def test_tilde_means_estimated_unless_something_else_was_chosen(home: Path) -> None:
    path = home / "job.toml"
    async with interview(path) as (app, pilot):
        await answer(app, pilot, "~12 TB")
        await type_text(pilot, "~128")
        await press(pilot, "tab", "g", "enter")
        await settle(app, pilot)
    assert saved_answers(path)["state_total"] == ("~12 TB", "estimated")
    assert saved_answers(path)["nodes"] == ("~128", "guessed")


async def test_tab_walks_value_certainty_note(home: Path) -> None:
    async with interview(home / "job.toml") as (app, pilot):
        seen = []
        for _ in range(3):
            seen.append(app.focused.id if app.focused else None)
            await press(pilot, "tab")
        assert seen == ["value", "certainty", "note"]
        assert app.focused is not None
        assert app.focused.id == "value"


async def test_an_emptied_answer_is_taken_back(home: Path) -> None:
    path = home / "job.toml"
    async with interview(path) as (app, pilot):
        await answer(app, pilot, "12 TB")
        await answer(app, pilot, "128")
        await press(pilot, "pageup")
        await press(pilot, *["backspace"] * 3, "enter")
        await settle(app, pilot)
        assert "Type an answer, or ? for don't know." in text(app)
    assert saved_answers(path) == {"state_total": ("12 TB", "estimated")}


async def test_the_hint_of_an_empty_question_does_not_follow_to_another(home: Path) -> None:
    async with interview(home / "job.toml") as (app, pilot):
        await answer(app, pilot, "12 TB")
        await press(pilot, "enter")
        assert "Type an answer, or ? for don't know." in text(app)
        await press(pilot, "pageup")
        assert "12 TB" in text(app)
        assert "Type an answer" not in text(app)


async def test_what_is_not_understood_says_whether_another_answer_counts(home: Path) -> None:
    async with interview(home / "job.toml") as (app, pilot):
        await type_text(pilot, "12 T")
        await press(pilot, "enter")
        await shows(app, "! State: the text typed is not understood and not used.")
        await press(pilot, "B", "enter")
        await settle(app, pilot)
        await press(pilot, "pageup", "backspace", "enter")
        await shows(app, "! State: the text typed is not understood; the accepted answer is used.")


async def test_the_estimate_follows_every_key(home: Path) -> None:
    path = write_session(home / "job.toml")
    async with interview(path) as (app, pilot):
        app.interview.action_topic(3)
        await settle(app, pilot)
        assert "Goodput 84.7 %" in text(app)  # the example ticket
        await press(pilot, *["backspace"] * 6)
        await type_text(pilot, "48 min")
        await settle(app, pilot)
        assert "Goodput 89.7 %" in text(app)  # the example ticket: 48 min gives 89.7 %
        assert app.desk.answers["interval"].value == "15 min"
    assert saved_answers(path)["interval"] == ("15 min", "measured")


async def test_a_whole_word_typed_in_a_row_of_choices_chooses_it(home: Path) -> None:
    """The word "present" holds an n, which must not choose "none"."""
    path = home / "job.toml"
    async with interview(path) as (app, pilot):
        for typed in ("12 TB", "128", "15 min", "sync", "present"):
            await answer(app, pilot, typed)
    answers = saved_answers(path)
    assert answers["mode"] == ("sync", "estimated")
    assert answers["nvme"] == ("present", "estimated")
