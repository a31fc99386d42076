"""The slowest of n by measured times: values by hand, properties, and a simulation beside them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.model.measured_tails import (
    measured_exceeds,
    measured_spread_exceeds,
    slowest_measured_mean,
    slowest_measured_quantile,
)

FOUR = (40.0, 44.0, 60.0, 80.0)
"""Times of four ranks, s."""


def test_mean_by_hand() -> None:
    # n = 1: 224/4. n = 2: F^2 = 1/16, 4/16, 9/16, 1, so 40/16 + 44 x 3/16 + 60 x 5/16 + 80 x 7/16.
    assert slowest_measured_mean(FOUR, 1) == pytest.approx(56)
    assert slowest_measured_mean(FOUR, 2) == pytest.approx((40 + 132 + 300 + 560) / 16)
    # n = 3 at F^3 = 1, 8, 27, 64 of 64.
    by_hand = (40 * 1 + 44 * 7 + 60 * 19 + 80 * 37) / 64
    assert slowest_measured_mean(FOUR[::-1], [2, 3]) == pytest.approx([64.5, by_hand])


def test_quantiles_by_hand() -> None:
    # n = 2: F^2 = 0.0625, 0.25, 0.5625, 1: half of the saves end within 60 s, 99 % within 80 s.
    for q, n, time in (
        (0.5, 1, 44), (0.25, 1, 40), (0.51, 1, 60), (0.5, 2, 60), (0.99, 2, 80), (0.5625, 2, 60),
        (0.5, 1000, 80),
    ):  # fmt: skip
        assert slowest_measured_quantile(q, FOUR, n) == time, (q, n)
    assert slowest_measured_quantile(0.5, FOUR, [1, 2]).tolist() == [44, 60]


def test_over_a_limit_by_hand() -> None:
    # F(60) = 3/4; over it with 1 - (3/4)^n; a limit that is reached exactly is kept.
    assert measured_exceeds(FOUR, 60, 2) == pytest.approx(7 / 16)
    found = measured_exceeds(FOUR, [39, 60, 80], 2)
    assert found == pytest.approx([1, 7 / 16, 0])
    # Thousands of writers: 1 - (1 - 1/1024)^1e-6 keeps its digits.
    many = [1.0] * 1023 + [2.0]
    assert measured_exceeds(many, 1, 1e-6) == pytest.approx(-1e-6 * np.log1p(-1 / 1024), rel=1e-9)


def test_the_spread_of_two_by_hand() -> None:
    # 16 pairs. Farther apart than 16 s: 40-60, 40-80, 44-80, 60-80, each twice: 8 of 16.
    assert measured_spread_exceeds(FOUR, 16, 2) == pytest.approx(8 / 16)
    assert measured_spread_exceeds(FOUR, [0, 19, 20, 36, 39, 40], 2) == pytest.approx(
        [12 / 16, 8 / 16, 4 / 16, 2 / 16, 2 / 16, 0]
    )
    assert measured_spread_exceeds(FOUR, 1, 1) == pytest.approx(0)
    assert measured_spread_exceeds([5.0, 5.0], 0, 9) == 0


TIMES = st.lists(st.floats(1e-3, 1e6), min_size=1, max_size=30)
COUNTS = st.floats(1, 1e5)


@given(TIMES, COUNTS, COUNTS)
def test_more_writers_never_wait_less(times: list[float], n: float, more: float) -> None:
    n, more = sorted((n, more))
    few, many = slowest_measured_mean(times, [n, more])
    assert few <= many * (1 + 1e-12)
    for q in (0.5, 0.99):
        low, high = slowest_measured_quantile(q, times, [n, more])
        assert low <= high


@given(TIMES, COUNTS)
def test_the_mean_lies_between_the_plain_mean_and_the_slowest(times: list[float], n: float) -> None:
    found = float(slowest_measured_mean(times, n))
    assert np.mean(times) * (1 - 1e-12) <= found <= max(times) * (1 + 1e-12)


@given(TIMES)
def test_one_writer_takes_the_plain_mean_and_equal_times_stay(times: list[float]) -> None:
    assert slowest_measured_mean(times, 1) == pytest.approx(np.mean(times), rel=1e-12)
    assert slowest_measured_mean([times[0]] * 7, [1, 3, 1e6]).tolist() == [times[0]] * 3


@given(TIMES, st.floats(0, 1e6), COUNTS)
def test_a_spread_over_a_limit_is_rarer_than_the_slowest_over_it(
    times: list[float], limit: float, n: float
) -> None:
    spread = float(measured_spread_exceeds(times, limit, n))
    assert 0 <= spread <= float(measured_exceeds(times, limit, n)) + 1e-9


def test_a_simulation_agrees() -> None:
    rng = np.random.default_rng(4)
    times = rng.lognormal(4, 0.4, 50)
    n, saves = 24, 40_000
    drawn = rng.choice(times, (saves, n))
    slowest, spread = drawn.max(axis=1), np.ptp(drawn, axis=1)
    error = slowest.std() / np.sqrt(saves)
    assert abs(slowest.mean() - float(slowest_measured_mean(times, n))) < 4 * error
    limit = float(np.median(spread))
    for seen, found in (
        (slowest > 120, measured_exceeds(times, 120, n)),
        (spread > limit, measured_spread_exceeds(times, limit, n)),
    ):
        share = float(found)
        assert 0.05 < share < 0.95
        assert abs(seen.mean() - share) < 4 * np.sqrt(share * (1 - share) / saves)
    assert (slowest <= slowest_measured_quantile(0.5, times, n)).mean() >= 0.5
    assert (slowest < slowest_measured_quantile(0.5, times, n)).mean() < 0.5 + 0.01


def test_thousands_of_samples_are_those_of_each_alone() -> None:
    rng = np.random.default_rng(5)
    times = rng.lognormal(4, 0.4, 200)
    counts = rng.uniform(50, 100, 2000)
    limits = rng.uniform(0, np.ptp(times), 2000)
    some = slice(0, 2000, 97)
    for many, alone, step in (
        (slowest_measured_mean(times, counts), slowest_measured_mean(times, counts[some]), 1e-3),
        (
            measured_spread_exceeds(times, limits, 64),
            measured_spread_exceeds(times, limits[some], 64),
            # A step of this function is as high as the chance of one pair of times: 64 of 200.
            0.05,
        ),
    ):
        np.testing.assert_allclose(many[some], alone, atol=step)
    low, high = np.argmin(counts), np.argmax(counts)
    found = slowest_measured_mean(times, counts)
    assert found[[low, high]] == pytest.approx(slowest_measured_mean(times, counts[[low, high]]))
