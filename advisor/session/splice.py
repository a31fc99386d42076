"""Changes to a hand-written session file line by line: what did not change stays as it was written.

A file of ours is written anew, which changes only the lines of what changed. A file that somebody
wrote or commented by hand would lose its comments and its form that way; here only the lines of
what changed are touched. Whoever calls reads the outcome again: where it is not the session that
was meant (several values on one line, tables within tables), the file is written anew after all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from advisor.session.document import Session, render_advice, session_tables, table_lines

_HEADER = re.compile(r"^\[([A-Za-z0-9_.-]+)\][ \t]*(?:#.*)?$")
"""A line that begins a table; quoted names are left to the general way."""

_VALUE = r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^#\s\"'\[{][^#]*?|\[[^\[\]#]*\]"
"""A value on one line: a text, a number or a moment, a list of texts without signs of comments."""


@dataclass(slots=True)
class _Block:
    """A table with its header and the comments above it; the first block has no header."""

    name: str
    lines: list[str]


@dataclass(frozen=True, slots=True)
class Spliced:
    """A changed file.

    Attributes:
        text: of the whole file.
        lost: whether a comment went with a line that is no more.
    """

    text: str
    lost: bool


def splice(text: str, before: Session, after: Session) -> Spliced | None:
    """The text of a file with the lines changed that differ between two sessions.

    Args:
        text: of the file as it is.
        before: what it says.
        after: what it should say.

    Returns:
        None where a waiver changes or a line cannot be told from others; the outcome is to be read
        again either way.
    """
    if before.waivers != after.waivers:
        return None
    blocks = _blocks(text)
    old, new = session_tables(before), session_tables(after)
    try:
        lost = _session(blocks, old["session"], new["session"])
        lost |= _answers(blocks, old.get("answers", {}), new.get("answers", {}))
    except _CannotError:
        return None
    if before.advice != after.advice:
        lost |= _without_advice(blocks)
        record = render_advice(after)
        if record:
            _insert(blocks, len(blocks), "advice", record.rstrip("\n").split("\n"))
    return Spliced("\n".join(line for block in blocks for line in block.lines), lost)


class _CannotError(Exception):
    """A change has no line of its own."""


def _blocks(text: str) -> list[_Block]:
    """The tables of a file; comments right above a header belong to it."""
    blocks = [_Block("", [])]
    for line in text.split("\n"):
        header = _HEADER.match(line)
        if header is None:
            blocks[-1].lines.append(line)
            continue
        above: list[str] = []
        previous = blocks[-1].lines
        while previous and previous[-1].startswith("#"):
            above.insert(0, previous.pop())
        blocks.append(_Block(header[1], [*above, line]))
    return blocks


def _insert(blocks: list[_Block], at: int, name: str, lines: Sequence[str]) -> None:
    """Put a table between two others, a blank line before it and behind it."""
    above = blocks[at - 1].lines
    while at == len(blocks) and above[-2:] == ["", ""]:
        above.pop()
    if above[-1:] != [""]:
        above.append("")
    blocks.insert(at, _Block(name, [*lines, ""]))


def _session(blocks: list[_Block], old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    if old == new:
        return False
    return _table(_found(blocks, "session"), old, new, tuple(_ORDER["session"]))


def _answers(
    blocks: list[_Block], old: Mapping[str, Mapping[str, Any]], new: Mapping[str, Mapping[str, Any]]
) -> bool:
    """Change, take away and add tables of answers; whether a comment went."""
    lost = False
    for name, table in old.items():
        if name not in new:
            block = _found(blocks, f"answers.{name}")
            lost |= any("#" in line for line in block.lines)
            blocks.remove(block)
        elif new[name] != table:
            block = _found(blocks, f"answers.{name}")
            lost |= _table(block, table, new[name], tuple(_ORDER["answers"]))
    at = 1 + max(
        (i for i, b in enumerate(blocks) if b.name == "session" or b.name.startswith("answers.")),
        default=len(blocks) - 1,
    )
    for name in (name for name in new if name not in old):
        _insert(blocks, at, f"answers.{name}", [f"[answers.{name}]", *table_lines(new[name])])
        at += 1
    return lost


_ORDER: Mapping[str, Sequence[str]] = {
    "session": ("id", "title", "created", "updated", "tags"),
    "answers": ("value", "source", "note", "evidence", "said_by", "from"),
}
"""Keys of each table in the order in which we write them."""


def _found(blocks: Sequence[_Block], name: str) -> _Block:
    found = [block for block in blocks if block.name == name]
    if len(found) != 1:
        raise _CannotError
    return found[0]


def _table(
    block: _Block, old: Mapping[str, Any], new: Mapping[str, Any], order: Sequence[str]
) -> bool:
    """Change the lines of one table; whether a comment went with one of them."""
    lost = False
    for key in order:
        if old.get(key) == new.get(key):
            continue
        line = re.compile(rf"^([ \t]*{key}[ \t]*=[ \t]*)({_VALUE})([ \t]*(?:#.*)?)$")
        at = next((i for i, text in enumerate(block.lines) if line.match(text)), None)
        if key not in new:
            if at is None:
                # A source that was never written, since it is the usual one.
                continue
            lost |= "#" in block.lines.pop(at)
        elif at is not None:
            written = table_lines({key: new[key]})
            found = line.match(block.lines[at])
            if len(written) != 1 or found is None:
                raise _CannotError
            block.lines[at] = f"{found[1]}{written[0].partition(' = ')[2]}{found[3]}"
        else:
            at = _place(block, key, order)
            block.lines[at:at] = table_lines({key: new[key]})
    return lost


def _place(block: _Block, key: str, order: Sequence[str]) -> int:
    """Behind the last line of the keys that come before it, or behind the header."""
    before = order[: order.index(key)]
    places = [
        i
        for i, text in enumerate(block.lines)
        if any(re.match(rf"[ \t]*{name}[ \t]*=", text) for name in before)
    ]
    header = next(i for i, text in enumerate(block.lines) if _HEADER.match(text))
    return 1 + max([header, *places])


def _without_advice(blocks: list[_Block]) -> bool:
    """Take the record of the advice away; whether somebody had commented it."""
    gone = [b for b in blocks if b.name == "advice" or b.name.startswith("advice.")]
    for block in gone:
        blocks.remove(block)
    return any("#" in line for block in gone for line in block.lines)
