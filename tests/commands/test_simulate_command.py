"""The simulation beside the closed form: figures, missing facts, the bar, Ctrl-C."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from advisor.commands import progress, simulate_runs
from advisor.model.simulate import Progress, steps
from tests.commands.support import ROOT, Ran, inside, settings


def data(ran: Ran) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ran.out)
    return found


def test_the_worked_example(capsys: pytest.CaptureFixture[str]) -> None:
    """84.7 % and 94.1 % are the published figures of the ticket."""
    ran = inside(capsys, "simulate", *settings(), "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    found = data(ran)
    for name, published in (("now", 0.847), ("after", 0.941)):
        case = found[name]
        assert case["closed_form"] == pytest.approx(published, abs=5e-4)
        assert abs(case["simulated"] - case["closed_form"]) < 4 * case["standard_error"]
        assert case["low"] < case["simulated"] < case["high"]
        # 2,000 runs of 200 interruptions each.
        assert case["interruptions"] == pytest.approx(400_000, rel=0.01)
        assert (case["runs"], case["left_out"]) == (2000, [])


@pytest.mark.parametrize("path", sorted((ROOT / "sessions").glob("*.toml")), ids=lambda p: p.stem)
def test_what_is_simulated_is_what_was_advised(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    advised = data(inside(capsys, "advise", path, "--format", "json"))
    ran = inside(capsys, "simulate", path, "--format", "json", "--replicas", "50")
    found = data(ran)
    for name, key in (("now", "before"), ("after", "after")):
        if found[name] is not None:
            whole = found[name]["closed_form_whole"]
            assert whole == pytest.approx(advised[key]["goodput"], rel=1e-9)
    if advised["before"]["goodput"] is None:
        assert (ran.code, found["now"]) == (3, None)
        assert found["missing"]


def test_the_text_has_figures_and_lengths(ticket: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "simulate", ticket, "--replicas", "300", "--until", "30 d")
    assert ran.code == 0
    assert re.search(r"^now +84\.69 % +8\d\.\d\d % +8\d\.\d\d % to 8\d\.\d\d %", ran.out, re.M)
    assert re.search(r"^after the plan +94\.0\d % +9", ran.out, re.M)
    assert "now: 300 runs of 30 d each, interruptions at random" in ran.out


def test_the_same_seed_gives_the_same_figures(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", *settings(), "--replicas", "100", "--format", "json", "--years", "0.1"]
    first, again, other = (
        data(inside(capsys, *words, "--seed", seed))["now"]["simulated"] for seed in "112"
    )
    assert first == again
    assert first != other


def test_other_laws_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", *settings(), "--replicas", "100", "--weibull", "0.5", "--cluster", "0.2"]
    ran = inside(capsys, *words)
    assert "with Weibull gaps of shape 0.5, 20 % of them followed by another soon" in ran.out
    assert "the closed form is for interruptions at random, with the same mean" in ran.out


def test_terms_left_out_are_named_with_what_they_cost(capsys: pytest.CaptureFixture[str]) -> None:
    """One announced stop in ten, and 2 % unusable copies: each lowers the goodput."""
    facts = settings(
        announced_share="0.1", preemption_notice="10 min", notice_handled="yes", unusable_share="2%"
    )
    words = ["simulate", *facts, "--replicas", "100"]
    now = data(inside(capsys, *words, "--format", "json"))["now"]
    assert now["left_out"] == ["announced stops", "unusable copies"]
    assert now["closed_form_whole"] < now["closed_form"]
    text = inside(capsys, *words).out
    whole = f"{100 * now['closed_form_whole']:.2f} %"
    assert (
        "left out of both figures: announced stops and unusable copies;"
        f" with them the closed form is {whole}" in text
    )


def test_where_the_closed_form_is_off_the_simulation_is_to_be_taken(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Saves that a time-out kills now and then: each loses a whole interval, half is charged."""
    facts = settings(
        nvme="present", interval="60 min", pool_write="20 GB/s", mode="sync", save_variation="3",
        collective_timeout="20 min", node_mtbf="1280 h", job_mtbf="",
    )  # fmt: skip
    words = ["simulate", *facts, "--replicas", "400"]
    now = data(inside(capsys, *words, "--format", "json"))["now"]
    assert now["closed_form_holds"] is False
    difference = now["closed_form"] - now["simulated"]
    assert abs(difference) > 10 * now["standard_error"]
    assert now["closed_form_excess"] * difference > 0
    said = inside(capsys, *words).out
    assert "take the simulated value: the closed form is about" in said
    assert "too high here, for saves that a time-out kills at their end" in said


SLOW_POOL = {
    "nvme": "used", "pool_every": "4", "interval": "15 min", "pool_write": "4 GB/s",
    "mode": "sync", "local_survives": "process_restart",
}  # fmt: skip
"""Each drain takes nearly the time to the next one."""


def test_drains_that_start_again_are_in_the_closed_form(
    capsys: pytest.CaptureFixture[str],
) -> None:
    facts = settings(**SLOW_POOL, drain_survives="no", job_mtbf="6 h")
    words = ["simulate", *facts, "--replicas", "400"]
    now = data(inside(capsys, *words, "--format", "json"))["now"]
    assert now["closed_form_holds"] is True
    assert abs(now["closed_form"] - now["simulated"]) < 4 * now["standard_error"]
    assert "take the simulated value" not in inside(capsys, *words).out


def test_drains_that_go_on_while_interruptions_come_faster(
    capsys: pytest.CaptureFixture[str],
) -> None:
    facts = settings(**SLOW_POOL, drain_survives="yes", job_mtbf="40 min")
    words = ["simulate", *facts, "--replicas", "400"]
    now = data(inside(capsys, *words, "--format", "json"))["now"]
    assert now["closed_form_holds"] is False
    assert abs(now["closed_form"] - now["simulated"]) < 0.005
    said = inside(capsys, *words).out
    assert "take the simulated value: interruptions come faster than pool copies here" in said


def test_too_few_facts(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "simulate", few)
    assert (ran.code, ran.out) == (3, "")
    names = '"State of one save", "Interval between saves"'
    assert ran.err == f"there is no goodput to simulate; not known: {names}\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--replicas", "1"], '"1" is not a whole number from 2'),
        (["--replicas", "many"], '"many" is not a whole number from 2'),
        (["--years", "0"], '"0" is not a number of years above 0'),
        (["--years", "nan"], '"nan" is not a number of years above 0'),
        (["--until", "?"], '"?" is not a time above 0'),
        (["--weibull", "0"], '"0" is not a number from 0.2 to 10'),
        (["--cluster", "1"], '"1" is not a number from 0 to 0.9'),
        (["--years", "1", "--until", "1 d"], "not allowed with argument"),
    ],
)
def test_bad_use(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "simulate", *settings(), *words)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_the_bar_is_on_stderr_of_a_terminal_alone(
    ticket: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words: list[str | Path] = ["simulate", ticket, "--replicas", "100", "--years", "0.1"]
    assert inside(capsys, *words).err == ""
    monkeypatch.setattr(progress, "is_terminal", lambda stream: True)
    ran = inside(capsys, *words)
    assert "] 200 of 200" in ran.err
    assert "\r" not in ran.out


def test_ctrl_c_prints_what_is_complete(
    ticket: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """5,000 runs are three blocks; the key comes when the first of them (1,667) is complete."""

    def interrupted(*args: Any, **kwargs: Any) -> Iterator[Progress]:
        for found in steps(*args, **kwargs):
            yield found
            if found.result is not None:
                raise KeyboardInterrupt

    monkeypatch.setattr(simulate_runs, "steps", interrupted)
    words: list[str | Path] = ["simulate", ticket, "--replicas", "5000", "--years", "0.1"]
    ran = inside(capsys, *words)
    assert ran.code == 130
    assert ran.err == "stopped: 1,667 of 10,000 runs are complete\n"
    assert "now: 1,667 runs" in ran.out
    assert re.search(r"^after the plan +94\.0\d % +no run is complete", ran.out, re.M)
    found = data(inside(capsys, *words, "--format", "json"))
    assert (found["complete"], found["after"]["simulated"]) == (False, None)
