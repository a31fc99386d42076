"""The declared facts: what can be asked, in which unit, within which limits, with which default.

The declarations are data (``rules/interview.toml``); this module only gives them types. A name that
is not declared here does not exist for rules, sessions, ``--set`` or the interview.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal[
    "size",
    "rate",
    "duration",
    "count",
    "ratio",
    "per_second",
    "per_year",
    "money",
    "money_per_hour",
    "money_per_year",
    "money_per_tb_year",
    "money_per_node_year",
    "durations",
    "choice",
    "text",
]
"""What a fact is measured in. Yes/no facts are choices of ``no`` and ``yes``; ``durations`` is a
list of times, held as typed and read by ``times.parse_times``."""

NUMERIC_KINDS: frozenset[str] = frozenset(
    {
        "size",
        "rate",
        "duration",
        "count",
        "ratio",
        "per_second",
        "per_year",
        "money",
        "money_per_hour",
        "money_per_year",
        "money_per_tb_year",
        "money_per_node_year",
    }
)
"""The kinds whose value is a number in the unit of ``UNITS``."""

UNITS: Mapping[str, str] = {
    "size": "B",
    "rate": "B/s",
    "duration": "s",
    "count": "1",
    "ratio": "1",
    "per_second": "1/s",
    "per_year": "1/year",
    "money": "USD",
    "money_per_hour": "USD/h",
    "money_per_year": "USD/year",
    "money_per_tb_year": "USD/(TB year)",
    "money_per_node_year": "USD/(node year)",
    "durations": "s",
    "choice": "",
    "text": "",
}
"""The unit in which each kind is computed and exported."""

EACH: Mapping[str, Kind] = {"durations": "duration"}
"""Of a kind that is a list: the kind of one entry, whose limits hold for each."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A number of the model with a source: not asked, but shown and overridable by a site pack."""

    name: str
    value: float
    unit: str
    source: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Topic:
    """One of the five topics (and money): a page of the interview."""

    id: str
    number: int
    title: str
    question: str
    help: str


@dataclass(frozen=True, slots=True)
class Default:
    """The value taken while a fact is not known, always shown as assumed.

    Attributes:
        text: the value as a person would type it, or "" where ``table`` or ``follows`` decide.
        low: lower end of the published range, as typed text.
        high: upper end.
        source: where the default and its range come from.
        follows: name of the fact whose value is taken instead.
        at_least: lower bound for a followed value (``ranks_per_node`` is at least 1).
        on: names of choice facts that select a row of ``table``.
        table: "choice/choice" to (text, low, high); ``*`` matches any; first match in order wins.
    """

    text: str = ""
    low: str = ""
    high: str = ""
    source: str = ""
    follows: str = ""
    at_least: float | None = None
    on: tuple[str, ...] = ()
    table: Mapping[str, tuple[str, str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FactSpec:
    """One declared fact.

    Attributes:
        name: the key in sessions, rules and JSON.
        topic: id of its topic.
        label: short name for tables, starting with a capital.
        question: what is asked.
        why: why it matters for the result.
        find: how to find out: a command to paste or a place to look.
        kind: what it is measured in.
        hint: examples of what can be typed.
        minimum: smallest admitted value in the unit of the kind, of a list its smallest entry.
        maximum: largest admitted value.
        whole: only whole numbers.
        per: unit suffixes such as "node" accepted after a size or a rate (``18 GB/node``).
        choices: for choices, value to label, in order.
        group: id of the group of alternatives it belongs to, or "".
        needs: facts that must be known too before this member of a group is active.
        required: one of the five questions (for a group: of its members one is enough).
        world: true for a fact about the world (varies in thresholds and ranges), false for a
            setting.
        early: place among the follow-ups asked right after the five, from 1; 0 for the others.
        ask_if: condition over facts under which the interview asks it; "" always.
        default: what is assumed while unknown, or None where there is no honest default.
    """

    name: str
    topic: str
    label: str
    question: str
    why: str
    find: str
    kind: Kind
    hint: str = ""
    minimum: float | None = None
    maximum: float | None = None
    whole: bool = False
    per: tuple[str, ...] = ()
    choices: Mapping[str, str] = field(default_factory=dict)
    group: str = ""
    needs: tuple[str, ...] = ()
    required: bool = False
    world: bool = True
    early: int = 0
    ask_if: str = ""
    default: Default | None = None

    @property
    def unit(self) -> str:
        """The unit in which the value is computed and exported."""
        return UNITS[self.kind]

    @property
    def is_number(self) -> bool:
        """Whether the value is a number."""
        return self.kind in NUMERIC_KINDS


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All topics, facts and constants, in the order in which they are asked and shown.

    Attributes:
        topics: by id.
        facts: by name.
        constants: by name.
        version: version of the knowledge, as the first file states it.
        title: title of the interview.
    """

    topics: Mapping[str, Topic]
    facts: Mapping[str, FactSpec]
    constants: Mapping[str, Constant]
    version: str = ""
    title: str = ""

    def group(self, name: str) -> tuple[FactSpec, ...]:
        """The alternatives of one group, in the order of preference."""
        return tuple(spec for spec in self.facts.values() if spec.group == name)

    def topic_facts(self, topic: str) -> tuple[FactSpec, ...]:
        """The facts of one topic, in order."""
        return tuple(spec for spec in self.facts.values() if spec.topic == topic)
