"""TOML files that people break: each fault names the place, and nothing hangs or overflows."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from advisor.facts.toml_scan import Scanner
from advisor.facts.toml_text import (
    TomlFault,
    decode_toml,
    dotted,
    parse_toml,
    printable,
    suggest,
)

SAMPLE = """\
# hand-written
title = "a"
[answers.nodes]
value = '12' # not "10"
"odd key" = [1, { x.y = 2, z = [ "b]", '#' ] }, 3]

[answers."mode.x"]
long = \"\"\"
[not.a.table]
key = "no"
\"\"\"
  a . b = 1979-05-27 07:32:00
[[rule]]
id = "A"
[rule.deep]
n = 1
[[rule]]
id = "B"
[rule.deep]
n = 2
"""

# Counted by eye in SAMPLE: path, then line and column of the key, then of the value.
PLACES: list[tuple[tuple[str | int, ...], tuple[int, int], tuple[int, int]]] = [
    (("title",), (2, 1), (2, 9)),
    (("answers",), (3, 2), (3, 2)),
    (("answers", "nodes"), (3, 10), (3, 10)),
    (("answers", "nodes", "value"), (4, 1), (4, 9)),
    (("answers", "nodes", "odd key"), (5, 1), (5, 13)),
    (("answers", "nodes", "odd key", 0), (5, 14), (5, 14)),
    (("answers", "nodes", "odd key", 1, "x"), (5, 19), (5, 19)),
    (("answers", "nodes", "odd key", 1, "x", "y"), (5, 21), (5, 25)),
    (("answers", "nodes", "odd key", 1, "z", 1), (5, 40), (5, 40)),
    (("answers", "nodes", "odd key", 2), (5, 49), (5, 49)),
    (("answers", "mode.x"), (7, 10), (7, 10)),
    (("answers", "mode.x", "long"), (8, 1), (8, 8)),
    (("answers", "mode.x", "a", "b"), (12, 7), (12, 11)),
    (("rule", 0, "id"), (14, 1), (14, 6)),
    (("rule", 0, "deep", "n"), (16, 1), (16, 5)),
    (("rule", 1), (17, 3), (17, 3)),
    (("rule", 1, "deep"), (19, 7), (19, 7)),
    (("rule", 1, "deep", "n"), (20, 1), (20, 5)),
]


@pytest.mark.parametrize(("path", "key", "value"), PLACES, ids=[dotted(row[0]) for row in PLACES])
def test_positions(
    path: tuple[str | int, ...], key: tuple[int, int], value: tuple[int, int]
) -> None:
    document = parse_toml(SAMPLE, "x.toml")
    assert document.position(path) == key
    assert document.value_position(path) == value


def test_position_falls_back_to_the_nearest_enclosing_key() -> None:
    document = parse_toml(SAMPLE, "x.toml")
    assert document.position(("answers", "nodes", "absent")) == (3, 10)
    assert document.value_position(("answers", "nodes", "value", "absent")) == (4, 1)
    assert document.position(("nowhere",)) == (1, 1)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_line_endings_do_not_move_positions(ending: str) -> None:
    document = parse_toml(SAMPLE.replace("\n", ending), "x.toml")
    assert document.position(("rule", 1, "deep", "n")) == (20, 1)


def test_comments_are_found_only_outside_strings() -> None:
    assert parse_toml(SAMPLE, "x").has_comments
    assert parse_toml("a = [ # one\n 1 ]", "x").has_comments
    assert not parse_toml('a = \'# no\'\n"#" = "#\\"#"\n', "x").has_comments


def paths(data: Any, prefix: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    pairs = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in pairs:
        yield (*prefix, key)
        if isinstance(value, dict | list):
            yield from paths(value, (*prefix, key))


TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
VALUES = st.recursive(
    st.booleans() | st.integers(-9, 9999) | st.floats(allow_nan=False) | TEXT | st.datetimes(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(TEXT, VALUES, max_size=5), st.booleans())
def test_every_key_of_a_written_file_has_a_place(data: dict[str, Any], multiline: bool) -> None:
    """The writer is tomli-w and the judge is tomllib: neither is ours."""
    text = tomli_w.dumps(data, multiline_strings=multiline)
    read = tomllib.loads(text)
    document = parse_toml(text, "x.toml")
    assert set(document.scan.marks) == set(paths(read))
    assert document.scan.repeats == []
    for path, mark in document.scan.marks.items():
        value: Any = read
        for key in path:
            value = value[key]
        if isinstance(path[-1], str):
            assert text.startswith(tomli_w.dumps({path[-1]: 1})[: -len(" = 1\n")], mark.key)
        if not isinstance(value, dict | list):
            written = tomli_w.dumps({"v": value}, multiline_strings=multiline)[len("v = ") : -1]
            assert text.startswith(written, mark.value)


@given(st.text(st.sampled_from("ab[]{}=.,\"'\\#\n \t1-é"), max_size=60))
def test_any_text_parses_or_faults(text: str) -> None:
    Scanner(text)
    try:
        expected = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(TomlFault) as caught:
            parse_toml(text, "x.toml")
        assert str(caught.value).startswith("x.toml:")
        assert 1 <= caught.value.line <= text.count("\n") + 1
    else:
        assert parse_toml(text, "x.toml").data == expected


def fault_of(data: bytes | str) -> TomlFault:
    with pytest.raises(TomlFault) as caught:
        decode_toml(data.encode() if isinstance(data, str) else data, "f.toml")
    return caught.value


def test_syntax_fault_shows_line_caret_and_hint() -> None:
    fault = fault_of("a = 1\n[answers.nodes]\nvalue = 512 GB\n")
    assert (fault.line, fault.key) == (3, "answers.nodes.value")
    lines = str(fault).split("\n")
    assert lines[0].startswith("f.toml:3:")
    assert lines[1] == "    value = 512 GB"
    assert lines[2] == " " * (4 + fault.column - 1) + "^"
    assert lines[3].strip() == "one KEY = VALUE per line"


def test_unquoted_word_gets_a_hint_about_quotes() -> None:
    fault = fault_of("[answers.mode]\nvalue = sync\n")
    assert (fault.line, fault.column) == (2, 9)
    assert "quotes" in fault.hint


@pytest.mark.parametrize(
    ("text", "place", "key"),
    [
        ("a = 1\nb = 2\n a = 3\n", (3, 2), "a"),
        ("[x.y]\n[z]\n[x.y]\n", (3, 4), "x.y"),
        ("t = { k = 1, k = 2 }\n", (1, 14), "t.k"),
    ],
)
def test_duplicate_names_the_second_place_and_the_first_line(
    text: str, place: tuple[int, int], key: str
) -> None:
    fault = fault_of(text)
    assert (fault.line, fault.column, fault.key) == (*place, key)
    assert "already set on line 1" in fault.message


def test_end_of_document_is_the_last_written_line() -> None:
    fault = fault_of("a = 1\nb = [1,\n\n\n")
    assert fault.line == 2
    assert fault.message == "the file ends too early: invalid value"


@pytest.mark.parametrize(
    ("data", "line", "column", "words"),
    [
        (b"a = 1\nb = \0\n", 2, 1, "not a text file"),
        ("é = 'x'".encode("utf-16"), 1, 1, "not a text file"),
        (b"\xef\xbb\xbfa = 1\n\xc3\xa9b = '\xff'\n", 2, 7, "0xff is not UTF-8"),
        (b"a = " + b"9" * 5000, 1, 5, "too many digits"),
        (b"a = " + b"[" * 5000, 1, 105, "nested more than 100 deep"),
        (b"a = " + b"[" * 101 + b"]" * 101, 1, 105, "nested more than 100 deep"),
        (b"\n" + b"{a=" * 3 + b"a." * 1_000_00 + b"b = 1", 2, 1, ""),
        (b"a." * 400_000 + b"b = 1", 1, 201, "nested more than 100 deep"),
        (b"[" + b"a." * 400_000 + b"b]", 1, 202, "nested more than 100 deep"),
    ],
    ids=["nul", "utf-16", "latin-1", "digits", "open", "closed", "inline", "dots", "header"],
)
def test_hostile_bytes(data: bytes, line: int, column: int, words: str) -> None:
    fault = fault_of(data)
    assert (fault.line, fault.column) == (line, column)
    assert words in fault.message
    assert len(str(fault)) < 600


def test_dots_in_a_text_are_no_depth() -> None:
    note = "a." * 5000
    assert parse_toml(f'note = "{note}"', "x").data == {"note": note}


def test_byte_order_mark_is_tolerated() -> None:
    document = decode_toml(b"\xef\xbb\xbfa = 1\n", "x")
    assert document.data == {"a": 1}
    assert document.position(("a",)) == (1, 1)


def test_controls_of_the_file_never_reach_the_terminal() -> None:
    fault = parse_toml('v = "\\u001b[2J"\n', "evil\x1b[31m.toml").fault(
        ("v\x07",), "bad value \x1b]0;t\x07", "try \u202e again"
    )
    fault.source_line = 'v = "\x1b[2J\u202e" \t\x9b'
    shown = str(fault)
    assert all(char.isprintable() for char in shown.replace("\n", ""))
    assert r"\x1b[2J\u202e" in shown


def test_long_line_is_cut_around_the_column() -> None:
    text = 'a = "' + "x" * 3000 + '" ; b = 2\n'
    fault = fault_of(text)
    source, caret = str(fault).split("\n")[1:3]
    assert len(source) <= 4 + 100 + 2
    assert source[4] == "…"
    assert source[caret.index("^")] == ";"


def test_caret_stands_under_wide_characters() -> None:
    document = parse_toml('"\u65e5\u672c" = { a = 1 }\n', "x")
    caret = str(document.fault(("\u65e5\u672c", "a"), "m")).split("\n")[2]
    # Two columns per ideograph: quotes 2, text 4, then ' = { '.
    assert caret.index("^") == 4 + 2 + 4 + 5


def test_several_faults_are_shown_together() -> None:
    document = parse_toml("a = 1\nb = 2\n", "x.toml")
    fault = document.fault(("a",), "first")
    fault.more = (document.fault(("b",), "second"),)
    assert [line for line in str(fault).split("\n") if line.startswith("x.toml")] == [
        "x.toml:1:1: a: first",
        "x.toml:2:1: b: second",
    ]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("nodse", 'did you mean "nodes"?'),
        ("Pool-Write", 'did you mean "pool_write"?'),
        ("zebra", ""),
        ("", ""),
        ("n" * 100_000, ""),
    ],
)
def test_suggest(word: str, expected: str) -> None:
    assert suggest(word, ["nodes", "pool_write", "mode"]) == expected


def test_printable_keeps_letters_of_any_script() -> None:
    assert printable("é日本 —") == "é日本 —"
    assert printable("a\nb") == r"a\nb"
