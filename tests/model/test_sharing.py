"""Several jobs on one pool, and failures of several kinds of parts, against reference answers."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
import pytest

from advisor.model.sharing import SharingJob, cooperative_intervals, series_mtbf
from tests.model.reference import RTOL, cases, close

Case = dict[str, Any]


@pytest.mark.parametrize(("inputs", "outputs"), cases("cooperative_shared_pool"))
def test_cooperative_intervals(inputs: Case, outputs: Case) -> None:
    # The reference takes a restart as long as a save.
    jobs = [SharingJob(n, q, c, restart=c) for n, q, c in inputs["apps_n_q_C"]]
    found = cooperative_intervals(jobs, inputs["node_mtbf_s"], inputs["nodes"])
    assert found.price == outputs["lagrange"]
    assert found.periods == pytest.approx(outputs["periods_s"], rel=RTOL)
    assert close(found.pool_use_free, outputs["io_use_unconstrained"])
    assert close(found.pool_use, outputs["io_use"])
    assert close(found.waste, outputs["waste"])


def test_a_pool_too_small_for_all_makes_the_intervals_longer() -> None:
    # Four jobs of 250 nodes fill the machine of 1,000; alone each would save 600 s every
    # sqrt(2 x 1e6/250 x 600) = 2,191 s: 4 x 600/2,191 = 1.095 of the time.
    jobs = [SharingJob(4, 250, 600, restart=0)]
    found = cooperative_intervals(jobs, 1e6, 1000)
    assert found.pool_use_free == pytest.approx(4 * 600 / 2190.89, rel=1e-5)
    assert found.pool_use == pytest.approx(1, abs=1e-9)
    assert found.pool_use <= 1
    # One kind of job: the period is 4 x 600 s, which leaves no pool idle.
    assert float(found.periods[0]) == pytest.approx(2400)
    assert found.price > 0


def test_no_shift_of_pool_time_between_jobs_wastes_less() -> None:
    # Two kinds that together ask for more than the pool has.
    jobs = [SharingJob(2, 400, 900, restart=300), SharingJob(10, 20, 400, restart=100)]
    mtbf, nodes = 2e6, 1000.0
    found = cooperative_intervals(jobs, mtbf, nodes)
    assert found.pool_use_free > 1

    def waste(first: float) -> float:
        """Machine lost with the first kind at a period and the second at what the pool leaves."""
        left = 1 - 2 * 900 / first
        second = 10 * 400 / left
        return sum(
            n * q / nodes * (c / p + q / mtbf * (p / 2 + r))
            for n, q, c, r, p in ((2, 400, 900, 300, first), (10, 20, 400, 100, second))
        )

    best = float(found.periods[0])
    assert waste(best) == pytest.approx(found.waste, rel=1e-6)
    for factor in np.linspace(0.95, 1.1, 31):
        assert waste(best * factor) >= found.waste - 1e-12


@pytest.mark.parametrize(("inputs", "outputs"), cases("series_mtbf"))
def test_parts_in_series(inputs: Case, outputs: Case) -> None:
    parts = [(inputs["mtbf1_h"], inputs["n1"]), (inputs["mtbf2_h"], inputs["n2"])]
    found = series_mtbf(parts)
    assert close(found, outputs["M_hours"])
    assert close(found * 60, outputs["M_minutes"])


def test_nothing_that_fails_never_fails() -> None:
    assert series_mtbf([]) == inf
