"""The text of one page of the results, wrapped so that list items keep their indent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual.content import Content
from textual.geometry import Size
from textual.style import Style
from textual.widget import Widget

from advisor.tui.literal import literal_lines, wrapped

if TYPE_CHECKING:
    from advisor.tui.results_pages import Block

_LOOKS: Mapping[str, tuple[str, str, Style]] = {
    "head": ("", "", Style(bold=True)),
    "text": ("", "", Style.null()),
    "item": ("- ", "  ", Style.null()),
    "code": ("    ", "    ", Style(bold=True)),
    "row": ("", "  ", Style.null()),
    "quiet": ("", "", Style(italic=True)),
}
"""Per kind of block: before its first line, before the others, and its style."""


class PageText(Widget):
    """Blocks as lines; its container scrolls."""

    def __init__(self) -> None:
        super().__init__(id="page-text")
        self._blocks: tuple[Block, ...] = ()

    def show(self, blocks: tuple[Block, ...]) -> None:
        """Show other blocks."""
        self._blocks = blocks
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the blocks need."""
        return len(self._lines(width))

    def render(self) -> Content:
        """The lines."""
        return Content("\n").join(self._lines(self.size.width))

    def _lines(self, width: int) -> list[Content]:
        lines: list[Content] = []
        for block in self._blocks:
            first, rest, style = _LOOKS[block.kind]
            if block.kind == "head" and lines:
                lines.append(Content(""))
            for line in literal_lines(block.text):
                indent = len(line) - len(line.lstrip(" ")) if block.kind == "row" else 0
                for part in wrapped(line, max(width - len(first), 1)):
                    lines.append(Content.assemble(first, (part, style)))
                    first = rest + " " * indent
        return lines or [Content("")]
