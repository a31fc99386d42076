"""GitHub and GitLab Markdown in which every text comes back as it was typed.

Mentions, issue references, hashes, addresses and emoji names would be turned into links or pictures
after the Markdown is read, where no backslash helps: they are printed as code.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from advisor.report.addresses import is_address
from advisor.report.atoms import Atom, merged, neighbours
from advisor.report.characters import visible
from advisor.report.document import (
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
    Runs,
    Strong,
    Table,
)
from advisor.report.shorten import shorten

_SPECIAL = re.compile(
    r"[\\`*~\[\]]|(?<![^\W_])_|_(?![^\W_])|<(?=[A-Za-z/!?]|$)|&(?=[A-Za-z0-9#]|$)"
    r"|(?:(?<=\s)|^)#(?=[\s#]|$)|\$(?!\d)|!$"
)
"""What Markdown and the mathematics of trackers react to inside a line, or could at its end."""

_START = re.compile(r"(\d{1,9})([.)])(?=\s|$)|([-+](?=\s|$)|-(?=[-\s]*$)|[>#]|/(?=\w))")
"""What makes a list, a rule, a heading or a quick action at the start of a block."""

_LIVE = re.compile(
    r"@\w|[#!]\d|\bGH-\d|\w://|\bwww\.|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b"
    r"|:[a-z0-9_+-]*[a-z][a-z0-9_+-]*:|:[+-]1:|:100:|:1234:"
)
"""Mentions, references, addresses, commit hashes and emoji names, which trackers bring to life."""

_EDGES = re.compile(r"""^(["'(\[<{,;]*)(.*?)([.,;:!?"')\]>}]*)$""", re.DOTALL)
"""A word without the punctuation around it."""


def render(document: Document, *, limit: int | None = None) -> str:
    """The document as Markdown, ending in one line end.

    Args:
        document: the report.
        limit: most characters (``lengths.GITHUB_LIMIT`` for GitHub); whole sections go, and a note
            names them.

    Raises:
        TooLongError: the limit is too small for the parts that always stay.
    """
    return _whole(document) if limit is None else shorten(document, _whole, limit)


def _whole(document: Document) -> str:
    return _blocks(document.blocks)


def _blocks(blocks: Iterable[Block]) -> str:
    return "\n\n".join(_block(block) for block in blocks) + "\n"


def _block(block: Block) -> str:
    match block:
        case Heading(level, runs):
            return f"{'#' * level} {line(runs, inline=True)}"
        case Paragraph(runs):
            return line(runs)
        case Callout(_, runs):
            return f"> {line(runs)}"
        case Bullets(items):
            return "\n".join(f"- {line(runs)}" for runs in items)
        case Numbered(items):
            return "\n".join(f"{n}. {line(runs)}" for n, runs in enumerate(items, 1))
        case Table(header, rows):
            rule = "|" + " --- |" * len(header)
            return "\n".join((_row(header), rule, *(_row(row) for row in rows)))
        case Code(text, language):
            return _fenced(text, language)
        case Details(summary, inner):
            return (
                f"<details>\n<summary>{_summary(summary)}</summary>\n\n{_blocks(inner)}\n</details>"
            )


def _row(cells: tuple[Runs, ...]) -> str:
    return "".join(f"| {line(cell, inline=True, cell=True)} " for cell in cells) + "|"


def _fenced(text: str, language: str) -> str:
    fence = "`" * max(3, _longest_run(text) + 1)
    word = language if re.fullmatch(r"[\w+-]+", language) else ""
    return f"{fence}{word}\n{visible(text).rstrip(chr(10))}\n{fence}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def _summary(text: str) -> str:
    """HTML, not Markdown: what would come to life goes into a code element."""
    words = re.split(r"(\s+)", visible(text))
    return "".join(
        f"<code>{html.escape(w)}</code>" if _LIVE.search(w) else html.escape(w) for w in words
    ).replace("\n", " ")


def line(runs: Runs, *, inline: bool = False, cell: bool = False) -> str:
    """Some runs as one line of Markdown.

    Args:
        runs: any texts, line ends included.
        inline: not at the start of a block, where a dash would make a list.
        cell: inside a table, where a pipe ends the cell.
    """
    atoms = merged([atom for run in runs for atom in _atoms(run)])
    parts = [_atom(atom, cell=cell) for atom in atoms]
    for i, atom in enumerate(atoms):
        if atom.strong:
            parts[i] = _bold(parts[i], *neighbours(atoms, i))
    return _block_ends("".join(parts), inline=inline)


def _atoms(run: Run) -> Iterable[Atom]:
    text = visible(run.text)
    if not text:
        return []
    match run:
        case Mono():
            return [Atom(text, code="\n" not in text)]
        case Link(_, url) if is_address(url):
            return [Atom(text, url=url)]
        case Strong():
            return _words(text, strong=True)
        case _:
            return _words(text)


def _words(text: str, *, strong: bool = False) -> Iterable[Atom]:
    for piece in re.split(r"(\s+)", text):
        if not _LIVE.search(piece):
            yield Atom(piece, strong=strong)
            continue
        found = _EDGES.match(piece)
        before, core, after = found.groups() if found else ("", piece, "")
        if not _LIVE.search(core):
            before, core, after = "", piece, ""
        yield Atom(before, strong=strong)
        yield Atom(core, code=True)
        yield Atom(after, strong=strong)


def _atom(atom: Atom, *, cell: bool) -> str:
    if atom.code and not cell:
        return _code(atom.text)
    if atom.code:
        # A backslash before a pipe means two things to two parsers, so no code holds a pipe.
        return "&#124;".join(_code(piece) if piece else "" for piece in atom.text.split("|"))
    words = _escaped(atom.text)
    if cell:
        words = words.replace("|", "&#124;")
    return f"[{words}](<{atom.url}>)" if atom.url else words


def _escaped(text: str) -> str:
    words = _SPECIAL.sub(lambda found: "\\" + found.group(), text)
    return words.replace("\n", "&#10;").replace("\t", "&#9;")


def _code(text: str) -> str:
    fence = "`" * (_longest_run(text) + 1)
    padded = text.startswith("`") or text.endswith("`")
    padded = padded or (text.startswith(" ") and text.endswith(" ") and bool(text.strip()))
    space = " " if padded else ""
    return f"{fence}{space}{text}{space}{fence}"


def _bold(words: str, before: str, after: str) -> str:
    """Bold where the markers count as such, plain where a neighbour would make them print."""
    inner = words.strip()
    if not inner or "**" in inner:
        return words
    start, end = words.index(inner), words.index(inner) + len(inner)
    clash_left = start == 0 and before.isalnum() and not inner[0].isalnum()
    clash_right = end == len(words) and after.isalnum() and not inner[-1].isalnum()
    if clash_left or clash_right:
        return words
    return f"{words[:start]}**{inner}**{words[end:]}"


def _block_ends(words: str, *, inline: bool) -> str:
    """The same line with nothing at its ends that would make it another block or be lost."""
    inner = words.strip()
    start, end = (words.index(inner), words.index(inner) + len(inner)) if inner else (len(words), 0)
    found = _START.match(inner)
    if found and not start and not inline:
        number, dot, sign = found.groups()
        inner = (f"{number}\\{dot}" if number else f"\\{sign}") + inner[found.end() :]
    return f"{_spaces(words[:start])}{inner}{_spaces(words[end:]) if inner else ''}"


def _spaces(blank: str) -> str:
    return "".join(f"&#{ord(space)};" for space in blank)
