"""Markdown judged by an independent parser: every text comes back as it was typed."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

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
    Mono,
    Numbered,
    Paragraph,
    Run,
    Section,
    Strong,
    Table,
    Text,
    text,
)
from advisor.report.markdown import line, render
from tests.report.support import inline_text, parsed, rows, seen

PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
"""All punctuation of ASCII."""

HOSTILE = (
    PUNCTUATION,
    PUNCTUATION[::-1],
    "**bold** _it_ __b__ ~~gone~~ `code` ``two`` ```three```",
    "<script>alert(1)</script> <b>b</b> <!-- c --> </details> &amp; &#35; &lt;",
    "[a](http://b) ![i](j) [ref]: x <http://c> [^1] [ ] [x]",
    "| a | b \\| c \\\\| d |",
    "- item",
    "+ item",
    "1. one",
    "1) one",
    "# head",
    "> quote",
    "---",
    "===",
    "/close",
    "    indented",
    "trailing  ",
    "\ttab\tinside\t",
    "line\nline\n\n- third\n| --- |",
    "a_b __init__ _x_ snake_case_name 2*3*4 a*b",
    "$x$ and $5 and x$ and $$y$$",
    "back\\slash \\* \\` \\\\",
    "ends with \\",
    "`",
    "``",
    " ` ",
    "a`b",
    "!",
    "Grüße, 日本語, \N{NO-BREAK SPACE}é",
    "&",
    "<",
    "x <",
    "~15 GB to 10~20",
    "## #",
)
"""Texts a person could type that mean something to Markdown; none has a character shown as code."""

texts = st.text(
    st.sampled_from(PUNCTUATION + " \nabc019é日") | st.characters(codec="ascii", categories=["L"])
).filter(lambda s: s.strip() != "")


def one(*blocks: Block) -> str:
    return render(Document("t", (Section("s", blocks, ALWAYS),)))


def only(markdown: str) -> str:
    """The text of a document of one block, as a reader sees it."""
    blocks = list(seen(markdown))
    assert len(blocks) == 1, markdown
    return blocks[0]


@given(texts)
@example("- \n a")
@example("a\n***\nb")
@example("@a`b|c")
def test_a_paragraph_is_read_back(typed: str) -> None:
    assert only(one(Paragraph(text(typed)))) == typed


@pytest.mark.parametrize("typed", HOSTILE)
def test_hostile_text_is_read_back_from_every_place(typed: str) -> None:
    assert only(one(Paragraph(text(typed)))) == typed
    assert only(one(Paragraph((Strong(typed),)))) == typed
    assert only(one(Heading(3, text(typed)))) == typed
    assert only(one(Bullets((text(typed),)))) == typed
    assert only(one(Numbered((text(typed),)))) == typed
    assert only(one(Callout("danger", text(typed)))) == typed
    assert only(one(Paragraph((Mono(typed),)))) == typed
    table = one(Table((text("a"), text(typed)), ((text(typed), (Mono(typed),)),)))
    assert rows(table) == [["a", typed], [typed, typed]]


@given(st.lists(st.tuples(st.sampled_from([Text, Strong, Mono]), texts), min_size=1, max_size=5))
@example([(Mono, "a"), (Mono, "b")])
@example([(Strong, '"x"'), (Text, "abc")])
@example([(Text, "abc"), (Strong, "*"), (Text, "abc")])
@example([(Strong, " x "), (Text, "y")])
@example([(Text, "a\\"), (Mono, "b")])
def test_runs_side_by_side_are_read_back(drawn: list[tuple[type[Run], str]]) -> None:
    runs: tuple[Run, ...] = tuple(kind(typed) for kind, typed in drawn)  # type: ignore[call-arg]  # Link is not drawn
    typed = "".join(word for _, word in drawn)
    assert only(one(Paragraph(runs))) == typed
    assert rows(one(Table((runs,), ((runs,),)))) == [[typed], [typed]]


def test_bold_is_bold_and_code_is_code() -> None:
    markdown = one(Paragraph((Strong("9.4 points"), Text(" by "), Mono("keep_latest_k"))))
    (token,) = [t for t in parsed(markdown) if t.type == "inline"]
    kinds = [(c.type, c.content) for c in token.children or () if c.type != "text" or c.content]
    assert kinds == [
        ("strong_open", ""),
        ("text", "9.4 points"),
        ("strong_close", ""),
        ("text", " by "),
        ("code_inline", "keep_latest_k"),
    ]


def test_plain_figures_and_names_are_not_escaped() -> None:
    """The source is read too: in a mail, a diff, a terminal."""
    words = "1.5x of $4.12M (15.3 %), --save-interval 300, a+b, 10-20 GB, save_total_limit = 3"
    assert line(text(words)) == words


@pytest.mark.parametrize(
    "live",
    [
        "@sre-team",
        "mail me@example.org",
        "#123",
        "pytorch/pytorch#163548",
        "NVIDIA/Megatron-LM@d98e8a64:megatron/core",
        "GH-12",
        "group!42",
        "https://example.org/a_b?c=d",
        "www.example.org",
        "d98e8a64f0c1",
        ":tada:",
        "(see #12).",
    ],
)
def test_what_a_tracker_would_bring_to_life_is_code(live: str) -> None:
    """Trackers look for these in text after Markdown is read, and never in code."""
    patterns = r"@\w|#\d|!\d|GH-\d|://|www\.|\b[0-9a-f]{7,}\b|:tada:"
    markdown = one(Paragraph(text(f"said {live} today")))
    (token,) = [t for t in parsed(markdown) if t.type == "inline"]
    plain = [c.content for c in token.children or () if c.type == "text"]
    assert not [words for words in plain if re.search(patterns, words)]
    assert inline_text(token) == f"said {live} today"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("a\x1b[31mred\x00", "a\\x1b[31mred\\x00"),
        ("right\u202eleft", "right\\u202eleft"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("two\r\nlines\rthree", "two\nlines\nthree"),
        ("half \ud800", "half \\ud800"),
    ],
)
def test_characters_without_a_picture_are_shown(typed: str, shown: str) -> None:
    assert only(one(Paragraph(text(typed)))) == shown
    assert only(one(Code(typed))) == shown + "\n"


@pytest.mark.parametrize("typed", [h for h in HOSTILE if not h.endswith("\n")])
def test_code_blocks_hold_anything(typed: str) -> None:
    assert only(one(Code(typed, "bash"))) == typed + "\n"


def test_a_language_that_is_no_word_is_left_out() -> None:
    (fence,) = parsed(one(Code("x", "`\nevil")))
    assert (fence.type, fence.info, fence.content) == ("fence", "", "x\n")


def test_details_fold_their_blocks() -> None:
    markdown = one(Details("All <facts> of @team", (Paragraph(text("*in*")),)))
    kinds = [t.type for t in parsed(markdown)]
    assert kinds == ["html_block", "paragraph_open", "inline", "paragraph_close", "html_block"]
    head = parsed(markdown)[0].content
    assert "<summary>All &lt;facts&gt; of <code>@team</code></summary>" in head


def test_links_lead_only_to_addresses() -> None:
    good = one(Paragraph((Link("a [b]!", "https://example.org/x_(y)"),)))
    (token,) = [t for t in parsed(good) if t.type == "inline"]
    opened = [c for c in token.children or () if c.type == "link_open"]
    assert [c.attrs["href"] for c in opened] == ["https://example.org/x_(y)"]
    assert inline_text(token) == "a [b]!"
    bad = one(Paragraph((Link("click", "javascript:alert(1)"),)))
    assert only(bad) == "click"
    assert "javascript" not in bad


def test_an_exclamation_mark_before_a_link_makes_no_picture() -> None:
    markdown = one(Paragraph((Text("Look!"), Link("here", "https://example.org"))))
    kinds = [c.type for t in parsed(markdown) for c in t.children or ()]
    assert "image" not in kinds
    assert "link_open" in kinds


def test_a_row_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(ValueError, match="a row of 1 cells under 2 headings"):
        Table((text("a"), text("b")), ((text("c"),),))
