"""How near the saves come to the time-out: the chance to outlast a limit, over limits."""

from __future__ import annotations

from math import floor, log10

from advisor.engine.advice import Advice
from advisor.engine.curve_types import SaveTail
from advisor.facts.display import format_value
from advisor.report.axes import Axis, above, duration_ticks
from advisor.report.drawing import Dot, Drawing, Figure, Label, Line, Shape, Tone
from advisor.report.frame import LINE_HEIGHT, RIGHT, TOP, WIDTH, grid
from advisor.report.words import changes_text

_LEAST = 1e-6
"""Chances below one save in a million are drawn at the foot."""

_NEVER = 1e-9
"""A chance below this is only said to be below it: no model of a tail holds that far out."""

_NEARLY_ALL = 0.999
"""The axis begins where the first save in a thousand is done."""

_BESIDE = 1.2
"""How far the axis goes beyond the last point shown, as a factor."""

_FROM = 104.0
"""Where the plot begins, in units: "1 in 1,000,000" stands left of it."""

_PLOT = 170.0
"""Height of the plot, in units."""

_UP = ((1.0, "every save"), *((10.0**-n, f"1 in {10**n:,}") for n in range(1, 7)))
"""Chances with their words."""


def time_out_figure(advice: Advice) -> Figure | None:
    """Saves against the time-out, now and after the plan; None where no time-out is known."""
    tails: list[tuple[str, Tone, SaveTail]] = []
    if advice.before.tail is not None:
        tails.append(("now", "now", advice.before.tail))
    if advice.plan and advice.after.tail is not None:
        tails.append((f"after {changes_text(advice.plan)}", "after", advice.after.tail))
    if not tails:
        return None
    ends = [_ends(tail) for _, _, tail in tails]
    x = Axis(min(e[0] for e in ends), max(e[1] for e in ends), _FROM, WIDTH - RIGHT, True)
    y = Axis(log10(_LEAST), 0.0, TOP + _PLOT, TOP)
    up = [(log10(chance), words) for chance, words in _UP]
    shapes = grid(x, y, duration_ticks(x, 5), up, _across(tails[0][2]))
    for _, tone, tail in tails:
        shapes += _curve(tail, tone, x, y)
    for tail in {t.limit: t for _, _, t in tails}.values():
        shapes += _limit(tail, x, y)
    top = TOP + _PLOT + 48
    for row, (name, tone, tail) in enumerate(tails):
        base = top + row * LINE_HEIGHT
        shapes.append(Dot(x.at(tail.limit), y.at(_log(tail.outlasts_limit)), tone))
        shapes.append(Dot(18, base - 4, tone))
        shapes.append(Label(30, base, _legend(name, tail)))
    return Figure(
        name="saves-against-the-time-out",
        title="Saves against the time-out",
        alternative=" ".join(_sentence(name, tail) for name, _, tail in tails),
        drawing=Drawing(WIDTH, top + len(tails) * LINE_HEIGHT, tuple(shapes)),
        caption=" ".join(dict.fromkeys(_counted(tail) for _, _, tail in tails)),
    )


def _log(chance: float) -> float:
    return log10(max(chance, 1e-300))


def _ends(tail: SaveTail) -> tuple[float, float]:
    """The part of the tail worth drawing, s: from nearly every save to one in a million."""
    pairs = list(zip(tail.seconds, tail.chance, strict=True))
    first = next((t for t, p in pairs if p < _NEARLY_ALL), tail.seconds[-1])
    last = next((t for t, p in reversed(pairs) if p >= _LEAST), tail.seconds[0])
    return min(first, tail.limit) / _BESIDE, max(last, tail.limit) * _BESIDE


def _curve(tail: SaveTail, tone: Tone, x: Axis, y: Axis) -> list[Shape]:
    points = [
        (t, _log(p)) for t, p in zip(tail.seconds, tail.chance, strict=True) if x.low <= t <= x.high
    ]
    return [
        Line(tuple((x.at(t), y.at(p)) for t, p in run), tone, dashed=tone == "after")
        for run in above(points, y.low)
    ]


def _limit(tail: SaveTail, x: Axis, y: Axis) -> list[Shape]:
    at = x.at(tail.limit)
    right = at < (x.start + x.end) / 2
    words = f"time-out {format_value(tail.limit, 'duration')}"
    return [
        Line(((at, y.start), (at, y.end)), "limit"),
        Label(at + (6 if right else -6), y.end + 12, words, "limit", "start" if right else "end"),
    ]


def outlasting_text(chance: float) -> str:
    """A chance in words: "53 of 100 saves outlast", "1 save in 3,200 outlasts"."""
    if chance >= 0.995:
        return "nearly every save outlasts"
    if chance >= 0.1:
        return f"{round(100 * chance)} of 100 saves outlast"
    if chance < _NEVER:
        return "no save in a billion outlasts"
    one_in = 1 / chance
    digit = 10 ** (floor(log10(one_in)) - 1)
    return f"1 save in {round(one_in / digit) * digit:,.0f} outlasts"


def _legend(name: str, tail: SaveTail) -> str:
    return f"{name}: {outlasting_text(tail.outlasts_limit)} {_shown(tail)}"


def _shown(tail: SaveTail) -> str:
    return format_value(tail.limit, "duration")


def _across(tail: SaveTail) -> str:
    return "from the first writer to the last" if tail.spread else "time of a save"


def _sentence(name: str, tail: SaveTail) -> str:
    start = name[:1].upper() + name[1:]
    return f"{start}, {outlasting_text(tail.outlasts_limit)} the time-out of {_shown(tail)}."


def _counted(tail: SaveTail) -> str:
    if tail.spread:
        return "Counted from the first writer that is done to the last."
    if tail.drains:
        return "The save runs in the background; its group has a time-out of its own."
    return "The whole save is held against it, which is an upper bound."
