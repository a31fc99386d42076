"""Where each key of a TOML text stands: tomllib gives values without positions.

One pass, linear time, over tables, arrays of tables, dotted and quoted keys, inline tables, arrays
and multi-line strings. The text need not be valid: the scanner stops where it no longer follows
and keeps what it has, so that a fault in the syntax can still be shown with its key.
"""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

KeyPath = tuple[str | int, ...]
"""The way to a value: names of tables and keys, and indices of array elements."""

MAX_DEPTH = 100
"""Parts in a key, and brackets within brackets. No file of ours needs ten; tomllib takes quadratic
time over the parts of a dotted key and recurses over brackets."""

_BLANK = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_COMMENT = re.compile(r"#")
_SPACE = re.compile(r"[ \t]*+")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]++")
_STRING = re.compile(
    r'"""(?:[^"\\]++|\\.|"(?!""))*+"{3,5}'
    r"|'''(?:[^']++|'(?!''))*+'{3,5}"
    r'|"(?!"")(?:[^"\\\n]++|\\[^\n])*+"'
    r"|'(?!'')[^'\n]*+'",
    re.DOTALL,
)
_BARE_VALUE = re.compile(r"[^,\]}#\r\n]++")


class Mark(NamedTuple):
    """Offsets of a key and of its value in the text (equal for tables and array elements)."""

    key: int
    value: int


class Repeat(NamedTuple):
    """A key or table that is written twice: its path, and the offsets of both places."""

    path: KeyPath
    first: int
    second: int


class _LostError(Exception):
    """The text is not TOML from here on."""


class Scanner:
    """The positions in one text, complete after construction.

    Attributes:
        marks: where each key, table and array element stands.
        repeats: what is written twice, in the order of the text.
        too_deep: offset of the first key or bracket deeper than ``MAX_DEPTH``, or None.
        has_comments: whether a comment stands anywhere.
    """

    def __init__(self, text: str) -> None:
        self.marks: dict[KeyPath, Mark] = {}
        self.repeats: list[Repeat] = []
        self.too_deep: int | None = None
        self.has_comments = False
        self._text = text
        self._at = 0
        self._defined: dict[KeyPath, int] = {}
        self._lengths: dict[KeyPath, int] = {}
        try:
            self._document()
        except _LostError:
            return

    def _document(self) -> None:
        table: KeyPath = ()
        self._blank()
        while self._at < len(self._text):
            if self._text.startswith("[[", self._at):
                table = self._header(2)
            elif self._text.startswith("[", self._at):
                table = self._header(1)
            else:
                self._pair(table, 0)
            self._blank()

    def _header(self, brackets: int) -> KeyPath:
        self._at += brackets
        parts = self._key()
        path: KeyPath = ()
        for name, offset in parts:
            path = (*path, name)
            self.marks.setdefault(path, Mark(offset, offset))
            if path in self._lengths and offset != parts[-1][1]:
                path = (*path, self._lengths[path] - 1)
        offset = parts[-1][1]
        if brackets == 2:
            index = self._lengths.get(path, 0)
            self._lengths[path] = index + 1
            path = (*path, index)
            self.marks[path] = Mark(offset, offset)
        else:
            self._define(path, offset)
        self._expect("]" * brackets)
        return path

    def _pair(self, table: KeyPath, depth: int) -> None:
        parts = self._key()
        self._expect("=")
        self._at = self._skip(_SPACE)
        path = table
        for name, offset in parts:
            path = (*path, name)
            self.marks.setdefault(path, Mark(offset, offset))
        self._define(path, parts[-1][1])
        self.marks[path] = Mark(self.marks[path].key, self._at)
        self._value(path, depth)

    def _define(self, path: KeyPath, offset: int) -> None:
        if path in self._defined:
            self.repeats.append(Repeat(path, self._defined[path], offset))
        else:
            self._defined[path] = offset

    def _key(self) -> list[tuple[str, int]]:
        parts: list[tuple[str, int]] = []
        while True:
            self._at = self._skip(_SPACE)
            start = self._at
            bare = _BARE_KEY.match(self._text, start)
            if bare:
                parts.append((bare.group(), start))
                self._at = bare.end()
            else:
                parts.append((self._quoted_key(), start))
            if len(parts) > MAX_DEPTH:
                self._give_up_deep(start)
            self._at = self._skip(_SPACE)
            if not self._text.startswith(".", self._at):
                return parts
            self._at += 1

    def _quoted_key(self) -> str:
        quoted = _STRING.match(self._text, self._at)
        if not quoted or quoted.group().startswith(('"""', "'''")):
            raise _LostError
        self._at = quoted.end()
        raw = quoted.group()
        if "\\" not in raw or raw.startswith("'"):
            return raw[1:-1]
        import tomllib

        try:
            name = tomllib.loads(f"key = {raw}")["key"]
        except tomllib.TOMLDecodeError:
            raise _LostError from None
        return str(name)

    def _value(self, path: KeyPath, depth: int) -> None:
        start = self._at
        first = self._text[start : start + 1]
        if first in ("[", "{") and depth >= MAX_DEPTH:
            self._give_up_deep(start)
        if first == "[":
            self._array(path, depth + 1)
        elif first == "{":
            self._inline_table(path, depth + 1)
        else:
            pattern = _STRING if first in ('"', "'") else _BARE_VALUE
            self._at = self._skip(pattern)
            if self._at == start:
                raise _LostError

    def _array(self, path: KeyPath, depth: int) -> None:
        self._at += 1
        index = 0
        while True:
            self._blank()
            if self._text.startswith("]", self._at):
                self._at += 1
                return
            element = (*path, index)
            self.marks[element] = Mark(self._at, self._at)
            self._value(element, depth)
            index += 1
            self._separator("]")

    def _inline_table(self, path: KeyPath, depth: int) -> None:
        self._at += 1
        while True:
            self._blank()
            if self._text.startswith("}", self._at):
                self._at += 1
                return
            self._pair(path, depth)
            self._separator("}")

    def _separator(self, closing: str) -> None:
        self._blank()
        if self._text.startswith(",", self._at):
            self._at += 1
        elif not self._text.startswith(closing, self._at):
            raise _LostError

    def _expect(self, sign: str) -> None:
        self._at = self._skip(_SPACE)
        if not self._text.startswith(sign, self._at):
            raise _LostError
        self._at += len(sign)

    def _blank(self) -> None:
        end = self._skip(_BLANK)
        if not self.has_comments and _COMMENT.search(self._text, self._at, end):
            self.has_comments = True
        self._at = end

    def _skip(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self._text, self._at)
        return match.end() if match else self._at

    def _give_up_deep(self, offset: int) -> NoReturn:
        self.too_deep = offset
        raise _LostError
