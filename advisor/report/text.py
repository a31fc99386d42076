"""Plain text for mail, notes and commit messages: 72 columns, tables aligned, code never cut."""

from __future__ import annotations

from collections.abc import Iterable

from advisor.report.characters import columns, visible
from advisor.report.document import (
    Block,
    Bullets,
    Callout,
    Code,
    Details,
    Document,
    Heading,
    Link,
    Numbered,
    Paragraph,
    Runs,
    Table,
)
from advisor.report.shorten import shorten
from advisor.report.text_table import table_lines
from advisor.report.wrap import wrapped

WIDTH = 72
"""Columns, as mail and commit messages have them."""

LEAST_WIDTH = 40
"""Columns below which a table of figures cannot be read."""

CODE_INDENT = "    "
"""Before every line to paste."""


def render(document: Document, width: int = WIDTH, *, limit: int | None = None) -> str:
    """The document as plain text, ending in one line end.

    Args:
        document: the report.
        width: columns, at least ``LEAST_WIDTH``; lines to paste may be longer.
        limit: most characters; whole sections go, and a note names them.

    Raises:
        ValueError: the width is too small, or the limit for the parts that always stay.
    """
    if width < LEAST_WIDTH:
        raise ValueError(f"{width} columns are too few. Use at least {LEAST_WIDTH}.")

    def whole(document: Document) -> str:
        return "\n".join(_lines(document.blocks, width)) + "\n"

    return whole(document) if limit is None else shorten(document, whole, limit)


def words(runs: Runs) -> str:
    """Some runs without style, links with their address behind them."""
    return "".join(
        f"{visible(run.text)} <{visible(run.url)}>" if isinstance(run, Link) else visible(run.text)
        for run in runs
    ).expandtabs(4)


def _lines(blocks: Iterable[Block], width: int) -> list[str]:
    out: list[str] = []
    for block in blocks:
        if out:
            out.append("")
        out += _block(block, width)
    return out


def _block(block: Block, width: int) -> list[str]:
    match block:
        case Heading(_, runs):
            lines = wrapped(words(runs), width)
            return [*lines, "-" * max(columns(line) for line in lines)]
        case Paragraph(runs):
            return wrapped(words(runs), width)
        case Callout(level, runs):
            first = "" if level == "note" else f"{level.upper()}: "
            return wrapped(first + words(runs), width, first="| ", rest="| ")
        case Bullets(items):
            return [
                ln for runs in items for ln in wrapped(words(runs), width, first="- ", rest="  ")
            ]
        case Numbered(items):
            return [
                ln
                for n, runs in enumerate(items, 1)
                for ln in wrapped(words(runs), width, first=f"{n}. ", rest="   ")
            ]
        case Table(header, rows):
            cells = [[words(cell) for cell in row] for row in rows]
            return table_lines([words(cell) for cell in header], cells, width)
        case Code(text, _):
            return [f"{CODE_INDENT}{ln}".rstrip() for ln in visible(text).rstrip("\n").split("\n")]
        case Details(summary, inner):
            head = wrapped(visible(summary), width)
            rule = "=" * max(columns(line) for line in head)
            return [*head, rule, "", *_lines(inner, width)]
