"""Drawings as inline SVG: no script, no font and no address; every word escaped."""

from __future__ import annotations

import html

from advisor.report.characters import visible
from advisor.report.drawing import Box, Dot, Figure, Label, Line, Shape

_RADIUS = 4.5
"""Of a dot, in units of the drawing."""


def render(figure: Figure) -> str:
    """One figure as an ``svg`` element with its title and its alternative inside.

    Args:
        figure: its name makes the ids, so it must be unique in the page.
    """
    drawing, name = figure.drawing, _escaped(figure.name)
    size = f"0 0 {_number(drawing.width)} {_number(drawing.height)}"
    ids = f'aria-labelledby="{name}-title {name}-text"'
    head = (
        f'<title id="{name}-title">{_escaped(figure.title)}</title>'
        f'<desc id="{name}-text">{_escaped(figure.alternative)}</desc>'
    )
    shapes = "\n".join(_shape(shape) for shape in drawing.shapes)
    return f'<svg viewBox="{size}" role="img" {ids}>{head}\n{shapes}\n</svg>'


def _shape(shape: Shape) -> str:
    match shape:
        case Line(points, tone, dashed, broad):
            path = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
            more = " dashed" * dashed + " broad" * broad
            return f'<polyline class="line {tone}{more}" points="{path}"/>'
        case Box(x, y, width, height, tone, faint):
            return (
                f'<rect class="fill {tone}{" faint" * faint}" x="{_number(x)}" y="{_number(y)}" '
                f'width="{_number(width)}" height="{_number(height)}"/>'
            )
        case Dot(x, y, tone, hollow):
            look = "hollow" if hollow else "fill"
            return (
                f'<circle class="{look} {tone}" cx="{_number(x)}" cy="{_number(y)}" r="{_RADIUS}"/>'
            )
        case Label(x, y, text, tone, anchor, strong):
            more = " strong" * strong
            return (
                f'<text class="words {tone}{more}" x="{_number(x)}" y="{_number(y)}" '
                f'text-anchor="{anchor}">{_escaped(text)}</text>'
            )


def _escaped(text: str) -> str:
    return html.escape(visible(text).replace("\n", " "))


def _number(value: float) -> str:
    """A coordinate to a hundredth of a unit, never with an exponent."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
