from __future__ import annotations

import math

import pytest

from advisor.engine.expression import Name, Value
from advisor.engine.message import (
    UNKNOWN,
    answered,
    check_message,
    money,
    percent,
    placeholders,
    points,
    render,
    shown,
)
from advisor.facts.catalogue import Kind

NAMES = {
    "stall": Name("duration"),
    "state": Name("size"),
    "rate": Name("rate"),
    "share": Name("ratio"),
    "nodes": Name("count"),
    "price": Name("money"),
    "kills": Name("per_year"),
    "creates": Name("per_second"),
    "mode": Name("choice", ("sync", "async")),
    "note": Name("text"),
    "wear": Name("money_per_tb_year"),
}


class TestPlaceholders:
    def test_are_found_in_order_with_their_column(self) -> None:
        found = placeholders("{stall:duration} of { share : percent }.")
        assert [(p.name, p.unit, p.column) for p in found] == [
            ("stall", "duration", 1),
            ("share", "percent", 21),
        ]

    def test_a_text_without_any_has_none(self) -> None:
        assert placeholders("Nothing here. [bold]not markup[/bold]") == ()


class TestCheck:
    def test_a_good_message_has_no_fault(self) -> None:
        text = "{stall:duration} {state:size} {rate:rate} {share:points} {nodes:count} {note:text}"
        assert check_message(text, NAMES) is None

    def test_an_unknown_name_is_named_with_the_nearest(self) -> None:
        fault = check_message("A {stal:duration}", NAMES)
        assert fault is not None
        assert "stal" in fault.message
        assert "stall" in fault.hint
        assert fault.column == 3

    def test_an_unknown_unit_lists_the_units(self) -> None:
        fault = check_message("{stall:seconds}", NAMES)
        assert fault is not None
        assert "seconds" in fault.message
        assert "duration" in fault.hint

    @pytest.mark.parametrize(
        ("text", "fitting"),
        [
            ("{stall:size}", "duration"),
            ("{state:duration}", "size"),
            ("{mode:percent}", "text"),
            ("{share:money}", "percent"),
        ],
    )
    def test_a_unit_that_cannot_show_the_kind_names_one_that_can(
        self, text: str, fitting: str
    ) -> None:
        fault = check_message(text, NAMES)
        assert fault is not None
        assert fitting in fault.hint

    def test_a_kind_that_no_unit_shows_says_so(self) -> None:
        fault = check_message("{wear:money}", NAMES)
        assert fault is not None
        assert fault.hint == "It cannot be shown in a message."

    @pytest.mark.parametrize("text", ["{stall}", "{stall:}", "{:duration}", "{}", "{stall.real:s}"])
    def test_half_a_placeholder_is_a_fault(self, text: str) -> None:
        assert check_message(text, NAMES) is not None

    @pytest.mark.parametrize(
        "text",
        ["{stall.__class__:duration}", "{stall[0]:duration}", "{stall!r:duration}", "{0:duration}"],
    )
    def test_nothing_of_a_format_string_gets_through(self, text: str) -> None:
        assert check_message(text, NAMES) is not None


class TestRender:
    def test_fills_each_with_its_unit(self) -> None:
        values: dict[str, Value] = {
            "stall": 90.0,
            "state": 12e12,
            "rate": 38.4e9,
            "share": 0.153,
            "mode": "sync",
        }
        text = "{stall:duration}, {state:size}, {rate:rate}, {share:percent}, {mode:text}."
        labels = {"mode": {"sync": "training waits"}}
        # By hand: 90 s; 12 x 10^12 B; 38.4 x 10^9 B/s; 0.153 of 100.
        assert render(text, NAMES, values, labels) == (
            "90 s, 12 TB, 38.4 GB/s, 15.3 %, training waits."
        )

    def test_what_a_value_holds_is_never_read_again(self) -> None:
        values: dict[str, Value] = {"note": "{stall:duration} [red]x[/red] \x1b[31m", "stall": 5.0}
        assert render("{note:text}", NAMES, values, {}) == "{stall:duration} [red]x[/red] \x1b[31m"

    def test_unknown_is_said(self) -> None:
        assert render("{stall:duration}", NAMES, {}, {}) == UNKNOWN

    def test_answered_needs_every_figure(self) -> None:
        text = "{stall:duration} and {share:percent}"
        assert answered(text, {"stall": 1.0, "share": 0.0})
        assert not answered(text, {"stall": 1.0, "share": None})
        assert not answered(text, {"stall": 1.0})
        assert answered("No figure.", {})


@pytest.mark.parametrize(
    ("value", "unit", "kind", "text"),
    [
        (0.5, "factor", "ratio", "0.5x"),
        (8.2083, "factor", "ratio", "8.21x"),
        (3.0, "factor", "count", "3x"),
        (12345.0, "factor", "ratio", "12,300x"),
        (128.0, "count", "count", "128"),
        (3.75, "count", "count", "3.75"),
        (20.4, "count", "ratio", "20"),
        (404.38, "per_year", "per_year", "404"),
        (0.0123, "per_year", "per_year", "0.0123"),
        (1234.5, "per_year", "per_year", "1,230"),
        (1e-6, "per_year", "per_second", "31.5"),  # 1e-6 x 31,536,000 s
        (math.inf, "duration", "duration", UNKNOWN),
        (math.nan, "percent", "ratio", UNKNOWN),
        (None, "money", "money", UNKNOWN),
        (4.12e6, "money", "money_per_year", "$4.12M"),
    ],
)
def test_one_value(value: float | None, unit: str, kind: Kind, text: str) -> None:
    assert shown(value, unit, kind, {}) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0 %"),
        (0.153, "15.3 %"),
        (0.0037, "0.37 %"),
        (0.00005, "under 0.01 %"),
        (0.01, "1 %"),
        (1.0, "100 %"),
        (0.8, "80 %"),
        (0.104, "10.4 %"),
        (0.001, "0.1 %"),
        (-0.153, "-15.3 %"),
    ],
)
def test_percent(share: float, text: str) -> None:
    assert percent(share) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.162, "16.2 points"), (0.003, "0.3 points"), (0.01, "1.0 point"), (0.0004, "0.04 points")],
)
def test_points(share: float, text: str) -> None:
    assert points(share) == text


@pytest.mark.parametrize(
    ("dollars", "text"),
    [
        (250.0, "$250"),
        (0.0, "$0"),
        (46_100.0, "$46.1k"),
        (999.6, "$1k"),
        (999_600.0, "$1M"),
        (4.12e6, "$4.12M"),
        (2.5e9, "$2.5B"),
        (1.2345e12, "$1,230B"),
        (-46_100.0, "-$46.1k"),
    ],
)
def test_money(dollars: float, text: str) -> None:
    assert money(dollars) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.9994, "99.9 %"),
        (0.9996, "over 99.9 %"),  # 99.96 would round to all of it
        (1 - 1e-6, "over 99.9 %"),
        (1 - 1e-15, "100 %"),
    ],
)
def test_a_share_short_of_all_is_never_rounded_to_all(share: float, text: str) -> None:
    assert percent(share) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0 points"), (4e-5, "under 0.01 points"), (-4e-5, "under 0.01 points")],
)
def test_a_difference_is_nothing_or_said_to_be_small(share: float, text: str) -> None:
    assert points(share) == text
