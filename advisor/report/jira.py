"""Jira wiki markup, as Jira Server and Data Center and the older REST API read it.

Blocks here, the escaping of running text in ``jira_text``. Nothing folds in Jira: details become a
heading. Lines to paste go into noformat, since code without a language is coloured as Java.
"""

from __future__ import annotations

import re
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
    Mono,
    Numbered,
    Paragraph,
    Runs,
    Table,
    text,
)
from advisor.report.jira_text import line
from advisor.report.shorten import shorten

_DETAILS_LEVEL = 3
"""Heading level of what other formats fold, that of the other headings of a report."""

_DEEPEST = 6
"""Heading levels there are."""

_RAW = (("{noformat}", "{noformat}"), ("{code:none}", "{code}"))
"""Macros whose body is printed as it is: the second where the text names the first."""


def render(document: Document, *, limit: int | None = None) -> str:
    """The document as Jira wiki markup, ending in one line end.

    Args:
        document: the report.
        limit: most characters (``lengths.JIRA_LIMIT`` for a text field); whole sections go, and a
            note names them.

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
        case Heading(level, runs):
            return f"h{min(level, _DEEPEST)}. {line(runs)}"
        case Paragraph(runs):
            return line(runs)
        case Callout(_, runs):
            return f"bq. {line(runs)}"
        case Bullets(items):
            return "\n".join(f"* {line(runs)}" for runs in items)
        case Numbered(items):
            return "\n".join(f"# {line(runs)}" for runs in items)
        case Table(header, rows):
            return "\n".join((_row(header, "||"), *(_row(row, "|") for row in rows)))
        case Code(words, _):
            return _code(words)
        case Details(summary, inner):
            return _blocks((Heading(_DETAILS_LEVEL, text(summary)), *inner))


def _row(cells: tuple[Runs, ...], bar: str) -> str:
    # An empty cell needs a space, or two bars side by side would make a heading of the next.
    printed = (line(cell, cell=True) for cell in cells)
    return bar + bar.join(f" {words} " if words else " " for words in printed) + bar


def _code(words: str) -> str:
    body = visible(words).rstrip("\n")
    for start, end in _RAW:
        # The macro ends at the first tag of its name, in whatever case and with whatever options.
        if not re.search(rf"\{{{end[1:-1]}\b", body, re.IGNORECASE):
            return f"{start}\n{body}\n{end}"
    # A text that names both macros has no raw form: line by line, with everything escaped.
    return "\n".join(line((Mono(each),)) for each in body.split("\n"))
