"""The saved sessions: open one, or begin a new one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static

from advisor.tui.literal import fitted, literal
from advisor.tui.widgets.key_line import Key, KeyLine
from advisor.tui.widgets.marked_list import Line, MarkedList
from advisor.tui.widgets.steps import SmallNotice, TitleLine

NEW = Path()
"""What the screen ends with for a new session."""

_KEYS = (
    Key("enter", "Open", "screen.open"),
    Key("n", "New", "screen.new"),
    Key("esc", "Back", "screen.close"),
    Key("F1", "Keys", "app.keys"),
    Key("^p", "Commands", "app.palette"),
)


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session as the list shows it.

    Attributes:
        path: its file.
        name: its title, or the name of the file.
        saved: when an answer last changed.
        known: "3 of 5".
        goodput: what was advised when it was saved: "84.7 % → 94.1 %".
        fault: why it cannot be opened, or "".
        is_open: whether it is the one in the interview.
    """

    path: Path
    name: str
    saved: datetime | None = None
    known: str = ""
    goodput: str = ""
    fault: str = ""
    is_open: bool = False


class SessionsScreen(Screen[Path | None]):
    """Ends with the file to open, ``NEW``, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f3", "close", "Back", show=False),
        Binding("n", "new", "New", show=False),
    ]
    AUTO_FOCUS = "#sessions"

    def __init__(self, folder: str) -> None:
        super().__init__()
        self._folder = folder
        self._rows: tuple[SessionRow, ...] = ()

    def compose(self) -> ComposeResult:
        """Folder, list, keys."""
        yield TitleLine("Sessions", self._folder, id="title")
        yield SmallNotice()
        yield Static("Reading the folder …", id="headline", markup=False)
        yield MarkedList(id="sessions")
        yield KeyLine(_KEYS)

    @property
    def is_up(self) -> bool:
        """Whether it is still open: somebody may leave before the folder is read."""
        return bool(self.query("#headline"))

    def show(self, rows: tuple[SessionRow, ...]) -> None:
        """Fill the list."""
        if not self.is_up:
            return
        self._rows = rows
        text = "* is open now, ! cannot be opened." if rows else "None yet. n begins one."
        self.query_one("#headline", Static).update(Content(text))
        self._fill()

    def show_problem(self, text: str) -> None:
        """Say why there is no list."""
        if not self.is_up:
            return
        self.query_one("#headline", Static).update(Content(literal(text)))

    def on_resize(self) -> None:
        """The columns follow the width."""
        self.call_after_refresh(self._fill)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter or a click opens a session."""
        self._open(self._rows[event.option_index])

    def action_open(self) -> None:
        """What a click on the entry of the footer does."""
        chosen = self.query_one(MarkedList).chosen
        if chosen is not None:
            self._open(self._rows[int(chosen)])

    def action_new(self) -> None:
        """Begin a new one."""
        self.dismiss(NEW)

    def action_close(self) -> None:
        """Stay with the one that is open."""
        self.dismiss(None)

    def _open(self, row: SessionRow) -> None:
        if row.fault:
            self.notify(literal(row.fault), markup=False, severity="warning", timeout=8)
            return
        self.dismiss(None if row.is_open else row.path)

    def _fill(self) -> None:
        listed = self.query_one(MarkedList)
        if listed.room > 0:
            lines = [Line(_line(r, listed.room), str(n)) for n, r in enumerate(self._rows)]
            listed.show_lines(lines, listed.chosen)


def _line(row: SessionRow, width: int) -> str:
    mark = "*" if row.is_open else "!" if row.fault else " "
    saved = f"{row.saved:%d %b %H:%M}" if row.saved else ""
    behind = literal(row.fault) if row.fault else f"{saved:>13}  {row.known:>6}  {row.goodput:>17}"
    room = max(width - 45, 10)
    name = fitted(literal(row.name), room)
    return fitted(f"{mark} {name}{' ' * (room - cell_len(name))} {behind}", width)
