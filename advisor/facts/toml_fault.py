"""What is wrong with a TOML file, shown safely in a terminal: place, line, caret, hint."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

EXCERPT = 100
"""Characters of a source line that are shown around a fault: one terminal line and a bit."""

MAX_WORD = 80
"""Characters up to which a misspelt word is compared with the known ones; difflib is quadratic."""

NEARNESS = 0.6
"""Smallest difflib ratio of a suggestion; its own default, which finds one or two wrong letters."""

_BARE_NAME = re.compile(r"[A-Za-z0-9_-]+")
_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")


class TomlFault(Exception):  # noqa: N818 - a fault is in a file, not in the program
    """What is wrong with a file, and where.

    Attributes:
        path: the file as it was named.
        line: from 1, or 0 where no line can be named.
        column: from 1, in characters.
        key: the dotted key, or "".
        message: one sentence.
        hint: what to do, or "".
        source_line: the whole line at fault, as it stands in the file.
        more: further faults of the same file; ``str()`` shows them too.
    """

    def __init__(
        self,
        path: str,
        message: str,
        *,
        line: int = 0,
        column: int = 0,
        key: str = "",
        hint: str = "",
        source_line: str = "",
    ) -> None:
        super().__init__(path, message)
        self.path = path
        self.line = line
        self.column = column
        self.key = key
        self.message = message
        self.hint = hint
        self.source_line = source_line
        self.more: tuple[TomlFault, ...] = ()

    def __str__(self) -> str:
        return "\n".join(fault.render() for fault in (self, *self.more))

    def render(self) -> str:
        """This fault alone: place, key and message, then the line with a caret, then the hint."""
        place = f"{self.path}:{self.line}:{self.column}" if self.line else self.path
        parts = (place, self.key, self.message)
        lines = [": ".join(printable(part) for part in parts if part)]
        if self.source_line:
            lines += _excerpt(self.source_line, self.column)
        if self.hint:
            lines.append(f"    {printable(self.hint)}")
        return "\n".join(lines)


def suggest(word: str, known: Iterable[str]) -> str:
    """``did you mean "nodes"?`` for the nearest known word, or "" where none is near."""
    if not word or len(word) > MAX_WORD:
        return ""
    from difflib import get_close_matches

    by_folded = {_folded(name): name for name in known}
    near = get_close_matches(_folded(word), by_folded, n=1, cutoff=NEARNESS)
    return f'did you mean "{by_folded[near[0]]}"?' if near else ""


def suggest_choice(word: str, choices: Iterable[str]) -> str:
    """As ``suggest``, for a choice: "absent" is spelled like "present" and means the opposite."""
    return suggest(word, [choice for choice in choices if choice[:1] == word[:1].lower()])


def dotted(keys: Sequence[str | int]) -> str:
    """A key path as it is written in TOML: ``answers.nodes.value``, ``tags[0]``."""
    parts: list[str] = []
    for key in keys:
        if isinstance(key, int):
            parts.append(f"[{key}]")
        else:
            name = key if _BARE_NAME.fullmatch(key) else f'"{key}"'
            parts.append(f".{name}" if parts else name)
    return "".join(parts)


def printable(text: str) -> str:
    """The text without power over a terminal: controls and invisible signs are shown escaped."""
    if text.isprintable():
        return text
    return "".join(_escaped(char) for char in text)


def _escaped(char: str) -> str:
    if char.isprintable() or unicodedata.category(char) not in _HIDDEN:
        return char
    return char.encode("unicode_escape").decode("ascii")


def _folded(word: str) -> str:
    return word.casefold().replace("-", "_")


def _excerpt(source: str, column: int) -> list[str]:
    at = min(max(column - 1, 0), len(source))
    start = max(0, min(at - EXCERPT // 2, len(source) - EXCERPT))
    end = min(len(source), start + EXCERPT)
    before = ("…" if start else "") + _shown(source[start:at])
    after = _shown(source[at:end]) + ("…" if end < len(source) else "")
    return [f"    {before}{after}", f"    {' ' * _width(before)}^"]


def _shown(text: str) -> str:
    return printable(text.replace("\t", " "))


def _width(text: str) -> int:
    wide = sum(unicodedata.east_asian_width(char) in ("W", "F") for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) != 0 for char in text)
