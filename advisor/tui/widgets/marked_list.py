"""A list whose selected line carries a mark, so that it shows without colour too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import on
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

MARK = 2
"""Cells before each line: the mark and a space."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its text, and its key; without a key it is a title and cannot be chosen."""

    text: str
    key: str | None = None


class MarkedList(OptionList):
    """An option list of plain lines; ``▸`` stands before the selected one."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name for it
        super().__init__(id=id, compact=True, markup=False)
        self._texts: dict[str, str] = {}
        self._marked: str | None = None

    @property
    def room(self) -> int:
        """Cells there are for the text of a line."""
        # Options have a cell of padding on either side.
        return self.scrollable_content_region.width - 2 - MARK

    @property
    def chosen(self) -> str | None:
        """The key of the selected line."""
        option = self.highlighted_option
        return None if option is None else option.id

    def show_lines(self, lines: Sequence[Line], chosen: str | None) -> None:
        """Show other lines and select one, by its key, or the first."""
        self._marked = None
        self._texts = {line.key: line.text for line in lines if line.key is not None}
        self.clear_options()
        self.add_options(
            [
                Option(Content(f"  {line.text}"), id=line.key)
                if line.key is not None
                else Option(Content.styled(line.text, "italic"), disabled=True)
                for line in lines
            ]
        )
        key = chosen if chosen in self._texts else next(iter(self._texts), None)
        if key is not None:
            self.highlighted = self.get_option_index(key)

    @on(OptionList.OptionHighlighted)
    def move_mark(self, event: OptionList.OptionHighlighted) -> None:
        """The mark follows the selection."""
        for key, mark in ((self._marked, " "), (event.option_id, "▸")):
            if key in self._texts:
                self.replace_option_prompt(key, Content(f"{mark} {self._texts[key]}"))
        self._marked = event.option_id
