"""The drawings hold what the figures say, where their axes put it."""

from __future__ import annotations

from math import hypot, isfinite, log10

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from advisor.engine.advice import Advice
from advisor.facts.answers import Answer
from advisor.report.axes import Axis, above, duration_ticks, share_step, share_ticks
from advisor.report.build import build_report
from advisor.report.document import Document
from advisor.report.drawing import Box, Dot, Figure, Label, Line, Shape, Tone
from advisor.report.figure_interval import interval_figure
from advisor.report.figure_losses import losses_figure
from advisor.report.figure_thresholds import thresholds_figure
from advisor.report.figure_time_out import outlasting_text, time_out_figure
from advisor.report.figures import with_figures
from advisor.report.html import render
from tests.report.html_judge import page, said
from tests.report.support import CASES, advice_on, case, job, session
from tests.report.test_report_properties import HOLES, answers
from tests.ticket_job import TICKET

WIDE, WIDE_BOLD = 6.2, 6.7
"""Units a character takes on average in DejaVu Sans, the widest of the usual fonts: measured on
screenshots of these drawings."""


def shapes(figure: Figure | None, tone: Tone | None = None) -> tuple[Shape, ...]:
    assert figure is not None
    return tuple(s for s in figure.drawing.shapes if tone in (None, s.tone))


def dots(figure: Figure | None, tone: Tone) -> list[Dot]:
    return [s for s in shapes(figure, tone) if isinstance(s, Dot)]


def labels(figure: Figure | None) -> list[str]:
    return [s.text for s in shapes(figure) if isinstance(s, Label)]


def corners(shape: Shape) -> list[tuple[float, float]]:
    match shape:
        case Line(points):
            return list(points)
        case Box(x, y, width, height):
            return [(x, y), (x + width, y + height)]
        case Dot(x, y) | Label(x, y):
            return [(x, y)]


def figures(advice: Advice) -> list[Figure]:
    document: Document = with_figures(build_report(advice), advice)
    return [f for s in document.sections for f in s.figures]


def check_inside(figure: Figure) -> None:
    """Every point is finite and within the drawing, and no words run out of it to the right."""
    width, height = figure.drawing.width, figure.drawing.height
    for shape in figure.drawing.shapes:
        for x, y in corners(shape):
            assert isfinite(x), shape
            assert isfinite(y), shape
            assert -0.01 <= x <= width + 0.01, shape
            assert -0.01 <= y <= height + 0.01, shape
        if isinstance(shape, Label):
            left, right = reach(shape)
            assert left >= 0, shape
            assert right <= width, shape


def reach(label: Label) -> tuple[float, float]:
    """Where the words of a label begin and end."""
    length = len(label.text) * (WIDE_BOLD if label.strong else WIDE)
    start = label.x - length * {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor]
    return start, start + length


# Shrinking would compute hundreds of advices; the failing answers are few enough to read.
@settings(
    deadline=None,
    max_examples=25,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow],
)
@given(answers, st.sampled_from([None, "30 s", "10 min", "10 h"]))
def test_any_job_is_drawn_inside_its_frame(
    given_answers: dict[str, Answer], time_out: str | None
) -> None:
    limit = {"collective_timeout": time_out, "drain_timeout": time_out} if time_out else {}
    advice = advice_on(session({**given_answers, **limit}))
    for figure in figures(advice):
        check_inside(figure)
    for piece in said(page(render(with_figures(build_report(advice), advice)))):
        assert HOLES.search(piece) is None, piece


@pytest.mark.parametrize("name", CASES)
def test_every_kind_of_job_is_drawn_inside_its_frame(name: str) -> None:
    for figure in figures(case(name)):
        check_inside(figure)


def test_the_example_has_all_four_where_they_belong() -> None:
    document = with_figures(build_report(case("example")), case("example"))
    drawn = [(s.name, f.name) for s in document.sections for f in s.figures]
    assert drawn == [
        ("the table of figures", "where-compute-goes"),
        ("the interval", "goodput-over-interval"),
        ("saves against the time-out", "saves-against-the-time-out"),
        ("where the verdicts flip", "thresholds"),
    ]
    names = [s.name for s in document.sections]
    assert names.index("the storage") < names.index("where the verdicts flip")
    assert names.index("where the verdicts flip") < names.index("what this rests on")


def test_too_few_answers_give_no_drawing() -> None:
    assert figures(case("no answers")) == []


# The interval.


def test_the_interval_of_the_example() -> None:
    """Figures of the worked example, as in the text."""
    figure = interval_figure(case("example"))
    assert labels(figure)[-4:] == [
        "now: 15 min, 84.7 %",
        "best now: 48 min, 89.7 %",
        "after change 1: 15 min, 94.1 %",
        "best after change 1: 19 min, 94.2 %",
    ]
    assert figure is not None
    assert figure.alternative == (
        "Now, an interval of 15 min gives 84.7 % goodput; the best, 48 min, gives 89.7 %; "
        "from 40.6 min to 56.7 min it is as good. "
        "After change 1, an interval of 15 min gives 94.1 % goodput; the best, 19 min, gives "
        "94.2 %; from 14.7 min to 24.6 min it is as good."
    )


def test_the_dots_lie_on_the_curve_and_the_best_is_its_top() -> None:
    figure = interval_figure(case("example"))
    (curve,) = (s for s in shapes(figure, "now") if isinstance(s, Line) and len(s.points) > 40)
    best, now = dots(figure, "now")[:2]
    assert best.hollow
    for dot in (best, now):
        near = min(hypot(dot.x - x, dot.y - y) for x, y in curve.points)
        assert near < 1e-6, (dot, near)
    assert best.y == min(y for _, y in curve.points)
    # A logarithmic axis: 15 min to 48 min is as far as its logarithm says of 10 min to 60 min.
    ticks = {s.text: s.x for s in shapes(figure) if isinstance(s, Label)}
    share = log10(case("example").before.best_interval / 900) / log10(6)  # type: ignore[operator]  # known for this job
    assert (best.x - now.x) / (ticks["60 min"] - ticks["10 min"]) == pytest.approx(share)


def test_the_flat_band_is_drawn_from_end_to_end() -> None:
    advice = case("example")
    (band,) = (s for s in shapes(interval_figure(advice), "now") if isinstance(s, Line) and s.broad)
    now = dots(interval_figure(advice), "now")[1]
    low, high = advice.before.flat_band or (0, 0)
    per_decade = (band.points[-1][0] - band.points[0][0]) / log10(high / low)
    assert (band.points[0][0] - now.x) / per_decade == pytest.approx(log10(low / 900))


def test_without_a_present_interval_the_best_is_still_shown() -> None:
    figure = interval_figure(job(TICKET, interval="?"))
    assert [d.hollow for d in dots(figure, "now")[:1]] == [True]
    assert not any(words.startswith("now: ") for words in labels(figure))


def test_a_plan_that_only_moves_the_interval_moves_along_the_same_curve() -> None:
    fixed = {"mode": "async", "interval": "2 min", "nvme": "none", "acceptable_pause": None}
    advice = job(TICKET, **fixed)
    assert [list(s.settings) for s in advice.plan] == [["interval"]]
    figure = interval_figure(advice)
    drawn = [s for s in shapes(figure) if isinstance(s, Line) and len(s.points) > 40]
    assert [(s.tone, s.broad) for s in drawn] == [("now", False)]
    dot = dots(figure, "after")[0]
    left = max(p for p in drawn[0].points if p[0] <= dot.x)
    right = min(p for p in drawn[0].points if p[0] >= dot.x)
    assert min(left[1], right[1]) - 0.1 <= dot.y <= max(left[1], right[1]) + 0.1
    assert not any(words.startswith("best after") for words in labels(figure))


# The losses.


def test_the_waterfall_of_the_example() -> None:
    figure = losses_figure(case("example"))
    boxes = [s for s in shapes(figure, "now") if isinstance(s, Box)]
    stall, drain, restart, rework, goodput = boxes[:5]
    # One point of loss is as wide in every row: 11.5, 2.5 and 1.4 points.
    assert stall.width / restart.width == pytest.approx(11.5 / 2.5, rel=0.02)
    assert restart.width / rework.width == pytest.approx(2.5 / 1.4, rel=0.05)
    assert drain.width == 1
    # Each begins where the one above ends, and the goodput ends where the last one does.
    assert restart.x + restart.width == pytest.approx(stall.x)
    assert rework.x + rework.width == pytest.approx(restart.x)
    assert goodput.x + goodput.width == pytest.approx(rework.x)
    assert figure is not None
    assert figure.caption.endswith("The axis starts at 80 %.")
    assert figure.alternative.startswith(
        "Now: goodput 84.7 %. Lost: stalls 11.5 %, drains 0 %, restarts 2.5 %, rework 1.4 %."
    )


def test_without_a_plan_there_is_one_waterfall() -> None:
    figure = losses_figure(case("async already"))
    assert shapes(figure, "after") == ()
    assert labels(figure)[-1] == "now"


def test_a_loss_of_nearly_everything_starts_the_axis_at_zero() -> None:
    figure = losses_figure(job(TICKET, pool_write="1 GB/s"))
    assert figure is not None
    assert "axis" not in figure.caption
    assert "0 %" in labels(figure)


# The thresholds.


def test_the_thresholds_of_the_example() -> None:
    figure = thresholds_figure(case("example"))
    written = labels(figure)
    assert written[0] == "1. Save asynchronously: stops paying"
    assert written[1:3] == ["Slow-down while draining over 93.7 %, now 10 %", "9.4x away"]
    assert "1. Save asynchronously: stops being possible" in written
    assert "Free host memory under 117 GB, now 1 TB" in written
    assert "The interval as things are now: another verdict" in written


def test_a_flip_stands_as_far_from_now_as_its_factor() -> None:
    figure = thresholds_figure(case("example"))
    ticks = {s.text: s.x for s in shapes(figure) if isinstance(s, Label)}
    decade = ticks["10x"] - ticks["now"]
    first = dots(figure, "limit")[0]
    assert (first.x - ticks["now"]) / decade == pytest.approx(log10(93.7 / 10), abs=1e-3)
    # Over it the change no longer pays: the marked side is the right one, to the end.
    side = next(s for s in shapes(figure, "limit") if isinstance(s, Box))
    assert (side.x, side.x + side.width) == pytest.approx((first.x, ticks["100x"]))
    memory = dots(figure, "limit")[4]
    assert memory.x < ticks["now"]


def test_the_nearest_flip_of_a_verdict_comes_first_and_a_hair_is_told_in_percent() -> None:
    nearest = case("two steps").plan[0].thresholds
    assert thresholds_figure(case("two steps")) is not None
    assert nearest != ()
    margins = [w for w in labels(thresholds_figure(case("example"))) if w.endswith(" away")]
    assert margins[:4] == ["9.4x away", "15x away", "72x away", "84x away"]


# The time-out.


def test_saves_against_a_near_time_out() -> None:
    """Median 120 s, p99/p50 of 1.5: 3 min is z = 2.3263, one save in a hundred."""
    figure = time_out_figure(job(TICKET, collective_timeout="3 min", mode="sync"))
    assert "time-out 3 min" in labels(figure)
    assert "now: 1 save in 100 outlasts 3 min" in labels(figure)
    ticks = {s.text: s.y for s in shapes(figure) if isinstance(s, Label)}
    dot = dots(figure, "now")[0]
    # Words stand 4 units under their tick.
    assert dot.y == pytest.approx(ticks["1 in 100"] - 4, abs=0.01)


def test_a_far_time_out_is_at_the_foot_and_not_said_to_be_zero() -> None:
    figure = time_out_figure(job(TICKET, collective_timeout="1 h"))
    assert "now: no save in a billion outlasts 60 min" in labels(figure)


@pytest.mark.parametrize(
    ("chance", "said"),
    [
        (1.0, "nearly every save outlasts"),
        (0.53, "53 of 100 saves outlast"),
        (0.1, "10 of 100 saves outlast"),
        (0.0996, "1 save in 10 outlasts"),
        (1 / 3210, "1 save in 3,200 outlasts"),
        (2e-7, "1 save in 5,000,000 outlasts"),
        (1e-20, "no save in a billion outlasts"),
        (0.0, "no save in a billion outlasts"),
    ],
)
def test_chances_in_words(chance: float, said: str) -> None:
    assert outlasting_text(chance) == said


# Axes.


def test_an_axis_keeps_what_is_outside_at_its_ends() -> None:
    axis = Axis(1, 100, 0, 10, logarithmic=True)
    assert [axis.at(v) for v in (0.5, 1, 10, 100, 1e6)] == pytest.approx([0, 0, 5, 10, 10])


@given(st.floats(1, 1e6), st.floats(2, 1e4))
def test_ticks_are_on_the_axis_and_few(low: float, factor: float) -> None:
    ticks = duration_ticks(Axis(low, low * factor, 0, 1, logarithmic=True))
    assert len(ticks) <= 6
    assert all(low <= t <= low * factor for t, _ in ticks)


@given(st.floats(0, 0.99), st.floats(0.002, 1))
def test_shares_have_round_ticks(low: float, height: float) -> None:
    high = min(1.0, low + height)
    step = share_step(low, high)
    ticks = share_ticks(Axis(low, high, 0, 1), step)
    assert len(ticks) <= 7
    assert all(low - 1e-9 <= t <= high + 1e-9 for t, _ in ticks)
    assert all(words == f"{100 * t:.4g} %" for t, words in ticks)


def test_a_line_ends_where_it_crosses_the_foot() -> None:
    line = [(0.0, 0.0), (2.0, 2.0), (3.0, 4.0), (4.0, 0.0), (5.0, 0.0), (6.0, 2.0)]
    assert above(line, 1.0) == (
        ((1.0, 1.0), (2.0, 2.0), (3.0, 4.0), (3.75, 1.0)),
        ((5.5, 1.0), (6.0, 2.0)),
    )
    assert above(line, 5.0) == ()
