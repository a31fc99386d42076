r"""Running text in Slack mrkdwn, in which every character is shown as it was typed.

Slack decodes three entities and has no escape for anything else. A word that would turn into
formatting, a mention, a picture or a link is therefore printed as code, where nothing is formatted.
A backtick cannot stand in code: unless it is the only one around, it is shown as ``\x60``.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import groupby, pairwise

from advisor.report.addresses import is_address
from advisor.report.characters import visible
from advisor.report.document import Link, Mono, Runs, Strong

BACKTICK = "\\x60"
"""A backtick where none can be printed, written as other characters without a picture are."""

_SIGNS = "*_~"
"""What makes text bold, italic, struck through."""

_LIVE = re.compile(
    r"@\w|(?<!\w)#\w|\w://|\bwww\.|\bmailto:"
    r"|:[a-z0-9_+'-]*[a-z][a-z0-9_+'-]*:|:[+-]1:|:100:|:1234:"
    r"|(?<!\w)(?:[:;=]-?[)(DPpoO/\\|*]|</?3)(?!\w)"
)
"""Mentions, channels, addresses, emoji names and faces, which Slack brings to life."""

_EYES = re.compile(r"(?:^|\s)[:;=]-?$")
"""With the star of bold behind them they are a face."""


@dataclass(slots=True)
class _Piece:
    """Characters in one style: code, strong, a link by its address, or plain."""

    words: str
    code: bool = False
    strong: bool = False
    url: str = ""

    @property
    def style(self) -> tuple[bool, bool, str]:
        return self.code, self.strong, self.url


def entities(words: str) -> str:
    """The three characters that control Slack, as the entities it decodes."""
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def line(runs: Runs) -> str:
    """Some runs as mrkdwn; line ends in them stay."""
    pieces = _pieces(runs)
    around = " ".join(piece.words for piece in pieces if not piece.code)
    pairs = "".join(sign for sign in _SIGNS if _active(around, sign) > 1)
    bold = any(piece.strong for piece in pieces)
    tamed: list[_Piece] = []
    fresh = True
    for word in _split(pieces):
        whole = "".join(piece.words for piece in word)
        if whole.isspace():
            fresh |= "\n" in whole
            tamed += word
            continue
        wild = (fresh and whole.startswith(">")) or _wild(word, pairs, bold=bold)
        tamed += [_Piece(whole, code=True)] if wild else word
        fresh = False
    merged = _joined(tamed)
    lone = sum(piece.words.count("`") for piece in merged) == 1
    if not lone or any(piece.code for piece in merged):
        for piece in merged:
            piece.words = piece.words.replace("`", BACKTICK)
    return "".join(_printed(merged, place) for place in range(len(merged)))


def _pieces(runs: Runs) -> list[_Piece]:
    out = []
    for run in runs:
        shown = visible(run.text)
        match run:
            case Mono():
                # Code spans end with their line.
                out.append(_Piece(shown, code="\n" not in shown and bool(shown.strip())))
            case Link(_, url) if is_address(url) and "|" not in url and shown.strip():
                out.append(_Piece(shown.replace("\n", " "), url=url))
            case Strong():
                out.append(_Piece(shown, strong=True))
            case _:
                out.append(_Piece(shown))
    return out


def _split(pieces: list[_Piece]) -> list[list[_Piece]]:
    """Words over the borders of styles, and the blanks between them; code and links stay whole."""
    out: list[list[_Piece]] = [[]]
    for piece in pieces:
        whole = piece.code or piece.url
        for part in [piece.words] if whole else re.split(r"(\s+)", piece.words):
            blank = not whole and part.isspace()
            if blank:
                out.append([])
            if part:
                out[-1].append(_Piece(part, piece.code, piece.strong, piece.url))
            if blank:
                out.append([])
    return [word for word in out if word]


def _wild(word: list[_Piece], pairs: str, *, bold: bool) -> bool:
    """Whether a word would turn into something else.

    Args:
        word: its pieces.
        pairs: signs that stand more than once in its line where they format.
        bold: whether its line has bold words, whose signs a star would pair with.
    """
    if any(piece.url for piece in word):
        return False
    typed = "".join(" " if piece.code else piece.words for piece in word)
    touching = any(
        a.code != b.code and _wordlike(a.words[-1]) and _wordlike(b.words[0])
        for a, b in pairwise(word)
    )
    formats = any(_active(typed, sign) for sign in pairs) or (bold and "*" in typed)
    return touching or formats or _LIVE.search(typed) is not None


def _active(words: str, sign: str) -> int:
    """How often a sign stands where it could start or end formatting: not inside a word."""
    return sum(
        not (_wordlike(words[max(at - 1, 0) : at]) and _wordlike(words[at + 1 : at + 2]))
        for at, char in enumerate(words)
        if char == sign
    )


def _wordlike(char: str) -> bool:
    return bool(char) and unicodedata.category(char)[0] in "LN"


def _joined(pieces: list[_Piece]) -> list[_Piece]:
    """Neighbours of one style put together, blanks between two bold words taken in."""
    out = []
    for style, same in groupby(pieces, key=lambda piece: piece.style):
        out.append(_Piece("".join(piece.words for piece in same), *style))
    return out


def _printed(pieces: list[_Piece], place: int) -> str:
    piece = pieces[place]
    if piece.url:
        return f"<{entities(piece.url)}|{entities(piece.words)}>"
    if piece.code:
        return f"`{entities(piece.words)}`"
    if not piece.strong:
        return entities(piece.words)
    before = pieces[place - 1].words[-1:] if place else ""
    after = pieces[place + 1].words[:1] if place + 1 < len(pieces) else ""
    lines = piece.words.split("\n")
    out = []
    for i, words in enumerate(lines):
        outside = (before if i == 0 else "", after if i == len(lines) - 1 else "")
        out.append(_bold(words, *outside))
    return "\n".join(out)


def _bold(words: str, before: str, after: str) -> str:
    """Bold, or plain where a letter beside it, or eyes before it, would make the signs print."""
    inner = words.strip()
    if not inner:
        return words
    start = words.index(inner)
    left, right = words[:start], words[start + len(inner) :]
    if _wordlike((before + left)[-1:]) or _wordlike((right + after)[:1]) or _EYES.search(inner):
        return entities(words)
    return f"{left}*{entities(inner)}*{right}"
