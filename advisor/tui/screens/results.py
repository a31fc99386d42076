"""The results: a list of changes, verdicts and doubts, and the page of the one selected."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static

from advisor.tui.literal import fitted, literal, literal_lines
from advisor.tui.widgets.key_line import Key, KeyLine
from advisor.tui.widgets.marked_list import Line, MarkedList
from advisor.tui.widgets.page_text import PageText
from advisor.tui.widgets.steps import SmallNotice, TitleLine

if TYPE_CHECKING:
    from advisor.engine.advice import Advice
    from advisor.tui.results_pages import Page

_KEYS = (
    Key("↑↓", "Choose", "screen.choose(1)"),
    Key("pgup/pgdn", "Scroll", "screen.page(1)"),
    Key("c", "Copy lines", "screen.copy"),
    Key("w", "What if", "app.what_if"),
    Key("esc", "Interview", "screen.close"),
    Key("F4", "Export", "app.export"),
    Key("F1", "Keys", "app.keys"),
    Key("^p", "Commands", "app.palette"),
)

_GAIN, _SAVES, _EFFORT = 12, 13, 19
"""Cells of the columns behind the title of a page."""

_MIDDLE, _FULL = 60, 76
"""Cells from which the list also shows what a change saves, and what it takes."""


class ResultsScreen(Screen[None]):
    """Shown at once with a note of progress; the advice arrives from a worker."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f2", "close", "Interview", show=False),
        Binding("c", "copy", "Copy the lines to paste", show=False),
        Binding("w", "app.what_if", "What if", show=False),
        Binding("pagedown,space", "page(1)", "Scroll down", show=False, priority=True),
        Binding("pageup", "page(-1)", "Scroll up", show=False, priority=True),
    ]
    AUTO_FOCUS = "#pages"

    def __init__(self, title: str) -> None:
        super().__init__()
        self._session_title = title
        self._pages: tuple[Page, ...] = ()

    def compose(self) -> ComposeResult:
        """Headline, list, page, keys."""
        yield TitleLine("Results", self._session_title, id="title")
        yield SmallNotice()
        yield Static("Computing the advice …", id="headline", markup=False)
        with Vertical(id="results"):
            yield MarkedList(id="pages")
            with Vertical(id="page"):
                yield Static("", id="page-title", markup=False)
                yield PageText()
        yield KeyLine(_KEYS)

    @property
    def is_up(self) -> bool:
        """Whether it is still open: somebody may leave before the advice is there."""
        return bool(self.query("#headline"))

    def show(self, advice: Advice, pages: tuple[Page, ...], notice: str) -> None:
        """Show the advice.

        Args:
            advice: for the headline.
            pages: the list and what is behind it.
            notice: another sentence under the headline, or "".
        """
        if not self.is_up:
            return
        self._pages = pages
        text = f"{advice.headline}\n{notice}" if notice else advice.headline
        self.query_one("#headline", Static).update(Content("\n".join(literal_lines(text))))
        self._fill()

    def show_problem(self, text: str) -> None:
        """Say why there is no advice."""
        if not self.is_up:
            return
        self.query_one("#headline", Static).update(Content("\n".join(literal_lines(text))))

    def on_resize(self) -> None:
        """The columns follow the width of the list."""
        self.call_after_refresh(self._fill)

    @on(OptionList.OptionHighlighted)
    def chosen(self, event: OptionList.OptionHighlighted) -> None:
        """Show the page of the entry."""
        if event.option_id is not None:
            self._show_page(self._pages[int(event.option_id)])

    def action_choose(self, by: int) -> None:
        """What a click on the entry of the footer does."""
        self.query_one(MarkedList).action_cursor_down()

    def action_page(self, by: int) -> None:
        """Scroll the page."""
        page = self.query_one("#page")
        if by > 0:
            page.scroll_page_down(animate=False)
        else:
            page.scroll_page_up(animate=False)

    def action_copy(self) -> None:
        """Copy the lines of the selected change."""
        page = self._page()
        if page is None or not page.lines:
            self.notify("There are no lines to paste on this page.", markup=False)
            return
        from advisor.tui.clipboard import copy

        copied = copy(page.lines, self.app.copy_to_clipboard)
        self.notify(copied.text, markup=False)

    def action_close(self) -> None:
        """Back to the interview."""
        self.dismiss(None)

    def _page(self) -> Page | None:
        chosen = self.query_one(MarkedList).chosen
        return None if chosen is None else self._pages[int(chosen)]

    def _fill(self) -> None:
        listed = self.query_one(MarkedList)
        if not self._pages or listed.room <= 0:
            return
        lines: list[Line] = []
        group = ""
        for place, page in enumerate(self._pages):
            if self.has_class("-wide") and page.group != group:
                group = page.group
                lines.append(Line(group))
            lines.append(Line(_row(page, listed.room), str(place)))
        listed.show_lines(lines, listed.chosen)

    def _show_page(self, page: Page) -> None:
        self.query_one("#page-title", Static).update(Content(literal(page.title)))
        self.query_one(PageText).show(page.blocks)
        self.query_one("#page").scroll_home(animate=False)


def _row(page: Page, width: int) -> str:
    """One line of the list: title, gain, what it saves, what it takes."""
    title = literal(page.title)
    columns = page.gain.rjust(_GAIN) if page.gain else ""
    if page.gain and width >= _MIDDLE:
        columns += page.saves.rjust(_SAVES)
    if width >= _FULL or not page.gain:
        columns += page.effort.rjust(_EFFORT)
    room = max(width - cell_len(columns), 0)
    title = fitted(title, room)
    return f"{title}{' ' * (room - cell_len(title))}{columns}"
