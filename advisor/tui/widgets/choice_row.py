"""A choice written ``( one ) [ other ]``: the brackets carry the state, not the colour."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import ClassVar

from rich.cells import cell_len
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Key
from textual.geometry import Size
from textual.message import Message
from textual.style import Style
from textual.widget import Widget

from advisor.tui.literal import literal

INDENT = 12
"""Cells before the first choice: the width of the label column of a question."""


WORD_PAUSE = 1.5
"""Seconds without a key after which a letter begins a new word."""


class ChoiceRow(Widget, can_focus=True):
    """One of several values, moved by arrows, chosen by first letter, number or click."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,up", "move(-1)", "The choice before", show=False),
        Binding("right,down", "move(1)", "The next choice", show=False),
        Binding("enter", "accept", "Accept", show=False),
    ]

    class Changed(Message):
        """Another value was chosen by the person."""

        def __init__(self, row: ChoiceRow, value: str) -> None:
            super().__init__()
            self.row = row
            self.value = value

        @property
        def control(self) -> ChoiceRow:
            """The row."""
            return self.row

    class Accepted(Message):
        """Enter was pressed."""

    class Unknown(Message):
        """The question mark was typed."""

    def __init__(self, label: str, *, id: str) -> None:  # noqa: A002 - Textual's name for it
        super().__init__(id=id)
        self._label = label
        self._choices: tuple[tuple[str, str], ...] = ()
        self._typed = ""
        self._typed_at = 0.0
        self._other_at = 0.0
        self.chosen: str | None = None

    def show(self, choices: Sequence[tuple[str, str]], chosen: str | None) -> None:
        """Show values with their labels, one of them chosen or none."""
        self._choices = tuple((value, literal(label)) for value, label in choices)
        self.chosen = chosen
        self.refresh(layout=True)

    def choose(self, value: str | None) -> None:
        """Mark a value without telling anybody."""
        self.chosen = value
        self.refresh()

    def action_move(self, by: int) -> None:
        """Choose the value beside."""
        values = [value for value, _ in self._choices]
        if self.chosen in values:
            place = min(max(values.index(self.chosen) + by, 0), len(values) - 1)
        else:
            place = 0 if by > 0 else len(values) - 1
        self._pick(values[place])

    def action_pick(self, place: int) -> None:
        """Choose the n-th value, from 0: what a click does."""
        self.focus()
        self._pick(self._choices[place][0])

    def action_accept(self) -> None:
        """Pass Enter on."""
        self.post_message(self.Accepted())

    def on_key(self, event: Key) -> None:
        """Choose by first letter or number; ``?`` means don't know."""
        sign = event.character or ""
        if sign == "?":
            self.post_message(self.Unknown())
        elif self._is_other_text(sign, monotonic()):
            pass
        elif sign.isdigit() and 0 < int(sign) <= len(self._choices):
            self._pick(self._choices[int(sign) - 1][0])
        elif sign.isalpha() or (self._typed and sign in ("_", "-", " ")):
            if value := self._type_ahead(sign.lower(), monotonic()):
                self._pick(value)
        else:
            return
        event.stop()

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """All there is."""
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the choices need."""
        return len(self._lines(width))

    def render(self) -> Content:
        """The label, then the choices, broken between choices only."""
        mark = "▸" if self.has_focus else " "
        lines = []
        for number, line in enumerate(self._lines(self.size.width)):
            head = f"{mark} {self._label}".ljust(INDENT) if number == 0 else " " * INDENT
            lines.append(Content.assemble((head, Style(bold=self.has_focus)), *line))
        return Content("\n").join(lines)

    def _lines(self, width: int) -> list[list[Content]]:
        lines: list[list[Content]] = [[]]
        used = INDENT
        for place, (value, label) in enumerate(self._choices):
            on = value == self.chosen
            text = f"[ {label} ]" if on else f"( {label} )"
            if lines[-1] and used + cell_len(text) > width:
                lines.append([])
                used = INDENT
            used += cell_len(text) + 1
            click = Style.from_meta({"@click": f"pick({place})"})
            lines[-1].append(Content.assemble((text, click + Style(bold=on)), " "))
        return lines

    def _is_other_text(self, sign: str, now: float) -> bool:
        """Whether a sign belongs to a text that is no choice: ``40 GB/s`` must not choose by its s.

        It begins with a figure there is no choice for, and lasts until typing pauses.
        """
        begins = sign.isdigit() and not 0 < int(sign) <= len(self._choices)
        if begins or (bool(sign) and now - self._other_at < WORD_PAUSE):
            self._other_at = now
            return True
        return False

    def _type_ahead(self, sign: str, now: float) -> str | None:
        """The value whose word or label begins with what is being typed; None changes nothing.

        A whole word may be typed: its later letters do not choose something else. One letter again
        and again walks through the values that begin with it; a letter that no word goes on with
        begins a new one.
        """
        going_on = now - self._typed_at < WORD_PAUSE
        self._typed_at = now
        word = self._typed + sign if going_on else sign
        if set(word) != {sign}:
            found = next((v for v, label in self._choices if _begins(v, label, word)), None)
            if found is not None:
                self._typed = word
                return found
        self._typed = sign
        return self._with_letter(sign)

    def _with_letter(self, letter: str) -> str | None:
        """The next value after the chosen one that begins with a letter."""
        values = [value for value, _ in self._choices]
        start = values.index(self.chosen) + 1 if self.chosen in values else 0
        turned = self._choices[start:] + self._choices[:start]
        return next((v for v, label in turned if _begins(v, label, letter)), None)

    def _pick(self, value: str) -> None:
        if value != self.chosen:
            self.choose(value)
            self.post_message(self.Changed(self, value))


def _begins(value: str, label: str, word: str) -> bool:
    return value.lower().startswith(word) or label.lower().startswith(word)
