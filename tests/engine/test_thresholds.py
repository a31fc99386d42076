"""A flip is a flip: on its two sides the verdict differs, between it and now it does not."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.engine.advise import advise, present
from advisor.engine.knowledge import load_knowledge
from advisor.engine.thresholds import gain_flips, present_value, varied
from advisor.facts.answers import Answer
from advisor.facts.scenario import Scenario
from advisor.model.normal import Floats
from tests.engine.sessions import advice, job
from tests.ticket_job import TICKET


def scenario(**answers: str) -> Scenario:
    given = {k: Answer(v, "measured") for k, v in answers.items()}
    return present(given, load_knowledge()).situation.scenario


def test_a_known_sign_change_is_found_on_both_sides() -> None:
    sc = scenario(**TICKET)

    def margin(varied_job: Scenario) -> Floats:
        rate = np.asarray(varied_job.require("pool_write"))
        return np.asarray((rate - 30e9) * (400e9 - rate))

    flips, none = gain_flips(margin, sc, ["pool_write"])
    assert none == ()
    assert {(t.direction, round(t.at / 1e9, 3)) for t in flips} == {
        ("below", 30.0),
        ("above", 400.0),
    }
    assert all(t.now == 100e9 for t in flips)


def test_no_flip_is_an_answer_with_its_range() -> None:
    sc = scenario(**TICKET)
    flips, none = gain_flips(lambda job: np.asarray(job.require("pool_write")), sc, ["pool_write"])
    assert flips == ()
    assert none[0].low == pytest.approx(1e9)
    assert none[0].high == pytest.approx(1e13)


def test_a_narrow_window_of_a_ratio_is_swept_evenly() -> None:
    sc = scenario(**{**TICKET, "mode": "async"})
    now = present_value(sc, "drain_slowdown")
    assert now is not None

    def margin(varied_job: Scenario) -> Floats:
        return 0.8 - np.asarray(varied_job.require("drain_slowdown"))

    flips, _ = gain_flips(margin, sc, ["drain_slowdown"])
    (flip,) = flips
    assert flip.direction == "above"
    assert flip.at == pytest.approx(0.8, abs=1e-6)


@pytest.mark.parametrize("side", [0.98, 1.02])
def test_on_the_two_sides_of_a_threshold_the_advice_differs(side: float) -> None:
    # "Save asynchronously" of the illustration stops paying at a drain slow-down near 94 %.
    step = advice(**TICKET).plan[0]
    flip = next(t for t in step.thresholds if t.fact == "drain_slowdown")
    moved = {**TICKET, "drain_slowdown": str(flip.at * side)}
    before = present({k: Answer(v, "measured") for k, v in moved.items()}, load_knowledge())
    sync = before.situation.estimate.shares
    assert sync is not None
    other = {**moved, "mode": "async"}
    after = present({k: Answer(v, "measured") for k, v in other.items()}, load_knowledge())
    gained = after.situation.estimate.shares
    assert gained is not None
    pays = float(gained.goodput) - float(sync.goodput) > 0.001
    assert pays is (side < 1)


def test_the_interval_verdict_flips_where_it_says() -> None:
    found = advise(job(**TICKET), load_knowledge())
    assert found.verdict.interval == "longer"
    flip = next(t for t in found.verdict.thresholds if t.fact == "job_mtbf")
    assert flip.direction == "below"
    for factor, verdict in ((1.01, "longer"), (0.99, "keep")):
        moved = {**TICKET, "job_mtbf": f"{flip.at * factor!r} s"}
        assert advise(job(**moved), load_knowledge()).verdict.interval == verdict


def test_varying_a_fact_takes_its_alternatives_along() -> None:
    answers = {k: v for k, v in TICKET.items() if k not in ("state_total", "job_mtbf")}
    sc = scenario(**answers, state_per_node="100 GB", interruptions="10", observed_for="100 h")
    assert present_value(sc, "state_total") == pytest.approx(12.8e12)
    assert present_value(sc, "job_mtbf") == pytest.approx(36000)
    double = varied(sc, "state_total", 25.6e12)
    assert double.number("state_per_node") == pytest.approx(200e9)
    assert varied(sc, "job_mtbf", 7200.0).number("interruptions") is None


def test_a_measured_save_that_varies_is_measured_anew() -> None:
    sc = scenario(**{**TICKET, "measured_save": "240 s"})
    ratio = float(np.asarray(sc.calibration.save))
    twice = varied(sc, "measured_save", 480.0)
    assert float(np.asarray(twice.calibration.save)) == pytest.approx(2 * ratio)
    # 240 s measured, 121.84 modelled: 118.16 s that bandwidth cannot explain. At 200 GB/s the model
    # says 60.92 s, so the save takes 179.08 s, 2.94 times it.
    held = varied(sc, "pool_write", 200e9)
    assert float(np.asarray(held.calibration.save)) == pytest.approx(2.9397, rel=1e-4)
