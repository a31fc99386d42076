"""What the condition language refuses, with the place and the words."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import advisor.engine.expression as expression_module
from advisor.engine.expression import ExpressionError, Name, Names, compile_expression

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

# text, 1-based column of the caret, part of the message, part of the hint
REFUSED: list[tuple[str, int, str, str]] = [
    # names
    ("node > 3", 1, "no fact or value named 'node'", "did you mean 'nodes'?"),
    ("mode == sync", 9, "no fact or value named 'sync'", "in quotes: 'sync'"),
    ("known(inteval)", 7, "no fact or value named 'inteval'", "did you mean 'interval'?"),
    ("'--x' in framework_setings", 10, "framework_setings", "did you mean 'framework_settings'?"),
    ("known > 3", 1, "known is a function", "known(name)"),
    ("xyzzy > 3", 1, "no fact or value named 'xyzzy'", ""),
    ("nodes > 3 and xyzzy", 15, "no fact or value named 'xyzzy'", ""),
    # choices and texts
    ("mode == 'synch'", 9, "'synch' is no value of mode", "did you mean 'sync'?"),
    ("'synch' == mode", 1, "'synch' is no value of mode", "did you mean 'sync'?"),
    ("nvme in ['none', 'usd']", 18, "'usd' is no value of nvme", "did you mean 'used'?"),
    ("nvme == 'zzz'", 9, "'zzz' is no value of nvme", "'none', 'present', 'used'"),
    ("nvme == 1", 9, "nvme is a choice", "'present'"),
    ("mode == 5", 9, "mode is a choice", "'sync'"),
    ("mode == nodes", 9, "mode is a choice", "'sync'"),
    ("mode == nvme", 9, "mode is a choice", "'sync'"),
    ("mode < 'sync'", 6, "has no order", "use ==, != or in"),
    ("framework_version >= '0.16'", 19, "has no order", "use ==, != or in"),
    ("framework_version == 16", 22, "framework_version is a text", "in quotes"),
    ("mode + 1 > 2", 1, "mode is a choice, not a number", "'sync', 'async'"),
    ("framework_version * 2 > 1", 1, "is a text, not a number", "'word' in framework_version"),
    ("mode in []", 9, "the list is empty", ""),
    ("mode in ['sync', nodes]", 18, "mode is a choice", ""),
    ("mode in ['sync' 'async']", 10, "one pair of quotes", "commas"),
    ("mode in 'sync'", 6, "in needs a name and a list", "mode in ['sync', 'async']"),
    ("nodes in [1, 2]", 1, "nodes is a number", "use =="),
    ("nodes + 1 in ['a']", 11, "in needs a name and a list", ""),
    ("'sync' in mode", 11, "mode is not a text", ""),
    ("'' in framework_settings", 1, "is not one setting", ""),
    ("'a b' in framework_settings", 1, "is not one setting", "'--flag'"),
    ("mode == 'sync' or 'async'", 19, "a text alone is not a condition", "in ['a', 'b']"),
    ("mode", 1, "mode alone is not a condition", "mode == 'async'"),
    ("framework_version", 1, "alone is not a condition", "framework_version == 'text'"),
    # dimensions
    ("nodes > 'a'", 9, "'a' cannot be read as a plain number", ""),
    (
        "interval > state_total",
        12,
        "interval is a duration (seconds), but state_total is a size",
        "",
    ),
    ("state_total + interval > '1 GB'", 15, "is a size (bytes), but interval is a duration", ""),
    ("interval > 30", 12, "30 is a plain number", "in quotes: '30 min'"),
    ("0 < interval", 5, "0 is a plain number, but interval is a duration", "'30 min'"),
    ("interval > '10 min' + 5", 23, "5 is a plain number", "'30 min'"),
    ("interval > '10 GB'", 12, "cannot be read as a duration", ""),
    ("state_total > '18'", 15, "cannot be read as a size", ""),
    ("state_total > '18 Gb'", 15, "cannot be read as a size", ""),
    ("state_total > '10-20 GB'", 15, "is not one exact value", "'10 GB'"),
    ("state_total > '~15 GB'", 15, "is not one exact value", ""),
    ("state_total > '?'", 15, "is not one exact value", ""),
    ("pool_outages > pool_creates", 16, "per year, but pool_creates is a number per second", ""),
    (
        "node_hour > pool_committed",
        13,
        "a price per hour, but pool_committed is a price per year",
        "",
    ),
    ("pool_per_tb == nvme_committed", 16, "per TB and year", ""),
    ("min(interval, nodes) > '1 s'", 15, "nodes is a plain number", ""),
    ("state_total * interval > '3 GB'", 26, "no quantity can be written for a value in B x s", ""),
    ("state_total * interval > nodes", 26, "a value in B x s, but nodes is a plain number", ""),
    ("interval > 2 * '30 min'", 16, "'30 min' stands alone", ""),
    ("'3 min' < '5 min'", 1, "'3 min' stands alone", ""),
    # always the same, always undefined
    ("1 < 2", 1, "always the same", ""),
    ("nodes > 3 or 1 < 2", 14, "always the same", ""),
    ("nodes / 0 > 1", 9, "always divides by zero", ""),
    ("nodes / (2 - 2) > 1", 10, "always divides by zero", ""),
    ("nodes > 1e999", 9, "too large", ""),
    ("nodes > 1e300 * 1e300", 9, "too large", ""),
    ("nodes > 1" + "0" * 400, 9, "too large", ""),
    # not a condition, not a number
    ("", 1, "is empty", ""),
    ("  \n # only this", 1, "is empty", ""),
    ("nodes", 1, "a number alone is not a condition", "nodes >"),
    ("not nodes", 5, "a number alone is not a condition", ""),
    ("nodes > 3 and nodes + 1", 15, "a number alone is not a condition", ""),
    ("(nodes > 3) + 1 > 2", 2, "a number is needed here, not a condition", ""),
    ("(nodes > 3) == (nodes > 4)", 2, "a number is needed here, not a condition", ""),
    ("known(nodes) > 1", 1, "known is a condition, not a number", ""),
    # chains
    ("1 < nodes < 5 < 9", 1, "a chain is a < b < c", "and"),
    ("1 < nodes > 5", 1, "a chain is a < b < c", "and"),
    ("nodes == nodes == nodes", 1, "a chain is a < b < c", "and"),
    ("nodes > 3 in ['a']", 1, "a chain is a < b < c", ""),
    # functions
    ("min(nodes) > 1", 1, "min takes two or more values", ""),
    ("abs(nodes, nodes) > 1", 1, "abs takes one value", ""),
    ("abs() > 1", 1, "abs takes one value", ""),
    ("known(nodes, mode)", 1, "known takes plain values", ""),
    ("known(nodes > 3)", 1, "known takes the name of one fact", ""),
    ("min(*nodes) > 2", 1, "min takes plain values", ""),
    ("min(**nodes) > 2", 1, "min takes plain values", ""),
    ("knwon(nodes)", 1, "only min, max, abs and known", "did you mean 'known'?"),
    ("len(nodes) > 3", 1, "only min, max, abs and known", ""),
    ("nodes > nodes(3)", 9, "only min, max, abs and known", ""),
    # constructs outside the language
    ("nodes ** 2 > 3", 7, "'**'", ""),
    ("nodes % 2 > 3", 7, "'%'", ""),
    ("nodes // 2 > 3", 7, "'//'", "write /"),
    ("nodes @ 2 > 3", 7, "'@'", ""),
    ("nodes << 2 > 3", 7, "'<<'", ""),
    ("nodes >> 2 > 3", 7, "'>>'", ""),
    ("nodes ^ 2 > 3", 7, "'^'", ""),
    ("(nodes) | 2 > 3", 9, "'|'", "write or"),
    ("nodes & 2 > 3", 7, "'&'", "write and"),
    ("nodes is 3", 7, "'is'", "write =="),
    ("nodes is not 3", 7, "'is not'", "write !="),
    ("mode not in ['sync']", 6, "'not in'", "write not (name in"),
    ("~nodes > 1", 1, "'~' before a value", ""),
    ("+nodes > 1", 1, "'+' before a value", ""),
    ("nodes.x > 3", 1, "names have no dots", ""),
    ("nodes[0] > 3", 1, "square brackets after a name", ""),
    ("(lambda: 1) == nodes", 2, "lambda", ""),
    ("nodes > 3 if mode == 'sync' else nodes > 4", 1, "if and else", ""),
    ("[x for x in nodes] == nodes", 1, "for is not part", ""),
    ("nodes > (x for x in nodes)", 9, "for is not part", ""),
    ("{'a': 1} == nodes", 1, "braces", ""),
    ("[1] == nodes", 1, "a list only stands after in", ""),
    ("f'{nodes}' == framework_version", 1, "takes no prefix", ""),
    ("framework_version == f'{nodes}'", 22, "takes no prefix", ""),
    ("framework_version == b'a'", 22, "takes no prefix", ""),
    ("framework_version == r'a'", 22, "one pair of quotes", ""),
    ("framework_version == '''a'''", 22, "one pair of quotes", ""),
    ("interval > u'3 s'", 12, "takes no prefix", ""),
    ("(nodes := 3) > 2", 2, "':='", ""),
    ("nodes > 2j", 9, "'2j' is not a number", "in quotes"),
    ("nodes > ...", 9, "... is not a value", ""),
    ("mode == None", 9, "None is not a value", "known(name)"),
    ("nodes == True", 10, "True is not a value", "known(name)"),
    ("False", 1, "False is not a value", ""),
    # slips
    ("state_total > 18GB", 15, "'18GB' is not a number", "in quotes"),
    ("nodes > 0x10", 9, "'0x10' is not a number", ""),
    ("nodes > 1or mode == 'sync'", 9, "'1or' is not a number", ""),
    ("mode = 'sync'", 6, "a single '='", "write =="),
    ("min(nodes, key=3) > 2", 15, "a single '='", "write =="),
    ("nodes => 3", 7, "the wrong way round", ">="),
    ("nodes <> 3", 7, "'<>'", "write !="),
    ("nodes > 3 && nodes < 5", 11, "'&&'", "write and"),
    ("nodes > 3 || nodes < 5", 11, "'||'", "write or"),
    ("!known(nodes)", 1, "'!'", "write not"),
    ("tail_ratio > 75%", 16, "'%' is not used here", "'75%'"),
    ("node_hour > $3.50", 13, "amounts of money go in quotes", "'$3.50/h'"),
    ("nodes \u2265 3", 7, "this sign", ">="),
    ("mode == \u2018sync\u2019", 9, "typographic quotes", ""),
    ("\uff4eodes > 3", 1, "this character", ""),
    ("nodes > 3;", 10, "this character", ""),
    ("nodes > \\\n3", 9, "backslash", ""),
    # not one expression
    ("nodes >", 8, "cannot be read from here", ""),
    ("nodes > 3 nodes", 11, "cannot be read from here", ""),
    ("(nodes > 3", 1, "bracket is never closed", ""),
    ("nodes > 3)", 10, "closing bracket has no opening", ""),
    ("mode == 'sync", 9, "quote is never closed", ""),
    ("mode == 'sy\nnc'", 9, "quote is never closed", ""),
    ("nodes > 3\x00", 10, "cannot be shown", ""),
    ("mode == '\x1b[31m'", 10, "cannot be shown", ""),
    ("framework_version == '\ud800'", 23, "cannot be shown", ""),
    ("import os", 1, "cannot be read from here", ""),
    # the caret counts characters, not the bytes of the text before it
    ("framework_version == '\u00e9\u4e16' and node > 3", 31, "'node'", "'nodes'"),
]


@pytest.mark.parametrize(("text", "column", "message", "hint"), REFUSED)
def test_refused_with_place_and_words(text: str, column: int, message: str, hint: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        compile_expression(text, NAMES)
    assert message in caught.value.message
    assert hint in caught.value.hint
    assert caught.value.column == column
    assert caught.value.text == text


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "().__class__.__bases__[0].__subclasses__()",
        "9**9**9**9 > nodes",
        "nodes.__class__.__mro__ == 3",
        "eval('1') > nodes",
        "(lambda f: f(f))(lambda f: f(f)) > nodes",
        "[nodes for nodes in iter(int, 1)] == nodes",
        "'a' * 10**9 in framework_settings",
        "f'{().__class__}' in framework_settings",
        "known(__builtins__)",
        "-" * 1900 + "nodes > 3",
        "(" * 990 + "nodes" + ")" * 990 + " > 3",
        "+".join(["1"] * 990) + " < nodes",
        "not " * 490 + "nodes > 3",
        "[" * 1900,
        "nodes > " + "9" * 1900,
    ],
)
def test_attacks_are_refused_when_compiled(text: str) -> None:
    with pytest.raises(ExpressionError):
        compile_expression(text, NAMES)


def test_no_module_of_the_language_can_execute_text() -> None:
    folder = Path(expression_module.__file__).parent
    modules = sorted(folder.glob("expression*.py"))
    assert len(modules) > 5
    for module in modules:
        called = {
            node.id
            for node in ast.walk(ast.parse(module.read_text()))
            if isinstance(node, ast.Name)
        }
        assert not called & {"eval", "exec", "compile", "__import__", "open", "globals"}, module


def test_length_is_capped_at_two_thousand_characters() -> None:
    condition = "nodes > 3"
    longest = condition + " " * (2000 - len(condition))
    assert compile_expression(longest, NAMES).evaluate({"nodes": 4}).value is True
    with pytest.raises(ExpressionError, match="longer than 2000 characters"):
        compile_expression(longest + " ", NAMES)


def test_depth_is_capped_at_fifty_levels() -> None:
    # 48 times not, the comparison and its name are 50 levels.
    deepest = "not " * 48 + "nodes > 3"
    assert compile_expression(deepest, NAMES).evaluate({"nodes": 4}).value is True
    with pytest.raises(ExpressionError, match="50 levels deep"):
        compile_expression("not " + deepest, NAMES)


def test_error_shows_the_line_and_a_caret_under_the_place() -> None:
    with pytest.raises(ExpressionError) as caught:
        compile_expression("nodes > 3 and\n  mode == 'synch'", NAMES)
    assert str(caught.value).split("\n") == [
        "'synch' is no value of mode",
        "      mode == 'synch'",
        "              ^",
        "    did you mean 'sync'?",
    ]
    assert (caught.value.line, caught.value.column) == (2, 11)


def test_error_in_a_long_line_shows_the_part_around_the_caret() -> None:
    text = "nodes > 3 and " * 40 + "node > 3"
    with pytest.raises(ExpressionError) as caught:
        compile_expression(text, NAMES)
    _, shown, caret, _ = str(caught.value).split("\n")
    assert len(shown) <= 104
    assert shown[caret.index("^") :].startswith("node > 3")
    assert caught.value.column == 14 * 40 + 1


def test_the_parser_running_out_of_stack_is_a_refusal() -> None:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(400)
    try:
        with pytest.raises(ExpressionError, match="50 levels deep"):
            compile_expression("-" * 1900 + "nodes > 3", NAMES)
    finally:
        sys.setrecursionlimit(limit)
