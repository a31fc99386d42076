"""The declarations as files: ``rules/interview.toml``, and what a site adds to it.

Reading is strict and collects every fault with its place. What needs the typed texts of defaults
parsed is in ``catalogue_check``, so that starting up does not pay for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from advisor.facts.catalogue import (
    EACH,
    NUMERIC_KINDS,
    Catalogue,
    Constant,
    Default,
    FactSpec,
    Kind,
    Topic,
)
from advisor.facts.catalogue_tables import Declared, Shape, Table, faults_of
from advisor.facts.quantity import QuantityError, parse
from advisor.facts.toml_text import load_toml, suggest

SCHEMA_VERSION = 1
"""The only form of the declarations there is; a file of another one is refused."""

KINDS: tuple[str, ...] = get_args(Kind)
"""All kinds, in the order of their declaration, for the check and its suggestion."""

_TOP: Mapping[str, Shape] = {
    "schema_version": "whole",
    **dict.fromkeys(("interview", "limit", "topic", "fact", "constant"), "table"),
}
_INTERVIEW: Mapping[str, Shape] = {"version": "text", "title": "text"}
_LIMIT: Mapping[str, Shape] = {"minimum": "text", "maximum": "text"}
_TOPIC: Mapping[str, Shape] = {
    "number": "whole",
    **dict.fromkeys(("title", "question", "help"), "text"),
}
_CONSTANT: Mapping[str, Shape] = {
    **dict.fromkeys(("value", "low", "high"), "number"),
    **dict.fromkeys(("unit", "source"), "text"),
}
_FACT_TEXTS = ("topic", "label", "question", "why", "find", "kind")
_FACT: Mapping[str, Shape] = {
    **dict.fromkeys((*_FACT_TEXTS, "hint", "minimum", "maximum", "group", "ask_if"), "text"),
    **dict.fromkeys(("whole", "required", "world"), "flag"),
    **dict.fromkeys(("per", "needs"), "texts"),
    "early": "whole",
    "choices": "named texts",
    "default": "table",
}
_DEFAULT: Mapping[str, Shape] = {
    **dict.fromkeys(("text", "low", "high", "source", "follows"), "text"),
    "at_least": "number",
    "on": "texts",
    "table": "rows",
}
"""Known keys of each table, and what stands behind them."""

_WITH_PER = frozenset({"size", "rate"})
"""Kinds that are typed per node or per writer."""


@dataclass
class _Reader:
    """Everything declared so far, over all files, and every fault found on the way."""

    declared: Declared = field(default_factory=Declared)
    limits: dict[str, tuple[float | None, float | None]] = field(default_factory=dict)
    version: str = ""
    title: str = ""

    def read(self, path: Path, *, first: bool) -> None:
        document = load_toml(path)
        top = Table(document, (), document.data, self.declared.faults)
        version = document.data.get("schema_version")
        if version != SCHEMA_VERSION or isinstance(version, bool):
            has = (
                "there is no schema_version"
                if version is None
                else "this schema_version is strange"
            )
            hint = f"write schema_version = {SCHEMA_VERSION}, a number without quotes"
            if type(version) is int and version > SCHEMA_VERSION:
                has, hint = f"schema_version {version} is newer", "upgrade ckpt-advisor"
            keys = ("schema_version",)
            top.fault(keys, f"{has}; this program reads {SCHEMA_VERSION}", hint, at_value=True)
            return
        top.check(_TOP, required=("interview",) if first else ())
        about = top.table("interview")
        if about is not None and first:
            about.check(_INTERVIEW, required=tuple(_INTERVIEW))
            self.version, self.title = about.text("version"), about.text("title")
        elif about is not None:
            about.fault((), "only the first file names the interview", "remove this table")
        for name, table in top.tables("limit"):
            self._limit(name, table)
        for name, table in top.tables("topic"):
            self._topic(name, table)
        for name, table in top.tables("constant"):
            self._constant(name, table)
        for name, table in top.tables("fact"):
            self._fact(name, table)

    def _limit(self, name: str, table: Table) -> None:
        if name in self.limits:
            table.fault((), f'the limits of "{name}" are already declared', "remove this table")
        if name not in NUMERIC_KINDS:
            table.fault((), f'"{name}" is no kind of number', suggest(name, sorted(NUMERIC_KINDS)))
        elif table.check(_LIMIT):
            self.limits[name] = self._range(table, name, (None, None))

    def _topic(self, name: str, table: Table) -> None:
        good = table.check(_TOPIC, required=tuple(_TOPIC))
        if self.declared.is_new("topic", name, table) and good:
            number = int(table.data["number"])
            texts = (table.text(key) for key in ("title", "question", "help"))
            self.declared.topics[name] = Topic(name, number, *texts)

    def _constant(self, name: str, table: Table) -> None:
        if not table.check(_CONSTANT, required=("value", "unit", "source")):
            return
        value, low, high = float(table.data["value"]), table.number("low"), table.number("high")
        for key in ("value", "low", "high"):
            if (table.number(key) or 0.0) <= 0 and key in table.data:
                hint = "write a number over 0; a constant cannot switch something off"
                table.fault((key,), f"{table.data[key]:g} is not over 0", hint, at_value=True)
                return
        if not (value if low is None else low) <= value <= (value if high is None else high):
            table.fault(("value",), f"{value:g} is not between low and high", at_value=True)
        unit, before = table.text("unit"), self.declared.constants.get(name)
        if before is not None and unit != before.unit:
            message = f'"{name}" is in {before.unit}; another value has to be in the same unit'
            table.fault(("unit",), message, f'unit = "{before.unit}"', at_value=True)
        if before is not None:
            self.declared.constants_before.setdefault(name, before)
        self.declared.constants[name] = Constant(name, value, unit, table.text("source"), low, high)

    def _fact(self, name: str, table: Table) -> None:
        good = table.check(_FACT, required=_FACT_TEXTS)
        if not self.declared.is_new("fact", name, table) or not good:
            return
        data, kind = table.data, table.text("kind")
        if kind not in KINDS:
            hint = suggest(kind, KINDS) or f"one of {', '.join(KINDS)}"
            table.fault(("kind",), f'"{kind}" is no kind', hint, at_value=True)
            return
        self._misplaced(table, kind)
        one = EACH.get(kind, kind)
        minimum, maximum = self._range(table, one, self.limits.get(one, (None, None)))
        self.declared.facts[name] = FactSpec(
            name=name,
            **{key: data[key] for key in _FACT_TEXTS if key != "kind"},
            kind=kind,  # type: ignore[arg-type]  # checked against KINDS above
            hint=table.text("hint"),
            minimum=minimum,
            maximum=maximum,
            whole=data.get("whole", False),
            per=tuple(data.get("per", ())),
            choices=dict(data.get("choices", {})),
            group=table.text("group"),
            needs=tuple(data.get("needs", ())),
            required=data.get("required", False),
            world=data.get("world", True),
            early=data.get("early", 0),
            ask_if=table.text("ask_if"),
            default=self._default(table.table("default")),
        )

    def _misplaced(self, table: Table, kind: str) -> None:
        """Faults of keys that do not go with the kind, or that the kind needs."""
        if kind == "choice" and not table.data.get("choices"):
            hint = 'choices = { no = "no", yes = "yes" }'
            table.fault((), "a choice needs its choices", hint)
        wrong = {
            "choices": kind != "choice",
            "minimum": kind not in NUMERIC_KINDS and kind not in EACH,
            "maximum": kind not in NUMERIC_KINDS and kind not in EACH,
            "whole": kind != "count",
            "per": kind not in _WITH_PER,
        }
        for key in wrong:
            if key in table.data and wrong[key]:
                table.fault((key,), f'"{key}" does not go with the kind "{kind}"', "remove it")

    def _range(
        self, table: Table, kind: str, usual: tuple[float | None, float | None]
    ) -> tuple[float | None, float | None]:
        """Least and most in the unit of the kind: as typed, else the usual ones of the kind."""
        ends: list[float | None] = list(usual)
        for place, key in enumerate(("minimum", "maximum")):
            if key in table.data and kind in NUMERIC_KINDS:
                try:
                    # Checked against NUMERIC_KINDS, which mypy cannot see.
                    ends[place] = parse(table.text(key), kind).value  # type: ignore[arg-type]
                except QuantityError as error:
                    table.fault((key,), error.message, error.hint, at_value=True)
        if ends[0] is not None and ends[1] is not None and ends[0] > ends[1]:
            key = "minimum" if "minimum" in table.data else "maximum"
            table.fault((key,), "the least admitted is over the most", at_value=True)
        return ends[0], ends[1]

    def _default(self, table: Table | None) -> Default | None:
        if table is None or not table.check(_DEFAULT, required=("source",)):
            return None
        data = table.data
        ways = [key for key in ("text", "follows", "table") if key in data]
        if len(ways) != 1:
            table.fault((), "a default has one of text, follows and table", "keep one of them")
        goes_with = {"low": "text", "high": "text", "at_least": "follows", "on": "table"}
        for key, other in goes_with.items():
            if key in data and other not in data:
                table.fault((key,), f'"{key}" goes with "{other}"', "remove it")
        if "table" in data and not data.get("on"):
            table.fault(("table",), "the table needs the choices it depends on", 'on = ["mode"]')
        rows: Mapping[str, Any] = data.get("table", {})
        return Default(
            **{key: table.text(key) for key in ("text", "low", "high", "source", "follows")},
            at_least=table.number("at_least"),
            on=tuple(data.get("on", ())),
            table={key: (row[0], row[1], row[2]) for key, row in rows.items()},
        )


def read_catalogue(paths: Sequence[Path]) -> tuple[Catalogue, Declared]:
    """Read declarations and keep their faults and places, for ``catalogue_check``.

    Raises:
        TomlFault: a file cannot be read or is not TOML.
    """
    reader = _Reader()
    for place, path in enumerate(paths):
        reader.read(path, first=place == 0)
    declared = reader.declared
    declared.check_names()
    catalogue = Catalogue(
        declared.topics, declared.facts, declared.constants, reader.version, reader.title
    )
    return catalogue, declared


def load_catalogue(paths: Sequence[Path]) -> Catalogue:
    """The declared topics, facts and constants of ``rules/interview.toml`` and a site's files.

    Later files add topics, facts and constants, or give a constant another value in the same unit.

    Args:
        paths: the files, ours first.

    Raises:
        TomlFault: the first fault, with the others in ``more``; it names file, line and column.
    """
    catalogue, declared = read_catalogue(paths)
    if declared.faults:
        raise faults_of(declared.faults)
    return catalogue
