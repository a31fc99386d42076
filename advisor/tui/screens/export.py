"""Export of the ticket: to a file always, and to the clipboard as far as the terminal allows."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from advisor.session.atomic import write_to
from advisor.session.errors import store_error
from advisor.tui.clipboard import copy
from advisor.tui.literal import literal, literal_lines, short_path
from advisor.tui.widgets.key_line import Key, KeyLine

COMPUTING = "Computing the advice …"
"""Shown until the ticket is there."""


class ExportScreen(ModalScreen[Path | None]):
    """Asks for the path; ends with the file that was written, or None.

    It is there at once; the text to write comes when it is computed.

    Args:
        path: where it goes unless something else is typed.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Cancel", show=False)]

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._ticket = ""
        self._problem = ""
        self._waits = False
        self._path = path
        self._replaces: Path | None = None

    def compose(self) -> ComposeResult:
        """Path, result, keys."""
        with Vertical(classes="box") as box:
            box.border_title = "Export the ticket"
            yield Static(COMPUTING, id="about", markup=False)
            yield Input(literal(short_path(self._path)), compact=True, select_on_focus=False)
            yield Static("", id="result", markup=False)
            yield KeyLine(
                [Key("enter", "Write", "screen.write"), Key("esc", "Cancel", "screen.cancel")]
            )

    @property
    def is_up(self) -> bool:
        """Whether it is still open: somebody may leave before the ticket is there."""
        return bool(self.query("#about"))

    def show(self, ticket: str) -> None:
        """Take the text to write."""
        if not self.is_up:
            return
        self._ticket = ticket
        lines = ticket.count("\n")
        about = f"Markdown, {lines} lines. It is copied as well."
        self.query_one("#about", Static).update(Content(about))
        if self._waits:
            self.action_write()

    def show_problem(self, text: str) -> None:
        """Say why there is no ticket."""
        if not self.is_up:
            return
        self._problem = text
        self.query_one("#about", Static).update(Content("There is nothing to write."))
        self._say(f"! {text}")

    def on_input_changed(self) -> None:
        """Another path has to be confirmed again."""
        self._replaces = None

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter."""
        event.stop()
        self.action_write()

    def action_write(self) -> None:
        """Write the file, copy the text, say how both went."""
        if self._problem:
            return
        if not self._ticket:
            # Enter was faster than the advice: it counts as soon as there is something to write.
            self._waits = True
            return
        typed = self.query_one(Input).value.strip()
        if not typed:
            self._say("! Type a path.")
            return
        path = Path(typed).expanduser()
        if path.is_file() and self._replaces != path:
            self._replaces = path
            self._say("! There is a file of this name. Enter again replaces it.")
            return
        copied = copy(self._ticket, self.app.copy_to_clipboard)
        try:
            if path.is_dir():
                raise IsADirectoryError(21, "this is a folder")
            write_to(path, self._ticket.encode())
        except (OSError, RuntimeError, ValueError) as error:
            self._say(f"! Not written: {store_error(short_path(path), error)}\n{copied.text}")
            return
        self.app.notify(f"Written: {short_path(path)}\n{copied.text}", markup=False, timeout=8)
        self.dismiss(path)

    def action_cancel(self) -> None:
        """Nothing is written."""
        self.dismiss(None)

    def _say(self, text: str) -> None:
        self.query_one("#result", Static).update(Content("\n".join(literal_lines(text))))
