"""What the drawings share: their size, and the grid with its words."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.report.axes import Axis
from advisor.report.drawing import Label, Line, Shape

WIDTH = 420.0
"""Units across a drawing: on a phone one unit is under a pixel, and 12 units of type still read."""

LEFT = 54.0
"""Units left of a plot, for the words of its ticks."""

RIGHT = 14.0
"""Units right of a plot, for half the last tick's words."""

TOP = 12.0
"""Units above a plot."""

LINE_HEIGHT = 18.0
"""Units from one line of words to the next."""

Ticks = Sequence[tuple[float, str]]
"""Values of an axis with their words."""


def grid(x: Axis, y: Axis, across: Ticks, up: Ticks, name: str) -> list[Shape]:
    """Lines at the ticks of both axes with their words, and the name of the axis across."""
    shapes: list[Shape] = []
    for value, words in up:
        shapes.append(Line(((x.start, y.at(value)), (x.end, y.at(value))), "grid"))
        shapes.append(Label(x.start - 6, y.at(value) + 4, words, "quiet", "end"))
    for value, words in across:
        shapes.append(Line(((x.at(value), y.start), (x.at(value), y.end)), "grid"))
        shapes.append(Label(x.at(value), y.start + 15, words, "quiet", "middle"))
    shapes.append(Label((x.start + x.end) / 2, y.start + 29, name, "quiet", "middle"))
    return shapes
