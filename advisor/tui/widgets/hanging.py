"""A text whose later lines start under the first word, not under its number or mark."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from advisor.tui.literal import literal_lines, wrapped


class Hanging(Widget):
    """Paragraphs, each behind a head such as ``1  `` or ``! ``; hidden while there is no text."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name for it
        super().__init__(id=id)
        self._paragraphs: tuple[tuple[str, str], ...] = ()

    def show(self, paragraphs: Sequence[tuple[str, str]]) -> None:
        """Show other paragraphs: pairs of a head and a text, each made literal."""
        before = self._paragraphs
        self._paragraphs = tuple(
            (head if place == 0 else " " * cell_len(head), line)
            for head, text in paragraphs
            if text
            for place, line in enumerate(literal_lines(text))
        )
        if self._paragraphs != before:
            self.display = bool(self._paragraphs)
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the text needs."""
        return len(self._lines(width))

    def render(self) -> Content:
        """The lines."""
        return Content("\n".join(self._lines(self.size.width)))

    def _lines(self, width: int) -> list[str]:
        lines: list[str] = []
        for head, text in self._paragraphs:
            for part in wrapped(text, max(width - cell_len(head), 1)):
                lines.append(head + part)
                head = " " * cell_len(head)
        return lines
