"""What the answers so far come to; docked, so that it never scrolls away."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Size
from textual.style import Style
from textual.widget import Widget

from advisor.interview.panel import Live, LiveLine
from advisor.tui.literal import fitted, literal, wrapped

LABEL = 15
"""Cells of the labels, the longest being "Best interval"."""

MOST = {"-low": 1, "-short": 4, "-middle": 10}
"""Lines of the panel in a window of this height class; a tall one shows all."""

_FIRST = ("Goodput", "Best interval", "Pool needed", "Stall", "Save", "Drain", "Burst")
"""Which lines stay where there is no room for all."""

Kept: TypeAlias = tuple[tuple[str, bool], ...]
"""Names of questions, each with whether it has an accepted answer."""


class LivePanel(Widget):
    """The estimate as lines, fitted to the room there is."""

    def __init__(self) -> None:
        super().__init__(id="live")
        self._live: Live | None = None
        self._kept: Kept = ()

    def show(self, live: Live | None, kept: Kept = ()) -> None:
        """Show an estimate.

        Args:
            live: the estimate; None while the model is loading.
            kept: questions whose typed text is not understood: their names, and whether an
                accepted answer goes on driving the estimate.
        """
        if live is self._live and kept == self._kept:
            return
        height = len(self._lines(self.size.width))
        self._live, self._kept = live, kept
        # Figures change at every key, the number of lines hardly ever does.
        self.refresh(layout=len(self._lines(self.size.width)) != height)

    @property
    def summary(self) -> str:
        """The estimate in one line."""
        if self._live is None:
            return "Estimate: loading the model"
        lines = {line.label: line for line in self._live.lines}
        parts = [f"{n} {lines[n].text}" for n in ("Goodput", "Best interval") if n in lines]
        if not parts:
            return f"Estimate needs: {', '.join(self._live.needs)}"
        return ", ".join(parts)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as there are to show."""
        return len(self._lines(width))

    def render(self) -> Content:
        """The lines."""
        return Content("\n").join(self._lines(self.size.width))

    def _lines(self, width: int) -> list[Content]:
        most = next((MOST[name] for name in MOST if self.screen.has_class(name)), None)
        if most == 1 or self.screen.has_class("-tiny"):
            return [Content(fitted(f" {literal(self.summary)}", width))]
        body = self._body(width, most)
        return [_title(width), *body]

    def _body(self, width: int, most: int | None) -> list[Content]:
        if self._live is None:
            return [Content(" Loading the model …")]
        kept = [
            Content(f" {part}")
            for name, has_answer in self._kept
            for part in wrapped(f"! {name}: {_KEPT[has_answer]}", width - 1)
        ]
        brief = most is not None and most <= MOST["-short"]
        lines = [replace(line, note="") if brief else line for line in self._live.lines]
        rows = [(line, _rows(line, width)) for line in lines]
        if self._live.needs:
            needs = f"Needs: {', '.join(self._live.needs)}"
            rows.append((LiveLine("Needs", ""), [Content(f" {p}") for p in wrapped(needs, width)]))
        room = None if most is None else most - len(kept)
        while room is not None and sum(len(part) for _, part in rows) > room and rows:
            rows.remove(max(rows, key=lambda row: _rank(row[0])))
        return [*kept, *(line for _, part in rows for line in part)]


_KEPT = {
    True: "the text typed is not understood; the accepted answer is used.",
    False: "the text typed is not understood and not used.",
}
"""Said of a question whose draft cannot be read, by whether it has an accepted answer."""


def _rank(line: LiveLine) -> int:
    return _FIRST.index(line.label) if line.label in _FIRST else len(_FIRST)


def _title(width: int) -> Content:
    left, right = "─ live estimate ", " ~ assumed ─"
    return Content.styled(f"{left}{'─' * (width - cell_len(left) - cell_len(right))}{right}", "dim")


def _rows(line: LiveLine, width: int) -> list[Content]:
    """One line with its note beside it where that fits, else beneath."""
    mark = "~" if line.assumed else " "
    text, note = literal(line.text), literal(line.note)
    beside = f"{text}  {note}" if note else text
    if cell_len(beside) <= width - LABEL - 1:
        parts = [beside]
    else:
        parts = [p for part in (text, note) if part for p in wrapped(part, width - LABEL - 1)]
    heads = [f"{mark}{literal(line.label)}".ljust(LABEL), *[" " * LABEL] * (len(parts) - 1)]
    bold = Style(bold=line.label == "Goodput")
    return [Content.assemble(head, (part, bold)) for head, part in zip(heads, parts, strict=True)]
