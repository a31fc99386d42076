"""Prints quantities so that a person reads them at once and the parser reads them back."""

from __future__ import annotations

import math
from decimal import Decimal

from advisor.facts.catalogue import NUMERIC_KINDS, Kind
from advisor.facts.units import BELOW, IEC_PREFIXES, SI_PREFIXES, Quantity

_TIMES: tuple[tuple[str, int, int], ...] = (
    (" s", 1, 120),
    (" min", 60, 120),
    (" h", 3600, 48),
    (" d", 86400, 730),
)
"""Unit, its seconds, and how many of it read better in the next unit."""

_YEAR = 365 * 86400
"""Seconds in a year, as the parser reads it."""

_SUFFIXES = ("", "k", "M", "B", "T")
"""Suffixes of counts and prices, each 1,000 times the one before."""

_LARGEST_WHOLE = 1e15
"""Counts from here on are shown in powers of ten: a float no longer holds every whole number."""

_LARGEST_PLAIN, _SMALLEST_PLAIN = 15, -7
"""Powers of ten outside which digits are too many to read, so an exponent is shown."""


def format_value(value: float, kind: Kind, *, iec: bool = False, digits: int = 3) -> str:
    """Print one number with its unit, such as "18 GB", "2.03 min", "75 %" or "$3.50/h".

    ``parse`` reads the text back to within half of its last digit, except for negative numbers
    (differences, never answers), which get a leading minus.

    Args:
        value: a finite number in the unit of the kind (``catalogue.UNITS``).
        kind: what it measures; a numeric kind.
        iec: print sizes and rates in KiB, MiB and so on.
        digits: significant digits. Counts up to 999,999 and prices to the cent show all of theirs.

    Raises:
        ValueError: the value is not finite, or the kind is not a number.
    """
    sign, (before, number, unit) = ("-" if value < 0 else ""), _parts(value, kind, iec, digits)
    return f"{sign}{before}{number}{unit}"


def format_quantity(q: Quantity, kind: Kind) -> str:
    """Print an answer as it could have been typed: "?", "~15 GB", "10-20 GB", "900 MB to 1.2 GB".

    Args:
        q: the answer, in the unit of the kind.
        kind: what it measures; a numeric kind.

    Raises:
        ValueError: the kind is not a number.
    """
    if q.value is None:
        return "?"
    about = "~" if q.approx else ""
    if q.low is None or q.high is None:
        return about + format_value(q.value, kind, iec=q.iec)
    low, high = (_parts(end, kind, q.iec, 3) for end in (q.low, q.high))
    if low[2] == high[2]:
        return f"{about}{low[0]}{low[1]}-{high[1]}{high[2]}"
    if not low[2]:
        # The parser gives a bare low end the suffix of the high end, so neither may have one.
        return f"{about}{low[0]}{_commas(q.low)}-{_commas(q.high)}"
    return f"{about}{''.join(low)} to {''.join(high)}"


def _parts(value: float, kind: Kind, iec: bool, digits: int) -> tuple[str, str, str]:
    """What stands before the number, the number without sign, and what stands after it."""
    if kind not in NUMERIC_KINDS:
        raise ValueError(f"{kind} is not measured in numbers")
    if not math.isfinite(value):
        raise ValueError(f"{value} cannot be shown as {kind}")
    value = abs(value)
    if kind in ("size", "rate"):
        number, unit = _binary(value, digits) if iec else _decimal(value, digits)
        return "", number, unit + ("/s" if kind == "rate" else "")
    if kind == "duration":
        return "", *_time(value, digits)
    if kind == "ratio":
        return "", *_ratio(value, digits)
    if kind == "count":
        return "", *_count(value, digits)
    ending = "-".join(BELOW.get(kind, ()))
    before = "$" if kind.startswith("money") else ""
    number, suffix = _multiple(value, digits, cents=bool(before))
    return before, number, suffix + (f"/{ending}" if ending else "")


def _round(value: float, digits: int) -> Decimal:
    """The value to so many significant digits, exactly as they will be shown."""
    return Decimal(f"{value:.{digits - 1}e}")


def _plain(number: Decimal) -> str:
    """Digits without trailing zeros; an exponent only where there would be too many."""
    if not number:
        return "0"
    if _SMALLEST_PLAIN <= number.adjusted() < _LARGEST_PLAIN:
        return f"{number.normalize():f}"
    return f"{number.normalize():e}".replace("e+", "e")


def _step(number: Decimal, most: int) -> int:
    """How many thousands a rounded number holds as factors; rounding up carries over."""
    return min(max(number.adjusted() // 3, 0), most) if number else 0


def _decimal(value: float, digits: int) -> tuple[str, str]:
    """A number of bytes in SI units."""
    number = _round(value, digits)
    step = _step(number, len(SI_PREFIXES))
    return _plain(number.scaleb(-3 * step)), f" {SI_PREFIXES[step - 1] if step else ''}B"


def _binary(value: float, digits: int) -> tuple[str, str]:
    """A number of bytes in IEC units; 1,000 to 1,023 of one unit are shown whole."""
    for prefix in ("", *IEC_PREFIXES):
        whole = value >= 1000 and digits < 4
        number = Decimal(round(value)) if whole else _round(value, digits)
        if number < 1024 or prefix == IEC_PREFIXES[-1]:
            break
        value /= 1024
    return _plain(number), f" {prefix}B"


def _time(value: float, digits: int) -> tuple[str, str]:
    """Seconds in the unit that reads best."""
    for unit, one, most in _TIMES:
        number = _round(value / one, digits)
        if number < most:
            return _plain(number), unit
        if number == most:
            # 119.8 s is shown as 120 s would be, or reading it back would change the unit.
            value = float(most * one)
    return _plain(_round(value / _YEAR, digits)), " years"


def _ratio(value: float, digits: int) -> tuple[str, str]:
    """A share in percent, a ratio over 1 as a multiple."""
    number = _round(value, digits)
    if number > 1:
        return _plain(number), "x"
    return _plain(_round(value * 100, digits)), " %"


def _count(value: float, digits: int) -> tuple[str, str]:
    """A count, whole where it is; a suffix only where it loses nothing."""
    if round(value) >= _LARGEST_WHOLE:
        return _plain(_round(value, digits)), ""
    rounded = _round(value, digits)
    if rounded < 1000 and value != round(value):
        return _plain(rounded), ""
    if round(value) >= 1_000_000 and rounded == round(value):
        return _multiple(value, digits, cents=False)
    return _commas(value), ""


def _commas(value: float) -> str:
    """All digits of a number, in groups of three."""
    return f"{round(value):,}" if value >= 999.5 else _plain(_round(value, 3))


def _multiple(value: float, digits: int, *, cents: bool) -> tuple[str, str]:
    """A number with k, M, B or T; below 100, prices show at least cents unless they are whole."""
    number = _round(value, digits)
    step = _step(number, len(_SUFFIXES) - 1)
    text = _plain(number.scaleb(-3 * step))
    if cents and number and number.adjusted() >= _SMALLEST_PLAIN and round(value, 2) < 100:
        # Judged at the cent, or $99.95 would read back as a number that is shown as $100.
        places = max(2, digits - 1 - number.adjusted())
        whole, _, rest = f"{value:.{places}f}".rstrip("0").partition(".")
        text = f"{whole}.{rest:0<2}" if rest else whole
    return text, _SUFFIXES[step]
