"""Unknown facts: three-valued outcomes, what is missing, and which comparison decides."""

from __future__ import annotations

import math
from typing import Any

import pytest

from advisor.engine.expression import Name, Names, Outcome, Value, compile_expression

NAMES: Names = {
    "nodes": Name("count"),
    "interval": Name("duration"),
    "job_mtbf": Name("duration"),
    "state_total": Name("size"),
    "pool_write": Name("rate"),
    "mode": Name("choice", ("sync", "async")),
    "nvme": Name("choice", ("none", "present", "used")),
    "framework_settings": Name("text"),
}


def outcome(text: str, want: Any = "condition", **values: Value) -> Outcome:
    return compile_expression(text, NAMES, want=want).evaluate(values)


@pytest.mark.parametrize("unknown", [{}, {"job_mtbf": None}, {"job_mtbf": math.nan}])
def test_absent_none_and_nan_are_unknown(unknown: dict[str, Value]) -> None:
    result = compile_expression("job_mtbf > '1 h'", NAMES).evaluate(unknown)
    assert result == Outcome(None, frozenset({"job_mtbf"}))
    assert compile_expression("known(job_mtbf)", NAMES).evaluate(unknown) == Outcome(False)


# Kleene's strong tables, row by row: left, right, and, or.
KLEENE = [
    (True, True, True, True),
    (True, False, False, True),
    (True, None, None, True),
    (False, True, False, True),
    (False, False, False, False),
    (False, None, False, None),
    (None, True, None, True),
    (None, False, False, None),
    (None, None, None, None),
]


@pytest.mark.parametrize(("left", "right", "both", "either"), KLEENE)
def test_tables_of_and_and_or(
    left: bool | None, right: bool | None, both: bool | None, either: bool | None
) -> None:
    nodes = {True: 5.0, False: 1.0, None: None}[left]
    mode = {True: "sync", False: "async", None: None}[right]
    unknown = {name for name, value in (("nodes", nodes), ("mode", mode)) if value is None}
    for word, expected in (("and", both), ("or", either)):
        result = outcome(f"nodes > 3 {word} mode == 'sync'", nodes=nodes, mode=mode)
        assert result.value is expected
        assert result.missing == (unknown if expected is None else set())


def test_not_unknown_is_unknown() -> None:
    assert outcome("not nodes > 3") == Outcome(None, frozenset({"nodes"}))


@pytest.mark.parametrize(
    ("text", "values", "value", "missing"),
    [
        # An unknown beside something that decides does not matter, whatever the order.
        ("job_mtbf > '5 h' or nvme == 'used'", {"nvme": "used"}, True, set()),
        ("nvme == 'used' or job_mtbf > '5 h'", {"nvme": "used"}, True, set()),
        ("job_mtbf > '5 h' and nvme == 'used'", {"nvme": "used"}, None, {"job_mtbf"}),
        # The decided half of an undecided whole asks for nothing.
        (
            "(nodes > 3 or mode == 'sync') and (interval > '1 h' or nvme == 'used')",
            {"nodes": 4.0, "nvme": "none"},
            None,
            {"interval"},
        ),
        ("1 < nodes < 5 and mode == 'sync'", {"nodes": 9.0}, False, set()),
        # Operands: every unknown one is named, the known ones are not.
        (
            "state_total / pool_write > interval",
            {"interval": 60.0},
            None,
            {"state_total", "pool_write"},
        ),
        ("max(interval, job_mtbf) > '1 h'", {"interval": 7200.0}, None, {"job_mtbf"}),
        ("min(interval, job_mtbf) > '1 h'", {}, None, {"interval", "job_mtbf"}),
        ("abs(interval - job_mtbf) > '1 h'", {"job_mtbf": 1.0}, None, {"interval"}),
        # Division by zero is unknown and points at the divisor.
        (
            "state_total / pool_write > '1 s'",
            {"state_total": 1.0, "pool_write": 0.0},
            None,
            {"pool_write"},
        ),
        (
            "state_total / (pool_write * nodes) > '1 s'",
            {"state_total": 1.0, "pool_write": 0.0, "nodes": 3.0},
            None,
            {"pool_write", "nodes"},
        ),
        (
            "state_total / pool_write > '1 s'",
            {"pool_write": 0.0},
            None,
            {"state_total", "pool_write"},
        ),
        # Infinities that cancel have no value; both ends are named.
        (
            "interval - job_mtbf > '1 s'",
            {"interval": math.inf, "job_mtbf": math.inf},
            None,
            {"interval", "job_mtbf"},
        ),
        ("job_mtbf > '1 h'", {"job_mtbf": math.inf}, True, set()),
        # known() never is unknown and never asks for its fact.
        ("known(interval) and interval > '1 h'", {}, False, set()),
        ("known(interval) or nodes > 3", {}, None, {"nodes"}),
        ("not known(mode) and nodes > 3", {"nodes": 4.0}, True, set()),
        (
            "mode in ['sync'] or '--x' in framework_settings",
            {},
            None,
            {"mode", "framework_settings"},
        ),
    ],
)
def test_unknown_outcomes_name_what_matters(
    text: str, values: dict[str, Value], value: bool | None, missing: set[str]
) -> None:
    result = compile_expression(text, NAMES).evaluate(values)
    assert result.value is value
    assert result.missing == missing


def test_unknown_number() -> None:
    result = outcome("state_total / pool_write", want="number", state_total=8.0)
    assert result == Outcome(None, frozenset({"pool_write"}))


@pytest.mark.parametrize(
    ("settings", "contained"),
    [
        ("--async-save", True),
        ("--async-save=true", True),
        ("--lr 1 --async-save --x", True),
        ("--lr 1\n  --async-save \\\n  --x", True),
        ("--async-save-x", False),
        ("--no--async-save", False),
        ("", False),
    ],
)
def test_a_flag_is_found_as_a_whole_word(settings: str, contained: bool) -> None:
    result = outcome("'--async-save' in framework_settings", framework_settings=settings)
    assert result.value is contained


def test_trace_shows_what_each_comparison_saw_and_which_ones_decide() -> None:
    compiled = compile_expression(
        "nodes > 3 and (mode == 'sync' or interval > '1 h') and known(job_mtbf)", NAMES
    )
    trace = compiled.trace({"nodes": 4.0, "mode": "async", "interval": 7200.0, "job_mtbf": 9.0})
    assert [(line.text, line.left, line.right, line.outcome, line.decisive) for line in trace] == [
        ("nodes > 3", 4.0, 3.0, True, True),
        # Turned round it would be true or true: nothing changes.
        ("mode == 'sync'", "async", "sync", False, False),
        ("interval > '1 h'", 7200.0, 3600.0, True, True),
        ("known(job_mtbf)", 9.0, None, True, True),
    ]
    assert [line.kind for line in trace] == ["count", "choice", "duration", "duration"]


def test_trace_of_a_false_condition() -> None:
    compiled = compile_expression("nodes > 3 and mode == 'sync'", NAMES)
    # Both false: neither alone turns the whole round. One false: it alone does.
    assert [t.decisive for t in compiled.trace({"nodes": 1.0, "mode": "async"})] == [False, False]
    assert [t.decisive for t in compiled.trace({"nodes": 1.0, "mode": "sync"})] == [True, False]


def test_trace_with_unknowns() -> None:
    compiled = compile_expression("nodes > 3 and mode in ['sync', 'async']", NAMES)
    unknown, known = compiled.trace({"mode": "sync"})
    assert (unknown.left, unknown.right, unknown.outcome, unknown.decisive) == (
        None,
        3.0,
        None,
        False,
    )
    # The whole is unknown, so nothing turns it round.
    assert (known.left, known.right, known.decisive) == ("sync", ("sync", "async"), False)
    # False whatever the unknown: turned round the whole would be unknown, not true.
    assert [t.decisive for t in compiled.trace({"nodes": 1.0})] == [False, False]


def test_trace_of_a_number_is_empty() -> None:
    assert compile_expression("nodes + 1", NAMES, want="number").trace({"nodes": 1.0}) == []


def test_a_comparison_can_be_evaluated_alone() -> None:
    first, second = compile_expression("nodes > 3 or interval > '1 h'", NAMES).comparisons
    assert first.evaluate({"nodes": 4.0}) == Outcome(True)
    assert second.evaluate({"nodes": 4.0}) == Outcome(None, frozenset({"interval"}))
    assert second.names == {"interval"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("32 > nodes", "count"),
        ("2 * nodes == 32", "count"),
        ("nodes / 2 > 0.5", "ratio"),
        ("state_total / pool_write > interval", "duration"),
        ("state_total * interval > pool_write * interval * interval", None),
    ],
)
def test_a_comparison_knows_the_kind_its_sides_are_shown_in(text: str, kind: str | None) -> None:
    assert compile_expression(text, NAMES).comparisons[0].kind == kind
