"""Reads times: 90 s, 1h30m, 00:30:00 and Slurm's 1-02:00:00."""

from __future__ import annotations

import math
import re
from decimal import Decimal

from advisor.facts.numerals import NUMERAL, finite, number
from advisor.facts.scales import short, wrong
from advisor.facts.units import SECONDS, QuantityError, use

CLOCK = re.compile(r"(?:([0-9]+)-)?([0-9]+):([0-9]{2})(?::([0-9]{2}))?")
"""Pattern of a time with colons, with days before it as Slurm writes them."""

_PIECE = re.compile(rf"{NUMERAL}\s*(?P<unit>[A-Za-z]+)\s*")


def read_time(text: str) -> float:
    """Read one time, without range or ~, in seconds.

    Raises:
        QuantityError: the text is not a time, has no unit, or has two readings.
    """
    match = CLOCK.fullmatch(text)
    return _pieces(text) if match is None else _clock(match)


def _clock(match: re.Match[str]) -> float:
    """Seconds of Slurm's D-HH:MM:SS, D-HH:MM or HH:MM:SS (sbatch manual, option --time)."""
    days, hours, minutes, rest = match.groups()
    if days is None and rest is None:
        hint = "Write h:mm:ss, such as 0:30:00, or 30 min."
        raise QuantityError(f"{short(match[0])} could be hours or minutes.", hint)
    if int(minutes) > 59 or int(rest or 0) > 59 or (days is not None and int(hours) > 23):
        raise QuantityError(f"{short(match[0])} is not a time.", "Write it like 1-02:00:00.")
    whole = ((int(days or 0) * 24 + int(hours)) * 60 + int(minutes)) * 60 + int(rest or 0)
    return finite(Decimal(whole))


def _pieces(text: str) -> float:
    """Seconds of "90 s" or of pieces from long to short, such as "1h 30m"."""
    total, at, last = Decimal(0), 0, math.inf
    while at < len(text):
        piece = _PIECE.match(text, at)
        if piece is None and at > 0:
            raise QuantityError(f"{short(text[at:])} has no unit.", use("duration"))
        rest = text[piece.end() :] if piece else ""
        if piece is None or (rest and rest[0] not in ".0123456789"):
            start = re.match(NUMERAL, text[at:])
            raise _refused(text[at + start.end() :].strip() if start else text, text)
        one = _seconds(piece["unit"])
        if one is None:
            raise _refused(piece["unit"], text)
        if one >= last:
            raise QuantityError("Longer units come first.", use("duration"))
        total += number(piece["number"]) * one
        at, last = piece.end(), float(one)
    return finite(total)


def _seconds(unit: str) -> Decimal | None:
    """The seconds in one unit of time; long names in any case, short ones as they are."""
    return SECONDS.get(unit if len(unit) < 3 else unit.lower())


def _refused(unit: str, typed: str) -> QuantityError:
    """The refusal that fits a unit which is missing or not one of time."""
    small, typed = unit.lower(), short(typed)
    if not unit:
        return QuantityError(f"{typed} has no unit.", f"{typed} s, {typed} min or {typed} h?")
    if unit == "M":
        return QuantityError("M is not a unit of time.", "Write m or min for minutes.")
    if small in ("mo", "mos", "month", "months"):
        return QuantityError("A month has no fixed length.", "Write days, such as 30 d.")
    if small in ("step", "steps"):
        return QuantityError("The time of one step is missing.", f"Write it like {typed} @ 4.1 s.")
    if small in SECONDS:
        return QuantityError(f"{unit} is not a unit of time.", f"Write {small}.")
    return wrong(unit, "duration", typed)
