"""Curves of an advice: through its figures, and each point is what an advice there says."""

from __future__ import annotations

from math import log
from statistics import NormalDist

import pytest

from advisor.engine.advice import View
from tests.report.support import job
from tests.ticket_job import TICKET

BUFFERED = {"pool_buffer": "20 TB", "pool_buffer_write": "400 GB/s"}
"""A pool with a fast area: a save takes longer where the area has less time to empty."""


def at(view: View, interval: float) -> float:
    """The goodput of the curve at one of its points."""
    assert view.curve is not None
    return view.curve.goodput[view.curve.intervals.index(interval)]


@pytest.mark.parametrize("changes", [{}, {"mode": "async"}, BUFFERED, {"nvme": "used"}])
def test_the_curve_passes_through_the_present_and_the_best(changes: dict[str, str]) -> None:
    view = job(TICKET, **changes).before
    assert view.interval is not None
    assert view.best_interval is not None
    assert at(view, view.interval) == pytest.approx(view.goodput, rel=1e-9)
    assert at(view, view.best_interval) == pytest.approx(view.best_goodput, rel=1e-9)
    assert view.curve is not None
    assert max(view.curve.goodput) == pytest.approx(view.best_goodput, abs=1e-6)


@pytest.mark.parametrize("changes", [{}, BUFFERED, {"job_length": "5 h"}])
@pytest.mark.parametrize("interval", ["5 min", "2 h", "6 h"])
def test_every_point_is_what_an_advice_at_that_interval_says(
    changes: dict[str, str], interval: str
) -> None:
    there = job(TICKET, **{**changes, "interval": interval}).before
    curve = job(TICKET, **changes).before.curve
    assert there.interval is not None
    assert curve is not None
    low = max(i for i, t in enumerate(curve.intervals) if t <= there.interval)
    near = sorted(curve.goodput[low : low + 2])
    assert near[0] - 1e-9 <= (there.goodput or 0) <= near[1] + 1e-9


def test_intervals_rise_and_shares_are_shares() -> None:
    curve = job(TICKET).before.curve
    assert curve is not None
    assert list(curve.intervals) == sorted(set(curve.intervals))
    assert all(0 <= g <= 1 for g in curve.goodput)


def test_intervals_by_the_clock_hold_the_stall() -> None:
    view = job(TICKET, interval_basis="clock").before
    assert view.clock is not None
    assert view.clock.now == 900
    assert at(view, 900) == pytest.approx(view.goodput, rel=1e-6)


def test_there_is_no_curve_without_a_rate_and_none_where_no_copy_reaches_the_pool() -> None:
    assert job(TICKET, pool_write=None).before.curve is None
    assert job(TICKET, nvme="used", pool_every="0").before.curve is None


def test_the_tail_at_the_time_out_is_the_chance_of_the_figures() -> None:
    """A lognormal save: median 120 s, p99/p50 of 1.5, against 3 min."""
    view = job(TICKET, collective_timeout="3 min").before
    assert view.tail is not None
    expected = 1 - NormalDist().cdf(log(180 / 120) / log(1.5) * NormalDist().inv_cdf(0.99))
    assert view.tail.outlasts_limit == pytest.approx(expected, rel=1e-6)
    assert view.save.timeout_probability == pytest.approx(view.tail.outlasts_limit, rel=1e-12)
    assert (view.tail.limit, view.tail.spread, view.tail.drains) == (180, False, False)


def test_the_tail_falls_from_every_save_to_none() -> None:
    tail = job(TICKET, collective_timeout="3 min").before.tail
    assert tail is not None
    assert list(tail.chance) == sorted(tail.chance, reverse=True)
    assert tail.chance[0] == pytest.approx(1)
    assert tail.chance[-1] < 1e-12
    # Half of the saves take longer than the median.
    assert tail.chance[tail.seconds.index(120)] == pytest.approx(0.5)


def test_single_writers_are_held_against_the_first_of_them() -> None:
    tail = job(TICKET, pool_write="40 GB/s", pool_write_basis="per_writer").before.tail
    assert tail is not None
    assert tail.spread
    assert tail.chance[tail.seconds.index(tail.limit)] == tail.outlasts_limit


def test_a_background_save_has_the_limit_of_its_own_group() -> None:
    changes = {"mode": "async", "collective_timeout": "10 min", "drain_timeout": "30 min"}
    tail = job(TICKET, **changes).before.tail
    assert tail is not None
    assert (tail.limit, tail.drains) == (1800, True)
    assert job(TICKET, mode="async", drain_timeout="?").before.tail is None
