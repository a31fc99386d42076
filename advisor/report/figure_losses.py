"""Where the compute goes, before and after: a waterfall from all of it down to the goodput."""

from __future__ import annotations

from advisor.engine.advice import Advice, View
from advisor.engine.message import percent
from advisor.report.axes import Axis, share_step, share_ticks
from advisor.report.drawing import Box, Drawing, Figure, Label, Line, Shape, Tone
from advisor.report.frame import LINE_HEIGHT, TOP, WIDTH
from advisor.report.words import changes_text

_LOSSES = (
    ("stall", "stalls"),
    ("drain", "drains"),
    ("restart", "restarts"),
    ("rework", "rework"),
)
"""The losses in the order of the fall, with their words."""

_SHOWN = 0.00005
"""A loss below this share is printed as 0 %: it needs no row of its own."""

_WINDOWS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""How much of the compute the axis shows, from 100 % down."""

_FILLED = 0.9
"""Most of the axis that the losses may take: the goodput bar keeps a stump."""

_FROM, _TO = 66.0, 352.0
"""Where the axis begins and ends, in units: words stand left of it, figures right."""

_BAR, _GAP = 13.0, 15.0
"""Thickness of a bar and distance from one row to the next, in units."""


def losses_figure(advice: Advice) -> Figure | None:
    """The waterfall; None while the goodput is unknown."""
    views = [("now", advice.before)]
    if advice.plan:
        views.append((f"after {changes_text(advice.plan)}", advice.after))
    falls = [(name, fall) for name, view in views if (fall := _fall(view)) is not None]
    if not falls:
        return None
    rows = [
        (key, words)
        for key, words in _LOSSES
        if any(fall[key][0] - fall[key][1] >= _SHOWN for _, fall in falls)
    ]
    lost = max(1 - fall["goodput"][0] for _, fall in falls)
    window = next(w for w in _WINDOWS if lost <= _FILLED * w or w == 1)
    axis = Axis(1 - window, 1.0, _FROM, _TO)
    names = [*rows, ("goodput", "goodput")]
    pitch = len(falls) * _BAR + _GAP
    bottom = TOP + len(names) * pitch
    shapes: list[Shape] = []
    for value, words in share_ticks(axis, share_step(axis.low, axis.high, 4)):
        shapes.append(Line(((axis.at(value), TOP - 4), (axis.at(value), bottom)), "grid"))
        shapes.append(Label(axis.at(value), bottom + 15, words, "quiet", "middle"))
    tones: tuple[Tone, Tone] = ("now", "after")
    for row, (key, words) in enumerate(names):
        top = TOP + row * pitch
        middle = top + len(falls) * _BAR / 2 + 4
        shapes.append(Label(_FROM - 8, middle, words, "text", "end", strong=key == "goodput"))
        for i, (_, fall) in enumerate(falls):
            shapes += _bar(axis, fall[key], top + i * _BAR, tones[i], goodput=key == "goodput")
            if key != "goodput":
                x = axis.at(fall[key][1])
                down = top + i * _BAR + _BAR - 1, top + pitch + i * _BAR
                shapes.append(Line(((x, down[0]), (x, down[1])), tones[i], dashed=True))
    top = bottom + 38
    for i, (name, _) in enumerate(falls):
        base = top + i * LINE_HEIGHT
        shapes += [Box(_FROM, base - 9, 20, 10, tones[i]), Label(_FROM + 28, base, name)]
    cut = "" if window == 1 else f" The axis starts at {100 * (1 - window):.4g} %."
    return Figure(
        name="where-compute-goes",
        title="Where the compute goes",
        alternative=" ".join(_sentence(name, fall, rows) for name, fall in falls),
        drawing=Drawing(WIDTH, top + len(falls) * LINE_HEIGHT, tuple(shapes)),
        caption=f"From all compute, less every loss, to the goodput.{cut}",
    )


def _fall(view: View) -> dict[str, tuple[float, float]] | None:
    """Per loss the shares it falls from and to, and goodput the other way round."""
    if view.loss is None or view.goodput is None:
        return None
    level, out = 1.0, {}
    for key, _ in _LOSSES:
        after = level - getattr(view.loss, key)
        out[key] = (level, after)
        level = after
    out["goodput"] = (view.goodput, 0.0)
    return out


def _bar(
    axis: Axis, ends: tuple[float, float], top: float, tone: Tone, *, goodput: bool
) -> list[Shape]:
    high, low = axis.at(ends[0]), axis.at(ends[1])
    figure = percent(max(ends[0] - ends[1], 0.0))
    bar = Box(low, top, max(high - low, 1.0), _BAR - 2, tone, faint=goodput)
    return [bar, Label(WIDTH - 4, top + _BAR - 3, figure, tone, "end", strong=goodput)]


def _sentence(name: str, fall: dict[str, tuple[float, float]], rows: list[tuple[str, str]]) -> str:
    lost = [f"{words} {percent(max(fall[key][0] - fall[key][1], 0.0))}" for key, words in rows]
    took = f" Lost: {', '.join(lost)}." if lost else ""
    start = name[:1].upper() + name[1:]
    return f"{start}: goodput {percent(fall['goodput'][0])}.{took}"
