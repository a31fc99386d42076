"""The document tree every export is printed from: blocks of runs, with no markup in any text.

Texts hold what a person typed or a rule says, unescaped; each renderer escapes for its own format.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from advisor.report.drawing import Figure

CalloutLevel = Literal["note", "warning", "danger"]
"""How loud a callout is."""

ALWAYS = 100
"""``Section.keep`` of what is never cut to fit a length limit: the headline and the versions."""


@dataclass(frozen=True, slots=True)
class Text:
    """Plain words."""

    text: str


@dataclass(frozen=True, slots=True)
class Strong:
    """Words that stand out."""

    text: str


@dataclass(frozen=True, slots=True)
class Mono:
    """A name, flag or digest in the type of code, inside a line."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """Words that lead to an address."""

    text: str
    url: str


Run: TypeAlias = Text | Strong | Mono | Link
Runs: TypeAlias = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the largest."""

    level: int
    runs: Runs


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph."""

    runs: Runs


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list without order; each item is one line of runs."""

    items: tuple[Runs, ...]


@dataclass(frozen=True, slots=True)
class Numbered:
    """A list numbered from 1."""

    items: tuple[Runs, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table; every row has as many cells as the header."""

    header: tuple[Runs, ...]
    rows: tuple[tuple[Runs, ...], ...]

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.header):
                raise ValueError(f"a row of {len(row)} cells under {len(self.header)} headings")


@dataclass(frozen=True, slots=True)
class Code:
    """Lines to paste, never wrapped or cut; language is a word for highlighters, or ""."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Callout:
    """One paragraph set apart."""

    level: CalloutLevel
    runs: Runs


@dataclass(frozen=True, slots=True)
class Details:
    """Blocks that are folded away where the format can."""

    summary: str
    blocks: tuple[Block, ...]


Block: TypeAlias = Heading | Paragraph | Bullets | Numbered | Table | Code | Callout | Details


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks that stay or go together when a document has to be shortened.

    Attributes:
        name: what a note about the cut calls it.
        blocks: in order.
        keep: from 1, the first to go, to ``ALWAYS``.
        figures: drawings of what the blocks say, after them, for formats that can show one.
    """

    name: str
    blocks: tuple[Block, ...]
    keep: int
    figures: tuple[Figure, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A report.

    Attributes:
        title: one line for the title field of a tracker; not repeated in the blocks.
        sections: in order of reading.
    """

    title: str
    sections: tuple[Section, ...]

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks in order."""
        return tuple(block for section in self.sections for block in section.blocks)


def plain(runs: Runs) -> str:
    """The words of some runs without any style."""
    return "".join(run.text for run in runs)


def text(words: str) -> Runs:
    """One plain run."""
    return (Text(words),)
