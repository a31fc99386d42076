"""Which addresses a link may lead to."""

from __future__ import annotations

import re

_ADDRESS = re.compile(r"(?:https?://|mailto:)[^\s<>\\]+")
"""Web and mail; nothing that runs, and no character that could end a link early."""


def is_address(url: str) -> bool:
    """Whether a link may lead there; other links are printed as their words alone."""
    return _ADDRESS.fullmatch(url) is not None
