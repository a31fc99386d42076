"""How an answer was read, for the person to see at once: "= 1,800 s", "48 nodes x 48 GB = 2.3 TB".

Nothing is echoed where the text already says it the way it is printed everywhere.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from advisor.facts.answers import Answer
from advisor.facts.catalogue import FactSpec
from advisor.facts.display import format_value
from advisor.facts.quantity import Quantity, QuantityError, parse
from advisor.facts.times import parse_times, summary
from advisor.interview.flow import Question

Readings = Mapping[str, Quantity | str | None]
"""By fact: what its text says."""

HOURS_FROM = 48 * 3600.0
"""Seconds from which a time is echoed in hours: longer ones in seconds say nothing."""

DAYS_FROM = 100 * 24 * 3600.0
"""Seconds from which a time is echoed in days."""


def echo(
    question: Question,
    text: str,
    answers: Mapping[str, Answer],
    readings: Readings,
    known: Mapping[str, Answer],
) -> str:
    """How a typed answer was read.

    Args:
        question: what was asked.
        text: what was typed.
        answers: by fact, what is stored.
        readings: by fact, what it says.
        known: other answers, for products with the number of nodes.
    """
    values = {
        name: reading.value
        for name, reading in readings.items()
        if isinstance(reading, Quantity) and reading.value is not None
    }
    specs = {spec.name: spec for spec in (*question.specs, *question.companions)}
    if len(values) == 2:
        return _of_two(values)
    for name, reading in readings.items():
        spec = specs[name]
        if isinstance(reading, Quantity) and reading.value is not None:
            typed = text if len(question.specs) == 1 else answers[name].value
            if name == "parameters":
                return f"= {_parameters(reading.value)}"
            return _with_nodes(name, reading.value, known) or _number(reading, spec, typed)
        if isinstance(reading, str) and spec.kind == "durations":
            return f"= {summary(parse_times(reading))}"
        if isinstance(reading, str) and spec.kind == "choice":
            label = spec.choices[reading]
            return "" if label.casefold() == text.casefold() else f"= {label}"
    return ""


def _of_two(values: Mapping[str, float]) -> str:
    """Two facts of one answer, and what they come to together."""
    match values:
        case {"interval_steps": steps, "step_time": each}:
            return f"{steps:,.0f} steps x {_time(each)} = {_time(steps * each)}"
        case {"interruptions": count, "observed_for": period} if count > 0:
            return f"{_time(period)} / {count:g} = one in {_time(period / count)}"
        case {"interruptions": _, "observed_for": period}:
            return f"none in {_time(period)}"
        case {"detect_time": notice, "init_time": start}:
            return f"{_time(notice)} + {_time(start)} = {_time(notice + start)}"
    return ""


def _with_nodes(name: str, value: float, known: Mapping[str, Answer]) -> str:
    nodes = _nodes(known)
    if name == "state_total":
        # Always said: the question speaks of one node, and a bare size means all of them.
        each = f", {format_value(value / nodes, 'size')} a node" if nodes else ""
        return f"= {format_value(value, 'size')} in all{each}"
    if not nodes:
        return ""
    match name:
        case "state_per_node":
            one, all_of_it = format_value(value, "size"), format_value(value * nodes, "size")
            return f"{nodes:,.0f} nodes x {one} = {all_of_it}"
        case "node_mtbf":
            return f"{_time(value)} / {nodes:,.0f} nodes = {_time(value / nodes)}"
    return ""


def _parameters(value: float) -> str:
    """A count of parameters as model cards print it: "70 B parameters"."""
    count = format_value(value, "count")
    return f"{re.sub(r'(?<=[0-9])(?=[kMBT]$)', ' ', count)} parameters"


def _nodes(known: Mapping[str, Answer]) -> float | None:
    """The number of nodes as answered, writing ones first; None where nobody knows."""
    for name in ("writing_nodes", "nodes"):
        if name in known and not known[name].is_unknown:
            try:
                return parse(known[name].value, "count").value
            except QuantityError:
                continue
    return None


def _number(quantity: Quantity, spec: FactSpec, text: str) -> str:
    """One quantity in the unit it is printed in; the ends too where a range was typed."""
    assert quantity.value is not None  # noqa: S101 - the caller looked
    shown = _shown(quantity.value, spec, text)
    if quantity.low is not None and quantity.high is not None:
        low, high = (format_value(end, spec.kind) for end in (quantity.low, quantity.high))
        best = format_value(quantity.value, spec.kind)
        return f"= {best}, from {low} to {high}"
    plain = text.lstrip("~").strip().casefold().replace(" ", "")
    return "" if shown.casefold().replace(" ", "") == plain else f"= {shown}"


def _shown(value: float, spec: FactSpec, text: str) -> str:
    if spec.kind == "duration":
        usual = format_value(value, "duration")
        in_seconds = usual.endswith(" s") or _typed_in_seconds(text)
        return usual if in_seconds else _in_small_units(value)
    if spec.kind == "count":
        whole = value >= 1 and math.isclose(value, round(value))
        return f"{value:,.0f}" if whole and value < 1e15 else format_value(value, "count")
    return format_value(value, spec.kind)


def _typed_in_seconds(text: str) -> bool:
    words = [word for word in _letters(text).split() if word]
    return words == ["s"]


def _letters(text: str) -> str:
    return "".join(char if char.isalpha() else " " for char in text)


def _in_small_units(seconds: float) -> str:
    if seconds < HOURS_FROM:
        return f"{seconds:,.6g} s" if seconds < 1000 else f"{seconds:,.0f} s"
    if seconds < DAYS_FROM:
        return f"{seconds / 3600:,.0f} h"
    return f"{seconds / 86400:,.0f} d"


def _time(seconds: float) -> str:
    return format_value(seconds, "duration")
