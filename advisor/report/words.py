"""Figures and names as the report writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import isfinite

from advisor.engine.advice import Advice, Step, View
from advisor.engine.message import money, percent, points
from advisor.facts.catalogue import FactSpec
from advisor.facts.display import format_value
from advisor.facts.resolve import Fact
from advisor.facts.times import parse_times, summary

SOURCES: Mapping[str, str] = {
    "measured": "measured",
    "estimated": "estimated",
    "guessed": "guessed",
    "site": "from the site file",
    "default": "assumed",
    "derived": "follows from the others",
    "unknown": "unknown",
}
"""Sources of a fact as a reader sees them."""

EFFORTS: Mapping[str, str] = {
    "configuration": "a configuration change",
    "version": "needs another version or set-up",
    "hardware_present": "uses hardware that is there",
    "money": "a purchase",
}
"""What a change takes."""

_TYPED_PERCENT = re.compile(r"(?<=\d)\s*%")
"""How people type per cent; printed with the space that every other share has."""

GIVEN = ("measured", "estimated", "guessed", "site")
"""Sources of facts somebody gave."""


def amount(value: float, spec: FactSpec) -> str:
    """A value of a fact with its unit: "100 GB/s", "10 %", "1.5x"."""
    if spec.kind == "ratio":
        if spec.maximum is not None and spec.maximum <= 1:
            return format_value(value, "ratio")
        return f"{value:.3g}x"
    return format_value(value, spec.kind) if isfinite(value) else "unlimited"


def fact_text(fact: Fact) -> str:
    """The value of a fact: as typed where somebody gave it, else with its unit."""
    if fact.value is None:
        return "unknown"
    if fact.spec.kind == "durations" and isinstance(fact.value, str):
        return summary(parse_times(fact.value))
    if isinstance(fact.value, str):
        return fact.spec.choices.get(fact.value, fact.value)
    if fact.source in GIVEN:
        return _TYPED_PERCENT.sub(" %", fact.text.strip())
    return amount(fact.value, fact.spec)


def source_text(fact: Fact) -> str:
    """Where the value comes from, in a word or two."""
    if fact.source == "derived" and fact.spec.default is not None and fact.spec.default.follows:
        return f"follows {fact.spec.default.follows}"
    return SOURCES[fact.source]


_OPENERS = ("A ", "An ", "The ", "Each ", "Every ", "No ")
"""First words that are no names, so that they can stand in the middle of a sentence."""


def continued(words: str) -> str:
    """A sentence to go on with after a colon."""
    return words[:1].lower() + words[1:] if words.startswith(_OPENERS) else words


def lowered(words: str) -> str:
    """The words with a small first letter, unless they begin with a name in capitals."""
    return words if len(words) > 1 and words[1].isupper() else words[:1].lower() + words[1:]


def label(advice: Advice, fact: str) -> str:
    """The label of a fact inside a sentence."""
    return lowered(advice.facts[fact].spec.label) if fact in advice.facts else fact


def joined(items: Sequence[str], word: str = "and") -> str:
    """A list in words, such as "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word} {items[-1]}"


def sentence(words: str) -> str:
    """The words with a full stop at the end."""
    stripped = words.rstrip()
    return stripped if stripped.endswith((".", "?", ":")) else f"{stripped}."


def one_line(words: str) -> str:
    """Our own wrapped text as one line."""
    return " ".join(words.split())


def gain_text(gain: float, saves: float | None) -> str:
    """What a change brings, such as "9.4 points of goodput, $2.53M a year"."""
    worth = f"{points(gain)} of goodput"
    return worth if saves is None else f"{worth}, {money(saves)} a year"


def changes_text(plan: Sequence[Step]) -> str:
    """Which changes: "change 1", "changes 1 and 2", "changes 1 to 3"."""
    if len(plan) < 3:
        orders = joined([str(step.order) for step in plan])
        return f"change {orders}" if len(plan) == 1 else f"changes {orders}"
    return f"changes {plan[0].order} to {plan[-1].order}"


def reason(advice: Advice, because: Sequence[str]) -> str:
    """What a required pool rate is for: "for a pause of 60 s"."""
    words = {
        "pause": f"for a pause of {fact_text(advice.facts['acceptable_pause'])}",
        "drain": "to drain well before the next save",
        "wait": "so that no save waits for the one before",
        "time_out": "to stay within the time-out",
        "goal": f"for a goodput of {fact_text(advice.facts['goodput_target'])}",
        "stall_cost": "to keep the stall cheap",
    }
    return joined([words.get(name, name) for name in because])


def shortfall(short: Mapping[str, tuple[float, float]]) -> str:
    """Why no rate of the pool is enough: what is left at any rate, what may be, the difference.

    Args:
        short: per demand that no rate meets, what it takes and what it may take.
    """
    said = []
    for name, (takes, may) in short.items():
        if name in ("goal", "stall_cost"):
            wished = f"{percent(takes)} of goodput needed, {percent(may)} reached"
            said.append(f"{wished} at any rate: {points(takes - may)} too little")
            continue
        one, other, over = (format_value(v, "duration") for v in (takes, may, takes - may))
        if name == "wait":
            said.append(f"a save waits {one} for the one before at any rate")
        else:
            said.append(f"{_LEFT[name]} {one} at any rate, {other} is allowed: {over} too long")
    return "; ".join(said)


_LEFT: Mapping[str, str] = {
    "pause": "the pause is",
    "drain": "the drain takes",
    "time_out": "a save takes",
}
"""What is left of a save at any rate of the pool, by demand."""


def price_fact(advice: Advice) -> str:
    """The price that is asked for: per accelerator, or per node where there are none."""
    none = advice.facts["accelerators_per_node"].value == 0
    return "node_hour" if none else "accelerator_hour"


def delivered(view: View) -> float | None:
    """Rate at which a typical save reaches the pool, bytes/s: its bytes over its nominal time."""
    total, nominal = view.save.bytes_total, view.save.nominal
    return total / nominal if total is not None and nominal else None


def span(advice: Advice, ends: tuple[float, float]) -> str:
    """A range of intervals in the job's own unit: "14.7 min to 24.6 min"."""
    return f"{interval_text(advice, ends[0])} to {interval_text(advice, ends[1])}"


def interval_text(advice: Advice, seconds: float) -> str:
    """An interval: as time, and in steps where the job counts steps."""
    words = format_value(seconds, "duration")
    steps, each = advice.facts["interval_steps"], advice.facts["step_time"]
    if steps.active and steps.value is not None and isinstance(each.value, float) and each.value:
        return f"{words} ({max(1, round(seconds / each.value)):,} steps)"
    return words
