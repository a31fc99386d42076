"""A document cut to a length, whole sections at a time, with a note that names what went."""

from __future__ import annotations

from collections.abc import Callable

from advisor.report.document import ALWAYS, Document, Paragraph, Section, Text
from advisor.report.words import joined


class TooLongError(ValueError):
    """Not even the parts of a report that always stay fit a limit."""


def shorten(document: Document, render: Callable[[Document], str], limit: int) -> str:
    """The rendered document in at most ``limit`` characters.

    Sections go by ``keep``, lowest first; what fits after all once a long one has gone comes back.
    No line, table or code block is ever cut through.

    Args:
        document: the whole report.
        render: prints a document.
        limit: most characters.

    Raises:
        TooLongError: not even the sections that always stay fit.
    """
    whole = render(document)
    if len(whole) <= limit:
        return whole
    gone: list[Section] = []
    for section in sorted(document.sections, key=lambda s: s.keep):
        if section.keep >= ALWAYS:
            break
        gone.append(section)
        cut = render(_without(document, gone, limit))
        if len(cut) <= limit:
            return _put_back(document, render, gone, cut, limit)
    raise TooLongError(f"{limit} characters are too few for this report. Allow more.")


def _put_back(
    document: Document,
    render: Callable[[Document], str],
    gone: list[Section],
    cut: str,
    limit: int,
) -> str:
    """The cut document with every section again that fits, the most needed first."""
    for section in reversed(gone[:-1]):
        fewer = [other for other in gone if other is not section]
        longer = render(_without(document, fewer, limit))
        if len(longer) <= limit:
            gone, cut = fewer, longer
    return cut


def _without(document: Document, gone: list[Section], limit: int) -> Document:
    """The document without some sections, and a note that names them in the order of reading."""
    left = tuple(s for s in document.sections if not any(s is one for one in gone))
    names = [s.name for s in document.sections if any(s is one for one in gone)]
    return Document(document.title, (*left, _note(names, limit)))


def _note(names: list[str], limit: int) -> Section:
    words = f"Shortened: {joined(names)} left out to fit {limit:,} characters."
    return Section("note", (Paragraph((Text(words),)),), ALWAYS)
