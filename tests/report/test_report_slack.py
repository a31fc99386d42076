"""Slack mrkdwn judged by a reader of its documentation: every text comes back as it was typed."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from advisor.facts.answers import Answer
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
from advisor.report.lengths import SLACK_LIMIT
from advisor.report.slack import render
from tests.report.mrkdwn_reader import Span, spans
from tests.report.support import CASES, advice_on, case, session
from tests.report.test_report_jira import HOSTILE as JIRA_HOSTILE
from tests.report.test_report_markdown import PUNCTUATION
from tests.ticket_job import TICKET as EXAMPLE

HOSTILE = (
    *JIRA_HOSTILE,
    "<!channel> <@U024BE7LH> <#C024BE7LR> <!date^1392734382^{date}|x> <http://a|b>",
    "&lt;b&gt; &amp;amp; & < >",
    "@here @channel @sre-team #ops :tada: :+1: :100: :) ;-) <3 12:30:45 a:b:c",
    "*a* _b_ ~c~ *a _b *c* d",
    "> quote",
    ">>> quotes\n> and more",
    "www.example.org mailto:me@example.org https://example.org/a_b_c?d=*e*",
    "`",
    "a`b",
    "a`b`c",
    "```",
    "``` x ```",
    "`*a*`",
)

texts = st.text(st.sampled_from(PUNCTUATION + " \nabc019é日"))

SLACK_ONE_MESSAGE = 4_000
"""Characters Slack advises to stay under (chat.postMessage): it may show more as two messages."""


def one(*blocks: Block) -> str:
    return render(Document("t", (Section("s", blocks, ALWAYS),)))


def said(typed: str, message: str, allowed: tuple[str, ...] = ("code", "bold")) -> str:
    r"""What a message says, after the check that it has no style of its own.

    A backtick has no escape: beside another it is shown as \x60, which is taken back here.
    """
    read = spans(message)
    strange = {style for span in read for style in span.style.split()} - set(allowed)
    assert not strange, (message, strange)
    words = "".join(span.words for span in read)
    if typed.count("`") < 2 and "code" not in {s for span in read for s in span.style.split()}:
        return words
    return words.replace("\\x60", "`")


@given(texts)
@example("*a\n*b")
@example("a `*b* c")
@example("*@a`b|c*")
@example("\n> a")
@example("_a b_c d_")
def test_a_paragraph_is_read_back(typed: str) -> None:
    assert said(typed, one(Paragraph(text(typed))).removesuffix("\n")) == typed


@pytest.mark.parametrize("typed", HOSTILE)
def test_hostile_text_is_read_back_from_every_place(typed: str) -> None:
    shown = f"{typed}\n"
    for block, before in (
        (Paragraph(text(typed)), ""),
        (Paragraph((Strong(typed),)), ""),
        (Paragraph((Mono(typed),)), ""),
        (Heading(3, text(typed)), ""),
        (Bullets((text(typed),)), "• "),
        (Numbered((text(typed),)), "1. "),
    ):
        assert said(typed, one(block)) == before + shown


@pytest.mark.parametrize("typed", [h for h in HOSTILE if "\n" not in h])
def test_hostile_text_is_read_back_from_a_quotation(typed: str) -> None:
    printed = one(Callout("danger", text(typed)))
    assert printed.startswith("> ")
    assert said(typed, printed[2:]) == f"{typed}\n"


@given(st.lists(st.tuples(st.sampled_from([Text, Strong, Mono]), texts), min_size=1, max_size=5))
@example([(Text, "abc"), (Strong, '"x"'), (Text, "abc")])
@example([(Mono, "a"), (Text, "b")])
@example([(Mono, "a"), (Strong, "b"), (Mono, "c")])
@example([(Text, "*"), (Strong, "b"), (Text, "*")])
@example([(Strong, "a"), (Text, " 2 * 3 "), (Strong, "b")])
@example([(Text, "@a"), (Strong, "b")])
@example([(Strong, "0"), (Strong, " :")])
def test_runs_side_by_side_are_read_back(drawn: list[tuple[type[Run], str]]) -> None:
    runs: tuple[Run, ...] = tuple(kind(typed) for kind, typed in drawn)  # type: ignore[call-arg]  # Link is not drawn
    typed = "".join(word for _, word in drawn)
    assert said(typed, one(Paragraph(runs)).removesuffix("\n")) == typed


def test_the_reader_sees_markup() -> None:
    """A reader that finds nothing would let everything pass."""
    words = "*b* _i_ ~s~ `c` <http://a|l> <!here> :tada: @me #ops http://b :)"
    assert [span.style for span in spans(words) if span.style] == [
        *("bold", "italic", "struck", "code", "link", "command", "emoji", "mention", "channel"),
        *("address", "face"),
    ]
    assert spans("> q")[0].style == spans("&gt; q")[0].style == "quotation"


def test_bold_is_bold_and_code_is_code() -> None:
    message = one(Paragraph((Strong("9.4 points"), Text(" by ("), Mono("a_b"), Text(")."))))
    assert message == "*9.4 points* by (`a_b`).\n"
    assert one(Heading(3, text("Open questions"))) == "*Open questions*\n"


def test_plain_figures_and_names_are_printed_as_they_are() -> None:
    words = "1.5x of $4.12M (15.3 %), --save-interval 300, ~15 GB, save_total_limit = 3, 2*3"
    assert one(Paragraph(text(words))) == f"{words}\n"


@pytest.mark.parametrize(
    "live",
    ["@here", "me@example.org", "#ops", ":tada:", "https://example.org/a", ":)", "www.a.org"],
)
def test_what_slack_would_bring_to_life_is_code(live: str) -> None:
    read = spans(one(Paragraph(text(f"said {live} today"))))
    assert Span("code", live) in read


def test_links_lead_to_safe_addresses_only() -> None:
    good = one(Paragraph((Link("a <b> & c", "https://example.org/x?a=1&b=2"),)))
    assert good == "<https://example.org/x?a=1&amp;b=2|a &lt;b&gt; &amp; c>\n"
    assert one(Paragraph((Link("click", "javascript:alert(1)"),))) == "click\n"
    barred = one(Paragraph((Link("words", "https://example.org/a|b"),)))
    assert said("words", barred) == "words\n"


@pytest.mark.parametrize("typed", HOSTILE)
def test_lines_to_paste_come_back_to_the_letter(typed: str) -> None:
    lines = f"--first\n{typed}\n  --last"
    (block, _) = spans(one(Code(lines, "bash")))
    assert block.style == "block"
    if "```" in typed:
        assert "\\x60" in block.words
        assert block.words.replace("\\x60", "`") == lines
    else:
        assert block.words == lines


def test_a_table_is_aligned_in_a_code_block() -> None:
    header = (text(""), text("now"), text("after"))
    rows = ((text("goodput"), text("84.7 %"), (Strong("94.1 %"),)), (text("日本"), text("<"), ()))
    assert one(Table(header, rows)) == (
        "```\n"
        "         now     after\n"
        "-------  ------  ------\n"
        "goodput  84.7 %  94.1 %\n"
        "日本     &lt;\n"
        "```\n"
    )


def test_what_folds_elsewhere_is_open_under_its_name() -> None:
    assert one(Details("All facts", (Paragraph(text("a")),))) == "*All facts*\n\na\n"


def test_characters_without_a_picture_are_shown() -> None:
    typed = "a\x1b[31mred\x00 right\u202eleft zero\u200bwidth"
    shown = "a\\x1b[31mred\\x00 right\\u202eleft zero\\u200bwidth"
    assert said(typed, one(Paragraph(text(typed)))) == f"{shown}\n"
    assert spans(one(Code(typed)))[0] == Span("block", shown)


@pytest.mark.parametrize("name", CASES)
def test_every_report_says_what_it_says_as_text(name: str) -> None:
    for length, most in (("summary", SLACK_ONE_MESSAGE), ("full", SLACK_LIMIT)):
        document = build_report(case(name), length=length)  # type: ignore[arg-type]  # one of the two
        printed = render(document)
        assert len(printed) <= most
        styles = {style for span in spans(printed) for style in span.style.split()}
        assert styles <= {"bold", "code", "block", "quotation"}
        assert printed.count("```") % 2 == 0
        headline = document.sections[0].blocks[0]
        assert isinstance(headline, Paragraph)
        assert "".join(s.words for s in spans(printed.split("\n")[0])) == headline.runs[0].text


def test_a_message_with_huge_notes_is_shortened_and_says_so() -> None:
    notes = {"nodes": Answer("128", "measured", note="a *long* note & more " * 4000)}
    document = build_report(advice_on(session({**EXAMPLE, **notes})))
    assert len(render(document)) > SLACK_LIMIT
    cut = render(document, limit=SLACK_LIMIT)
    assert len(cut) <= SLACK_LIMIT
    assert "--async-save" in cut
    assert re.search(r"Shortened: all facts.* left out to fit 40,000 characters\.\n$", cut)
