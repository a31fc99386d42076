"""From answers to facts: which value is in force, where it comes from, and what contradicts it.

Alternatives (five groups: the state, the interval, the failure rate, the restart, the slow writers)
are resolved here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from advisor.facts.answers import CERTAINTIES, Answer
from advisor.facts.catalogue import Catalogue, FactSpec, Kind
from advisor.facts.display import format_value
from advisor.facts.quantity import Quantity, QuantityError, parse
from advisor.facts.scenario import Scenario, Value, default_row, parsed
from advisor.facts.times import parse_times, tail_between

FactSource = Literal["measured", "estimated", "guessed", "unknown", "derived", "default", "site"]
"""Where a value in force comes from, as exports name it."""

FULLEST_OVER_MEAN = 1.5
"""A fullest node up to this multiple of the mean is ordinary: first and last stage, rank 0."""


class AnswerError(ValueError):
    """An answer that cannot be used.

    Attributes:
        name: the fact.
        message: what is wrong, one sentence.
        hint: what to type instead.
    """

    def __init__(self, name: str, message: str, hint: str = "") -> None:
        super().__init__(f"{name}: {message} {hint}".rstrip())
        self.name = name
        self.message = message
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A value that a framework file suggests for a fact, as typed text, and why."""

    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact in force.

    Attributes:
        spec: its declaration.
        value: number in the unit of its kind, text (a list of times too), or None while unknown.
        low: lower end of its range where one was typed or published.
        high: upper end.
        source: where the value comes from.
        text: as typed, or as the default is written.
        note: what the person said about it, or where the default comes from.
        active: false for an alternative that another member of its group overrides.
    """

    spec: FactSpec
    value: float | str | None
    low: float | None
    high: float | None
    source: FactSource
    text: str
    note: str = ""
    active: bool = True

    @property
    def name(self) -> str:
        """The key of the fact."""
        return self.spec.name


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two answers to the same question that differ by over 10 %; the better source is used.

    Attributes:
        group: the question.
        kept: fact that is used.
        kept_value: what it says, in the unit of the kind.
        dropped: fact that is not.
        dropped_value: what that one says.
        unit: kind of both values.
    """

    group: str
    kept: str
    kept_value: float
    dropped: str
    dropped_value: float
    unit: Kind


@dataclass(frozen=True, slots=True)
class Facts:
    """All declared facts of one session."""

    catalogue: Catalogue
    facts: Mapping[str, Fact]
    suggested: Mapping[str, Value]
    contradictions: tuple[Contradiction, ...] = field(default=())

    def scenario(self) -> Scenario:
        """The facts with a given value, ready for the model; defaults follow by themselves."""
        given: dict[str, Value] = {
            name: fact.value
            for name, fact in self.facts.items()
            if fact.active and fact.value is not None and fact.source not in ("default", "derived")
        }
        return Scenario(self.catalogue, given, self.suggested)


def read_answer(spec: FactSpec, answer: Answer) -> Quantity | str | None:
    """What an answer says: a quantity within the limits, a choice, a text, or None for "?".

    A list of times is checked and returned as the text it is.

    Raises:
        AnswerError: not understood, not one of the choices, or outside the limits.
    """
    text = answer.value.strip()
    if answer.is_unknown:
        return None
    if spec.kind == "choice":
        if text not in spec.choices:
            raise AnswerError(
                spec.name, f'"{text}" is not a choice.', f"Use {', '.join(spec.choices)} or ?."
            )
        return text
    if spec.kind == "text":
        return text
    try:
        if spec.kind == "durations":
            for time in parse_times(text):
                _admitted(spec, time, "duration")
            return text
        quantity = parse(text, spec.kind, per=spec.per)
    except QuantityError as error:
        raise AnswerError(spec.name, error.message, error.hint) from error
    return _within(spec, quantity)


def _within(spec: FactSpec, quantity: Quantity) -> Quantity | None:
    for value in (quantity.value, quantity.low, quantity.high):
        if value is None:
            continue
        _admitted(spec, value, spec.kind)
        if spec.whole and value != int(value) and quantity.low is None:
            raise AnswerError(spec.name, f"{value:g} is not a whole number.", spec.hint)
    return quantity if quantity.value is not None else None


def _admitted(spec: FactSpec, value: float, kind: Kind) -> None:
    """Refuse a value outside the limits of its fact."""
    shown = format_value(value, kind)
    if spec.minimum is not None and value < spec.minimum * (1 - 1e-12):
        least = format_value(spec.minimum, kind)
        raise AnswerError(spec.name, f"{shown} is under the least, {least}.", spec.hint)
    if spec.maximum is not None and value > spec.maximum * (1 + 1e-12):
        most = format_value(spec.maximum, kind)
        raise AnswerError(spec.name, f"{shown} is over the most, {most}.", spec.hint)


def quantity_text(value: float, spec: FactSpec) -> str:
    """A value of a fact as text in its unit."""
    return format_value(value, spec.kind)


def resolve(
    answers: Mapping[str, Answer],
    catalogue: Catalogue,
    suggestions: Mapping[str, Suggestion] | None = None,
) -> Facts:
    """Every declared fact with its value in force and its source.

    Args:
        answers: by fact name, as given by people or the site file.
        catalogue: the declarations.
        suggestions: values a framework file suggests, used before the catalogue's defaults.

    Raises:
        AnswerError: an answer names no declared fact or cannot be read.
    """
    suggestions = suggestions or {}
    known: dict[str, Fact] = {}
    for name, answer in answers.items():
        if name not in catalogue.facts:
            raise AnswerError(name, "no such fact.")
        spec = catalogue.facts[name]
        value = read_answer(spec, answer)
        if value is not None:
            known[name] = _given(spec, answer, value)
    active, contradictions = _choose(known, catalogue)
    chosen = {n: f for n, f in known.items() if n in active}
    suggested: dict[str, Value] = {}
    for name, suggestion in suggestions.items():
        spec = catalogue.facts[name]
        worth: Value | None = (
            parsed(suggestion.text, spec.kind) if spec.is_number else suggestion.text
        )
        if worth is not None:
            suggested[name] = worth
    scenario = Facts(catalogue, chosen, suggested).scenario()
    facts = {
        name: _active(known[name], name in active)
        if name in known
        else _assumed(spec, answers.get(name), scenario, suggestions)
        for name, spec in catalogue.facts.items()
    }
    return Facts(catalogue, facts, suggested, contradictions)


def _active(fact: Fact, active: bool) -> Fact:
    from dataclasses import replace

    return fact if active else replace(fact, active=False)


def _given(spec: FactSpec, answer: Answer, value: Quantity | str) -> Fact:
    source: FactSource = "site" if answer.origin == "site" else answer.source
    if isinstance(value, str):
        return Fact(spec, value, None, None, source, answer.value, answer.note)
    if value.approx and source == "measured":
        source = "estimated"
    return Fact(spec, value.value, value.low, value.high, source, answer.value, answer.note)


def _assumed(
    spec: FactSpec,
    answer: Answer | None,
    scenario: Scenario,
    suggestions: Mapping[str, Suggestion],
) -> Fact:
    """The fact nobody knows: suggested by the framework, followed, defaulted or unknown."""
    value = scenario.value(spec.name)
    number = value if isinstance(value, str | None) else float(value)
    if number is None:
        note = answer.note if answer else ""
        return Fact(spec, None, None, None, "unknown", "?", note)
    if spec.name in suggestions:
        suggestion = suggestions[spec.name]
        return Fact(spec, number, None, None, "default", suggestion.text, suggestion.source)
    default = spec.default
    if default is None or default.follows:
        text = number if isinstance(number, str) else quantity_text(number, spec)
        note = f"follows {default.follows}" if default else ""
        return Fact(spec, number, None, None, "derived", text, note)
    text, low, high = default_row(default, {name: scenario.word(name) for name in default.on})
    ends = (
        (parsed(low, spec.kind) if low else None, parsed(high, spec.kind) if high else None)
        if spec.is_number
        else (None, None)
    )
    return Fact(spec, number, ends[0], ends[1], "default", text, default.source)


def _num(known: Mapping[str, Fact], name: str, default: float | None = None) -> float | None:
    fact = known.get(name)
    return fact.value if fact is not None and isinstance(fact.value, float) else default


def _implied_state(known: Mapping[str, Fact], name: str, catalogue: Catalogue) -> float | None:
    value = _num(known, name)
    if value is None or name == "state_total":
        return value
    if name == "parameters":
        spec = catalogue.facts["bytes_per_parameter"]
        default = parsed(spec.default.text, spec.kind) if spec.default else None
        each = _num(known, "bytes_per_parameter", default)
        return None if each is None else value * each
    writers = _num(known, "writing_nodes", _num(known, "nodes"))
    return None if writers is None else value * writers


def _implied_interval(known: Mapping[str, Fact], name: str, catalogue: Catalogue) -> float | None:
    value = _num(known, name)
    if value is None or name == "interval":
        return value
    step = _num(known, "step_time")
    return None if step is None else value * step


def _implied_mtbf(known: Mapping[str, Fact], name: str, catalogue: Catalogue) -> float | None:
    value = _num(known, name)
    if value is None or name == "job_mtbf":
        return value
    if name == "interruptions":
        over = _num(known, "observed_for")
        return None if over is None or value == 0 else over / value
    nodes = _num(known, "nodes")
    return None if nodes is None else value / nodes


def _implied_restart(known: Mapping[str, Fact], name: str, catalogue: Catalogue) -> float | None:
    value = _num(known, name)
    if value is None or name == "restart_time":
        return value
    start = _num(known, "init_time")
    return None if start is None else value + start


def _implied_tail(known: Mapping[str, Fact], name: str, catalogue: Catalogue) -> float | None:
    value = _num(known, name)
    times = known.get("rank_times")
    if value is not None or times is None:
        return value
    return tail_between(parse_times(str(times.value)))[1]


_Implied = Callable[[Mapping[str, Fact], str, Catalogue], float | None]

_GROUPS: Mapping[str, tuple[Kind, _Implied]] = {
    "state": ("size", _implied_state),
    "interval": ("duration", _implied_interval),
    "failures": ("duration", _implied_mtbf),
    "restart": ("duration", _implied_restart),
    "slow_writers": ("ratio", _implied_tail),
}
"""Per group of alternatives: the kind of the common quantity and what each member implies."""


def _agree(group: str, a: float, second: str, b: float, factor: float) -> bool:
    low, high = 1 / factor, factor
    if group == "state" and second == "state_per_node":
        # The fullest node may hold more than the mean share; it cannot hold less.
        high = FULLEST_OVER_MEAN
    return low <= b / a <= high


def _within_chance(known: Mapping[str, Fact], group: str, ratio: float, factor: float) -> bool:
    """Whether a ratio lies in the 90 % interval of the times listed: a few ranks tell it roughly.

    The times come first in their group, so that the ratio is always the other answer.
    """
    if group != "slow_writers":
        return False
    low, _, high = tail_between(parse_times(str(known["rank_times"].value)))
    return low / factor <= ratio <= high * factor


def _choose(
    known: Mapping[str, Fact], catalogue: Catalogue
) -> tuple[frozenset[str], tuple[Contradiction, ...]]:
    """Names of the facts in force, and the contradictions between alternatives."""
    dropped: set[str] = set()
    found: list[Contradiction] = []
    for group, (kind, implied) in _GROUPS.items():
        members = [
            spec.name
            for spec in catalogue.group(group)
            if spec.name in known and all(need in known for need in spec.needs)
        ]
        if not members:
            continue
        values = {name: implied(known, name, catalogue) for name in members}
        keep = members[0]
        for other in members[1:]:
            a, b = values[keep], values[other]
            if a is None or b is None or a == 0 or b == 0:
                dropped.add(other)
                continue
            slack = 1 + catalogue.constants["contradiction"].value
            if _agree(group, a, other, b, slack) or _within_chance(known, group, b, slack):
                if not (group == "state" and other == "state_per_node"):
                    dropped.add(other)
                continue
            better, worse = (other, keep) if _better(known[other], known[keep]) else (keep, other)
            dropped.add(worse)
            dropped.discard(better)
            found.append(
                Contradiction(group, better, _of(values, better), worse, _of(values, worse), kind)
            )
            keep = better
        dropped.update(
            spec.name
            for spec in catalogue.group(group)
            if spec.name in known and spec.name not in members
        )
    return frozenset(known) - dropped, tuple(found)


def _of(values: Mapping[str, float | None], name: str) -> float:
    value = values[name]
    assert value is not None  # noqa: S101 - narrowed by the caller
    return value


def _better(a: Fact, b: Fact) -> bool:
    """Whether a's source is strictly better than b's (measured, estimated, guessed)."""
    order: dict[str, int] = {source: rank for rank, source in enumerate(CERTAINTIES)}
    return order.get(a.source, 1) < order.get(b.source, 1)
