"""Figures as a screen reader should say them: words for the signs it would spell or leave out."""

from __future__ import annotations

import re

_MILLIONS = {"k": "thousand", "M": "million", "B": "billion", "T": "trillion"}
"""What stands behind an amount of money."""

_SIGNS = (
    (re.compile(r"(?<=\d)\s?%"), " percent"),
    (re.compile(r"(?<=\d)x(?=\s|[.,;:]|$)"), " times"),
    (re.compile(r"(?<=B)/s\b"), " per second"),
    (re.compile(r"(?<=\d)/s\b"), " per second"),
    (re.compile(r"(?<=\d)/h\b"), " per hour"),
)
"""Signs behind figures, and the words for them."""


def spoken(text: str) -> str:
    """A text of ours with its signs as words: "84.7 percent", "100 GB per second"."""
    text = re.sub(r"\$(\d[\d.,]*)([kMBT])\b", lambda m: f"${m[1]} {_MILLIONS[m[2]]}", text)
    for sign, words in _SIGNS:
        text = sign.sub(words, text)
    return text
