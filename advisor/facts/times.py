"""Reads and prints lists of times, one of each rank: "41 s, 43 s, 62 s"."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache

from advisor.facts.display import format_value
from advisor.facts.durations import CLOCK, read_time
from advisor.facts.numerals import NUMERAL
from advisor.facts.scales import short
from advisor.facts.units import QuantityError, use

EXAMPLE = "41 s, 43 s, 62 s"
"""How a list is typed, for hints."""

LEAST_TIMES = 2
"""Times in a list: one time alone says nothing of how uneven the ranks are."""

MOST_TIMES = 1024
"""Times in a list: the 99 % point of the slowest of thousands is then still told by ten of them,
and 4,096 samples of it fit the memory."""

MAX_LENGTH = 16 * MOST_TIMES
"""Characters of a list; it bounds the work on pasted text."""

_SEPARATOR = re.compile(r"\s*[,;]\s*|\s*\n\s*")
_JOINED = re.compile(r"[0-9],(?=[0-9])")
_BARE = re.compile(NUMERAL)
_UNIT = re.compile(rf"{NUMERAL}\s*(?P<unit>[A-Za-z]+)")
_LOOKALIKES = str.maketrans(dict.fromkeys("\u00a0\u2007\u2009\u200a\u202f\t\r", " "))
_INEXACT = re.compile(r"^~|\.\.|(?<![0-9][eE])-|\bto\b")
_USE = f"Write it like {EXAMPLE}."


@lru_cache(maxsize=256)
def parse_times(text: str) -> tuple[float, ...]:
    """Read a list of times, in the order typed.

    Bare numbers take the unit of the last time, where all others are bare: "41, 43, 62 s".

    Args:
        text: times with commas, semicolons or line ends between them.

    Returns:
        Seconds, never negative, ``LEAST_TIMES`` to ``MOST_TIMES`` of them.

    Raises:
        QuantityError: the text is not such a list, or could be read in two ways.
    """
    if len(text) > MAX_LENGTH:
        raise QuantityError(f"The list is over {MAX_LENGTH:,} characters long.", _most())
    text = text.translate(_LOOKALIKES).strip()
    if not text:
        raise QuantityError("Nothing was typed.", _USE)
    if not all(sign.isascii() and (sign.isprintable() or sign == "\n") for sign in text):
        raise QuantityError("The list has a character that cannot be read.", _USE)
    if _JOINED.search(text):
        raise QuantityError("A comma between digits could join or part two times.", _spaced(text))
    parts = _SEPARATOR.split(text)
    if len(parts) > MOST_TIMES:
        raise QuantityError(f"That is {len(parts):,} times, over {MOST_TIMES:,}.", _most())
    if len(parts) < LEAST_TIMES:
        # Something that is no time at all is told so; one time is told that it is alone.
        _one(parts[0])
        raise QuantityError("One time says nothing of how uneven the ranks are.", _USE)
    return tuple(_one(part) for part in _with_unit(parts))


def format_times(times: Sequence[float]) -> str:
    """Print a list of times with all their digits; ``parse_times`` reads it back exactly.

    Args:
        times: seconds, finite and not negative.

    Raises:
        ValueError: a time is not finite.
    """
    if not all(math.isfinite(time) for time in times):
        raise ValueError("a time that is not finite cannot be shown")
    return ", ".join(f"{_digits(time)} s" for time in times)


def _digits(value: float) -> str:
    """The shortest digits that stand for this float and no other, without an exponent."""
    plain = f"{Decimal(repr(float(value))):f}"
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def _most() -> str:
    return f"Write {MOST_TIMES:,} of them, taken at random."


def _spaced(text: str) -> str:
    """The hint with the first doubtful pair written both ways."""
    found = re.search(r"([0-9]+),([0-9]+)", text)
    assert found is not None  # noqa: S101 - the caller found the comma
    one, other = (short(part) for part in found.groups())
    return f"Write {one}{other} for one time, or {one}, {other} for two."


def _with_unit(parts: list[str]) -> list[str]:
    """The times with the unit of the last one where all the others have none."""
    *others, last = parts
    unit = _UNIT.fullmatch(last)
    if unit is None or not all(_BARE.fullmatch(part) for part in others):
        return parts
    return [*(f"{part} {unit['unit']}" for part in others), last]


def _one(text: str) -> float:
    if not text:
        raise QuantityError("A time between two commas is missing.", _USE)
    if text.startswith("-"):
        raise QuantityError("A time is negative.", _USE)
    if not CLOCK.fullmatch(text) and _INEXACT.search(text):
        raise QuantityError(f"{short(text)} is not one exact time.", _USE)
    if not re.match(r"[.0-9]", text):
        raise QuantityError(f"{short(text)} does not start with a number.", _USE)
    try:
        return read_time(text)
    except QuantityError as error:
        hint = _USE if error.hint == use("duration") else error.hint
        raise QuantityError(error.message, hint) from None


def median(times: Sequence[float]) -> float:
    """The typical time: the middle one of a sorted list, the lower of two."""
    return sorted(times)[(len(times) - 1) // 2]


def summary(times: Sequence[float]) -> str:
    """A list in a few words: "512 times, the usual one 60 s, the slowest 4 min"."""
    usual, slowest = (format_value(time, "duration") for time in (median(times), max(times)))
    return f"{len(times):,} times, the usual one {usual}, the slowest {slowest}"


def tail_between(times: Sequence[float]) -> tuple[float, float, float]:
    """p99 over p50 that a list of times stands for, with the ends of its 90 % interval.

    Lognormal: the slowest of m over their median is ``exp(w z)`` with z at ``q^(1/m)``, so one list
    is compatible with the ratios for q = 0.05 to 0.95; the middle one is for q = 0.5.

    Returns:
        Low, middle and high ratio, at least 1; high is infinite where few times say nothing of it.
    """
    # Only a list beside a typed ratio pays for this import.
    from statistics import NormalDist

    normal, typical = NormalDist(), median(times)
    slow = math.log(max(times) / typical) if typical > 0 else math.inf
    z99 = normal.inv_cdf(0.99)
    found = []
    for q in (0.95, 0.5, 0.05):
        z = normal.inv_cdf(q ** (1 / len(times)))
        power = 0.0 if slow == 0 else math.inf if z <= 0 else slow * z99 / z
        found.append(math.exp(power) if power < _LARGEST else math.inf)
    return found[0], found[1], found[2]


_LARGEST = 700.0
"""Natural logarithm beyond which a float is infinite."""
