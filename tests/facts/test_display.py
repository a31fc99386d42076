"""Printed quantities: readable, three digits, and read back by the parser.

Expected texts are written by hand from the rules of the text (three significant digits, SI unless
typed in IEC, 60 s to a minute); the bounds of the properties follow from rounding alone.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import get_args

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from advisor.facts.catalogue import NUMERIC_KINDS, Kind
from advisor.facts.quantity import Quantity, format_quantity, format_value, parse

KINDS: list[Kind] = [kind for kind in get_args(Kind) if kind in NUMERIC_KINDS]

YEAR = 365 * 86400
"""Seconds in a year of 365 days."""

PRINTED: list[tuple[Kind, float, str]] = [
    ("size", 18e9, "18 GB"),
    ("size", 0, "0 B"),
    ("size", 512, "512 B"),
    ("size", 999.4, "999 B"),
    ("size", 2300e9, "2.3 TB"),
    ("size", 999.96e9, "1 TB"),
    ("size", 999.4e9, "999 GB"),
    ("size", 1e24, "1 YB"),
    ("rate", 50e9, "50 GB/s"),
    ("rate", 38.44e9, "38.4 GB/s"),
    ("duration", 0, "0 s"),
    ("duration", 0.78, "0.78 s"),
    ("duration", 40, "40 s"),
    ("duration", 90, "90 s"),
    ("duration", 119.4, "119 s"),
    ("duration", 119.8, "2 min"),
    ("duration", 120, "2 min"),
    ("duration", 121.8, "2.03 min"),
    ("duration", 1800, "30 min"),
    ("duration", 6480, "108 min"),
    ("duration", 7200, "2 h"),
    ("duration", 36000, "10 h"),
    ("duration", 7 * 86400, "7 d"),
    ("duration", 365 * 86400, "365 d"),
    ("duration", 3 * YEAR, "3 years"),
    ("ratio", 0, "0 %"),
    ("ratio", 0.75, "75 %"),
    ("ratio", 0.0037, "0.37 %"),
    ("ratio", 0.98634, "98.6 %"),
    ("ratio", 0.99996, "100 %"),
    ("ratio", 1, "100 %"),
    ("ratio", 1.5, "1.5x"),
    ("ratio", 12.34, "12.3x"),
    ("count", 0, "0"),
    ("count", 512, "512"),
    ("count", 2.5, "2.5"),
    ("count", 999.7, "1,000"),
    ("count", 16384, "16,384"),
    ("count", 999_999, "999,999"),
    ("count", 1e6, "1M"),
    ("count", 1_349_000, "1,349,000"),
    ("count", 70e9, "70B"),
    ("count", 70.6e9, "70.6B"),
    ("count", 176_247_271_424, "176,247,271,424"),
    ("count", 1e12, "1T"),
    ("count", 1.5e18, "1.5e18"),
    ("per_second", 20000, "20k/s"),
    ("per_second", 950, "950/s"),
    ("per_year", 3, "3/year"),
    ("per_year", 0.5, "0.5/year"),
    ("money", 85e3, "$85k"),
    ("money", 0, "$0"),
    ("money", 1.2e6, "$1.2M"),
    ("money", 999_960, "$1M"),
    ("money", 12.34, "$12.34"),
    ("money", 99.97, "$99.97"),
    ("money", 99.997, "$100"),
    ("money", 0.0312, "$0.0312"),
    ("money_per_hour", 3.5, "$3.50/h"),
    ("money_per_hour", 3, "$3/h"),
    ("money_per_hour", 0.5, "$0.50/h"),
    ("money_per_year", 2.53e6, "$2.53M/year"),
    ("money_per_year", 46_100, "$46.1k/year"),
    ("money_per_tb_year", 20, "$20/TB-year"),
    ("money_per_node_year", 900, "$900/node-year"),
]

QUANTITIES: list[tuple[Kind, Quantity, str]] = [
    ("size", Quantity(None), "?"),
    ("size", Quantity(15e9, approx=True), "~15 GB"),
    ("size", Quantity(14e9, 10e9, 20e9), "10-20 GB"),
    ("size", Quantity(14e9, 10e9, 20e9, approx=True), "~10-20 GB"),
    ("size", Quantity(1e9, 0.9e9, 1.2e9), "900 MB to 1.2 GB"),
    ("size", Quantity(2**40, iec=True), "1 TiB"),
    ("size", Quantity(450 * 2**30, 400 * 2**30, 500 * 2**30, iec=True), "400-500 GiB"),
    ("size", Quantity(10e9, 0, 20e9), "0 B to 20 GB"),
    ("duration", Quantity(120, 90, 180), "90 s to 3 min"),
    ("count", Quantity(6e9, 4e9, 9e9), "4-9B"),
    ("count", Quantity(6e6, 512, 70e9), "512-70,000,000,000"),
    ("ratio", Quantity(0.2, 0.1, 0.3), "10-30 %"),
    ("ratio", Quantity(2, 1, 3), "100 % to 3x"),
    ("money", Quantity(20e3, 10e3, 40e3), "$10-40k"),
    ("money", Quantity(1e3, 900, 1200), "$900-1,200"),
    ("money_per_hour", Quantity(2, 1, 4), "$1-4/h"),
    ("money_per_year", Quantity(1e3, 900, 1200), "$900/year to $1.2k/year"),
]


@pytest.mark.parametrize(("kind", "value", "text"), PRINTED)
def test_prints_and_reads_back(kind: Kind, value: float, text: str) -> None:
    assert format_value(value, kind) == text
    assert parse(text, kind).value == pytest.approx(value, rel=0.005)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2 * 2**40, "2 TiB"),
        (1012 * 2**30, "1012 GiB"),
        (1023.7 * 2**30, "1 TiB"),
        (1.5 * 2**30, "1.5 GiB"),
        (0, "0 B"),
    ],
)
def test_prints_binary_units(value: float, text: str) -> None:
    assert format_value(value, "size", iec=True) == text
    assert format_value(value, "rate", iec=True) == f"{text}/s"


@pytest.mark.parametrize(("kind", "quantity", "text"), QUANTITIES)
def test_prints_answers_as_typed(kind: Kind, quantity: Quantity, text: str) -> None:
    assert format_quantity(quantity, kind) == text
    again = parse(text, kind)
    assert (again.low, again.high) == (quantity.low, quantity.high)
    assert (again.approx, again.iec) == (quantity.approx, quantity.iec)


def test_more_digits_where_asked() -> None:
    assert format_value(38.4376e9, "rate", digits=5) == "38.438 GB/s"
    assert format_value(0.986341, "ratio", digits=4) == "98.63 %"
    assert format_value(1012.34 * 2**30, "size", iec=True, digits=5) == "1012.3 GiB"


def test_differences_keep_their_sign() -> None:
    assert format_value(-46_100, "money_per_year") == "-$46.1k/year"
    assert format_value(-90, "duration") == "-90 s"


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_only_finite_numbers_are_printed(value: float) -> None:
    with pytest.raises(ValueError, match="cannot be shown"):
        format_value(value, "size")


def test_only_numbers_are_printed() -> None:
    with pytest.raises(ValueError, match="not measured in numbers"):
        format_value(1, "choice")


def values(kind: Kind) -> st.SearchStrategy[float]:
    """Zero and the whole range of a kind, near round numbers as well as anywhere."""
    top = 100.0 * YEAR if kind == "duration" else 1e24
    powers = st.floats(-3, math.log10(top)).map(lambda power: 10.0**power)
    borders = st.sampled_from([1, 60, 100, 120, 1000, 1024, 7200, 48 * 3600, 2.0 * YEAR, 1e6, 1e15])
    near = st.builds(lambda border, off: border * (1 + off), borders, st.floats(-0.006, 0.006))
    whole = st.integers(0, 10**9).map(float)
    return st.one_of(st.just(0.0), powers, near, whole).filter(lambda value: value <= top)


def half_a_digit(text: str, kind: Kind) -> float:
    """Half of the last digit printed, of the third where zeros follow it, in the kind's unit."""
    found = re.search(r"([0-9][0-9,]*)(?:\.([0-9]+))?(e[0-9]+)?", text)
    assert found is not None
    unit = parse(text.replace(found[0], "1" + (found[3] or "")), kind).value
    assert unit is not None
    zeros = max(0, len(found[1].replace(",", "")) - 3)
    return float(unit * 10.0 ** (zeros - len(found[2] or "")) / 2)


@given(st.sampled_from(KINDS).flatmap(lambda kind: st.tuples(st.just(kind), values(kind))))
@example(("duration", 119.5))
@example(("duration", 7199.0))
@example(("ratio", 1.0049))
@example(("size", 999.5e9))
@example(("money", 999.5))
@example(("money_per_hour", 99.995))
@example(("money", 99.9495))
@example(("count", 999_999.5))
def test_printed_values_are_read_back(case: tuple[Kind, float]) -> None:
    kind, value = case
    text = format_value(value, kind)
    again = parse(text, kind).value
    assert again is not None
    slack = 1 + 1e-9
    assert abs(again - value) <= half_a_digit(text, kind) * slack
    # Dropped zeros must not hide a larger error: 3 digits are never further off than 0.5 %.
    assert abs(again - value) <= 0.005 * value * slack
    assert format_value(again, kind) == text


@given(st.integers(0, 10**15 - 1))
@example(1_349_000)
def test_whole_counts_are_exact(count: int) -> None:
    # Below 1,000 as above: no digit of a count of ranks or of parameters is ever lost.
    assert parse(format_value(count, "count"), "count").value == count


@given(st.floats(1e-3, 1e24))
def test_binary_units_are_read_back(value: float) -> None:
    text = format_value(value, "size", iec=True)
    again = parse(text, "size")
    assert again.value == pytest.approx(value, rel=0.005)
    assert again.value is not None
    assert format_value(again.value, "size", iec=True) == text


@given(values("size"))
def test_no_size_of_a_thousand_units_is_printed(value: float) -> None:
    assume(value < 1e24)
    number = Decimal(format_value(value, "size").split(" ")[0])
    assert number < 1000
    assert len(number.as_tuple().digits) <= 3 or number < 1


@given(
    st.sampled_from(KINDS).flatmap(
        lambda kind: st.tuples(st.just(kind), values(kind), values(kind))
    )
)
@example(("count", 0.0, 1e15 - 0.2))
def test_ranges_are_read_back(case: tuple[Kind, float, float]) -> None:
    kind, low, high = case[0], *sorted(case[1:])
    text = format_quantity(Quantity(high, low, high), kind)
    again = parse(text, kind)
    assert again.low == pytest.approx(low, rel=0.0051)
    assert again.high == pytest.approx(high, rel=0.0051)
    assert format_quantity(again, kind) == text
