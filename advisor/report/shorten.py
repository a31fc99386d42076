"""A document cut to a length, whole sections at a time, with a note that names what went."""

from __future__ import annotations

from collections.abc import Callable

from advisor.report.document import ALWAYS, Document, Paragraph, Section, Text
from advisor.report.words import joined


class TooLongError(ValueError):
    """Not even the parts of a report that always stay fit a limit."""


def shorten(document: Document, render: Callable[[Document], str], limit: int) -> str:
    """The rendered document in at most ``limit`` characters.

    Sections go by ``keep``, lowest first; no line, table or code block is ever cut through.

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
    left = list(document.sections)
    gone: list[Section] = []
    for section in sorted(document.sections, key=lambda s: s.keep):
        if section.keep >= ALWAYS:
            break
        left.remove(section)
        gone.append(section)
        # In the order of reading, not of cutting.
        names = [s.name for s in document.sections if s in gone]
        cut = render(Document(document.title, (*left, _note(names, limit))))
        if len(cut) <= limit:
            return cut
    raise TooLongError(f"{limit} characters are too few for this report. Allow more.")


def _note(names: list[str], limit: int) -> Section:
    words = f"Shortened: {joined(names)} left out to fit {limit:,} characters."
    return Section("note", (Paragraph((Text(words),)),), ALWAYS)
