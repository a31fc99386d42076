"""The lines on top: which session, whether it is saved, and how far the interview is."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from advisor.tui.literal import fitted, literal


@dataclass(frozen=True, slots=True)
class Step:
    """One topic: its number, its title and its mark."""

    number: int
    title: str
    mark: str


class TitleLine(Static):
    """What is on the screen on the left, how things stand on the right."""

    ALLOW_SELECT = False

    def __init__(self, left: str = "", right: str = "", *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(markup=False, id=id)
        self._left = literal(left)
        self._right = literal(right)

    def show(self, left: str, right: str) -> None:
        """Show other texts."""
        if (literal(left), literal(right)) != (self._left, self._right):
            self._left, self._right = literal(left), literal(right)
            self.refresh()

    def render(self) -> Content:
        """Both texts, the left one cut where there is no room for both."""
        width = self.size.width - 2
        right = fitted(self._right, width)
        left = fitted(self._left, max(width - cell_len(right) - 2, 0))
        gap = " " * (width - cell_len(left) - cell_len(right))
        return Content.assemble(" ", (left, Style(bold=True)), gap, right, " ")


class SmallNotice(Static):
    """Says that not everything is shown; there only where the window is that small."""

    ALLOW_SELECT = False

    TEXTS = (
        "Small window: 60x16 or more shows everything.",
        "Small: 60x16 shows everything.",
        "Use 60x16.",
    )
    """The longest one that fits is shown."""

    def __init__(self) -> None:
        super().__init__(markup=False, id="too-small")

    def render(self) -> Content:
        """As much as the window has room for."""
        fitting = (text for text in self.TEXTS if cell_len(text) <= self.size.width)
        return Content(next(fitting, self.TEXTS[-1]))


class StepLine(Static):
    """The topics with their marks; a click opens one."""

    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__(markup=False, id="steps")
        self._steps: tuple[Step, ...] = ()

    def show(self, steps: tuple[Step, ...]) -> None:
        """Show other marks."""
        if steps != self._steps:
            self._steps = steps
            self.refresh()

    def render(self) -> Content:
        """Titles where they fit, else numbers."""
        full = [f"{step.number} {step.title} {step.mark}" for step in self._steps]
        gap = next((g for g in (3, 2, 1) if self._width(full, g) <= self.size.width), 0)
        texts = full if gap else [f"{step.number}{step.mark}" for step in self._steps]
        parts: list[Content | str] = [" "]
        for step, text in zip(self._steps, texts, strict=True):
            click = Style.from_meta({"@click": f"screen.topic({step.number})"})
            style = click + Style(bold=step.mark == "▸")
            parts.append(Content.assemble((text, style), " " * (gap or 2)))
        return Content.assemble(*parts)

    def _width(self, texts: list[str], gap: int) -> int:
        return sum(cell_len(text) + gap for text in texts) + 1 - gap
