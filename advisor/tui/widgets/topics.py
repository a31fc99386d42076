"""The topics of the interview with their answers, where there is room to show all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.geometry import Size
from textual.style import Style
from textual.widget import Widget

from advisor.tui.literal import fitted, literal

INDENT = "    "
"""Before an answer of a topic."""


@dataclass(frozen=True, slots=True)
class TopicLine:
    """One question of a topic: its id, its mark, its name, and what was answered."""

    question: str
    mark: str
    name: str
    text: str


class TopicSummary(Widget):
    """One topic: its title, and what was answered in it; a click opens a question."""

    ALLOW_SELECT = False

    def __init__(self, number: int, title: str) -> None:
        super().__init__(id=f"topic-{number}", classes="topic")
        self._number = number
        self._title = title
        self._is_open = False
        self._lines: tuple[TopicLine, ...] = ()

    def show(self, lines: Sequence[TopicLine], is_open: bool) -> None:
        """Show other answers; nothing is laid out anew while they stay the same."""
        if (tuple(lines), is_open) == (self._lines, self._is_open):
            return
        self._lines, self._is_open = tuple(lines), is_open
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """A title, where there is one, and a line per answer."""
        return bool(self._title) + len(self._lines)

    def render(self) -> Content:
        """The lines, cut where they are too long; the open question shows them whole."""
        width = self.size.width
        mark = "▸" if self._is_open else " "
        click = Style.from_meta({"@click": f"screen.topic({self._number})"})
        title = f"{mark}{self._number}  {self._title}"
        rows = [Content.styled(title, click + Style(bold=True))] if self._title else []
        for line in self._lines:
            text = f"{INDENT}{line.mark} {literal(line.name):<26} {literal(line.text)}"
            link = Style.from_meta({"@click": f"screen.question('{line.question}')"})
            rows.append(Content.styled(fitted(text, width), link))
        return Content("\n").join(rows)
