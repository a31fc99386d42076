"""Messages with figures in them: ``{fact:unit}`` placeholders, checked when a pack is loaded.

No format mini-language, attribute or index gets through: a placeholder is a name and one of the
units below.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

from advisor.engine.expression import Names, Value
from advisor.facts.catalogue import Kind
from advisor.facts.display import format_value

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")

_UNITS: Mapping[str, tuple[str, ...]] = {
    "size": ("size",),
    "rate": ("rate",),
    "duration": ("duration",),
    "percent": ("ratio",),
    "points": ("ratio",),
    "factor": ("ratio", "count"),
    "count": ("count", "ratio"),
    "per_year": ("per_year", "per_second", "count"),
    "money": ("money", "money_per_year", "money_per_hour"),
    "text": ("choice", "text"),
}
"""Per unit of a placeholder: the kinds it can show."""

UNKNOWN = "an unknown value"
"""Shown for a fact that is not known; only evidence of unknown rules can meet it."""


@dataclass(frozen=True, slots=True)
class Placeholder:
    """One ``{name:unit}`` of a message."""

    name: str
    unit: str
    column: int


@dataclass(frozen=True, slots=True)
class MessageFault:
    """What is wrong with a message, and where (1-based column)."""

    message: str
    hint: str
    column: int


def placeholders(text: str) -> tuple[Placeholder, ...]:
    """All placeholders of a message, in order."""
    found = []
    for match in _PLACEHOLDER.finditer(text):
        name, _, unit = match.group(1).partition(":")
        found.append(Placeholder(name.strip(), unit.strip(), match.start() + 1))
    return tuple(found)


def check_message(text: str, names: Names) -> MessageFault | None:
    """The first fault of a message: unknown name, unknown unit, or a unit that cannot show it."""
    from advisor.facts.toml_text import suggest

    for item in placeholders(text):
        declared = names.get(item.name)
        if declared is None:
            hint = suggest(item.name, names)
            return MessageFault(f'no fact or value is called "{item.name}"', hint, item.column)
        if item.unit not in _UNITS:
            known = ", ".join(_UNITS)
            return MessageFault(f'"{item.unit}" is not a unit', f"Use one of {known}.", item.column)
        if declared.kind not in _UNITS[item.unit]:
            fitting = ", ".join(unit for unit, kinds in _UNITS.items() if declared.kind in kinds)
            return MessageFault(
                f"{item.name} is a {declared.kind}, not a {item.unit}",
                f"Use {fitting}." if fitting else "It cannot be shown in a message.",
                item.column,
            )
    return None


def shown(value: Value, unit: str, kind: Kind, labels: Mapping[str, str]) -> str:
    """One value as a message shows it.

    Args:
        value: number in the unit of the kind, text, or None.
        unit: the unit of the placeholder.
        kind: what the value is measured in.
        labels: for choices, member to label.
    """
    if value is None:
        return UNKNOWN
    if isinstance(value, str):
        return labels.get(value, value)
    if not isfinite(value):
        return UNKNOWN
    if unit == "percent":
        return percent(value)
    if unit == "points":
        return points(value)
    if unit == "factor":
        return f"{_plain(value)}x"
    if unit == "count":
        return format_value(float(round(value)) if value >= 10 else value, "count")
    if unit == "per_year":
        per_year = value * 8760 * 3600 if kind == "per_second" else value
        return _plain(per_year)
    if unit == "money":
        return money(value)
    return format_value(value, kind)


def _plain(value: float) -> str:
    """Three significant digits without an exponent: 0.012, 8.21, 1,230."""
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 1000 else f"{rounded:g}"


_ALMOST_ALL = 99.95
"""Per cent from which one decimal would round to all of it."""

_EXACT = 1e-9
"""Per cent that a computed whole may be short of 100."""

_LEAST_POINTS = 0.005
"""Points below which two decimals would round to nothing."""


def percent(share: float) -> str:
    """A share as per cent with the digits that matter: 15.3 %, 80 %, 0.37 %; never nothing or all.

    What is too near to them to tell is "under 0.01 %" or "over 99.9 %".
    """
    value = 100 * share
    if value == 0:
        return "0 %"
    if abs(value) < 0.01:
        return "under 0.01 %"
    if _ALMOST_ALL <= value < 100 - _EXACT:
        return "over 99.9 %"
    digits = 1 if abs(value) >= 1 else 2
    return f"{f'{value:.{digits}f}'.rstrip('0').rstrip('.')} %"


def points(share: float) -> str:
    """A difference of goodput in points: 16.2 points, 0.3 points, under 0.01 points."""
    value = 100 * share
    if value == 0:
        return "0 points"
    if abs(value) < _LEAST_POINTS:
        return "under 0.01 points"
    digits = 1 if abs(value) >= 0.1 else 2
    text = f"{value:.{digits}f}"
    return f"{text} point" if text == "1.0" else f"{text} points"


def money(dollars: float) -> str:
    """Dollars with three significant digits: $4.12M, $46.1k, $250."""
    sign = "-" if dollars < 0 else ""
    value = abs(dollars)
    for size, suffix in ((1e9, "B"), (1e6, "M"), (1e3, "k")):
        if value >= size * 0.9995:
            return f"{sign}${_plain(value / size)}{suffix}"
    return f"{sign}${value:.0f}"


def answered(text: str, values: Mapping[str, Value]) -> bool:
    """Whether every figure of a text is known, so that it can be shown."""
    return all(values.get(item.name) is not None for item in placeholders(text))


def render(
    text: str, names: Names, values: Mapping[str, Value], labels: Mapping[str, Mapping[str, str]]
) -> str:
    """A message with its placeholders filled.

    Args:
        text: checked by ``check_message`` against the same names.
        names: kinds of everything that may be shown.
        values: by name; absent means unknown.
        labels: for choice facts, member to label.
    """

    def fill(match: re.Match[str]) -> str:
        name, _, unit = (part.strip() for part in match.group(1).partition(":"))
        return shown(values.get(name), unit, names[name].kind, labels.get(name, {}))

    return _PLACEHOLDER.sub(fill, text)
