"""Reads Jira wiki markup the way Jira does, for judging what an export says.

Written from the rules Jira publishes and from how its renderer behaves: links first, then
addresses, backslash escapes, character references, signs, phrases, forced line ends, each on what
the one before left. What was read is kept as a token, so that nothing later looks into it.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import NamedTuple


class Span(NamedTuple):
    """Words in one style: "" or "bold", "code", "link", or what should not be there."""

    style: str
    words: str


@dataclass
class Block:
    """One block: its kind, and its lines (a list's items, a table's rows of cells)."""

    kind: str
    lines: list[list[list[Span]]] = field(default_factory=list)

    @property
    def words(self) -> list[list[str]]:
        return [["".join(s.words for s in cell) for cell in line] for line in self.lines]


PICTURES = (
    *(":-)", ":)", ":P", ":p", ";-)", ";)", ":D", ":-(", ":("),
    *("(y)", "(n)", "(i)", "(/)", "(x)", "(+)", "(-)", "(!)", "(?)", "(on)", "(off)"),
    *("(*)", "(*b)", "(*y)", "(*g)", "(*r)", "(flag)", "(flagoff)"),
)
"""What Jira prints as pictures where no letter follows."""

_PHRASES = (
    (r"\?\?", r"\?\?", "citation"),
    (r"\*", r"\*", "bold"),
    (r"\^", r"\^", "superscript"),
    (r"~", r"~", "subscript"),
    (r"_", r"_", "italic"),
    (r"-", r"-", "deleted"),
    (r"\+", r"\+", "inserted"),
    (r"\{\{", r"\}\}", "code"),
    ("!", "!", "image"),
)
_MACRO = re.compile(r"(?<![\\{])\{[A-Za-z][^{}\n]*\}(?!\})")
_ADDRESS = re.compile(
    r"(?<![A-Za-z0-9])((?:https?|ftps?|irc|nntp|news|file)://|mailto:)[^\s|\]\"']+"
)
_FIRST_TOKEN = 0xE000


def _phrase(start: str, end: str) -> re.Pattern[str]:
    letters = "[^\\W_]"
    first, last = start[-1:], end[-1:]
    return re.compile(
        rf"(?:(?<!{letters})(?<!\\){start}|\{{{start}\}})"
        rf"([^\s{re.escape(first)}](?:.*?[^\s{re.escape(last)}])??)"
        rf"(?<!\\)(?:{end}(?!{letters})|\{{{end}\}})"
    )


_PATTERNS = [(_phrase(start, end), style) for start, end, style in _PHRASES]


class _Inline:
    def __init__(self) -> None:
        self.kept: list[tuple[str, str]] = []

    def keep(self, style: str, words: str) -> str:
        self.kept.append((style, words))
        return chr(_FIRST_TOKEN + len(self.kept) - 1)

    def spans(self, words: str) -> list[Span]:
        keep = self.keep
        words = re.sub(
            r"(?<!\\)\[([^\[\]\n]+)\]", lambda m: keep("link", m[1].split("|")[0]), words
        )
        words = re.sub(
            r"(?<![\\{])\{[A-Za-z][^{}\n]*\}(?!\})", lambda m: keep("macro", m[0]), words
        )
        words = _ADDRESS.sub(lambda m: keep("address", m[0]), words)
        words = re.sub(
            r"(?<!\\)\\([-#*_+?^~|%{}\[\]()!@])",
            lambda m: m[1] if m[1] in "{}[]" else keep("", m[1]),
            words,
        )
        words = re.sub(r"&#?\w+;", lambda m: keep("", html.unescape(m[0])), words)
        words = re.sub(r"@[\w.]+@", lambda m: keep("placeholder", m[0]), words)
        words = re.sub(r"(?:(?<=\s)|^)---?(?=\s|$)", lambda m: keep("dash", m[0]), words)
        for sign in PICTURES:
            words = re.sub(re.escape(sign) + "(?![A-Za-z])", lambda m: keep("picture", m[0]), words)
        for pattern, style in _PATTERNS:
            words = pattern.sub(lambda m, style=style: keep(style, m[1]), words)  # type: ignore[misc]  # mypy on a default in a lambda
        return self.opened("", words)

    def opened(self, style: str, words: str) -> list[Span]:
        out: list[Span] = []
        for char in re.sub(r"(?<!\\)\\\\(?!\S*\\)", "\n", words):
            place = ord(char) - _FIRST_TOKEN
            if 0 <= place < len(self.kept):
                inner, held = self.kept[place]
                out += self.opened(f"{style} {inner}".strip(), held)
            else:
                out.append(Span(style, char))
        return out


def spans(words: str) -> list[Span]:
    """A line of wiki markup as words in their styles."""
    out: list[Span] = []
    for style, char in _Inline().spans(words):
        if out and out[-1].style == style:
            out[-1] = Span(style, out[-1].words + char)
        else:
            out.append(Span(style, char))
    return out


def _cells(row: str) -> tuple[bool, list[str]]:
    """The cells of a row, split at bars without a backslash; whether the first is a heading."""
    row = row.strip()
    heads = row.startswith("||")
    parts = re.split(r"(?<!\\)\|+", row)
    return heads, parts[1:-1] if row.endswith("|") else parts[1:]


def read(markup: str) -> list[Block]:
    """The blocks of a document."""
    out: list[Block] = []
    lines = markup.split("\n")
    at = 0
    fresh = True
    while at < len(lines):
        line = lines[at]
        at += 1
        macro = re.fullmatch(r"\{(noformat|code)[^}]*\}", line.strip())
        if macro:
            end = next(n for n in range(at, len(lines)) if lines[n].strip() == f"{{{macro[1]}}}")
            body = "\n".join(lines[at:end])
            out.append(Block("lines to paste", [[[Span("", body)]]]))
            at, fresh = end + 1, True
        elif not line.strip():
            fresh = True
        else:
            fresh = _line(out, line, fresh)
    return out


def _line(out: list[Block], line: str, fresh: bool) -> bool:
    heading = re.fullmatch(r"\s*h([1-6])\.\s*(.*)", line)
    quote = re.fullmatch(r"\s*bq\.\s*(.*)", line)
    item = re.fullmatch(r"\s*([*#-]+)\s+(.*?)\s*", line)
    if heading:
        out.append(Block(f"heading {heading[1]}", [[spans(heading[2])]]))
        return True
    if quote:
        out.append(Block("quotation", [[spans(quote[1])]]))
        return True
    if re.fullmatch(r"\s*-{4,5}\s*", line):
        out.append(Block("rule"))
        return True
    if item:
        kind = "numbered" if item[1][0] == "#" else "bullets"
        if fresh or out[-1].kind != kind:
            out.append(Block(kind))
        out[-1].lines.append([spans(item[2])])
    elif line.lstrip().startswith("|"):
        if fresh or out[-1].kind != "table":
            out.append(Block("table"))
        heads, cells = _cells(line)
        out[-1].lines.append([spans(cell.strip()) for cell in cells])
        assert heads == (len(out[-1].lines) == 1), line
    else:
        if fresh or out[-1].kind != "paragraph":
            out.append(Block("paragraph"))
        out[-1].lines.append([spans(line)])
    return False
