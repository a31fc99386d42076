"""A short question with a few answers: resume or begin anew, reload or save elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from advisor.tui.literal import literal, literal_lines
from advisor.tui.widgets.key_line import Key as Entry
from advisor.tui.widgets.key_line import KeyLine


@dataclass(frozen=True, slots=True)
class Option:
    """One answer: its key ("enter", "escape" or a letter), and what it does in a word or two."""

    key: str
    title: str

    @property
    def shown(self) -> str:
        """The key as people read it."""
        return {"enter": "enter", "escape": "esc"}.get(self.key, self.key)


class AskScreen(ModalScreen[str]):
    """Ends with the key that was chosen."""

    def __init__(self, title: str, text: str, options: Sequence[Option]) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._options = tuple(options)

    def compose(self) -> ComposeResult:
        """Title, text and answers in a box."""
        with Vertical(classes="box") as box:
            box.border_title = literal(self._title)
            yield Static("\n".join(literal_lines(self._text)), markup=False)
            yield KeyLine(
                [Entry(o.shown, o.title, f"screen.choose('{o.key}')") for o in self._options]
            )

    def action_choose(self, key: str) -> None:
        """End with this answer."""
        self.dismiss(key)

    def on_key(self, event: Key) -> None:
        """The keys of the answers."""
        if any(option.key == event.key for option in self._options):
            event.stop()
            self.dismiss(event.key)


class AskTextScreen(ModalScreen[str | None]):
    """Asks for one line of text; ends with it, or with None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Cancel", show=False)]

    def __init__(self, title: str, text: str, value: str) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._value = value

    def compose(self) -> ComposeResult:
        """Title, text and field in a box."""
        with Vertical(classes="box") as box:
            box.border_title = literal(self._title)
            yield Static("\n".join(literal_lines(self._text)), markup=False)
            yield Input(literal(self._value), compact=True, select_on_focus=False)
            yield KeyLine(
                [
                    Entry("enter", "Accept", "screen.accept"),
                    Entry("esc", "Cancel", "screen.cancel"),
                ]
            )

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter."""
        event.stop()
        self.action_accept()

    def action_accept(self) -> None:
        """End with the text."""
        self.dismiss(self.query_one(Input).value.strip() or None)

    def action_cancel(self) -> None:
        """End without one."""
        self.dismiss(None)
