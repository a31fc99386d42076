"""What if: move a fact and see what the job would come to; nothing is changed until it is saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from advisor.facts.answers import Answer
from advisor.interview.live import live
from advisor.interview.panel import Live
from advisor.tui.estimator import Estimator
from advisor.tui.literal import fitted, literal
from advisor.tui.sliders import STEPS, Slider, bar, moved_answers
from advisor.tui.widgets.key_line import Key, KeyLine
from advisor.tui.widgets.marked_list import Line, MarkedList
from advisor.tui.widgets.steps import TitleLine

if TYPE_CHECKING:
    from advisor.engine.knowledge import Knowledge

_KEYS = (
    Key("←→", "Move", "screen.move(1)"),
    Key("shift+←→", "Ten times", f"screen.move({STEPS})"),
    Key("r", "As answered", "screen.reset"),
    Key("s", "Save as a variant", "screen.save"),
    Key("esc", "Back", "screen.close"),
)

LABEL, SHORT_LABEL, VALUE, LEAST_BAR = 28, 18, 12, 9
"""Cells of a fact's name where there is room and where not, of its value, the least of its bar."""

ROOMY = 70
"""Cells from which names are given their full width."""

COLUMN = 30
"""Cells of a column of figures."""


class WhatIfScreen(Screen[dict[str, Answer] | None]):
    """Ends with the answers of a variant to save, or None.

    Args:
        title: of the session.
        answers: as accepted.
        found: the facts that can be moved.
        knowledge: facts, rules and frameworks.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,w", "close", "Back", show=False),
        Binding("right,l,+", "move(1)", "Up", show=False, priority=True),
        Binding("left,h,-", "move(-1)", "Down", show=False, priority=True),
        Binding("shift+right", f"move({STEPS})", "Ten times", show=False, priority=True),
        Binding("shift+left", f"move(-{STEPS})", "A tenth", show=False, priority=True),
        Binding("r", "reset", "As answered", show=False),
        Binding("s", "save", "Save as a variant", show=False),
    ]
    AUTO_FOCUS = "#facts"

    def __init__(
        self,
        title: str,
        answers: Mapping[str, Answer],
        found: tuple[Slider, ...],
        knowledge: Knowledge,
    ) -> None:
        super().__init__()
        self._session_title = title
        self._answers = answers
        self._knowledge = knowledge
        self._sliders = {slider.spec.name: slider for slider in found}
        self._now: Live | None = None
        self._then: Live | None = None
        self._estimator = Estimator(self._estimated)

    def compose(self) -> ComposeResult:
        """Title, facts, figures, keys."""
        yield TitleLine("What if", self._session_title, id="title")
        yield MarkedList(id="facts")
        yield Static("", id="figures", markup=False)
        yield KeyLine(_KEYS)

    def on_mount(self) -> None:
        """The figures as answered come first."""
        compute = partial(live, knowledge=self._knowledge)
        self.run_worker(self._estimator.run(compute), group="what-if")
        self._estimator.request(self._answers)

    def on_resize(self) -> None:
        """The bars follow the width."""
        self.call_after_refresh(self._fill)

    def action_move(self, by: int) -> None:
        """Move the selected fact."""
        name = self.query_one(MarkedList).chosen
        if name is None:
            return
        self._sliders[name] = self._sliders[name].moved(by)
        self._moved()

    def action_reset(self) -> None:
        """All facts as answered."""
        self._sliders = {n: replace(slider, steps=0) for n, slider in self._sliders.items()}
        self._moved()

    def action_save(self) -> None:
        """End with the answers as they are moved."""
        if all(slider.steps == 0 for slider in self._sliders.values()):
            self.notify("Nothing is moved, so there is no variant to save.", markup=False)
            return
        self.dismiss(self._moved_answers())

    def action_close(self) -> None:
        """Back, nothing changed."""
        self.dismiss(None)

    def _moved(self) -> None:
        self._fill()
        self._estimator.request(self._moved_answers())

    def _moved_answers(self) -> dict[str, Answer]:
        return moved_answers(self._answers, tuple(self._sliders.values()), self._knowledge)

    def _estimated(self, found: Live) -> None:
        if self._now is None:
            self._now = found
        self._then = found
        if self.query("#figures"):
            self._show_figures()

    def _fill(self) -> None:
        facts = self.query_one("#facts", MarkedList)
        if facts.room <= 0:
            return
        label = LABEL if facts.room >= ROOMY else SHORT_LABEL
        width = max(facts.room - label - 2 * VALUE - 6, LEAST_BAR)
        lines = [
            Line(fitted(_line(slider, label, width), facts.room), name)
            for name, slider in self._sliders.items()
        ]
        facts.show_lines(lines, facts.chosen)

    def _show_figures(self) -> None:
        now = {line.label: line.text for line in (self._now or Live()).lines}
        then = {line.label: line.text for line in (self._then or Live()).lines}
        room = max((self.size.width - 18) // 2, 1)
        column = min(room, COLUMN)
        rows = [f" {'':<15}{'as answered':<{column}}{'as moved':<{column}}"]
        for label in dict.fromkeys((*now, *then)):
            if label:
                texts = (fitted(literal(side.get(label, "")), column - 1) for side in (now, then))
                rows.append(f" {label:<15}" + "".join(_padded(text, column) for text in texts))
        attention = [f" ! {line}" for line in (self._then or Live()).attention[:2]]
        self.query_one("#figures", Static).update(
            Content("\n".join(fitted(literal(row), self.size.width) for row in (*rows, *attention)))
        )


def _line(slider: Slider, room: int, width: int) -> str:
    mark = "~" if slider.steps else " "
    began = replace(slider, steps=0).text if slider.steps else ""
    label = _padded(fitted(f"{mark} {literal(slider.spec.label)}", room), room)
    value = _padded(slider.text, VALUE)
    was = f"was {began}" if began else ""
    return f"{label} {bar(slider.place, width)}  {value} {was}".rstrip()


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))
