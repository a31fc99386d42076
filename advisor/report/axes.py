"""Scales and their ticks: shares, durations and chances on linear and logarithmic axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10

from advisor.facts.display import format_value
from advisor.report.drawing import Point

_DURATIONS = (
    *(1.0, 2.0, 5.0, 10.0, 30.0),
    *(60.0, 120.0, 300.0, 600.0, 1800.0),
    *(3600.0, 7200.0, 14400.0, 43200.0),
    *(86400.0, 172800.0, 604800.0, 2592000.0),
)
"""Durations people think in, s."""

_STEPS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
"""Distances between ticks of a share."""


@dataclass(frozen=True, slots=True)
class Axis:
    """Values from ``low`` to ``high`` on a stretch of the drawing, linear or logarithmic."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def at(self, value: float) -> float:
        """Where a value stands; outside of the axis at its nearer end."""
        inside = min(max(value, self.low), self.high)
        if self.logarithmic:
            part = log10(inside / self.low) / log10(self.high / self.low)
        else:
            part = (inside - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)


def duration_ticks(axis: Axis, most: int = 6) -> tuple[tuple[float, str], ...]:
    """Round durations on an axis with their words, evenly thinned to at most ``most``."""
    inside = [d for d in _DURATIONS if axis.low <= d <= axis.high]
    step = -(-len(inside) // most) or 1
    return tuple((d, format_value(d, "duration")) for d in inside[::step])


def share_step(low: float, high: float, most: int = 6) -> float:
    """A round distance between ticks that gives at most ``most`` of them."""
    return next((s for s in _STEPS if (high - low) / s <= most), _STEPS[-1])


def share_ticks(axis: Axis, step: float) -> tuple[tuple[float, str], ...]:
    """Every multiple of a step on an axis of shares, in percent."""
    first = -floor(-axis.low / step + 1e-9)
    last = floor(axis.high / step + 1e-9)
    return tuple((n * step, f"{100 * n * step:.4g} %") for n in range(first, last + 1))


def above(points: Sequence[Point], low: float) -> tuple[tuple[Point, ...], ...]:
    """The stretches of a line with y of at least ``low``, ended exactly where they cross it.

    Args:
        points: x rising.
        low: in the unit of y.
    """
    out: list[tuple[Point, ...]] = []
    run: list[Point] = []
    before: Point | None = None
    for point in points:
        if before is not None and (before[1] < low) != (point[1] < low):
            part = (low - before[1]) / (point[1] - before[1])
            run.append((before[0] + part * (point[0] - before[0]), low))
        if point[1] >= low:
            run.append(point)
        elif run:
            out.append(tuple(run))
            run = []
        before = point
    return tuple(r for r in (*out, tuple(run)) if len(r) > 1)
