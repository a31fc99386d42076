"""Reads quantities as people type them, and refuses what could be read in two ways."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from advisor.facts.catalogue import NUMERIC_KINDS, Kind
from advisor.facts.display import format_quantity, format_value
from advisor.facts.durations import CLOCK, read_time
from advisor.facts.numerals import NUMERAL, check, finite, number
from advisor.facts.scales import is_currency, refuse_currency, scale, short
from advisor.facts.units import NOUNS, Quantity, QuantityError, use

__all__ = [
    "Quantity",
    "QuantityError",
    "format_quantity",
    "format_value",
    "parse",
    "parse_steps",
]

MAX_LENGTH = 200
"""Characters; no quantity is longer, and it bounds the work on pasted text."""

_TERM = re.compile(rf"(?P<sign>US\$|\$|USD)?\s*{NUMERAL}\s*(?P<unit>.*)")
_NEGATIVE = re.compile(r"(?:US)?\$?\s*-")
_WIDE_RANGE = re.compile(r"\s+to\s+|\s*\.{2,3}\s*")
# The minus of an exponent is no range, nor is the hyphen in TB-year.
_DASH_RANGE = re.compile(r"(?<![0-9][eE])-(?=\s*(?:US)?\$?\s*[.0-9])")
_STEPS = re.compile(
    r"(?P<count>[~0-9][^@x*]*?)\s*(?:steps?\s*(?:@|at\b|x|\*)|@|x|\*|\bat\b)\s*(?P<time>.+)"
)
_LOOKALIKES = str.maketrans(
    {
        **dict.fromkeys("\u00a0\u2007\u2009\u200a\u202f", " "),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        "\u2026": "..",
        "\u00d7": "x",
        "\u2248": "~",
        "\u00b5": "u",
        "\u03bc": "u",
    }
)
_CURRENCY_SIGNS = frozenset("\u00a2\u00a3\u00a5\u20a9\u20ac\u20b9\u20bd")


def parse(text: str, kind: Kind, *, per: Sequence[str] = ()) -> Quantity:
    """Read one typed quantity, range or "?".

    A range's best value is the geometric mean of its ends, or the arithmetic mean for ratios and
    where the range starts at 0.

    Args:
        text: what was typed, such as "18 GB", "10-20 GB", "~15 GB" or "1h30m".
        kind: what was asked for; a numeric kind.
        per: suffixes admitted besides those of the kind, such as "node" in "18 GB/node".

    Returns:
        The quantity in the unit of the kind, never negative, never infinite.

    Raises:
        QuantityError: the text is not such a quantity, or could be read in two ways.
        ValueError: the kind is not a number (a mistake of the caller).
    """
    if kind not in NUMERIC_KINDS:
        raise ValueError(f"{kind} is not measured in numbers")
    text = _clean(text, kind)
    if text == "?":
        return Quantity(None)
    approx = text.startswith("~")
    text = text[1:].strip() if approx else text
    low_text, high_text = _split_range(text, kind)
    if kind == "money" and low_text is not None and low_text.startswith("$"):
        high_text = "$" + high_text.removeprefix("$")
    value, iec = _read(high_text, kind, per)
    if low_text is None:
        return Quantity(value, approx=approx, iec=iec)
    low, low_iec = _read(_with_unit(low_text, high_text), kind, per)
    if low > value:
        raise QuantityError("The range starts above its end.", "Put the smaller number first.")
    # Written so that neither the product nor the sum can overflow.
    arithmetic = kind == "ratio" or low == 0
    mean = low / 2 + value / 2 if arithmetic else math.sqrt(low) * math.sqrt(value)
    best = min(max(mean, low), value)
    return Quantity(best, low, value, approx=approx, iec=iec and (low_iec or low == 0))


def parse_steps(text: str) -> tuple[Quantity, Quantity] | None:
    """Read an interval given in steps, such as "440 steps @ 4.1 s" or "440 x 4.1 s".

    Returns:
        The count of steps and the time of one in seconds, or None when the text has another form.

    Raises:
        QuantityError: the text has this form, but its count or its time cannot be read.
    """
    if len(text) > MAX_LENGTH:
        return None
    match = _STEPS.fullmatch(text.translate(_LOOKALIKES).strip())
    if match is None:
        return None
    return parse(match["count"], "count"), parse(match["time"], "duration")


def _clean(text: str, kind: Kind) -> str:
    """Bring look-alike characters to ASCII and refuse all others."""
    if len(text) > MAX_LENGTH:
        raise QuantityError(f"The answer is over {MAX_LENGTH} characters long.", use(kind))
    text = text.translate(_LOOKALIKES).strip()
    if not text:
        raise QuantityError("Nothing was typed.", "Type a value, or ? for not known.")
    if not _CURRENCY_SIGNS.isdisjoint(text):
        raise refuse_currency()
    if not (text.isascii() and text.isprintable()):
        raise QuantityError("The answer has a character that cannot be read.", use(kind))
    return text


def _split_range(text: str, kind: Kind) -> tuple[str | None, str]:
    """The texts of the two ends of a range, or None and the text of a single value."""
    parts = _WIDE_RANGE.split(text)
    if len(parts) == 1 and not (kind == "duration" and CLOCK.fullmatch(text)):
        parts = _DASH_RANGE.split(text)
    if _NEGATIVE.match(text):
        raise _negative(kind)
    if len(parts) > 2:
        raise QuantityError("A range has two ends.", "Write it like 10-20, with a unit after it.")
    return (parts[0].strip(), parts[1].strip()) if len(parts) == 2 else (None, text)


def _with_unit(low: str, high: str) -> str:
    """The low end of a range with the unit of the high end where it has none: "10-20 GB"."""
    low_term, high_term = _TERM.fullmatch(low), _TERM.fullmatch(high)
    if low_term is None or high_term is None or low_term["unit"]:
        return low
    unit = high_term["unit"]
    if re.search("[0-9:]", unit):
        raise QuantityError(f"{short(low)} has no unit.", "Write one after both ends of the range.")
    return f"{low} {unit}".strip()


def _read(text: str, kind: Kind, per: Sequence[str]) -> tuple[float, bool]:
    """One value, without range or ~, and whether its unit is binary."""
    if kind == "duration" and CLOCK.fullmatch(text):
        return read_time(text), False
    term = _TERM.fullmatch(text)
    if term is None:
        if _NEGATIVE.match(text):
            raise _negative(kind)
        if any(is_currency(word) for word in re.findall("[A-Za-z]+", text)):
            raise refuse_currency()
        raise QuantityError("The answer does not start with a number.", use(kind))
    check(term["number"], term["unit"], kind)
    if term["sign"] and not kind.startswith("money"):
        raise QuantityError(f"{short(text)} is money, not {NOUNS[kind]}.", use(kind))
    if kind == "duration":
        return read_time(text), False
    factor, binary = scale(term["unit"], kind, per, text)
    return finite(number(term["number"]) * factor), binary


def _negative(kind: Kind) -> QuantityError:
    """The refusal of a number below zero; no fact has one."""
    return QuantityError("The value is negative.", use(kind))
