"""Goodput over intervals: where the job is, where the best is, and how flat it is there."""

from __future__ import annotations

from dataclasses import dataclass, replace

from advisor.engine.advice import Advice, View
from advisor.engine.curve_types import GoodputCurve
from advisor.engine.message import percent
from advisor.report.axes import Axis, above, duration_ticks, share_step, share_ticks
from advisor.report.drawing import Dot, Drawing, Figure, Label, Line, Shape, Tone
from advisor.report.frame import LEFT, LINE_HEIGHT, RIGHT, TOP, WIDTH, grid
from advisor.report.words import changes_text, interval_text, span

_PLOT = 190.0
"""Height of the plot, in units of the drawing."""

_BESIDE = 2.5
"""How far the axis goes beyond the outermost point shown, as a factor."""

_LEAST_DECADES = 20.0
"""The axis spans at least this factor, or a flat curve has no shape."""

_UNDER = 0.5
"""How far the axis goes below the lowest point shown, as a share of their distance."""

_LEAST_SHARE = 0.02
"""Least height of the axis in goodput: less would blow up differences nobody can measure."""


@dataclass(frozen=True, slots=True)
class _Series:
    """One configuration as it is drawn."""

    name: str
    tone: Tone
    curve: GoodputCurve | None
    now: tuple[float, float] | None
    best: tuple[float, float] | None
    band: tuple[float, float] | None

    @property
    def marks(self) -> tuple[tuple[float, float], ...]:
        """Interval and goodput of the points shown."""
        return tuple(m for m in (self.now, self.best) if m is not None)


def interval_figure(advice: Advice) -> Figure | None:
    """The curve now and after the plan; None where there is none, or no point on it."""
    series = [s for s in _all_series(advice) if s.marks]
    if not series:
        return None
    x, y = _axes(series)
    bottom = TOP + _PLOT
    shapes: list[Shape] = grid(
        x, y, duration_ticks(x), share_ticks(y, share_step(y.low, y.high)), "interval"
    )
    for one in series:
        shapes += _curve(one, x, y)
    for one in series:
        shapes += _dots(one, x, y)
    rows = _legend(advice, series)
    top = bottom + 46
    for row, (one, hollow, words) in enumerate(rows):
        base = top + row * LINE_HEIGHT
        shapes += [*_key(one, base, hollow=hollow), Label(LEFT, base, words)]
    height = top + len(rows) * LINE_HEIGHT
    return Figure(
        name="goodput-over-interval",
        title="Goodput against interval",
        alternative=" ".join(_sentence(advice, one) for one in series),
        drawing=Drawing(WIDTH, height, tuple(shapes)),
        caption="The thick stretch holds every interval within 0.1 point of the best.",
    )


def _all_series(advice: Advice) -> list[_Series]:
    before, after = advice.before, advice.after
    out = []
    if before.curve is not None:
        out.append(_series("now", "now", before, before.curve))
    if advice.plan and after.curve is not None:
        later = _series(f"after {changes_text(advice.plan)}", "after", after, after.curve)
        if out and later.best is not None and later.best == out[0].best:
            # The changes leave the curve as it is: only the point moves.
            later = replace(later, curve=None, best=None, band=None)
        out.append(later)
    return out


def _series(name: str, tone: Tone, view: View, curve: GoodputCurve) -> _Series:
    now = _point(view.shown_interval, view.goodput, curve)
    best = _point(view.shown_best, view.best_goodput, curve)
    return _Series(name, tone, curve, now, best, view.shown_band if best else None)


def _point(
    interval: float | None, goodput: float | None, curve: GoodputCurve
) -> tuple[float, float] | None:
    """A point of the drawing; None where the curve does not reach it."""
    if interval is None or goodput is None or not curve.intervals:
        return None
    inside = curve.intervals[0] <= interval <= curve.intervals[-1]
    return (interval, goodput) if inside and goodput > 0 else None


def _axes(series: list[_Series]) -> tuple[Axis, Axis]:
    intervals = [m[0] for s in series for m in s.marks]
    low, high = min(intervals) / _BESIDE, max(intervals) * _BESIDE
    widen = max(1.0, (_LEAST_DECADES * low / high) ** 0.5)
    x = Axis(low / widen, high * widen, LEFT, WIDTH - RIGHT, logarithmic=True)
    shares = [m[1] for s in series for m in s.marks]
    top, least = max(shares), min(shares)
    height = max((top - least) * (1 + _UNDER), _LEAST_SHARE)
    step = share_step(0.0, height * 1.1)
    ceiling = min(1.0, top + height * 0.1)
    bottom = max(0.0, step * int((top - height) / step))
    return x, Axis(bottom, ceiling, TOP + _PLOT, TOP)


def _curve(one: _Series, x: Axis, y: Axis) -> list[Shape]:
    if one.curve is None:
        return []
    pairs = zip(one.curve.intervals, one.curve.goodput, strict=True)
    points = [(t, g) for t, g in pairs if x.low <= t <= x.high]
    shapes: list[Shape] = []
    for run in above(points, y.low):
        if one.band is not None:
            low, high = one.band
            flat = tuple((x.at(t), y.at(g)) for t, g in run if low <= t <= high)
            shapes += [Line(flat, one.tone, broad=True)] if len(flat) > 1 else []
        shapes.append(
            Line(tuple((x.at(t), y.at(g)) for t, g in run), one.tone, dashed=one.tone == "after")
        )
    return shapes


def _dots(one: _Series, x: Axis, y: Axis) -> list[Shape]:
    shapes: list[Shape] = []
    if one.best is not None:
        shapes.append(Dot(x.at(one.best[0]), y.at(one.best[1]), one.tone, hollow=True))
    if one.now is not None:
        shapes.append(Dot(x.at(one.now[0]), y.at(one.now[1]), one.tone))
    return shapes


def _key(one: _Series, base: float, *, hollow: bool) -> list[Shape]:
    """The mark of a legend row, on a piece of its line where one is drawn."""
    y = base - 4
    piece = Line(((8, y), (LEFT - 10, y)), one.tone, dashed=one.tone == "after")
    dot = Dot((LEFT - 2) / 2, y, one.tone, hollow=hollow)
    return [dot] if one.curve is None else [piece, dot]


def _legend(advice: Advice, series: list[_Series]) -> list[tuple[_Series, bool, str]]:
    """Per row its configuration, whether its dot is hollow, and its words."""
    rows: list[tuple[_Series, bool, str]] = []
    for one in series:
        if one.now is not None:
            words = f"{one.name}: {interval_text(advice, one.now[0])}, {percent(one.now[1])}"
            rows.append((one, False, words))
        if one.best is not None:
            words = f"best {one.name}: {interval_text(advice, one.best[0])}"
            rows.append((one, True, f"{words}, {percent(one.best[1])}"))
    return rows


def _sentence(advice: Advice, one: _Series) -> str:
    name = one.name[:1].upper() + one.name[1:]
    parts = []
    if one.now is not None:
        parts.append(
            f"an interval of {interval_text(advice, one.now[0])} gives "
            f"{percent(one.now[1])} goodput"
        )
    if one.best is not None:
        parts.append(
            f"the best, {interval_text(advice, one.best[0])}, gives {percent(one.best[1])}"
        )
    if one.band is not None:
        parts.append(f"from {span(advice, one.band)} it is as good")
    return f"{name}, {'; '.join(parts)}."
