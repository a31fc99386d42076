"""Tables in plain text: aligned columns, or one entry per row where columns would be too narrow."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.report.characters import columns
from advisor.report.wrap import wrapped

GAP = "  "
"""Between two columns."""

_TALLEST = 4
"""Lines a cell may take before a table reads worse than a list."""

_NARROWEST = 8
"""Columns a cell needs to hold a figure with its unit."""


def table_lines(header: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """A table in at most ``width`` columns.

    Args:
        header: names of the columns.
        rows: as many cells as the header each.
        width: columns.
    """
    widths = _widths([header, *rows], width)
    if widths is None:
        return _entries(header, rows, width)
    laid = [[wrapped(cell, w) for cell, w in zip(row, widths, strict=True)] for row in rows]
    if any(len(cell) > _TALLEST for row in laid for cell in row):
        return _entries(header, rows, width)
    head = [wrapped(cell, w) for cell, w in zip(header, widths, strict=True)]
    rule = GAP.join("-" * w for w in widths)
    return [
        *_side_by_side(head, widths),
        rule,
        *(ln for r in laid for ln in _side_by_side(r, widths)),
    ]


def _widths(rows: Sequence[Sequence[str]], width: int) -> list[int] | None:
    """A width for every column, the widest ones made narrower; None where there is no room."""
    widths = [
        max(columns(line) for row in rows for line in row[i].split("\n"))
        for i in range(len(rows[0]))
    ]
    room = width - len(GAP) * (len(widths) - 1)
    while sum(widths) > room:
        widest = max(range(len(widths)), key=widths.__getitem__)
        if widths[widest] <= _NARROWEST:
            return None
        widths[widest] -= 1
    return widths


def _side_by_side(cells: Sequence[Sequence[str]], widths: Sequence[int]) -> list[str]:
    height = max(len(cell) for cell in cells)
    out = []
    for i in range(height):
        parts = [
            _padded(cell[i] if i < len(cell) else "", w)
            for cell, w in zip(cells, widths, strict=True)
        ]
        out.append(GAP.join(parts).rstrip())
    return out


def _padded(text: str, width: int) -> str:
    return text + " " * (width - columns(text))


def _entries(header: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Each row as an entry: the first cell, then the others with their heading."""
    out: list[str] = []
    for row in rows:
        rest = [
            f"{name}: {cell}" if name else cell
            for name, cell in zip(header[1:], row[1:], strict=True)
            if cell
        ]
        first = f"{row[0]}: " if row[0] and rest else row[0]
        out += wrapped(first + "; ".join(rest), width, first="- ", rest="  ")
    return out
