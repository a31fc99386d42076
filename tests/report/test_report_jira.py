"""Jira wiki markup judged by a reader of its own and by mistletoe: every text comes back."""

from __future__ import annotations

import re

import mistletoe
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mistletoe.contrib.jira_renderer import JiraRenderer

from advisor.report import markdown
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
from advisor.report.jira import render
from tests.report.jira_reader import PICTURES, Span, read, spans
from tests.report.support import CASES, case
from tests.report.test_report_markdown import HOSTILE as MARKDOWN_HOSTILE
from tests.report.test_report_markdown import PUNCTUATION

HOSTILE = (
    *MARKDOWN_HOSTILE,
    *PICTURES,
    " ".join(PICTURES),
    "*b* _i_ -d- +u+ ^s^ ~s~ ??c?? {{m}} {*}b{*} {-}d{-} {color:red}r{color} {noformat}",
    "h1. head",
    "bq. quote",
    "  # one",
    "* one",
    "#* one",
    "----",
    "a -- b --- c",
    "|| head || | cell |",
    "[~sre] [^file] [link|http://b] [#anchor] @name@ @sre-team me@example.org",
    "!picture.png! look! wow!!",
    "{{x}} {{{x}}} }} {{ {a {b",
    "\\\\server\\share C:\\dir \\*a\\* \\{b\\} a\\",
    "http://a/b_c*d* ftp://a mailto:x@y (http://c). https://d/e?f=g&h=i#j!",
    "&amp; &#35; &lt; R&D;",
    "10-20 GB ~15 GB snake_case a*b 2 * 3 - 1 + x^2",
    "x" * 5000,
    "?? (?) a?b??",
)

texts = st.text(st.sampled_from(PUNCTUATION + " \nabcDPnxyh1019é日")).filter(
    lambda s: s.strip() != ""
)


def one(*blocks: Block) -> str:
    return render(Document("t", (Section("s", blocks, ALWAYS),)))


def normal(words: str) -> str:
    """The words as a page shows them, where any run of spaces is one."""
    lines = (re.sub("[ \t]+", " ", line).strip(" ") for line in words.strip(" \t\n").split("\n"))
    return "\n".join(lines)


def only(markup: str, kind: str) -> str:
    """The text of a document of one block, which has to be of this kind."""
    (block,) = read(markup)
    assert block.kind == kind, markup
    ((cell,),) = block.lines
    strange = {style for span in cell for style in span.style.split()} - {"bold", "code", "link"}
    assert not strange, (markup, strange)
    return normal("".join(span.words for span in cell))


@given(texts)
@example("\n*a")
@example("a\\\nb")
@example(":&#41;)")
def test_a_paragraph_is_read_back(typed: str) -> None:
    assert only(one(Paragraph(text(typed))), "paragraph") == normal(typed)


@given(texts)
def test_a_cell_is_read_back(typed: str) -> None:
    (table,) = read(one(Table((text("a"), text(typed)), ((text(typed), (Mono(typed),)),))))
    assert table.kind == "table"
    shown = [[normal(cell) for cell in row] for row in table.words]
    assert shown == [["a", normal(typed)], [normal(typed)] * 2]


@pytest.mark.parametrize("typed", HOSTILE)
def test_hostile_text_is_read_back_from_every_place(typed: str) -> None:
    shown = normal(typed)
    assert only(one(Paragraph(text(typed))), "paragraph") == shown
    assert only(one(Paragraph((Strong(typed),))), "paragraph") == shown
    assert only(one(Paragraph((Mono(typed),))), "paragraph") == shown
    assert only(one(Heading(3, text(typed))), "heading 3") == shown
    assert only(one(Bullets((text(typed),))), "bullets") == shown
    assert only(one(Numbered((text(typed),))), "numbered") == shown
    assert only(one(Callout("danger", text(typed))), "quotation") == shown


@given(st.lists(st.tuples(st.sampled_from([Text, Strong, Mono]), texts), min_size=1, max_size=5))
@example([(Text, "abc"), (Strong, '"x"'), (Text, "abc")])
@example([(Text, "a"), (Mono, "b"), (Text, "c")])
@example([(Strong, "#"), (Text, " b")])
@example([(Text, "{"), (Mono, "b"), (Text, "}")])
@example([(Text, "{"), (Strong, "}0")])
@example([(Strong, "0{"), (Text, "}")])
@example([(Text, "("), (Strong, "x"), (Text, ")")])
@example([(Text, "a\\"), (Mono, "b"), (Strong, "c")])
@example([(Mono, "a"), (Strong, "b"), (Mono, "c")])
def test_runs_side_by_side_are_read_back(drawn: list[tuple[type[Run], str]]) -> None:
    runs: tuple[Run, ...] = tuple(kind(typed) for kind, typed in drawn)  # type: ignore[call-arg]  # Link is not drawn
    assert only(one(Paragraph(runs)), "paragraph") == normal("".join(word for _, word in drawn))


def test_the_reader_sees_markup() -> None:
    """A reader that finds nothing would let everything pass."""
    words = "*b* _i_ -d- {{m}} a{*}b{*}c [x|http://a] :) (!) !p! ??c?? {color} http://a @p@ a -- b"
    styles = [span.style for span in spans(words) if span.style]
    assert styles == [
        *("bold", "italic", "deleted", "code", "bold", "link", "picture", "picture", "image"),
        *("citation", "macro", "address", "placeholder", "dash"),
    ]
    kinds = [b.kind for b in read("h1. a\nbq. b\n* c\n# d\n----\ne\n\n||f||\n|g|")]
    assert kinds == [
        *("heading 1", "quotation", "bullets", "numbered", "rule", "paragraph", "table"),
    ]


def test_bold_is_bold_and_code_is_code() -> None:
    markup = one(Paragraph((Strong("9.4 points"), Text(" by "), Mono("keep_latest_k"), Text("."))))
    assert markup == "*9.4 points* by {{keep_latest_k}}.\n"
    assert spans(markup.strip()) == [
        Span("bold", "9.4 points"),
        Span("", " by "),
        Span("code", "keep_latest_k"),
        Span("", "."),
    ]
    inside = one(Paragraph((Text("un"), Strong("do"), Text("ne"))))
    assert Span("bold", "do") in spans(inside.strip())


def test_plain_figures_and_names_are_not_escaped() -> None:
    words = "1.5x of $4.12M (15.3 %), a_b, a+b, 10-20 GB, save_total_limit = 3, R&D, 2 * 3 - 1"
    assert one(Paragraph(text(words))) == f"{words}\n"


def linked(markup: str) -> list[str]:
    """Where the links of a line lead."""
    return [span.words for span in spans(markup.strip()) if "link" in span.style.split()]


def test_links_show_their_address_and_lead_nowhere_else() -> None:
    good = one(Paragraph((Link("the manual", "https://example.org/x_(y)"),)))
    assert only(good, "paragraph") == "the manual (https://example.org/x_(y))"
    assert linked(good) == ["https://example.org/x_(y)"]
    same = one(Paragraph((Link("https://example.org/a", "https://example.org/a"),)))
    assert same == "[https://example.org/a]\n"
    mail = one(Paragraph((Link("mail", "mailto:me@example.org"),)))
    assert only(mail, "paragraph") == "mail (mailto:me@example.org)"
    bad = one(Paragraph((Link("click", "javascript:alert(1)"),)))
    assert bad == "click\n"


@pytest.mark.parametrize(
    ("typed", "leads"),
    [
        ("see https://example.org/a_b?c=d&e=f#g, please", ["https://example.org/a_b?c=d&e=f#g"]),
        ("(http://c).", ["http://c"]),
        # The part that a link can hold would lead elsewhere.
        ("https://example.org/a*b*", []),
        ("https://example.org/x_(y)", []),
        ("https://example.org/[id]", []),
        ("ftp://example.org/a", []),
    ],
)
def test_a_typed_address_leads_where_it_says_or_nowhere(typed: str, leads: list[str]) -> None:
    markup = one(Paragraph(text(typed)))
    assert only(markup, "paragraph") == typed
    assert linked(markup) == leads


def test_headings_are_never_deeper_than_there_are() -> None:
    assert one(Heading(9, text("a"))) == "h6. a\n"


@pytest.mark.parametrize("typed", [*HOSTILE, "a {code} b {noformat} c"])
def test_lines_to_paste_come_back_to_the_letter(typed: str) -> None:
    lines = f"--first\n{typed}\n  --last"
    if "{noformat" in typed and "{code" in typed:
        (block,) = read(one(Code(lines, "bash")))
        assert [words for (words,) in block.words] == [normal(ln) for ln in lines.split("\n")]
        return
    (block,) = read(one(Code(lines, "bash")))
    assert (block.kind, block.words) == ("lines to paste", [[lines]])


def test_what_folds_elsewhere_is_a_heading() -> None:
    blocks = read(one(Details("All *facts*", (Paragraph(text("a")), Bullets((text("b"),))))))
    assert [(b.kind, b.words) for b in blocks] == [
        ("heading 3", [["All *facts*"]]),
        ("paragraph", [["a"]]),
        ("bullets", [["b"]]),
    ]


def test_characters_without_a_picture_are_shown() -> None:
    typed = "a\x1b[31mred\x00 right\u202eleft zero\u200bwidth"
    shown = "a\\x1b[31mred\\x00 right\\u202eleft zero\\u200bwidth"
    assert only(one(Paragraph(text(typed))), "paragraph") == shown
    assert read(one(Code(typed)))[0].words == [[shown]]


def said(markup: str) -> list[tuple[str, list[list[list[tuple[str, str]]]]]]:
    """What a document says, block by block."""
    return [
        (
            b.kind,
            [[[(s.style, normal(s.words)) for s in cell] for cell in line] for line in b.lines],
        )
        for b in read(markup)
    ]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("length", ["full", "summary"])
def test_mistletoe_says_the_same_of_the_markdown(name: str, length: str) -> None:
    """Our Markdown put into Jira markup by somebody else's renderer reads as ours does.

    What folds is left out: it is HTML in Markdown, which mistletoe passes on.
    """
    document = build_report(case(name), length=length)  # type: ignore[arg-type]  # one of the two
    sections = tuple(
        s for s in document.sections if not any(isinstance(b, Details) for b in s.blocks)
    )
    open_part = Document(document.title, sections)
    theirs = mistletoe.markdown(markdown.render(open_part), JiraRenderer)
    assert said(render(open_part)) == said(theirs)
