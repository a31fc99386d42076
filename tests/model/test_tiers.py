"""The best interval and k together, against answers of others and one k after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.model.lost_work import goodput
from advisor.model.optimum import best_interval
from advisor.model.pattern import Pattern, pattern
from advisor.model.tiers import MOST, best_every, best_tiers, stacked
from tests.model.reference import cases

Case = dict[str, Any]


def two_tiers(inputs: Case) -> Pattern:
    return pattern(
        stall=inputs["C_s"][0], pool_stall=inputs["C_s"][1],
        soft_rate=inputs["lambda_per_s"][0], hard_rate=inputs["lambda_per_s"][1],
        soft_restart=inputs["R_s"][0], hard_restart=inputs["R_s"][1],
    )  # fmt: skip


JOINT = [c for c in cases("multilevel") if "exact_best_counts" in c.values[1]]


@pytest.mark.parametrize(("inputs", "outputs"), JOINT)
def test_best_count_and_interval_of_the_markov_chain(inputs: Case, outputs: Case) -> None:
    found = best_tiers(two_tiers(inputs), 0.001)
    # The counts are printed as 9 and 19; the top is flat, so the interval agrees to 1e-5 only.
    assert float(found.every) == outputs["exact_best_counts"][0]
    assert float(found.best.interval) == pytest.approx(outputs["exact_best_w"], rel=1e-5)
    assert float(found.best.goodput) == pytest.approx(outputs["E_exact_best"], rel=1e-6)
    assert found.best.band_low < found.best.interval < found.best.band_high
    assert found.best.goodput > outputs["single_level_pool_only_E"]


def log(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(np.log(low), np.log(high)).map(lambda x: float(np.exp(x)))


jobs = st.tuples(
    log(0.1, 300), st.sampled_from([0.0, 60.0]), log(1, 5000), st.floats(0, 0.6),
    log(3600, 1e6), st.floats(0, 0.99), log(10, 3600), st.sampled_from([0.0, 1.0]),
)  # fmt: skip


def build(case: tuple[float, ...]) -> Pattern:
    stall, pool_stall, lag, slow, mtbf, share, restart, survives = case
    return pattern(
        stall=stall, pool_stall=pool_stall, pool_lag=0.0 if pool_stall else lag,
        pool_slowdown=slow, soft_rate=share / mtbf, hard_rate=(1 - share) / mtbf,
        soft_restart=restart / 3, hard_restart=restart, drain_survives=survives,
    )  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(jobs)
def test_no_k_is_better_than_the_one_found(case: tuple[float, ...]) -> None:
    p = build(case)
    found = best_tiers(p, 0.001)
    every = float(found.every)
    assert every == round(every)
    assert 1 <= every <= MOST
    tried = p.changed(every=np.arange(1.0, MOST + 1))
    assert float(found.best.goodput) >= float(best_interval(tried, 0.001).goodput.max()) - 2e-6
    assert float(found.best.goodput) == pytest.approx(
        float(goodput(p.changed(every=every), found.best.interval)), rel=1e-12
    )


@settings(max_examples=25, deadline=None)
@given(jobs)
def test_never_worse_than_every_save(case: tuple[float, ...]) -> None:
    p = build(case)
    one = float(best_interval(p, 0.001).goodput)
    assert float(best_tiers(p, 0.001).best.goodput) >= one - 1e-9


@settings(max_examples=25, deadline=None)
@given(log(0.1, 300), log(3600, 1e6), log(10, 3600))
def test_one_tier_has_k_of_one(stall: float, mtbf: float, restart: float) -> None:
    # Nothing survives on the nodes, and the pool copy is the save itself.
    p = pattern(stall=stall, hard_rate=1 / mtbf, hard_restart=restart)
    assert float(best_tiers(p, 0.001).every) == 1


def test_many_jobs_at_once_are_the_same_as_each_alone() -> None:
    rng = np.random.default_rng(7)
    each = [
        build((s, 0.0, d, sig, m, g, 600.0, 0.0))
        for s, d, sig, m, g in zip(
            rng.uniform(1, 50, 12), rng.uniform(10, 2000, 12), rng.uniform(0, 0.5, 12),
            rng.uniform(1e4, 3e5, 12), rng.uniform(0, 0.95, 12), strict=True,
        )
    ]  # fmt: skip
    every, top = best_every(stacked(each))
    for i, p in enumerate(each):
        alone, value = best_every(p)
        assert every[i] == alone
        assert top[i] == pytest.approx(float(value), rel=1e-9)
    assert len(set(every.tolist())) > 1


def test_a_dearer_pool_copy_is_made_less_often() -> None:
    p = pattern(
        stall=10.0, pool_stall=np.geomspace(1, 1000, 8), soft_rate=8e-5, hard_rate=1e-5,
        soft_restart=60.0, hard_restart=600.0,
    )  # fmt: skip
    every = best_tiers(p, 0.001).every
    assert np.all(np.diff(every) >= 0)
    # To first order the loss goes with (s + b/k)(soft + k hard), least at
    # k = sqrt(b soft / (s hard)) = sqrt(10 x 8).
    middle = best_tiers(
        pattern(stall=10.0, pool_stall=100.0, soft_rate=8e-6, hard_rate=1e-6,
                soft_restart=0.0, hard_restart=0.0), 0.001,
    )  # fmt: skip
    assert float(middle.every) == pytest.approx(np.sqrt(80), abs=1)
