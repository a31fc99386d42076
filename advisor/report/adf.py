"""Atlassian Document Format: the JSON that Jira Cloud and Confluence Cloud take.

Nothing is escaped, since texts and styles are apart in it. An empty text node and an empty list
make the receiver refuse the whole document, so neither is ever written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from advisor.report.addresses import is_address
from advisor.report.atoms import Atom, merged
from advisor.report.characters import visible
from advisor.report.document import (
    Block,
    Bullets,
    Callout,
    CalloutLevel,
    Code,
    Details,
    Document,
    Heading,
    Link,
    Mono,
    Numbered,
    Paragraph,
    Run,
    Runs,
    Strong,
    Table,
)
from advisor.report.shorten import shorten

Node: TypeAlias = dict[str, Any]
"""One node of the format, ready for JSON."""

VERSION = 1
"""The version of the format."""

_PANELS: Mapping[CalloutLevel, str] = {"note": "info", "warning": "warning", "danger": "error"}
"""Panel types by how loud a callout is."""

_DEEPEST = 6
"""Heading levels there are."""


def render(document: Document, *, limit: int | None = None) -> str:
    """The document as one line of JSON, ending in a line end.

    Args:
        document: the report.
        limit: most characters of JSON (``lengths.JIRA_LIMIT`` for Jira); whole sections go, and a
            note names them.

    Raises:
        TooLongError: the limit is too small for the parts that always stay.
    """
    return _whole(document) if limit is None else shorten(document, _whole, limit)


def _whole(document: Document) -> str:
    nodes = _nodes(document.blocks)
    whole = {"version": VERSION, "type": "doc", "content": nodes}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n"


def _nodes(blocks: Iterable[Block], *, inside: bool = False) -> list[Node]:
    return [node for block in blocks for node in _block(block, inside=inside)]


def _block(block: Block, *, inside: bool) -> list[Node]:
    match block:
        case Heading(level, runs):
            return [_node("heading", _inline(runs), level=min(level, _DEEPEST))]
        case Paragraph(runs):
            return [_paragraph(runs)]
        case Callout(level, runs):
            return [_node("panel", [_paragraph(runs)], panelType=_PANELS[level])]
        case Bullets(items):
            return [_node("bulletList", _items(items))] if items else []
        case Numbered(items):
            return [_node("orderedList", _items(items), order=1)] if items else []
        case Table(header, rows):
            cells = [_row(header, "tableHeader"), *(_row(row, "tableCell") for row in rows)]
            return [_node("table", cells)]
        case Code(text, language):
            words = visible(text).rstrip("\n")
            return [
                _node("codeBlock", _text(words), **({"language": language} if language else {}))
            ]
        case Details(summary, inner) if inside:
            # An expand holds no expand: the inner one is opened.
            return [_paragraph((Strong(summary),)), *_nodes(inner, inside=True)]
        case Details(summary, inner):
            nodes = _nodes(inner, inside=True) or [_paragraph(())]
            return [_node("expand", nodes, title=visible(summary))]


def _node(kind: str, content: list[Node], **attributes: object) -> Node:
    node: Node = {"type": kind}
    if attributes:
        node["attrs"] = attributes
    return node | {"content": content}


def _paragraph(runs: Runs) -> Node:
    return _node("paragraph", _inline(runs))


def _items(items: Iterable[Runs]) -> list[Node]:
    return [_node("listItem", [_paragraph(runs)]) for runs in items]


def _row(cells: Iterable[Runs], kind: str) -> Node:
    return _node("tableRow", [_node(kind, [_paragraph(cell)]) for cell in cells])


def _inline(runs: Runs) -> list[Node]:
    """Text nodes with marks, a hard break for every line end."""
    out: list[Node] = []
    for atom in merged(_atom(run) for run in runs):
        for place, words in enumerate(atom.text.split("\n")):
            if place:
                out.append({"type": "hardBreak"})
            out += _text(words, _marks(atom))
    return out


def _text(words: str, marks: list[Node] | None = None) -> list[Node]:
    """One text node, or none where there is no text."""
    if not words:
        return []
    return [{"type": "text", "text": words} | ({"marks": marks} if marks else {})]


def _atom(run: Run) -> Atom:
    words = visible(run.text)
    match run:
        case Strong():
            return Atom(words, strong=True)
        case Mono():
            return Atom(words, code=True)
        case Link(_, url) if is_address(url):
            return Atom(words, url=url)
        case _:
            return Atom(words)


def _marks(atom: Atom) -> list[Node]:
    if atom.url:
        return [{"type": "link", "attrs": {"href": atom.url}}]
    return [{"type": kind} for kind, on in (("strong", atom.strong), ("code", atom.code)) if on]
