"""Running text in Jira wiki markup, in which every character comes back as it was typed.

Where Jira has a backslash escape it is used, since Jira Cloud reads it too. What has none (a
backslash before markup, a brace beside a brace, a bar in a table) is a character reference, which
Server and Data Center print as the character.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from advisor.report.addresses import is_address
from advisor.report.atoms import Atom, merged, neighbours
from advisor.report.characters import visible
from advisor.report.document import Link, Mono, Run, Runs, Strong

_BREAK = "\\\\ "
"""A forced line end; the space keeps what follows from being read with the backslashes."""

_ESCAPED = re.compile(
    r"""
      (?P<reference>
          \\(?=[-\#*_+?^~|%{}\[\]()!@\\\n]|$)     # an escape, or a line end with the next one
        | (?<=\{)\{ | (?<=\})\}                   # monospaced, once the backslash is gone
        | &(?=\#?\w+;)                            # a character reference
        | :(?=[DPp](?![A-Za-z]))                  # a face
        | (?<=mailto): | (?<=[A-Za-z]):(?=//)     # an address
      )
    | (?P<backslash>
          [{}\[\]!@]                              # macros, links, pictures, placeholders
        | \?(?=\?) | (?<=\?)\? | (?<=\()\?(?=\))  # a citation, a sign
        | \((?=(?:[yni/x]|on|off|flag|flagoff)\)) # signs
        | (?<=[:;])[()] | (?<=[:;]-)[()]          # faces
      )
    | (?P<phrase>[-*_+^~])
    | \|                                         # in a table
    """,
    re.VERBOSE,
)
"""What Jira reacts to inside a line, by the way it is escaped."""

_LIST = re.compile(r"[*#-]+(?=\s)")
"""What makes a list at the start of a block."""

_BLOCK = re.compile(r"(h[1-6]|bq)\.")
"""What makes a heading or a quotation there."""

_WEB = re.compile(
    r"https?://[A-Za-z0-9](?:[\w./~%=?&+,:#-]*[A-Za-z0-9/=])?(?=[.,;:!?\"')\]>}]*(?:\s|$))",
    re.ASCII,
)
"""Typed addresses that a link holds whole; others are not linked, since a part leads elsewhere."""

_LINKABLE = re.compile(r"https?://[^\s\[\]|!^\\{}\"<>]+")
"""Addresses that can stand in a link."""

_BLANK = " \t\n"
"""What Jira takes as space; others, such as no-break spaces, count as signs."""


def line(runs: Runs, *, cell: bool = False) -> str:
    """Some runs as one line of wiki markup, without space at its ends.

    Args:
        runs: any texts, line ends included.
        cell: inside a table, where a bar ends the cell.
    """
    atoms = merged(atom for run in runs for atom in _atoms(run))
    for place, atom in enumerate(atoms):
        # Code that touches a letter would print its braces.
        if atom.code and any(_wordlike(c) for c in neighbours(atoms, place)):
            atoms[place] = replace(atom, code=False)
    atoms = merged(atoms)
    styled = (_styled(atom, neighbours(atoms, i), cell=cell) for i, atom in enumerate(atoms))
    return _block_start("".join(styled).strip(_BLANK))


def _atoms(run: Run) -> Iterable[Atom]:
    words = visible(run.text)
    match run:
        case Mono():
            # A line end or a space at an end would keep the braces from counting.
            yield Atom(words, code="\n" not in words and words == words.strip(_BLANK))
        case Link(_, url) if is_address(url):
            # The address stands on its own: few signs can be escaped in the words of a link.
            named = words.strip(_BLANK) not in ("", url)
            yield Atom(f"{words} (" if named else "")
            yield Atom(url, url=url)
            yield Atom(")" if named else "")
        case Strong():
            yield Atom(words, strong=True)
        case _:
            yield Atom(words)


def _styled(atom: Atom, beside: tuple[str, str], *, cell: bool) -> str:
    inner = atom.text.strip(_BLANK)
    if atom.url:
        return f"[{inner}]" if _LINKABLE.fullmatch(inner) else _escaped(inner, cell=cell)
    if not (atom.code or atom.strong) or not inner:
        return _linked(atom.text, cell=cell)
    if atom.code:
        return "{{" + _escaped(atom.text, also="{}", cell=cell) + "}}"
    start = atom.text.index(inner)
    before, after = atom.text[:start], atom.text[start + len(inner) :]
    touches = _wordlike((beside[0] + before)[-1:]) or _wordlike((after + beside[1])[:1])
    mark = "{*}" if touches else "*"
    # A brace inside would make another mark of ours with one outside: "{*}" switches bold as well.
    bold = _linked(inner, also="{}", cell=cell)
    return f"{_spaces(before)}{mark}{bold}{mark}{_spaces(after)}"


def _linked(words: str, *, also: str = "", cell: bool = False) -> str:
    """Escaped, with web addresses as links to themselves.

    Jira would link them anyway, and with the escapes in the address.
    """
    out, at = [], 0
    for found in _WEB.finditer(words):
        out += [_escaped(words[at : found.start()], also=also, cell=cell), f"[{found.group()}]"]
        at = found.end()
    return "".join((*out, _escaped(words[at:], also=also, cell=cell)))


def _escaped(words: str, *, also: str = "", cell: bool = False) -> str:
    """Every sign escaped that would count as markup.

    Args:
        words: a text of one style.
        also: signs that become character references whatever stands beside them.
        cell: whether bars do.
    """

    def escape(found: re.Match[str]) -> str:
        char = found.group()
        if char == "|":
            return "&#124;" if cell else char
        if found["reference"] or char in also:
            return f"&#{ord(char)};"
        if found["phrase"] and _inert(words, found.start()):
            return char
        return f"\\{char}"

    return _spaces(_ESCAPED.sub(escape, words))


def _inert(words: str, place: int) -> bool:
    """Whether a phrase sign starts and ends nothing: inside a word, or alone between spaces."""
    before, after = words[max(place - 1, 0) : place], words[place + 1 : place + 2]
    alone = bool(before and after) and before in _BLANK and after in _BLANK
    return alone or (_wordlike(before) and _wordlike(after))


def _wordlike(char: str) -> bool:
    """Whether Jira takes a character as part of a word: letters and decimal digits."""
    return bool(char) and (unicodedata.category(char)[0] == "L" or char.isdecimal())


def _spaces(words: str) -> str:
    return words.replace("\n", _BREAK)


def _block_start(words: str) -> str:
    """The same line with nothing at its start that would make it another block."""
    listed = _LIST.match(words)
    if listed and "#" in listed.group():
        # Beside it stands only the sign of bold, which has to stay.
        return listed.group().replace("#", "\\#") + words[listed.end() :]
    if listed or words.startswith("|"):
        return f"\\{words}"
    found = _BLOCK.match(words)
    return f"{found[1]}&#46;{words[found.end() :]}" if found else words
