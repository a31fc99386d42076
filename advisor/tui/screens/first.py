"""What is painted before anything is read: the lines that stay, and what the interview is."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Static

from advisor.tui.actions import footer
from advisor.tui.widgets.key_line import KeyLine
from advisor.tui.widgets.steps import TitleLine

WELCOME = "Five questions. Enter accepts, ? is don't know; answers are saved at once."
"""The line of orientation of a session without answers."""


class FirstScreen(Screen[None]):
    """Stands until the questions are read, a tenth of a second on a fast machine.

    On a slow or distant disk it says that the program is there; what is typed meanwhile waits.
    """

    def compose(self) -> ComposeResult:
        """Title and keys where the interview has them."""
        yield TitleLine("ckpt-advisor", "reading the questions", id="title")
        with Vertical(id="first"):
            yield Static(WELCOME, markup=False)
        yield KeyLine(footer())
