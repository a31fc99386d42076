"""Round intervals inside the band."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.engine.rounding import round_within


@pytest.mark.parametrize(
    ("best", "low", "high", "steps", "expected"),
    [
        (19 * 60, 15 * 60, 25 * 60, False, 20 * 60),  # 20/19 is nearer than 19/18
        (48 * 60, 41 * 60, 57 * 60, False, 50 * 60),
        (100.0, 99.0, 101.0, False, 100.0),  # nothing round fits: the best itself
        (437.0, 400.0, 480.0, True, 450.0),
        (3.4, 3.2, 3.8, True, 3.0),  # no whole number fits: the nearest
        (0.2, 0.1, 0.3, True, 1.0),
        (17.0, 13.4, 22.5, True, 17.0),
    ],
)
def test_round_values(best: float, low: float, high: float, steps: bool, expected: float) -> None:
    assert round_within(best, low, high, steps=steps) == pytest.approx(expected)


@given(st.floats(1.0, 1e7), st.floats(1.0, 3.0), st.booleans())
def test_the_value_stays_in_the_band_or_is_the_best(best: float, width: float, steps: bool) -> None:
    low, high = best / width, best * width
    value = round_within(best, low, high, steps=steps)
    assert low <= value <= high or value == (max(1.0, float(round(best))) if steps else best)
