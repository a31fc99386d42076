"""Where the verdicts flip: every threshold as a factor away from the value now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from advisor.engine.advice import Advice, Threshold
from advisor.facts.display import format_value
from advisor.report.axes import Axis
from advisor.report.changes import flip_value
from advisor.report.drawing import Box, Dot, Drawing, Figure, Label, Line, Shape
from advisor.report.frame import LINE_HEIGHT, TOP, WIDTH
from advisor.report.words import amount, lowered
from advisor.report.wrap import wrapped

_AXIS = Axis(0.01, 100.0, 12.0, WIDTH - 12.0, logarithmic=True)
"""A fact over its value now: the two decades to each side that thresholds are looked for in."""

_TICKS = ((0.01, "1/100"), (0.1, "1/10"), (1.0, "now"), (10.0, "10x"), (100.0, "100x"))
"""Factors with their words."""

_COLUMNS = 48
"""Characters of a line of words, the margin right of it, in a wide font."""

_NEAR = 1.1
"""A factor below this is told in percent: "1x away" would say nothing."""

_TRACK = 10.0
"""Height of a row's track, in units."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Thresholds of one verdict, the nearest first."""

    title: str
    thresholds: tuple[Threshold, ...]


def thresholds_figure(advice: Advice) -> Figure | None:
    """All thresholds of the changes and of the interval; None where no verdict flips."""
    groups = [g for g in _groups(advice) if g.thresholds]
    if not groups:
        return None
    shapes: list[Shape] = []
    y = 0.0
    for group in groups:
        y += TOP
        for words in wrapped(group.title, _COLUMNS):
            y += LINE_HEIGHT
            shapes.append(Label(_AXIS.start, y, words, strong=True))
        for threshold in group.thresholds:
            for words in wrapped(_row(advice, threshold), _COLUMNS):
                y += LINE_HEIGHT
                shapes.append(Label(_AXIS.start, y, words))
            if _margin(threshold):
                shapes.append(Label(_AXIS.end, y, _margin(threshold), "quiet", "end"))
            y += 8
            shapes += _track(threshold, y)
            y += _TRACK + 4
    for factor, words in _TICKS:
        anchor = "start" if factor < 0.1 else "end" if factor > 10 else "middle"
        shapes.append(Label(_AXIS.at(factor), y + 12, words, "quiet", anchor))  # type: ignore[arg-type]  # one of the three above
    return Figure(
        name="thresholds",
        title="Where the verdicts flip",
        alternative=" ".join(_sentence(advice, group) for group in groups),
        drawing=Drawing(WIDTH, y + 20, tuple(shapes)),
        caption="Each fact over its value now. On the marked side the verdict no longer holds.",
    )


def _groups(advice: Advice) -> list[_Group]:
    out = []
    for step in advice.plan:
        for why, words in (("gain", "stops paying"), ("limit", "stops being possible")):
            which = [t for t in step.thresholds if t.why == why]
            out.append(_Group(f"{step.order}. {step.title}: {words}", _sorted(which)))
    title = "The interval as things are now: another verdict"
    return [*out, _Group(title, _sorted(advice.verdict.thresholds))]


def _sorted(thresholds: Sequence[Threshold]) -> tuple[Threshold, ...]:
    return tuple(sorted(thresholds, key=lambda t: t.margin))


def _row(advice: Advice, threshold: Threshold) -> str:
    side = "under" if threshold.direction == "below" else "over"
    spec = advice.facts[threshold.fact].spec
    words = f"{lowered(threshold.label)} {side} {amount(flip_value(advice, threshold), spec)}"
    return f"{words[:1].upper()}{words[1:]}, now {amount(threshold.now, spec)}"


def _margin(threshold: Threshold) -> str:
    """How far away the flip is; nothing where the value now is 0."""
    if not isfinite(threshold.margin):
        return ""
    if threshold.margin < _NEAR:
        return f"{100 * (threshold.margin - 1):.2g} % away"
    return f"{format_value(threshold.margin, 'count', digits=2)}x away"


def _track(threshold: Threshold, top: float) -> list[Shape]:
    """The line of factors, the side that no longer holds, and the flip; bare for a 0."""
    middle = top + _TRACK / 2
    shapes: list[Shape] = [Line(((_AXIS.start, middle), (_AXIS.end, middle)), "grid")]
    shapes += [
        Line(((_AXIS.at(factor), top), (_AXIS.at(factor), top + _TRACK)), "grid")
        for factor, _ in _TICKS
    ]
    if not isfinite(threshold.margin):
        return shapes
    at, now = _AXIS.at(threshold.at / threshold.now), _AXIS.at(1.0)
    ends = (_AXIS.start, at) if threshold.direction == "below" else (at, _AXIS.end)
    return [
        *shapes,
        Box(ends[0], top, max(ends[1] - ends[0], 2.0), _TRACK, "limit", faint=True),
        Line(((now, middle), (at, middle)), "now"),
        Line(((now, top), (now, top + _TRACK)), "now"),
        Dot(at, middle, "limit"),
    ]


def _sentence(advice: Advice, group: _Group) -> str:
    rows = [
        ", ".join(part for part in (_row(advice, t), _margin(t)) if part) for t in group.thresholds
    ]
    return f"{group.title}: {'; '.join(rows)}."
