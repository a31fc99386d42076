"""The thorough check of the declarations: every default parses and lies within its limits.

For ``rules check`` and the tests. Starting up does without it: a default is parsed when it is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from advisor.facts.catalogue import Default, FactSpec
from advisor.facts.catalogue_file import read_catalogue
from advisor.facts.catalogue_tables import Declared, Table
from advisor.facts.quantity import QuantityError, parse
from advisor.facts.toml_text import TomlFault, suggest

_Keys = tuple[str, ...]


def check_catalogue(paths: Sequence[Path]) -> tuple[TomlFault, ...]:
    """Every fault of the declarations, in the order of the files; empty if there is none.

    Args:
        paths: as for ``load_catalogue``.

    Raises:
        TomlFault: a file cannot be read or is not TOML.
    """
    _, declared = read_catalogue(paths)
    for name, spec in declared.facts.items():
        if spec.default is not None:
            _default(spec, spec.default, declared.tables["fact", name], declared)
    order = {str(path): place for place, path in enumerate(paths)}
    return tuple(sorted(declared.faults, key=lambda fault: (order[fault.path], fault.line)))


def _default(spec: FactSpec, default: Default, table: Table, declared: Declared) -> None:
    if default.text:
        texts = (default.text, default.low, default.high)
        _row(spec, texts, (("default", "text"), ("default", "low"), ("default", "high")), table)
    for key, row in default.table.items():
        place = ("default", "table", key)
        _row(spec, row, (place, place, place), table)
        _selects(default, key, place, table, declared)


def _selects(default: Default, key: str, place: _Keys, table: Table, declared: Declared) -> None:
    """Whether the key of a row names one choice, or ``*``, for each fact the table depends on."""
    parts = key.split("/")
    if len(parts) != len(default.on):
        want = "/".join(default.on)
        table.fault(place, f'"{key}" has to name a choice for each of {want}', "* is any choice")
        return
    for part, name in zip(parts, default.on, strict=True):
        chooser = declared.facts.get(name)
        if chooser is not None and part != "*" and part not in chooser.choices:
            hint = suggest(part, chooser.choices)
            table.fault(place, f'"{part}" is not a choice of {name}', hint)


def _row(
    spec: FactSpec, texts: tuple[str, str, str], places: tuple[_Keys, _Keys, _Keys], table: Table
) -> None:
    """Faults of a default and the two ends of its range."""
    if not spec.is_number:
        if spec.kind == "choice" and texts[0] not in spec.choices:
            hint = suggest(texts[0], spec.choices)
            table.fault(places[0], f'"{texts[0]}" is not one of the choices', hint, at_value=True)
        for text, place in zip(texts[1:], places[1:], strict=True):
            if text:
                table.fault(place, f"a {spec.kind} has no range", "leave it out", at_value=True)
        return
    values = [_value(spec, text, place, table) for text, place in zip(texts, places, strict=True)]
    value, low, high = values
    if value is None:
        return
    if (low is not None and low > value) or (high is not None and high < value):
        table.fault(places[0], f"{texts[0]} is outside of its own range", at_value=True)


def _value(spec: FactSpec, text: str, place: _Keys, table: Table) -> float | None:
    """The number of a typed default, in the unit of its fact; None, noted, where there is none."""
    if not text:
        return None
    try:
        value = parse(text, spec.kind).value
    except QuantityError as error:
        table.fault(place, error.message, error.hint, at_value=True)
        return None
    if value is None:
        table.fault(place, "a default has a value", "leave the default out", at_value=True)
        return None
    least, most = spec.minimum, spec.maximum
    if (least is not None and value < least) or (most is not None and value > most):
        table.fault(place, f"{text} is outside of the limits of the fact", at_value=True)
    elif spec.whole and value != int(value):
        table.fault(place, f"{text} is not a whole number", at_value=True)
    return value
