"""Text from people and files as it may reach a terminal: no markup, no control characters."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories that move the cursor, reorder or hide text; a terminal may obey them."""


def literal(text: str) -> str:
    """One line of text with everything a terminal might obey written as a visible escape."""
    if text.isprintable():
        return text
    return "".join(_visible(sign) for sign in text)


def literal_lines(text: str) -> list[str]:
    """The lines of a text, each made literal."""
    return [literal(line) for line in text.splitlines()]


def short_path(path: Path) -> str:
    """A path as people write it: below the home folder it starts with ``~``."""
    home = os.environ.get("HOME", "")
    text = str(path)
    if home and home != "/" and text.startswith(home.rstrip("/") + "/"):
        text = "~" + text[len(home.rstrip("/")) :]
    return literal(text)


def fitted(text: str, width: int) -> str:
    """A text cut to a number of cells, with … where something is missing."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(width - 1, 0)).rstrip() + "…"


def wrapped(text: str, width: int) -> list[str]:
    """A line broken between words so that no part is wider than a number of cells."""
    from rich.cells import cell_len, chop_cells

    lines: list[str] = []
    line: str | None = None
    # A number keeps its per cent sign.
    for word in text.replace(" %", "\N{NO-BREAK SPACE}%").split(" "):
        if line and line.strip() and cell_len(line) + 1 + cell_len(word) > width:
            lines.append(line)
            line = word
        else:
            line = word if line is None else f"{line} {word}"
        while cell_len(line) > width > 1:
            first = chop_cells(line, width)[0]
            lines.append(first)
            line = line[len(first) :]
    return [part.replace("\N{NO-BREAK SPACE}", " ") for part in (*lines, line or "")]


def _visible(sign: str) -> str:
    if sign == "\t":
        return " "
    if unicodedata.category(sign) not in _HIDDEN:
        return sign
    return sign.encode("unicode_escape").decode()
