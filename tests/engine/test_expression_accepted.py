"""What the condition language accepts, and what it comes to over known values."""

from __future__ import annotations

import pytest

from advisor.engine.expression import ExpressionError, Name, Names, Value, compile_expression

NAMES: Names = {
    "nodes": Name("count"),
    "ranks_per_node": Name("count"),
    "tail_ratio": Name("ratio"),
    "state_total": Name("size"),
    "pool_write": Name("rate"),
    "interval": Name("duration"),
    "measured_save": Name("duration"),
    "pool_creates": Name("per_second"),
    "pool_outages": Name("per_year"),
    "upgrade_price": Name("money"),
    "node_hour": Name("money_per_hour"),
    "pool_committed": Name("money_per_year"),
    "pool_per_tb": Name("money_per_tb_year"),
    "nvme_committed": Name("money_per_node_year"),
    "mode": Name("choice", ("sync", "async")),
    "nvme": Name("choice", ("none", "present", "used")),
    "framework_settings": Name("text"),
    "framework_version": Name("text"),
}

VALUES: dict[str, Value] = {
    "nodes": 16,
    "ranks_per_node": 8,
    "tail_ratio": 1.5,
    "state_total": 2.0e12,
    "pool_write": 40e9,
    "interval": 1800.0,
    "measured_save": 100.0,
    "pool_creates": 20000.0,
    "pool_outages": 4.0,
    "upgrade_price": 85000.0,
    "node_hour": 28.0,
    "pool_committed": 120000.0,
    "pool_per_tb": 20.0,
    "nvme_committed": 900.0,
    "mode": "async",
    "nvme": "present",
    "framework_settings": "--save-interval 500 --ckpt-format=torch_dist --async-save-x",
    "framework_version": "0.16",
}

# Every outcome below is worked out by hand from VALUES.
CONDITIONS: list[tuple[str, bool | None]] = [
    ("nodes > 15", True),
    ("nodes >= 16", True),
    ("nodes < 16", False),
    ("nodes <= 15.5", False),
    ("nodes == 16", True),
    ("nodes != 16", False),
    ("15 < nodes", True),
    ("8 < nodes < 32", True),
    ("32 > nodes >= 17", False),
    ("nodes * ranks_per_node == 128", True),
    ("nodes - ranks_per_node * 3 == -8", True),
    ("(nodes - ranks_per_node) * 3 == 24", True),
    ("-nodes < -15", True),
    ("tail_ratio > '75%'", True),
    ("nodes < '1,024'", True),
    ("state_total > '1.9 TB'", True),
    ("'2 TB' == state_total", True),
    # 400 Gb/s is 50 GB/s, above the 40 GB/s of the pool.
    ("pool_write < '400 Gb/s'", True),
    # 2 TB at 40 GB/s takes 50 s.
    ("state_total / pool_write == '50 s'", True),
    ("state_total / pool_write > '1 min'", False),
    ("pool_write * '50 s' == state_total", None),
    ("pool_write * measured_save > state_total", True),
    ("measured_save / interval < 0.06", True),
    ("measured_save + '5 min' < interval", True),
    ("max(measured_save, '5 min') * 6 == interval", True),
    ("min(measured_save, '5 min', interval) == '100 s'", True),
    ("abs(measured_save - interval) > '28 min'", True),
    ("pool_creates * interval > 1000000", True),
    ("nodes / interval < pool_creates", True),
    ("pool_outages > '3/year'", True),
    # $120,000 a year over 4 outages a year is $30,000 an outage.
    ("pool_committed / pool_outages < upgrade_price", True),
    ("upgrade_price == '$85k'", True),
    ("node_hour > '$3.50/h'", True),
    ("pool_per_tb <= '$20/TB-year'", True),
    ("nvme_committed > '$1000/node-year'", False),
    ("mode == 'async'", True),
    ("'sync' == mode", False),
    ("mode != 'sync'", True),
    ('mode == "async"', True),
    ("mode in ['sync', 'async']", True),
    ("nvme in ('none', 'used')", False),
    ("nvme in ('present',)", True),
    ("not mode == 'sync'", True),
    ("mode == 'sync' or nodes > 3", True),
    ("mode == 'sync' and nodes > 3", False),
    ("mode == 'sync' and nodes > 3 or nvme == 'present'", True),
    ("mode == 'sync' and (nodes > 3 or nvme == 'present')", False),
    ("framework_version == '0.16'", True),
    ("framework_version in ['0.15', '0.17']", False),
    ("'--ckpt-format' in framework_settings", True),
    ("'--ckpt-format=torch_dist' in framework_settings", True),
    ("'--save-interval' in framework_settings", True),
    ("'--async-save' in framework_settings", False),
    ("'--save' in framework_settings", False),
    ("known(nodes)", True),
    ("not known(mode)", False),
    ("  nodes > 3  ", True),
    ("nodes > 3  # a comment, it's \u00e9", True),
    ("nodes > 3 # first\n  and # 'second\n\tmode == 'async'\n", True),
    ("framework_version != '\u00e9' and nodes > 15", True),
    # Real cases are conjunctions of several subjects.
    ("mode == 'sync' or state_total / nodes / pool_write > '3 s' and known(interval)", True),
]


@pytest.mark.parametrize(("text", "expected"), CONDITIONS)
def test_conditions_over_known_values(text: str, expected: bool | None) -> None:
    if expected is None:
        # A quantity beside * or / has nothing that says its unit.
        with pytest.raises(ExpressionError, match="stands alone"):
            compile_expression(text, NAMES)
        return
    outcome = compile_expression(text, NAMES).evaluate(VALUES)
    assert outcome.value is expected
    assert outcome.missing == frozenset()


def test_numbers_can_be_wanted_instead() -> None:
    # 2 TB over 16 nodes at 40 GB/s: 2e12 / 16 / 40e9 = 3.125 s.
    number = compile_expression("state_total / nodes / pool_write", NAMES, want="number")
    assert number.evaluate(VALUES).value == 3.125
    assert number.kind == "duration"
    assert number.names == {"state_total", "nodes", "pool_write"}
    assert number.comparisons == ()
    with pytest.raises(ExpressionError, match="not a condition"):
        compile_expression("nodes > 3", NAMES, want="number")
    with pytest.raises(ExpressionError, match="mode is a choice"):
        compile_expression("mode", NAMES, want="number")


def test_names_and_comparisons_are_listed() -> None:
    compiled = compile_expression(
        "1 < ( nodes + 2 )\n < 5 and known(interval) or not (mode in [ 'sync' ])", NAMES
    )
    assert compiled.names == {"nodes", "interval", "mode"}
    assert [comparison.text for comparison in compiled.comparisons] == [
        "1 < nodes + 2",
        "nodes + 2 < 5",
        "known(interval)",
        "mode in [ 'sync' ]",
    ]


@pytest.mark.parametrize(
    ("text", "values", "message"),
    [
        ("nodes > 3", {"nodes": "sixteen"}, "nodes is declared as a number"),
        ("nodes > 3", {"nodes": True}, "nodes is declared as a number"),
        ("mode == 'sync'", {"mode": 1.0}, "mode is declared as one of sync, async"),
        ("mode == 'sync'", {"mode": "synch"}, "mode is declared as one of sync, async"),
        ("'--x' in framework_settings", {"framework_settings": 1.0}, "declared as a text"),
    ],
)
def test_values_that_do_not_fit_their_declaration(
    text: str, values: dict[str, Value], message: str
) -> None:
    with pytest.raises(ExpressionError, match=message):
        compile_expression(text, NAMES).evaluate(values)
