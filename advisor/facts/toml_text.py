"""TOML files read with care: every fault names file, line, column and key, and says what to do.

Files come from people and from other machines, so a file may be missing, huge, binary, a pipe, or
nested to exhaust the parser. All of that ends in a ``TomlFault``, never in a traceback or a wait.
"""

from __future__ import annotations

import os
import re
import stat
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from advisor.facts.toml_fault import TomlFault, dotted, printable, suggest
from advisor.facts.toml_scan import MAX_DEPTH, Mark, Scanner

__all__ = [
    "TomlDocument",
    "TomlFault",
    "decode_toml",
    "dotted",
    "load_toml",
    "parse_toml",
    "printable",
    "read_file",
    "suggest",
]

MAX_BYTES = 2_000_000
"""Bytes; a session or a rule file of a thousand entries has a tenth of it."""

_AT_LINE = re.compile(r"\s*\(at line (\d+), column (\d+)\)$")
_AT_END = re.compile(r"\s*\(at end of document\)$")
_LONG_NUMBER = re.compile(r"[0-9_]{4000,}+")

_HINTS = {
    "Invalid value": 'text stands in quotes, as in value = "512 GB"',
    "Expected '=' after a key in a key/value pair": "write KEY = VALUE, one per line",
    "Invalid statement": "write KEY = VALUE, a [table], or a # comment",
    "Expected newline or end of document after a statement": "one KEY = VALUE per line",
    "Unescaped '\\' in a string": "write \\\\ for a backslash, or put the text in 'single quotes'",
    "Unterminated string": "the closing quote is missing",
    "Unclosed array": "a comma or the closing ] is missing",
    "Unclosed inline table": "a comma or the closing } is missing",
}
"""What to do about the faults of tomllib that people make most."""


@dataclass
class TomlDocument:
    """A parsed file that still knows its text.

    Attributes:
        path: the file as it was named; shown in faults.
        text: its text.
        data: what tomllib read.
    """

    path: str
    text: str
    data: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def scan(self) -> Scanner:
        """Where the keys stand; on first use, so that a file without faults never pays for it."""
        return Scanner(self.text)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    @property
    def has_comments(self) -> bool:
        """Whether somebody wrote comments into the file."""
        return self.scan.has_comments

    def position(self, keys: Sequence[str | int]) -> tuple[int, int]:
        """Line and column (from 1) of a key, or of the nearest enclosing one that is there."""
        return self.line_and_column(self._mark(keys).key)

    def value_position(self, keys: Sequence[str | int]) -> tuple[int, int]:
        """Line and column (from 1) of the value of a key, or of the nearest enclosing key."""
        return self.line_and_column(self._mark(keys).value)

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Line and column (from 1) of an offset in the text."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def fault(
        self, keys: Sequence[str | int], message: str, hint: str = "", *, at_value: bool = False
    ) -> TomlFault:
        """A fault at a key, or with ``at_value`` at what is written behind its ``=``."""
        mark = self._mark(keys)
        place = self.line_and_column(mark.value if at_value else mark.key)
        return self.fault_at(place, message, hint, key=dotted(keys))

    def fault_at(
        self, place: tuple[int, int], message: str, hint: str = "", *, key: str = ""
    ) -> TomlFault:
        """A fault at a line and column (from 1)."""
        line, column = place
        start = self._starts[line - 1]
        end = self.text.find("\n", start)
        source = self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")
        return TomlFault(
            self.path,
            message,
            line=line,
            column=column,
            key=key,
            hint=hint,
            source_line=source,
        )

    def _mark(self, keys: Sequence[str | int]) -> Mark:
        path = tuple(keys)
        for length in range(len(path), 0, -1):
            mark = self.scan.marks.get(path[:length])
            if mark:
                return mark if length == len(path) else Mark(mark.key, mark.key)
        return Mark(0, 0)


def load_toml(path: Path, *, max_bytes: int = MAX_BYTES) -> TomlDocument:
    """Read and parse a file. Raises TomlFault for whatever is wrong with it."""
    return decode_toml(read_file(path, max_bytes=max_bytes), str(path))


def read_file(path: Path, *, max_bytes: int = MAX_BYTES) -> bytes:
    """The bytes of a regular file of at most ``max_bytes``. Raises TomlFault for anything else."""
    name = str(path)
    try:
        _check_regular(name, os.stat(path).st_mode)
        # Not blocking: if the file became a pipe meanwhile, opening it would wait for a writer.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as file:
            info = os.fstat(handle)
            _check_regular(name, info.st_mode)
            data = file.read(max_bytes + 1)
    except FileNotFoundError:
        raise TomlFault(name, "there is no such file", hint=_similar(path)) from None
    except PermissionError:
        hint = "ask its owner for read access"
        raise TomlFault(name, "you may not read this file", hint=hint) from None
    except OSError as error:
        raise TomlFault(name, f"this file cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise TomlFault(name, f"this is not the name of a file: {error}") from None
    if len(data) > max_bytes:
        size = _size(max(info.st_size, len(data)))
        raise TomlFault(name, f"this file is {size}; one of ours is under {_size(max_bytes)}")
    return data


def decode_toml(data: bytes, name: str) -> TomlDocument:
    """Decode and parse the bytes of a file called ``name``. Raises TomlFault."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    hint = "save the file as plain text in UTF-8"
    zero = data.find(b"\0")
    if zero >= 0:
        line = data.count(b"\n", 0, zero) + 1
        raise TomlFault(name, "this is not a text file", line=line, column=1, hint=hint)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        start = data.rfind(b"\n", 0, error.start) + 1
        raise TomlFault(
            name,
            f"the byte 0x{data[error.start]:02x} is not UTF-8",
            line=data.count(b"\n", 0, error.start) + 1,
            column=len(data[start : error.start].decode("utf-8")) + 1,
            hint=hint,
        ) from None
    return parse_toml(text, name)


def parse_toml(text: str, name: str) -> TomlDocument:
    """Parse a text; ``name`` stands for the file in faults. Raises TomlFault."""
    import tomllib

    document = TomlDocument(name, text)
    # Before tomllib sees them: it takes minutes over a key of a hundred thousand parts.
    many_parts = any(line.count(".") >= MAX_DEPTH for line in text.split("\n"))
    if many_parts and document.scan.too_deep is not None:
        raise _too_deep(document)
    try:
        document.data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_fault(document, str(error)) from None
    except RecursionError:
        raise _too_deep(document) from None
    except ValueError as error:
        # int() refuses thousands of digits, and tomllib passes that on without a place.
        found = _LONG_NUMBER.search(text)
        message = "this number has too many digits" if found else str(error)
        place = document.line_and_column(found.start() if found else 0)
        raise document.fault_at(place, message) from None
    if _deeper_than(document.data, MAX_DEPTH):
        raise _too_deep(document)
    return document


def _check_regular(name: str, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise TomlFault(name, "this is a folder, not a file", hint="name a file in it")
    if not stat.S_ISREG(mode):
        raise TomlFault(name, "this is not a file but a pipe, a socket or a device")


def _similar(path: Path) -> str:
    try:
        names = os.listdir(path.parent)
    except OSError:
        return f"there is no folder {path.parent} either"
    return suggest(path.name, names)


def _size(count: int) -> str:
    for unit, power in (("GB", 9), ("MB", 6), ("kB", 3)):
        if count >= 10**power:
            return f"{count / 10**power:.3g} {unit}"
    return f"{count} B"


def _too_deep(document: TomlDocument) -> TomlFault:
    place = document.line_and_column(document.scan.too_deep or 0)
    return document.fault_at(place, f"this is nested more than {MAX_DEPTH} deep")


def _deeper_than(data: dict[str, Any], limit: int) -> bool:
    level: list[Any] = [data]
    for _ in range(limit):
        inner: list[Any] = []
        for item in level:
            values = item.values() if isinstance(item, dict) else item
            inner += (value for value in values if isinstance(value, dict | list))
        level = inner
        if not level:
            return False
    return True


def _syntax_fault(document: TomlDocument, text: str) -> TomlFault:
    at_line = _AT_LINE.search(text)
    if at_line:
        place = (int(at_line[1]), int(at_line[2]))
    else:
        place = document.line_and_column(len(document.text.rstrip()))
    message = _AT_END.sub("", _AT_LINE.sub("", text))
    hint = _HINTS.get(message, "")
    if text.startswith(("Cannot", "Duplicate")):
        for path, first, second in document.scan.repeats[:1]:
            first_line = document.line_and_column(first)[0]
            plain = f"this is already set on line {first_line}"
            again = document.line_and_column(second)
            return document.fault_at(again, plain, "keep one of the two", key=dotted(path))
    plain = message[:1].lower() + message[1:]
    if not at_line:
        plain = f"the file ends too early: {plain}"
    return document.fault_at(place, plain, hint, key=_key_on_line(document, place[0]))


def _key_on_line(document: TomlDocument, line: int) -> str:
    found = ""
    for path, mark in document.scan.marks.items():
        if document.line_and_column(mark.key)[0] == line:
            found = dotted(path)
    return found
