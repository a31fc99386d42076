"""Tables of a declaration file: which keys are known, what stands behind them, where faults are."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from advisor.facts.catalogue import Constant, FactSpec, Topic
from advisor.facts.toml_text import TomlDocument, TomlFault, suggest

Shape = Literal["text", "whole", "number", "flag", "texts", "named texts", "rows", "table"]
"""What stands behind a key; ``rows`` are named triples of text and ``table`` is read by itself."""


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) and item for item in value)


def _is_named_texts(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())


def _is_rows(value: object) -> bool:
    rows = value.values() if isinstance(value, dict) else (None,)
    return all(
        isinstance(row, list) and len(row) == 3 and all(isinstance(item, str) for item in row)
        for row in rows
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and type(value) is not bool and math.isfinite(value)


_SHAPES: Mapping[Shape, tuple[Callable[[object], bool], str]] = {
    "text": (lambda value: isinstance(value, str), 'text in quotes, as in "18 GB"'),
    "whole": (lambda value: type(value) is int, "a whole number without quotes"),
    "number": (_is_number, "a number without quotes"),
    "flag": (lambda value: type(value) is bool, "true or false, without quotes"),
    "texts": (_is_texts, 'a list of texts, as in ["node"]'),
    "named texts": (_is_named_texts, 'names and texts, as in { no = "no", yes = "yes" }'),
    "rows": (_is_rows, 'rows of three texts, as in { "*" = ["2", "1.2", "7.4"] }'),
    "table": (lambda value: isinstance(value, dict), "a table of keys"),
}
"""Per shape: whether a value has it, and how to write it."""


@dataclass
class Table:
    """One table of a file, at its place.

    Attributes:
        document: the file.
        keys: where the table stands.
        data: what is in it.
        faults: where faults are collected.
    """

    document: TomlDocument
    keys: tuple[str, ...]
    data: dict[str, Any]
    faults: list[TomlFault]

    def fault(
        self, keys: Sequence[str], message: str, hint: str = "", *, at_value: bool = False
    ) -> None:
        """Note a fault at a key of this table, or at the table itself for no keys."""
        path = (*self.keys, *keys)
        self.faults.append(self.document.fault(path, message, hint, at_value=at_value))

    def check(self, shapes: Mapping[str, Shape], required: Sequence[str] = ()) -> bool:
        """Whether all keys are known and well-formed and none is missing; notes what is not."""
        before = len(self.faults)
        for key, value in self.data.items():
            shape = shapes.get(key)
            if shape is None:
                hint = suggest(key, shapes) or f"known here: {', '.join(sorted(shapes))}"
                self.fault((key,), f'there is no key "{key}" here', hint)
                continue
            fits, how = _SHAPES[shape]
            if not fits(value):
                self.fault((key,), "this is of the wrong type", f"write {how}", at_value=True)
            elif value == "" and key in required:
                self.fault((key,), f'"{key}" is empty', "say it in a few words", at_value=True)
        for key in required:
            if key not in self.data:
                self.fault((), f'"{key}" is missing', f"add a line {key} = ...")
        return len(self.faults) == before

    def text(self, key: str) -> str:
        """The text behind a key, or "" where there is none."""
        value = self.data.get(key, "")
        return value if isinstance(value, str) else ""

    def number(self, key: str) -> float | None:
        """The number behind a key, or None."""
        value = self.data.get(key)
        return float(value) if value is not None and _is_number(value) else None

    def table(self, key: str) -> Table | None:
        """The table behind a key, or None."""
        inner = self.data.get(key)
        if not isinstance(inner, dict):
            return None
        return Table(self.document, (*self.keys, key), inner, self.faults)

    def tables(self, key: str) -> Iterator[tuple[str, Table]]:
        """The named tables below a key; what is no table is a fault."""
        outer = self.table(key)
        for name, inner in outer.data.items() if outer else ():
            if isinstance(inner, dict):
                yield name, Table(self.document, (*self.keys, key, name), inner, self.faults)
            else:
                hint = f"write [{key}.NAME] and its keys below"
                self.fault((key, name), "this is not a table", hint)


@dataclass
class Declared:
    """What the files declare, by name, with the table each comes from, and the faults found.

    ``constants_before`` are ours of which a site gave another value.
    """

    topics: dict[str, Topic] = field(default_factory=dict)
    facts: dict[str, FactSpec] = field(default_factory=dict)
    constants: dict[str, Constant] = field(default_factory=dict)
    constants_before: dict[str, Constant] = field(default_factory=dict)
    tables: dict[tuple[str, str], Table] = field(default_factory=dict)
    faults: list[TomlFault] = field(default_factory=list)

    def is_new(self, what: str, name: str, table: Table) -> bool:
        """Whether a topic or fact was not declared before; a fault naming both files if it was."""
        before = self.tables.get((what, name))
        if before is None:
            self.tables[what, name] = table
            return True
        line = before.document.position(before.keys)[0]
        message = f'the {what} "{name}" is already declared in {before.document.path}, line {line}'
        table.fault((), message, "give this one another name")
        return False

    def check_names(self) -> None:
        """Note every reference to a topic or fact that is not there, or of the wrong kind."""
        for name, spec in self.facts.items():
            table = self.tables["fact", name]
            if spec.topic not in self.topics:
                hint = suggest(spec.topic, self.topics)
                table.fault(("topic",), f'there is no topic "{spec.topic}"', hint, at_value=True)
            if spec.needs and not spec.group:
                table.fault(("needs",), '"needs" goes with "group"', "remove it")
            for need in spec.needs:
                self._named(table, ("needs",), need)
            default = spec.default
            if default is None:
                continue
            followed = self._named(table, ("default", "follows"), default.follows)
            if followed is not None and followed.kind != spec.kind:
                message = f'"{default.follows}" is a {followed.kind}, not a {spec.kind}'
                table.fault(("default", "follows"), message, at_value=True)
            for choice in default.on:
                chosen = self._named(table, ("default", "on"), choice)
                if chosen is not None and chosen.kind != "choice":
                    message = f'"{choice}" is a {chosen.kind}; a table depends on choices'
                    table.fault(("default", "on"), message, at_value=True)

    def _named(self, table: Table, keys: tuple[str, ...], name: str) -> FactSpec | None:
        # A fact that is declared but faulty has its own fault; it is not reported as missing.
        if name and ("fact", name) not in self.tables:
            hint = suggest(name, self.facts)
            table.fault(keys, f'there is no fact "{name}"', hint, at_value=True)
        return self.facts.get(name)


def faults_of(faults: Sequence[TomlFault]) -> TomlFault:
    """The first of several faults, with the others in ``more``."""
    first = faults[0]
    first.more = tuple(faults[1:])
    return first
