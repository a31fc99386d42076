"""What people type: the right value, or a refusal that says what to type instead.

Expected values are worked out by hand from the definitions of the prefixes (SI brochure, IEC
80000-13), from 8 bits to a byte and from the length of a minute, an hour, a day and a week.
"""

from __future__ import annotations

import math
import subprocess
import sys
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.facts.catalogue import NUMERIC_KINDS, Kind
from advisor.facts.quantity import Quantity, QuantityError, parse, parse_steps

KINDS: list[Kind] = [kind for kind in get_args(Kind) if kind in NUMERIC_KINDS]

READ: list[tuple[Kind, str, float]] = [
    ("size", "18 GB", 18_000_000_000),
    ("size", "18GB", 18_000_000_000),
    ("size", "18\u00a0GB", 18_000_000_000),
    ("size", "18\u2009GB", 18_000_000_000),
    ("size", "18 GiB", 19_327_352_832),
    ("size", "2 TiB", 2_199_023_255_552),
    ("size", "1,024 MB", 1_024_000_000),
    ("size", "1,024.5 MB", 1_024_500_000),
    ("size", "1.1 GB", 1_100_000_000),
    ("size", "5 kB", 5_000),
    ("size", "5 KB", 5_000),
    ("size", "5 KiB", 5_120),
    ("size", "512 B", 512),
    ("size", "512 bytes", 512),
    ("size", "1e3 GB", 1_000_000_000_000),
    ("size", ".5 GB", 500_000_000),
    ("size", "3EB", 3e18),
    ("size", "0 GB", 0),
    ("size", "~15 GB", 15_000_000_000),
    ("rate", "400 Gb/s", 50_000_000_000),
    ("rate", "400 Gbps", 50_000_000_000),
    ("rate", "400 Gbit/s", 50_000_000_000),
    ("rate", "400Gbit/s", 50_000_000_000),
    ("rate", "8 Kib/s", 1_024),
    ("rate", "0.4 TB/s", 400_000_000_000),
    ("rate", "600 MBps", 600_000_000),
    ("rate", "1 GiB/s", 1_073_741_824),
    ("rate", "5 GB / s", 5_000_000_000),
    ("rate", "5 GB per second", 5_000_000_000),
    ("duration", "30 min", 1_800),
    ("duration", "30m", 1_800),
    ("duration", "1h30m", 5_400),
    ("duration", "1h 30m", 5_400),
    ("duration", "1 h 30 min 15 s", 5_415),
    ("duration", "90s", 90),
    ("duration", "850 ms", 0.85),
    ("duration", "5 \u00b5s", 0.000005),
    ("duration", "1d", 86_400),
    ("duration", "2 weeks", 1_209_600),
    ("duration", "3 years", 94_608_000),
    ("duration", "5 Hours", 18_000),
    ("duration", "1-02:00:00", 93_600),
    ("duration", "1\u201302:00:00", 93_600),
    ("duration", "2-12:30", 217_800),
    ("duration", "00:30:00", 1_800),
    ("duration", "72:00:00", 259_200),
    ("duration", "0 s", 0),
    ("count", "512", 512),
    ("count", "1,024", 1_024),
    ("count", "1,349,000", 1_349_000),
    ("count", "1e3", 1_000),
    ("count", "8e9", 8_000_000_000),
    ("count", "70B", 70_000_000_000),
    ("count", "671 B", 671_000_000_000),
    ("count", "70bn", 70_000_000_000),
    ("count", "7.1k", 7_100),
    ("count", "1.5M", 1_500_000),
    ("count", "1T", 1_000_000_000_000),
    ("ratio", "75%", 0.75),
    ("ratio", "75 %", 0.75),
    ("ratio", "57%", 0.57),
    ("ratio", "0.75", 0.75),
    ("ratio", "150%", 1.5),
    ("ratio", "3x", 3),
    ("ratio", "3\u00d7", 3),
    ("per_second", "20000/s", 20_000),
    ("per_second", "20000", 20_000),
    ("per_second", "50k/s", 50_000),
    ("per_second", "20000 per second", 20_000),
    ("per_year", "3/year", 3),
    ("per_year", "3 per year", 3),
    ("per_year", "3", 3),
    ("money", "$3", 3),
    ("money", "$85k", 85_000),
    ("money", "$85K", 85_000),
    ("money", "$1.2M", 1_200_000),
    ("money", "$1,250", 1_250),
    ("money", "85k USD", 85_000),
    ("money_per_hour", "$3.50/h", 3.5),
    ("money_per_hour", "3.50 $/h", 3.5),
    ("money_per_hour", "3.5/h", 3.5),
    ("money_per_hour", "$3.50 per hour", 3.5),
    ("money_per_year", "$120k/year", 120_000),
    ("money_per_year", "120k/yr", 120_000),
    ("money_per_tb_year", "$20/TB-year", 20),
    ("money_per_tb_year", "$20 per TB per year", 20),
    ("money_per_node_year", "$900/node-year", 900),
    ("money_per_node_year", "$900/node/year", 900),
]

REFUSED: list[tuple[Kind, str, str]] = [
    ("size", "", "Nothing was typed"),
    ("size", "   ", "Nothing was typed"),
    ("size", "18", "no unit. 18 GB or 18 GiB?"),
    ("size", "18G", "GB or GiB?"),
    ("size", "400G", "GB or GiB?"),
    ("size", "18 Gi", "GB or GiB?"),
    ("size", "18g", "GB or GiB?"),
    ("size", "5 M", "MB or MiB?"),
    ("size", "18 Gb", "is bits, not bytes. Write GB"),
    ("size", "18 Gbit", "is bits, not bytes. Write GB"),
    ("size", "18 Gib", "is bits, not bytes. Write GiB"),
    ("size", "18 gb", "GB or Gb?"),
    ("size", "18 GIB", "GiB or Gib?"),
    ("size", "18 kiB", "KiB or Kib?"),
    ("size", "0.4 TB/s", "is a rate, not a size"),
    ("size", "400 Gb/s", "is a rate, not a size"),
    ("size", "400 Gbps", "is a rate, not a size"),
    ("size", "30 min", "is a time, not a size"),
    ("size", "30m", "is a time, not a size"),
    ("size", "18%", "is a ratio, not a size"),
    ("size", "$3.50/h", "is money, not a size"),
    ("size", "15,5 GB", "Write 15.5 for 15,5"),
    ("size", "0,512 GB", "Write 15.5 for 15,5"),
    ("size", "1.024,5 GB", "Write 15.5 for 15,5"),
    ("size", "1,02,400 GB", "comma stands only before three digits"),
    ("size", "1.5.2 GB", "point too many"),
    ("size", "5. GB", "point too many"),
    ("size", "1 024 GB", "more than one number"),
    ("size", "18 GB/node", "/node does not fit here"),
    ("size", "18 GB/", "does not fit here"),
    ("size", "18 GB Hz", "not a unit for a size"),
    ("size", "-5 GB", "negative"),
    ("size", "\u22125 GB", "negative"),
    ("size", "10 to -5 GB", "negative"),
    ("size", "20-10 GB", "starts above its end"),
    ("size", "10-20-30 GB", "two ends"),
    ("size", "10 GB-20", "no unit"),
    ("size", "10-", "end of the range is missing"),
    ("size", "..20 GB", "does not start with a number"),
    ("size", "nan GB", "does not start with a number"),
    ("size", "inf GB", "does not start with a number"),
    ("size", "lots", "does not start with a number"),
    ("size", "~", "does not start with a number"),
    ("size", "~~5 GB", "does not start with a number"),
    ("size", "1e400 GB", "too large"),
    ("size", "1e308 TB", "too large"),
    ("size", "1e99999999999999999999 GB", "too large"),
    ("size", "1e-400 GB", "too small"),
    ("size", "1" + "0" * 200 + " GB", "over 200 characters"),
    ("size", "18\x00GB", "cannot be read"),
    ("size", "18\tGB", "cannot be read"),
    ("size", "\u0661\u0668 GB", "cannot be read"),  # Arabic-Indic digits, float() takes them
    ("rate", "400", "no unit. 400 GB/s or 400 GiB/s?"),
    ("rate", "400G", "GB/s or GiB/s? For bits write Gb/s"),
    ("rate", "5 GB", "5 GB is not a rate. Write 5 GB/s"),
    ("rate", "400 Gb", "400 Gb is not a rate. Write 400 Gb/s"),
    ("rate", "5 GB/h", "/h does not fit here"),
    ("rate", "5 GB/s/node", "/node does not fit here"),
    ("rate", "5 GB/s/s", "/s does not fit here"),
    ("duration", "30", "no unit. 30 s, 30 min or 30 h?"),
    ("duration", "30M", "m or min for minutes"),
    ("duration", "5 H", "Write h"),
    ("duration", "2 mo", "no fixed length. Write days"),
    ("duration", "2 months", "no fixed length. Write days"),
    ("duration", "30 min GB", "min GB is not a unit"),
    ("duration", "18 GB", "is a size, not a time"),
    ("duration", "18 GB/s", "is a rate, not a time"),
    ("duration", "1h30", "30 has no unit"),
    ("duration", "30m 1h", "Longer units come first"),
    ("duration", "1-2h30m", "1 has no unit"),
    ("duration", "30:00", "hours or minutes"),
    ("duration", "00:75:00", "not a time"),
    ("duration", "1-25:00:00", "not a time"),
    ("duration", "440 steps", "440 steps @ 4.1 s"),
    ("count", "16K", "Write k, which is 1,000"),
    ("count", "70b", "Write B, which is 1,000,000,000"),
    ("count", "18 GB", "is a size, not a count"),
    ("count", "8 nodes", "not a unit for a count"),
    ("ratio", "1,5", "Write 15.5 for 15,5"),
    ("ratio", "5 s", "is a time, not a ratio"),
    ("per_second", "20/min", "/min does not fit here"),
    ("per_year", "3/month", "/month does not fit here"),
    ("money", "85000", "no unit. Write it like $85000"),
    ("money", "$85m", "Write M"),
    ("money", "\u20ac85k", "US dollars only"),
    ("money", "85k EUR", "US dollars only"),
    ("money", "GBP 85k", "US dollars only"),
    ("money", "$-5", "negative"),
    ("money", "-$5", "negative"),
    ("money", "$3.50/h", "/h does not fit here"),
    ("money_per_hour", "$3", "Write $3/h"),
    ("money_per_hour", "3.5", "not a price per hour"),
    ("money_per_hour", "3 EUR/h", "US dollars only"),
    ("money_per_tb_year", "$20/year", "$20/TB-year"),
    ("money_per_tb_year", "$0.02/GB-month", "does not fit here"),
    ("money_per_node_year", "$900", "Write $900/node-year"),
]

RANGES: list[tuple[Kind, str, float, float, float]] = [
    # kind, text, low, best, high; sqrt(10 x 20) = 14.142135..., sqrt(400 x 500) = 447.2135...
    ("size", "10-20 GB", 10e9, 14.142135623730951e9, 20e9),
    ("size", "10\u201320 GB", 10e9, 14.142135623730951e9, 20e9),
    ("size", "10..20 GB", 10e9, 14.142135623730951e9, 20e9),
    ("size", "10...20 GB", 10e9, 14.142135623730951e9, 20e9),
    ("size", "10 to 20 GB", 10e9, 14.142135623730951e9, 20e9),
    ("size", "10 GB - 20 GB", 10e9, 14.142135623730951e9, 20e9),
    ("size", "10 GB to 20 GB", 10e9, 14.142135623730951e9, 20e9),
    ("size", "500 MB - 2 GB", 0.5e9, 1e9, 2e9),
    ("size", "400..500 GiB", 400 * 2**30, 447.21359549995793 * 2**30, 500 * 2**30),
    ("size", "0-20 GB", 0, 10e9, 20e9),
    ("rate", "50-72 GB/s", 50e9, 60e9, 72e9),
    ("duration", "1h-4h", 3600, 7200, 14400),
    ("duration", "1e-1-1e1 s", 0.1, 1, 10),
    ("duration", "00:15:00 to 01:00:00", 900, 1800, 3600),
    ("duration", "5-20 min", 300, 600, 1200),
    ("count", "4-9B", 4e9, 6e9, 9e9),
    ("ratio", "10-30%", 0.1, 0.2, 0.3),
    ("ratio", "0.5-0.8", 0.5, 0.65, 0.8),
    ("ratio", "1-3x", 1, 2, 3),
    ("money", "$10-40k", 10e3, 20e3, 40e3),
    ("money", "$10k to $40k", 10e3, 20e3, 40e3),
    ("money_per_hour", "$1-4/h", 1, 2, 4),
    ("money_per_tb_year", "$10-40/TB-year", 10, 20, 40),
]


@pytest.mark.parametrize(("kind", "text", "expected"), READ)
def test_reads_what_people_type(kind: Kind, text: str, expected: float) -> None:
    got = parse(text, kind)
    assert got.value == expected
    assert (got.low, got.high) == (None, None)
    assert got.approx == text.startswith("~")


@pytest.mark.parametrize(("kind", "text", "reason"), REFUSED)
def test_refuses_with_a_hint(kind: Kind, text: str, reason: str) -> None:
    with pytest.raises(QuantityError) as caught:
        parse(text, kind)
    error = caught.value
    assert reason in str(error)
    assert str(error) == f"{error.message} {error.hint}"
    assert error.message.endswith(".")
    assert error.hint.endswith((".", "?"))
    assert len(str(error)) < 200


@pytest.mark.parametrize(("kind", "text", "low", "best", "high"), RANGES)
def test_reads_ranges(kind: Kind, text: str, low: float, best: float, high: float) -> None:
    got = parse(text, kind)
    assert got.low == pytest.approx(low, rel=1e-15)
    assert got.value == pytest.approx(best, rel=1e-12)
    assert got.high == pytest.approx(high, rel=1e-15)


@pytest.mark.parametrize(
    ("kind", "text", "per", "expected"),
    [
        ("size", "18 GB/node", ("node",), 18e9),
        ("size", "18 GB / node", ("node",), 18e9),
        ("size", "18 GB per node", ("node",), 18e9),
        ("size", "18 GB", ("node",), 18e9),
        ("rate", "0.7 GB/s/node", ("node",), 0.7e9),
        ("rate", "5 GB/s per node", ("node",), 5e9),
        ("rate", "5 GB/node/s", ("node",), 5e9),
        ("rate", "40 Gbps/rank", ("writer", "rank"), 5e9),
        ("count", "32/node", ("node",), 32),
    ],
)
def test_admits_the_suffix_of_the_question(
    kind: Kind, text: str, per: tuple[str, ...], expected: float
) -> None:
    assert parse(text, kind, per=per).value == expected


def test_names_the_suffixes_it_admits() -> None:
    with pytest.raises(QuantityError, match="or with /node"):
        parse("18 GB/gpu", "size", per=("node",))


@pytest.mark.parametrize("kind", KINDS)
def test_not_known_is_an_answer(kind: Kind) -> None:
    assert parse(" ? ", kind) == Quantity(None)


def test_remembers_about_and_binary() -> None:
    assert parse("~2 TiB", "size") == Quantity(2 * 2**40, approx=True, iec=True)
    assert parse("0-2 GiB", "size").iec
    assert not parse("1 GB - 2 GiB", "size").iec
    assert parse("~10-40 GB", "size") == Quantity(20e9, 10e9, 40e9, approx=True)


@pytest.mark.parametrize(
    ("text", "steps", "seconds"),
    [
        ("440 steps @ 4.1 s", 440, 4.1),
        ("440 steps at 4.1s", 440, 4.1),
        ("440 x 4.1 s", 440, 4.1),
        ("440 \u00d7 4.1 s", 440, 4.1),
        ("440 steps x 850 ms", 440, 0.85),
        ("1,000 steps@1m", 1000, 60),
        ("1k steps @ 1m30s", 1000, 90),
    ],
)
def test_reads_steps(text: str, steps: float, seconds: float) -> None:
    assert parse_steps(text) == (Quantity(steps), Quantity(seconds))


@pytest.mark.parametrize("text", ["30 min", "440 steps", "512", "3x", "", "?", "x" * 300, "@ 4 s"])
def test_leaves_other_forms_to_the_parser(text: str) -> None:
    assert parse_steps(text) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("440 steps @ 4.1", "no unit"),
        ("440 GB @ 4.1 s", "is a size, not a count"),
        ("440 steps @ 4.1 GB", "is a size, not a time"),
        ("4,4 steps @ 4.1 s", "comma"),
    ],
)
def test_refuses_bad_steps(text: str, reason: str) -> None:
    with pytest.raises(QuantityError, match=reason):
        parse_steps(text)


@pytest.mark.parametrize("kind", ["choice", "text"])
def test_only_numbers_are_parsed(kind: Kind) -> None:
    with pytest.raises(ValueError, match="not measured in numbers"):
        parse("5", kind)


PIECES = """
0 1 7 12 512 024 00 1e3 e E 1e-3 1e308 1e-320 . , .5 - .. to ~ ? $ US$ USD EUR : 30 / x @ % GB GiB
Gb Gib KB kB B b G Gi m min h s d mo M k T year per node TB rank steps ps
"""
GRAMMAR = st.lists(
    st.sampled_from([*PIECES.split(), *"      \u2013\u00a0\u20ac\u0661\x00\u00b5"]), max_size=12
).map("".join)
"""Texts put together from the pieces of quantities, most of them nonsense."""


@given(st.one_of(st.text(), GRAMMAR), st.sampled_from(KINDS), st.sampled_from([(), ("node",)]))
def test_any_text_is_read_or_refused(text: str, kind: Kind, per: tuple[str, ...]) -> None:
    try:
        got = parse(text, kind, per=per)
    except QuantityError:
        return
    if got.value is None:
        assert text.strip() == "?"
        return
    low, high = (got.low, got.high) if got.low is not None else (got.value, got.value)
    assert high is not None
    assert 0 <= low <= got.value <= high < math.inf


@given(st.one_of(st.text(), GRAMMAR))
def test_any_text_is_steps_or_not(text: str) -> None:
    try:
        got = parse_steps(text)
    except QuantityError:
        return
    assert got is None or all(part.value is None or part.value >= 0 for part in got)


NONSENSE = ("1,", "1", "1 ", "1h", "-", "1-", "1 to ", "e1", "GB/", " per", "1 x", ",000", "$", ".")
"""Pieces that make an expression with nested repeats backtrack, if there were one."""


@pytest.mark.parametrize("piece", NONSENSE)
@pytest.mark.parametrize("kind", KINDS)
def test_long_nonsense_is_refused(kind: Kind, piece: str) -> None:
    text = (piece * 200)[:199] + "#"
    with pytest.raises(QuantityError):
        parse(text, kind)
    with pytest.raises(QuantityError):
        parse("1" + text[1:], kind)


def test_importing_stays_cheap() -> None:
    code = "import sys, advisor.facts.quantity; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numpy", "pydantic", "textual", "rich"} & set(done.stdout.split())
