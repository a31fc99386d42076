"""All keys, and help on the question that is open."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from advisor.interview.flow import Question
from advisor.interview.wording import find, hint, prompt, why
from advisor.tui.actions import ACTIONS
from advisor.tui.literal import literal
from advisor.tui.widgets.key_line import Key, KeyLine

_LEGEND = """✓ answered  ? don't know  ▸ open  · not yet  ~ typed, not accepted  ! not understood
18 GB   2 TiB   400 Gb/s   30 min   1h30m   10-20 GB   ~15 GB   ? for don't know
Tab and shift+tab move between the fields; arrows, first letters or a click choose."""
"""What the marks mean and how values are written."""


class KeysScreen(ModalScreen[None]):
    """Closed by Esc or F1."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1,enter,q", "close", "Close", show=False)
    ]
    AUTO_FOCUS = "#keys"

    def __init__(self, question: Question, signs: tuple[str, ...] = ()) -> None:
        super().__init__()
        self._question = question
        self._signs = signs

    def compose(self) -> ComposeResult:
        """Help on the question first, then the keys."""
        with Vertical(classes="box tall") as box:
            box.border_title = "Keys and help"
            with VerticalScroll(id="keys"):
                yield Static(self._help(), markup=False)
            yield KeyLine(
                [Key("esc", "Close", "screen.close"), Key("↑↓", "Scroll", "screen.scroll")]
            )

    def action_close(self) -> None:
        """Back to the screen below."""
        self.dismiss(None)

    def action_scroll(self) -> None:
        """A click on the entry scrolls a page."""
        self.query_one("#keys").scroll_page_down()

    def _help(self) -> Content:
        question = self._question
        lines = [
            Content.styled(literal(prompt(question)), "bold"),
            Content(literal(f"Try: {hint(question)}")),
            Content(literal(why(question))),
            Content.styled("Find out", "bold"),
            *(Content(literal(line)) for line in find(question, self._signs)),
        ]
        default = question.specs[0].default
        if default is not None and default.source:
            taken = f"Taken while unknown: {default.text}. " if default.text else "Taken: "
            lines += [Content.styled("Without an answer", "bold")]
            lines += [Content(literal(f"{taken}{default.source}"))]
        lines += [Content(""), Content.styled("Keys", "bold")]
        lines += [
            Content(f"{action.shown:<10}{action.title:<20}{action.help}") for action in ACTIONS
        ]
        lines += [Content(""), *(Content(line) for line in _LEGEND.splitlines())]
        return Content("\n").join(lines)
