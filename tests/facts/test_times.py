"""Lists of times: what is read, what is refused and in which words, and printing them."""

from __future__ import annotations

import math
import tracemalloc

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from advisor.facts.times import (
    LEAST_TIMES,
    MAX_LENGTH,
    MOST_TIMES,
    format_times,
    median,
    parse_times,
    summary,
    tail_between,
)
from advisor.facts.units import QuantityError

READ: list[tuple[str, tuple[float, ...]]] = [
    ("41 s, 43 s, 62 s", (41, 43, 62)),
    ("62 s, 41 s", (62, 41)),
    ("41 s,43 s", (41, 43)),
    ("41 s; 43 s ;62 s", (41, 43, 62)),
    ("41 s\n43 s\n62 s", (41, 43, 62)),
    ("41, 43, 62 s", (41, 43, 62)),
    ("0.5, 1.5 min", (30, 90)),
    ("41 s, 1 min, 1m30s", (41, 60, 90)),
    ("00:00:41, 00:01:02", (41, 62)),
    ("1-00:00:00, 2e3 s", (86400, 2000)),
    ("  41 s , 43 s ", (41, 43)),
    ("41\u00a0s, 43\u202fs", (41, 43)),
    ("1e-3 s, 2e-3 s", (0.001, 0.002)),
]

REFUSED: list[tuple[str, str, str]] = [
    ("", "Nothing was typed.", "41 s, 43 s, 62 s"),
    ("41 s", "One time says nothing", "41 s, 43 s, 62 s"),
    ("2x", "x is not a unit", "41 s"),
    ("1,024 s, 900 s", "A comma between digits", "1024 for one time, or 1, 024 for two"),
    ("41,43,62 s", "A comma between digits", "4143 for one time, or 41, 43 for two"),
    ("41, 43", "41 has no unit.", "41 s, 41 min or 41 h?"),
    ("41 s, 43, 62 s", "43 has no unit.", "43 s, 43 min or 43 h?"),
    ("41 s,, 43 s", "A time between two commas is missing.", "41 s"),
    ("41 s, 43 s,", "A time between two commas is missing.", "41 s"),
    ("~41 s, 43 s", "~41 s is not one exact time.", "41 s"),
    ("40-42 s, 43 s", "40-42 s is not one exact time.", "41 s"),
    ("40 to 42 s, 43 s", "40 to 42 s is not one exact time.", "41 s"),
    ("-41 s, 43 s", "A time is negative.", "41 s"),
    ("fast, slow", "fast does not start with a number.", "41 s"),
    ("2 GB, 3 GB", "2 GB is a size, not a time.", "41 s, 43 s, 62 s"),
    ("?, 41 s", "? does not start with a number.", "41 s"),
    ("41 s \u2028 43 s", "The list has a character that cannot be read.", "41 s"),
    ("41 s, \x1b[31m43 s", "The list has a character that cannot be read.", "41 s"),
    ("1e999 s, 2 s", "The number is too large.", "smaller"),
]


@pytest.mark.parametrize(("text", "times"), READ)
def test_reads(text: str, times: tuple[float, ...]) -> None:
    assert parse_times(text) == times


@pytest.mark.parametrize(("text", "message", "hint"), REFUSED)
def test_refuses_with_what_to_type_instead(text: str, message: str, hint: str) -> None:
    with pytest.raises(QuantityError) as caught:
        parse_times(text)
    assert message in caught.value.message
    assert hint in caught.value.hint


def test_as_many_as_fit_and_no_more() -> None:
    assert len(parse_times(", ".join(["41 s"] * MOST_TIMES))) == MOST_TIMES
    with pytest.raises(QuantityError, match="1,025 times, over 1,024"):
        parse_times(", ".join(["41 s"] * (MOST_TIMES + 1)))
    with pytest.raises(QuantityError, match="characters long"):
        parse_times("4" * (MAX_LENGTH + 1))


@pytest.mark.parametrize("sign", ["9", "s", ",", ";", "\n", " ", "e", "-", ".", "1 s,", "(", "~"])
def test_long_hostile_text_is_answered_without_a_pile_of_memory(sign: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(QuantityError) as caught:
            parse_times((sign * MAX_LENGTH)[:MAX_LENGTH])
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
    assert len(str(caught.value)) < 200


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_in_a_sentence(text: str) -> None:
    refused: QuantityError | None = None
    times: tuple[float, ...] = ()
    try:
        times = parse_times(text)
    except QuantityError as error:
        refused = error
    if refused is not None:
        assert refused.message[-1] in ".?"
        assert refused.hint[-1] in ".?"
    else:
        assert LEAST_TIMES <= len(times) <= MOST_TIMES
        assert all(math.isfinite(time) and time >= 0 for time in times)


TIMES = st.lists(st.floats(0.001, 3e8), min_size=LEAST_TIMES, max_size=40).map(tuple)


@given(TIMES)
@example((0.1 + 0.2, 1e-3, 315360000.0))
def test_what_is_printed_reads_back_exactly(times: tuple[float, ...]) -> None:
    text = format_times(times)
    assert parse_times(text) == times
    assert format_times(parse_times(text)) == text


def test_printing_and_the_few_words() -> None:
    assert format_times((41.0, 62.25, 0.001, 3e8)) == "41 s, 62.25 s, 0.001 s, 300000000 s"
    with pytest.raises(ValueError, match="not finite"):
        format_times((1.0, math.inf))
    assert median((5.0, 1.0, 3.0, 2.0)) == 2.0
    assert summary((41.0, 240.0, 43.0)) == "3 times, the usual one 43 s, the slowest 4 min"


def test_the_ratio_a_list_stands_for() -> None:
    # Lognormal with p99/p50 = 2: w = ln 2 / 2.32635 = 0.29796. The typical slowest of 64 is at
    # q = 0.5^(1/64) = 0.98923, z = 2.2976, so 1.9830 times the median.
    low, middle, high = tail_between([60.0] * 63 + [60 * 1.9830])
    assert middle == pytest.approx(2, rel=1e-3)
    # At 5 and 95 %: q = 0.95427 and 0.999199, z = 1.6878 and 3.1557.
    assert low == pytest.approx(1.9830 ** (2.32635 / 3.1557), rel=1e-3)
    assert high == pytest.approx(1.9830 ** (2.32635 / 1.6878), rel=1e-3)
    assert tail_between([7.0, 7.0]) == (1.0, 1.0, 1.0)
    # Of two times the slower may well be an ordinary one: nothing bounds the ratio above.
    assert tail_between([41.0, 43.0])[2] == math.inf
