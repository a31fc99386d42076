"""Atlassian Document Format judged by Atlassian's own schema: valid, and every text as typed."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it ships no types
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from advisor.report.adf import render
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
    plain,
    text,
)
from advisor.report.lengths import JIRA_LIMIT
from tests.report.support import CASES, case
from tests.report.test_report_jira import HOSTILE

SCHEMAS = Path(__file__).parent / "schemas"

texts = st.text(
    st.sampled_from('"\\{}[]<>&*_`|#@:~!\n\tab 0é日\N{PARTY POPPER}') | st.characters(codec="ascii")
)


@cache
def schema() -> Any:
    return jsonschema.Draft4Validator(json.loads((SCHEMAS / "adf-full.json").read_text()))


def shape(node: Any) -> Any:
    """A node with every text but the empty one the same, and no two entries of a list alike.

    The schema looks at no text beyond whether there is one, and at no entry beside its own. A whole
    report would take minutes to judge, its shapes take seconds.
    """
    out = dict(node)
    if out.get("text"):
        out["text"] = "x"
    if out.get("attrs", {}).get("title"):
        out["attrs"] = out["attrs"] | {"title": "x"}
    if "content" in out:
        seen = {json.dumps(shape(child)): None for child in out["content"]}
        out["content"] = [json.loads(text) for text in seen]
    return out


@cache
def _judged(document: str) -> tuple[str, ...]:
    return tuple(error.message[:200] for error in schema().iter_errors(json.loads(document)))


def faults(document: Any) -> list[str]:
    """What the schema has against a document, judged block by block."""
    frames = [document | {"content": [child]} for child in shape(document)["content"]]
    return [fault for frame in frames or [document] for fault in _judged(json.dumps(frame))]


def one(*blocks: Block) -> Any:
    return json.loads(render(Document("t", (Section("s", blocks, ALWAYS),))))


def words(node: Any) -> str:
    """The text a reader sees in a node."""
    if node["type"] == "hardBreak":
        return "\n"
    return str(node.get("text", "")) + "".join(words(child) for child in node.get("content", ()))


def nodes(node: Any, kind: str) -> Iterator[Any]:
    if node["type"] == kind:
        yield node
    for child in node.get("content", ()):
        yield from nodes(child, kind)


def shown(typed: str) -> str:
    """Control characters as the escapes they are printed as."""
    lines = typed.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(
        f"\\x{ord(c):02x}" if c not in "\n\t" and (c < " " or c == "\x7f") else c for c in lines
    )


def everywhere(typed: str) -> tuple[Block, ...]:
    """A text in every kind of block and run."""
    return (
        Heading(3, text(typed)),
        Paragraph((Text(typed), Strong(typed), Mono(typed), Link(typed, "https://example.org/a"))),
        Bullets((text(typed), (Strong(typed),))),
        Numbered(((Mono(typed),),)),
        Callout("danger", text(typed)),
        Table(((), text(typed)), ((text(typed), (Mono(typed),)),)),
        Code(typed, "bash"),
        Details(typed, (Table((text(typed),), ((text(typed),),)), Bullets((text(typed),)))),
    )


@settings(deadline=None, max_examples=40)
@given(texts)
@example("")
@example("\n")
@example("\n\na\n")
def test_any_text_is_valid_everywhere(typed: str) -> None:
    assert faults(one(*everywhere(typed))) == []


@pytest.mark.parametrize("typed", HOSTILE)
def test_hostile_text_is_valid(typed: str) -> None:
    assert faults(one(*everywhere(typed))) == []


@given(texts)
def test_any_text_is_read_back_from_everywhere(typed: str) -> None:
    document = one(*everywhere(typed))
    heading, paragraph, bullets, numbered, panel, table, code, details = document["content"]
    assert words(heading) == shown(typed)
    assert words(paragraph) == shown(typed) * 4
    assert [words(item) for item in bullets["content"]] == [shown(typed)] * 2
    assert words(numbered) == words(panel) == shown(typed)
    assert [words(cell) for cell in nodes(table, "tableHeader")] == ["", shown(typed)]
    assert [words(cell) for cell in nodes(table, "tableCell")] == [shown(typed)] * 2
    assert words(code) == shown(typed).rstrip("\n")
    assert details["attrs"]["title"] == shown(typed)
    assert words(details) == shown(typed) * 3


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.sampled_from([Text, Strong, Mono]), texts), max_size=5))
def test_runs_side_by_side_are_read_back(drawn: list[tuple[type[Run], str]]) -> None:
    runs: tuple[Run, ...] = tuple(kind(typed) for kind, typed in drawn)  # type: ignore[call-arg]  # Link is not drawn
    document = one(Paragraph(runs))
    assert words(document) == shown(plain(runs))
    assert faults(document) == []


def test_styles_are_marks() -> None:
    runs = (Strong("9.4 points"), Text(" by "), Mono("a_b"), Link("here", "https://example.org/x"))
    (paragraph,) = one(Paragraph(runs))["content"]
    assert paragraph["content"] == [
        {"type": "text", "text": "9.4 points", "marks": [{"type": "strong"}]},
        {"type": "text", "text": " by "},
        {"type": "text", "text": "a_b", "marks": [{"type": "code"}]},
        {
            "type": "text",
            "text": "here",
            "marks": [{"type": "link", "attrs": {"href": "https://example.org/x"}}],
        },
    ]


def test_a_link_leads_to_safe_addresses_only() -> None:
    document = one(Paragraph((Link("click", "javascript:alert(1)"),)))
    assert document["content"][0]["content"] == [{"type": "text", "text": "click"}]


@pytest.mark.parametrize(
    ("level", "panel"), [("note", "info"), ("warning", "warning"), ("danger", "error")]
)
def test_callouts_are_panels(level: Any, panel: str) -> None:
    (node,) = one(Callout(level, text("a")))["content"]
    assert (node["type"], node["attrs"]) == ("panel", {"panelType": panel})


@pytest.mark.parametrize(
    "block",
    [
        Heading(9, text("deep")),
        Bullets(()),
        Numbered(()),
        Table((text("a"),), ()),
        Code(""),
        Details("empty", ()),
        Details("outer", (Details("inner", (Code("a"), Table((text("b"),), ((text("c"),),)))),)),
    ],
)
def test_what_the_schema_has_no_form_for_is_put_into_one(block: Block) -> None:
    assert faults(one(block)) == []


def test_characters_without_a_picture_are_shown() -> None:
    typed = "right\u202eleft zero\u200bwidth half \ud800 \x9b"
    seen = "right\\u202eleft zero\\u200bwidth half \\ud800 \\x9b"
    heading, code, details = one(Heading(3, text(typed)), Code(typed), Details(typed, ()))[
        "content"
    ]
    assert words(heading) == words(code) == details["attrs"]["title"] == seen


def test_lines_to_paste_come_back_to_the_letter() -> None:
    lines = "export A='b'\n\tcat <<EOF\n```\n{noformat} <b>\nEOF\n  --last"
    (node,) = one(Code(lines, "bash"))["content"]
    assert node == {
        "type": "codeBlock",
        "attrs": {"language": "bash"},
        "content": [{"type": "text", "text": lines}],
    }


@pytest.mark.parametrize("name", CASES)
def test_every_report_is_valid(name: str) -> None:
    for length in ("full", "summary"):
        document = json.loads(render(build_report(case(name), length=length)))
        assert faults(document) == []


def test_a_shortened_report_is_valid_fits_and_says_what_went() -> None:
    printed = render(build_report(case("example")), limit=JIRA_LIMIT)
    assert len(printed) <= JIRA_LIMIT
    document = json.loads(printed)
    assert faults(document) == []
    note = r"Shortened: all facts( and all rules)? left out to fit 32,767 characters\."
    assert re.fullmatch(note, words(document["content"][-1]))
    assert "--async-save" in printed


def test_a_whole_summary_is_valid() -> None:
    """Without the short cut by shapes."""
    document = json.loads(render(build_report(case("no pool rate"), length="summary")))
    assert not list(schema().iter_errors(document))


def test_the_schema_is_the_published_one_and_refuses() -> None:
    kept = (SCHEMAS / "adf-full.json").read_bytes()
    assert hashlib.sha256(kept).hexdigest() in (SCHEMAS / "README.md").read_text()
    empty = {"type": "text", "text": ""}
    for wrong in (
        {"type": "heading", "attrs": {"level": 9}, "content": []},
        {"type": "paragraph", "content": [empty]},
        {"type": "bulletList", "content": []},
        {
            "type": "bulletList",
            "content": [{"type": "listItem", "content": [empty | {"text": "a"}]}],
        },
    ):
        assert faults({"version": 1, "type": "doc", "content": [wrong]})
