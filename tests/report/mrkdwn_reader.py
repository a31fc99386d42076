"""Reads Slack mrkdwn as Slack's documentation describes it, for judging what an export says.

Code first, where nothing is formatted; then what stands in angle brackets; then pairs of signs on
one line that do not stand inside words; at last the three entities.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Span(NamedTuple):
    """Words in one style: "", "bold", "code", "link", "block", or what should not be there."""

    style: str
    words: str


_LETTER = "[^\\W_]"
_SIGNS = {"*": "bold", "_": "italic", "~": "struck"}
_CODE = re.compile(r"```\n?(?P<block>.*?)\n?```|`(?P<code>[^`\n]+)`", re.DOTALL)
_BRACKETS = re.compile(r"<([^<>]*)>")
_LIVE = (
    (r"(?:^|(?<=\n))(?:>|&gt;)", "quotation"),
    (r":(?:[a-z0-9_+'-]*[a-z][a-z0-9_+'-]*|[+-]1|100|1234):", "emoji"),
    (r"@\w+", "mention"),
    (r"(?<!\w)#\w+", "channel"),
    (r"\w+://\S+|\bwww\.\S+|\bmailto:\S+", "address"),
    (r"(?<!\S)[:;=]-?[)(DPpoO/\\|*](?!\S)", "face"),
)


def entities(words: str) -> str:
    """The three entities decoded, and nothing else."""
    for name, char in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        words = words.replace(name, char)
    return words


def spans(message: str) -> list[Span]:
    """A message, or a line of one, as words in their styles."""
    out: list[Span] = []
    at = 0
    for found in _CODE.finditer(message):
        out += _text(message[at : found.start()])
        style = "code" if found["block"] is None else "block"
        out.append(Span(style, entities(found[style])))
        at = found.end()
    return _formatted(out + _text(message[at:]))


def _text(words: str) -> list[Span]:
    out: list[Span] = []
    at = 0
    for found in _BRACKETS.finditer(words):
        out.append(Span("", words[at : found.start()]))
        inside = found[1]
        style = "command" if inside[:1] in "@#!" else "link"
        out.append(Span(style, entities(inside.split("|")[-1])))
        at = found.end()
    return [*out, Span("", words[at:])]


def _formatted(read: list[Span]) -> list[Span]:
    """Signs in pairs, over the whole message: one may open before code and close behind it."""
    kept: list[Span] = []
    line = ""
    for span in read:
        if span.style:
            line += chr(0xE000 + len(kept))
            kept.append(span)
        else:
            line += span.words
    for pattern, style in _LIVE:
        line = re.sub(pattern, lambda m, s=style: _keep(kept, s, m[0]), line)  # type: ignore[misc]  # mypy on a default in a lambda
    for sign, style in _SIGNS.items():
        mark = re.escape(sign)
        pair = rf"(?<!{_LETTER}){mark}(?=\S)([^\n]*?)(?<=\S){mark}(?!{_LETTER})"
        line = re.sub(pair, lambda m, s=style: _keep(kept, s, m[1]) if m[1] else m[0], line)  # type: ignore[misc]  # as above
    return _opened(kept, "", line)


def _keep(kept: list[Span], style: str, words: str) -> str:
    kept.append(Span(style, words))
    return chr(0xE000 + len(kept) - 1)


def _opened(kept: list[Span], style: str, words: str) -> list[Span]:
    out: list[Span] = []
    for piece in re.split("([\ue000-\uf8ff])", words):
        if len(piece) == 1 and "\ue000" <= piece <= "\uf8ff":
            inner = kept[ord(piece) - 0xE000]
            name = f"{style} {inner.style}".strip()
            raw = inner.style in ("code", "block", "link", "command")
            out += [Span(name, inner.words)] if raw else _opened(kept, name, inner.words)
        elif piece:
            out.append(Span(style, entities(piece)))
    return out
