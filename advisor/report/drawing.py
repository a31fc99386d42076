"""Drawings as plain data: shapes in a box of units, with tones instead of colours and no markup."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Tone = Literal["now", "after", "text", "quiet", "grid", "limit"]
"""What a shape stands for; the page has a colour for each, in light and in dark.

now and after: the two configurations; text, quiet, grid: words and axes; limit: a time-out, and the
side on which a verdict no longer holds."""

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """A line through some points; broad marks a stretch of a line without hiding it."""

    points: tuple[Point, ...]
    tone: Tone
    dashed: bool = False
    broad: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle; faint lets what is under it show."""

    x: float
    y: float
    width: float
    height: float
    tone: Tone
    faint: bool = False


@dataclass(frozen=True, slots=True)
class Dot:
    """A point that is meant; hollow ones mark what could be."""

    x: float
    y: float
    tone: Tone
    hollow: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """Words; y is their base line."""

    x: float
    y: float
    text: str
    tone: Tone = "text"
    anchor: Literal["start", "middle", "end"] = "start"
    strong: bool = False


Shape: TypeAlias = Line | Box | Dot | Label


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes in a box of ``width`` by ``height`` units, the origin at the top left."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing with its words, for formats that can show one; others lose nothing without it.

    Attributes:
        name: a short id, unique in the document, of letters and hyphens.
        title: what it is, a few words.
        alternative: what it shows, in sentences, for those who cannot see it.
        drawing: the shapes.
        caption: how to read it, one or two sentences.
    """

    name: str
    title: str
    alternative: str
    drawing: Drawing
    caption: str
