"""Plain text: 72 columns, aligned tables, code as it is."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from advisor.report.build import build_report
from advisor.report.document import (
    ALWAYS,
    Block,
    Bullets,
    Callout,
    Code,
    Details,
    Document,
    Heading,
    Link,
    Numbered,
    Paragraph,
    Section,
    Strong,
    Table,
    Text,
    text,
)
from advisor.report.text import render
from tests.report.support import CASES, case

LONG_LINE = "--async-save " * 12 + "--end"

words = st.text(
    st.sampled_from("ab9 %日é\N{COMBINING ACUTE ACCENT}.,|-*"), min_size=1, max_size=120
)


def one(*blocks: Block, width: int = 72) -> list[str]:
    document = Document("t", (Section("s", blocks, ALWAYS),))
    return render(document, width).removesuffix("\n").split("\n")


def width_of(line: str) -> int:
    """Columns by the Unicode tables: two for wide characters, none for combining marks."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in line
    )


@given(words, st.integers(40, 90))
@example("日" * 60, 40)
@example("9 % " * 40, 41)
@example("9 %9 %9 %" * 20, 40)
def test_no_line_is_wider_and_no_word_is_lost(typed: str, width: int) -> None:
    blocks: tuple[Block, ...] = (
        Paragraph(text(typed)),
        Heading(3, text(typed)),
        Bullets((text(typed),)),
        Numbered((text(typed),)),
        Callout("warning", text(typed)),
        Details("more", (Table((text("a"), text(typed)), ((text(typed), text("b")),)),)),
    )
    lines = one(*blocks, width=width)
    assert max(width_of(line) for line in lines) <= width
    paragraph = one(Paragraph(text(typed)), width=width)
    assert "".join(paragraph).replace(" ", "") == typed.replace(" ", "")


def test_a_number_stays_with_its_unit() -> None:
    # The space before the unit would fall on column 40.
    typed = "x" * 36 + " 100 GB/s and 15.3 % more"
    assert one(Paragraph(text(typed)), width=40) == ["x" * 36, "100 GB/s and 15.3 % more"]


def test_code_is_indented_and_never_cut() -> None:
    assert one(Code(f"{LONG_LINE}\n\n  --more")) == [f"    {LONG_LINE}", "", "      --more"]


def test_blocks_are_told_apart_without_markup() -> None:
    lines = one(
        Heading(3, text("Changes")),
        Callout("danger", (Strong("Data is lost."), Text(" Soon."))),
        Bullets((text("a"), text("b"))),
        Numbered((text("c"),)),
        Paragraph((Link("Manual", "https://example.org/m"),)),
    )
    assert lines == [
        "Changes",
        "-------",
        "",
        "| DANGER: Data is lost. Soon.",
        "",
        "- a",
        "- b",
        "",
        "1. c",
        "",
        "Manual <https://example.org/m>",
    ]


def test_a_table_is_aligned_with_wide_characters_in_it() -> None:
    header = (text(""), text("now"), text("after"))
    rows = ((text("goodput"), text("84.7 %"), text("94.1 %")), (text("日本"), text(""), text("x")))
    assert one(Table(header, rows)) == [
        "         now     after",
        "-------  ------  ------",
        "goodput  84.7 %  94.1 %",
        "日本             x",
    ]


def test_a_wide_table_is_wrapped_inside_its_columns() -> None:
    rows = ((text("pool rate required"), text("203 GB/s for a pause of 60 s")),)
    lines = one(Table((text("what"), text("now")), rows), width=40)
    assert lines == [
        "what                now",
        "------------------  --------------------",
        "pool rate required  203 GB/s for a pause",
        "                    of 60 s",
    ]


def test_a_table_with_long_notes_becomes_a_list() -> None:
    note = "published saves lie between 10 and 16 " * 8
    rows = ((text("Nodes"), text("128"), text("")), (text("State"), text("12 TB"), text(note)))
    lines = one(Table((text("fact"), text("value"), text("note")), rows))
    assert lines[:2] == [
        "- Nodes: value: 128",
        "- State: value: 12 TB; note: published saves lie between 10 and 16",
    ]
    assert all(line.startswith("  ") for line in lines[2:])


def test_characters_that_drive_a_terminal_are_shown() -> None:
    typed = "a\x1b]0;title\x07b\x9bc\u202ed\te"
    # A tab goes on to the next multiple of four columns.
    shown = "a\\x1b]0;title\\x07b\\x9bc\\u202ed"
    lines = one(Paragraph(text(typed)), Code(typed))
    assert lines[0] == f"{shown} e"
    assert lines[2] == f"    {shown}\te"


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("width", [72, 100])
def test_every_report_keeps_the_width(name: str, width: int) -> None:
    document = build_report(case(name))
    lines = render(document, width).split("\n")
    code = {
        f"    {line}".rstrip()
        for block in document.blocks
        if isinstance(block, Code)
        for line in block.text.split("\n")
    }
    assert [line for line in lines if width_of(line) > width and line not in code] == []


def test_too_narrow_is_refused() -> None:
    with pytest.raises(ValueError, match="39 columns are too few"):
        render(Document("t", ()), 39)
