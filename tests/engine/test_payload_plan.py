"""Increments and compression in the plan: against brute force, with increments that grow."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from advisor.engine.advise import advise, present
from advisor.engine.conditions import check_limits
from advisor.engine.findings import outcomes
from advisor.engine.knowledge import load_knowledge
from advisor.engine.levers import LEVERS
from advisor.engine.plan import PLAN_SLOTS, Offer, goodput_of, search
from advisor.engine.situation import Situation
from advisor.facts.scenario import Scenario
from advisor.model.configuration import work_interval
from tests.rules.fixtures import PlainSession, answers

GRID = np.geomspace(10, 1e6, 400)
"""Intervals that brute force tries, s: 2.9 % apart, far finer than the flat band."""


def random_job(rng: np.random.Generator) -> dict[str, str]:
    def log(low: float, high: float) -> float:
        return float(np.exp(rng.uniform(np.log(low), np.log(high))))

    return {
        "nodes": str(int(log(2, 2048))),
        "accelerators_per_node": "0",
        "state_total": f"{log(1e11, 1e14)!r} B",
        "pool_write": f"{log(1e9, 1e12)!r} B/s",
        "pool_read": f"{log(1e9, 1e12)!r} B/s",
        "interval": f"{log(300, 36000)!r} s",
        "mode": str(rng.choice(["sync", "async"])),
        "nvme": "none",
        "job_mtbf": f"{log(7200, 2e6)!r} s",
        "restart_time": f"{log(60, 3600)!r} s",
        "changed_fraction": f"{rng.uniform(0.01, 0.7)!r}",
        "compress_rate": f"{log(1e9, 1e12)!r} B/s",
        "interval_decided_by": str(rng.choice(["habit", "policy"])),
    }


def offers_of(now: Situation) -> list[Offer]:
    out = []
    for found in outcomes(now, load_knowledge().pack):
        lever = LEVERS.get(found.rule.lever)
        if found.value is True and lever is not None and lever.slot in PLAN_SLOTS:
            out.append(Offer(found.rule, lever, lever.change(now.scenario)))
    return out


def best_by_hand(sc: Scenario, effort: float, free: bool) -> float:
    """Highest goodput of keeping the interval or taking any other, less the effort."""
    kept = goodput_of(sc)
    assert kept is not None
    value = float(kept) - 0.001 * effort
    if free:
        at = goodput_of(sc.changed({"interval": GRID}))
        assert at is not None
        value = max(value, float(at.max()) - 0.001 * (effort + 1))
    return value


@pytest.mark.parametrize("seed", range(2))
def test_no_payload_beats_the_plan(seed: int) -> None:
    knowledge = load_knowledge()
    rng = np.random.default_rng(40 + seed)
    taken: set[str] = set()
    for _ in range(20):
        facts = random_job(rng)
        now = present(answers(facts, {}), knowledge).situation
        offers, free = offers_of(now), facts["interval_decided_by"] == "habit"
        plan = search(now.scenario, offers, knowledge.pack, now.framework, interval_free=free)
        assert plan.choice is not None
        before = check_limits(now.scenario, knowledge.pack, now.framework)
        short = {s.limit.id: s.short for s in before}
        best = -1.0
        for size in range(len(offers) + 1):
            for subset in combinations(offers, size):
                job = now.scenario
                for offer in subset:
                    job = offer.lever.apply(job, offer.settings)
                states = check_limits(job, knowledge.pack, now.framework)
                if all(not s.broken or s.short <= 1.000001 * short[s.limit.id] for s in states):
                    # All of these are changes of configuration, weight 1.
                    best = max(best, best_by_hand(job, float(size), free))
        # Rounding the interval inside the flat band may give away up to 0.1 point.
        score = plan.choice.goodput - 0.001 * plan.choice.effort
        assert best - 0.001 - 1e-6 <= score, facts
        taken |= {o.lever.id for o in plan.choice.offers}
    assert {"incremental", "compression"} <= taken


JOB = {
    "nodes": "100",
    "accelerators_per_node": "0",
    "state_total": "6 TB",
    "pool_write": "20 GB/s",
    "save_variation": "1",
    "mode": "sync",
    "nvme": "none",
    "interval": "60 min",
    "interval_decided_by": "habit",
    "job_mtbf": "10 h",
    "restart_time": "10 min",
    "changed_fraction": "10%",
}


def test_the_step_says_the_chain_and_the_view_the_payload() -> None:
    found = advise(PlainSession(answers(JOB, {})), load_knowledge())
    (step,) = [s for s in found.plan if s.lever == "incremental"]
    assert step.rule == "CKV04"
    assert float(step.settings["full_every"] or 0) > 1
    assert (found.before.payload, found.after.payload) == ("as_is", "incremental")
    assert {t.fact for t in step.thresholds} <= {"changed_fraction", "job_mtbf", "pool_read"}
    # A full save still takes 300 s; the mean one far less.
    assert found.after.save.barrier_mean == pytest.approx(300)
    assert (found.after.save.stall or 0) < 150


def test_a_dense_optimiser_is_offered_nothing() -> None:
    found = advise(PlainSession(answers({**JOB, "changed_fraction": "1"}, {})), load_knowledge())
    assert all(s.lever != "incremental" for s in found.plan)
    assert found.finding("CKV04").state == "clear"
    assert "no gain" in found.finding("CKV06").message


def test_the_plan_knows_that_a_shorter_interval_changes_less() -> None:
    knowledge = load_knowledge()
    found = advise(PlainSession(answers(JOB, {})), knowledge)
    now = present(answers(JOB, {}), knowledge).situation
    settings = {k: v for s in found.plan for k, v in s.settings.items()}
    after = now.scenario.changed(settings)
    tau, value = work_interval(after, None), goodput_of(after)
    assert tau is not None
    assert value is not None
    assert float(value) == pytest.approx(found.after.goodput or 0, rel=1e-9)
    # No interval of the grid, with the increments it really has, is better by 0.1 point.
    others = goodput_of(after.changed({"interval": GRID}))
    assert others is not None
    assert float(value) > float(others.max()) - 0.0011
