"""Lines of plain text in a number of columns, wide and combining characters counted as shown."""

from __future__ import annotations

import re

from advisor.report.characters import columns

_GLUED = re.compile(r"(?<=\d) (?=(?:%|(?:[kMGTPE]i?B|B|s|min|h|d|points?|years?)\b))")
"""The space between a number and its unit, where no line may end."""

_HELD = "\N{NO-BREAK SPACE}"
"""Stands for such a space while a line is laid out."""


def glued(text: str) -> str:
    """The text with the space between a number and its unit where no line may end."""
    return _GLUED.sub(_HELD, text)


def wrapped(text: str, width: int, *, first: str = "", rest: str = "") -> list[str]:
    """A text in lines of at most ``width`` columns; a word longer than a line is broken.

    Args:
        text: line ends in it stay.
        width: columns, the indents included.
        first: put before the first line.
        rest: put before the others.
    """
    out: list[str] = []
    for paragraph in text.split("\n"):
        held = glued(paragraph)
        current, used = "", 0
        indent = rest if out else first
        for word in (w for w in held.split(" ") if w):
            for piece in _pieces(word, width - max(columns(first), columns(rest))):
                room = width - columns(indent)
                if current and used + 1 + columns(piece) > room:
                    out.append(indent + current)
                    current, used, indent = "", 0, rest
                current = f"{current} {piece}" if current else piece
                used = columns(current)
        out.append((indent + current).rstrip())
    return [line.replace(_HELD, " ") for line in out]


def _pieces(word: str, room: int) -> list[str]:
    """A word cut where it is longer than a line, at a held space if it has one there."""
    out: list[str] = []
    while columns(word) > room:
        end = _fitting(word, room)
        held = word.rfind(_HELD, 0, end + 1)
        if held > 0:
            out.append(word[:held])
            word = word[held + 1 :]
        else:
            out.append(word[:end])
            word = word[end:]
    return [*out, word] if word else out


def _fitting(word: str, room: int) -> int:
    """How many characters fit; at least one, so that cutting ends."""
    used = 0
    for i, char in enumerate(word):
        used += columns(char)
        if used > room:
            return max(i, 1)
    return len(word)
