"""Slack mrkdwn: the ``text`` of one message as the Web API and webhooks take it.

Blocks here, the escaping of running text in ``slack_text``. Slack has neither headings nor tables
nor lists in a text: headings are bold, tables are aligned in a code block, lists are lines.
"""

from __future__ import annotations

from collections.abc import Iterable

from advisor.report.characters import visible
from advisor.report.document import (
    Block,
    Bullets,
    Callout,
    Code,
    Details,
    Document,
    Heading,
    Numbered,
    Paragraph,
    Runs,
    Strong,
    Table,
    Text,
    text,
)
from advisor.report.shorten import shorten
from advisor.report.slack_text import BACKTICK, entities, line
from advisor.report.text import words
from advisor.report.text_table import table_lines

_WIDTH = 72
"""Columns of a table: what a code block of the desktop client holds beside its side bar."""

_BULLET = "\N{BULLET} "
"""Before an item, as Slack's own documentation mimics a list."""


def render(document: Document, *, limit: int | None = None) -> str:
    """The document as mrkdwn, ending in one line end.

    Args:
        document: the report.
        limit: most characters (``lengths.SLACK_LIMIT``); whole sections
            go, and a note names them.

    Raises:
        TooLongError: the limit is too small for the parts that always stay.
    """
    return _whole(document) if limit is None else shorten(document, _whole, limit)


def _whole(document: Document) -> str:
    return _blocks(document.blocks) + "\n"


def _blocks(blocks: Iterable[Block]) -> str:
    return "\n\n".join(_block(block) for block in blocks)


def _block(block: Block) -> str:
    match block:
        case Heading(_, runs):
            return line(tuple(Strong(r.text) if isinstance(r, Text) else r for r in runs))
        case Paragraph(runs):
            return line(runs)
        case Callout(_, runs):
            return "\n".join(f"> {each}" for each in line(runs).split("\n"))
        case Bullets(items):
            return "\n".join(f"{_BULLET}{line(runs)}" for runs in items)
        case Numbered(items):
            return "\n".join(f"{n}. {line(runs)}" for n, runs in enumerate(items, 1))
        case Table(header, rows):
            return _code("\n".join(table_lines(_cells(header), [_cells(r) for r in rows], _WIDTH)))
        case Code(typed, _):
            return _code(visible(typed).rstrip("\n"))
        case Details(summary, inner):
            return _blocks((Heading(1, text(summary)), *inner))


def _cells(cells: tuple[Runs, ...]) -> list[str]:
    return [words(cell) for cell in cells]


def _code(body: str) -> str:
    # Three backticks end the block, and nothing escapes them.
    return f"```\n{entities(body.replace('```', f'``{BACKTICK}'))}\n```"
