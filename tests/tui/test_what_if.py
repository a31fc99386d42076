"""What if: facts are moved, the figures follow, and only a saved variant is written."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.engine.knowledge import Knowledge, load_knowledge
from advisor.facts.answers import Answer
from advisor.facts.quantity import parse
from advisor.interview.live import live
from advisor.tui.app import AdvisorApp
from advisor.tui.screens.what_if import WhatIfScreen
from advisor.tui.sliders import Slider, bar, moved_answers, sliders
from tests.ticket_job import TICKET
from tests.tui.support import (
    NOW,
    interview,
    press,
    saved_answers,
    settle,
    text,
    until,
    write_session,
)

KNOWN = load_knowledge()
GIVEN = {name: Answer(value, "measured") for name, value in TICKET.items()}
ALL = {slider.spec.name: slider for slider in sliders(GIVEN, KNOWN)}


def test_what_people_ask_about_comes_first() -> None:
    assert list(ALL)[:3] == ["interval", "pool_write", "job_mtbf"]
    assert ALL["pool_write"].began == 1e11


@pytest.mark.parametrize("name", list(ALL))
@given(steps=st.lists(st.sampled_from([1, -1, 10, -10]), max_size=12))
def test_a_slider_stays_within_the_limits_and_comes_back(name: str, steps: list[int]) -> None:
    slider = ALL[name]
    for by in steps:
        slider = slider.moved(by)
        low, high = slider.spec.minimum, slider.spec.maximum
        assert low is None or slider.value >= low
        assert high is None or slider.value <= high
        assert 0 <= slider.place <= 1
        # What is shown is what would be typed.
        typed = parse(slider.text, slider.spec.kind).value
        assert typed == pytest.approx(slider.value, rel=6e-3)
    while slider.steps:
        slider = slider.moved(-1 if slider.steps > 0 else 1)
    assert slider == ALL[name]


def test_up_is_more() -> None:
    for name, slider in ALL.items():
        assert slider.moved(1).value >= slider.value, name
        assert slider.moved(-1).value <= slider.value, name


def test_a_moved_fact_replaces_its_alternatives() -> None:
    answers = {**GIVEN, "interval_steps": Answer("440"), "step_time": Answer("4 s")}
    answers.pop("interval")
    moved: Slider = next(s for s in sliders(answers, KNOWN) if s.spec.name == "interval")
    out = moved_answers(answers, (moved.moved(5),), KNOWN)
    assert "interval_steps" not in out
    assert parse(out["interval"].value, "duration").value == pytest.approx(
        moved.moved(5).value, 0.01
    )


def test_nothing_moved_is_the_answers() -> None:
    assert moved_answers(GIVEN, tuple(ALL.values()), KNOWN) == GIVEN


@pytest.mark.parametrize(("place", "at"), [(0.0, 1), (0.5, 5), (1.0, 9)])
def test_the_bar(place: float, at: int) -> None:
    drawn = bar(place, 11)
    assert len(drawn) == 11
    assert drawn.index("●") == at


def what_if(screen: object) -> WhatIfScreen:
    assert isinstance(screen, WhatIfScreen)
    return screen


async def test_moving_and_saving_a_variant(home: Path, tmp_path: Path) -> None:
    path = write_session(tmp_path / "job.toml")
    async with interview(path) as (app, pilot):
        await press(pilot, "f2")
        await until(lambda: "15.3 %" in text(app), "the results")
        await press(pilot, "w")
        await until(lambda: "as answered" in text(app), "the figures")
        await until(lambda: text(app).count("84.7 %") == 2, "both columns say the same")
        await press(pilot, "down", "right", "right")
        faster = {**GIVEN, "pool_write": Answer("158 GB/s")}
        expected = {line.label: line.text for line in live(faster, KNOWN).lines}["Goodput"]
        await until(lambda: expected in text(app), "the goodput with a faster pool")
        assert "158 GB/s" in text(app)
        assert "was 100 GB/s" in text(app)
        await press(pilot, "s")
        variant = tmp_path / "job-what-if.toml"
        await until(variant.exists, "the variant")
        await settle(app, pilot)
    assert saved_answers(variant)["pool_write"] == ("158 GB/s", "guessed")
    assert saved_answers(path)["pool_write"] == ("100 GB/s", "measured")


async def test_reset_and_leaving_change_nothing(home: Path, tmp_path: Path) -> None:
    path = write_session(tmp_path / "job.toml")
    before = saved_answers(path)
    async with interview(path) as (app, pilot):
        app.action_what_if()
        await until(lambda: isinstance(app.screen, WhatIfScreen), "the screen")
        await until(lambda: "as answered" in text(app), "the figures")
        await press(pilot, "right", "r", "s")
        assert what_if(app.screen).is_mounted
        await press(pilot, "escape")
        await until(lambda: app.screen is app.interview, "the interview")
        await settle(app, pilot)
    assert saved_answers(path) == before
    assert [p.name for p in tmp_path.glob("*.toml")] == ["job.toml"]


async def test_results_asked_for_before_the_model_is_loaded_come(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(rules: tuple[Path, ...]) -> Knowledge:
        time.sleep(0.5)
        return load_knowledge(rules)

    monkeypatch.setattr("advisor.tui.start._load", late)
    path = write_session(home / "job.toml")
    app = AdvisorApp(path, now=lambda: NOW)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(lambda: app.is_built, "the questions")
        assert app.knowledge is None
        app.action_results()
        await until(lambda: "15.3 %" in text(app), "the results")
        await settle(app, pilot)
    app.keeper.finish()
