"""What the condition language speaks about: declared names, outcomes, and errors with a caret."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from advisor.facts.catalogue import Kind
from advisor.facts.toml_text import suggest

Value = float | str | None
"""A fact's value: a number in the unit of its kind, a choice or text, or None for unknown."""

Values = Mapping[str, Value]
"""Values by name; an absent name, None and NaN all mean unknown."""

SHOWN: Final = 100
"""Characters of the condition shown in an error: one line of an ordinary terminal."""


@dataclass(frozen=True, slots=True)
class Name:
    """Something a condition may refer to: a fact, a computed value or a named threshold.

    Attributes:
        kind: what it is measured in.
        choices: its members where ``kind`` is "choice".
    """

    kind: Kind
    choices: tuple[str, ...] = ()


Names = Mapping[str, Name]
"""Everything a condition may refer to."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a condition or a number comes to.

    Attributes:
        value: true or false, or the number; None while it is unknown.
        missing: while unknown, the names that would have to be known (or, after a division by
            zero, be different); empty once the value is decided.
    """

    value: bool | float | None
    missing: frozenset[str] = frozenset()


class ExpressionError(ValueError):
    """A condition that cannot be read, or a value that does not fit its declaration.

    Attributes:
        message: what is wrong, in one sentence.
        hint: what to write instead, or "".
        text: the whole condition.
        line: 1-based line within ``text`` (1 unless the condition is written over several lines).
        column: 1-based column within that line, in characters.
    """

    def __init__(self, message: str, *, text: str, offset: int, hint: str = "") -> None:
        before = text[:offset]
        self.message: str = message
        self.hint: str = hint
        self.text: str = text
        self.line: int = before.count("\n") + 1
        self.column: int = offset - (before.rfind("\n") + 1) + 1
        super().__init__(message)

    def __str__(self) -> str:
        source = self.text.split("\n")[self.line - 1]
        start = max(0, min(self.column - 1 - SHOWN // 2, len(source) - SHOWN))
        shown = "".join(c if c.isprintable() else " " for c in source[start : start + SHOWN])
        lines = [self.message, f"    {shown}", "    " + " " * (self.column - 1 - start) + "^"]
        return "\n".join([*lines, f"    {self.hint}"] if self.hint else lines)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A suggestion such as ``did you mean 'nodes'?``, or "" when nothing is close."""
    return suggest(word, known).replace('"', "'")
