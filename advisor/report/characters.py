"""Characters that would move a cursor, hide text or turn it around, shown instead of printed."""

from __future__ import annotations

import unicodedata

_SHOWN = frozenset(("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))
"""Unicode categories without a picture of their own: controls, formats, surrogates, separators."""

_PRINTED = frozenset("\n\t")
"""Control characters every format has a way to print."""

_WIDE = frozenset("WF")
"""East Asian widths that take two columns of a terminal."""


def visible(text: str) -> str:
    r"""The text with every character that has no picture written as an escape such as ``\x1b``.

    Line ends and tabs stay, with ``\r\n`` and ``\r`` taken as line ends.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(_escape(c) if _is_hidden(c) and c not in _PRINTED else c for c in lines)


def _is_hidden(char: str) -> bool:
    """Without a picture, or one of the 66 code points that will never be a character."""
    code = ord(char)
    never = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    return never or unicodedata.category(char) in _SHOWN


def _escape(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def columns(text: str) -> int:
    """How many columns of a terminal a line takes: 2 for wide characters, 0 for combining ones."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in _WIDE else 1
        for c in text
    )
