"""Where in a pack a place inside a condition or a message stands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from advisor.engine.strict_table import StrictTable, near
from advisor.facts.toml_text import TomlFault, dotted


def _inside(
    table: StrictTable, key: str, text: str, place: tuple[int, int], item: int | None = None
) -> tuple[int, int] | None:
    """Line and column in the file of a place in a text; None where the text is not as written.

    Args:
        table: the table of the text.
        key: its key.
        text: the text as read.
        place: line and column in it, from 1.
        item: index in a list of texts.
    """
    keys: tuple[str | int, ...] = (*table.keys, key)
    if item is not None:
        keys = (*keys, item)
    line, column = table.document.value_position(keys)
    lines = table.document.text.split("\n")
    quote = next(
        (q for q in ('"' * 3, "'" * 3, '"', "'") if lines[line - 1][column - 1 :].startswith(q)), ""
    )
    written = text.split("\n")
    if not quote or "\\" in lines[line - 1]:
        return None
    shift = column - 1 + len(quote)
    if lines[line - 1][shift:].startswith(written[0]):
        return (line, shift + place[1]) if place[0] == 1 else (line + place[0] - 1, place[1])
    # A line break right behind three quotes is not part of the text.
    below = line + place[0]
    return (below, place[1]) if lines[below - 1].startswith(written[place[0] - 1]) else None


def fault_inside(
    table: StrictTable,
    key: str,
    text: str,
    place: tuple[int, int],
    message: str,
    hint: str,
    item: int | None = None,
) -> TomlFault:
    """A fault at a place inside a text, with the caret there; at its key where that is not known.

    Args:
        table: the table of the text.
        key: its key.
        text: the text as read.
        place: line and column in it, from 1.
        message: what is wrong.
        hint: what to write instead.
        item: index in a list of texts.
    """
    found = _inside(table, key, text, place, item)
    if found is None:
        return table.fault(key, f"column {place[1]}: {message}", hint)
    return table.document.fault_at(found, message, hint, key=dotted((*table.keys, key)))


def refuse_unknown_keys(table: StrictTable, known: Iterable[str]) -> None:
    """Refuse a key that is not known before a misspelt one is missed under its right name.

    Raises:
        TomlFault: the first key that is not known, with the nearest that is.
    """
    data: Any = table.document.data
    for key in table.keys:
        data = data[key]
    for key in data:
        if key not in known:
            raise table.fault(key, f'the key "{key}" is not known here', near(key, known))
