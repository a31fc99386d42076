"""What the framework tests share: the shipped files and a value for every placeholder."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from advisor.engine.framework_file import PLACEHOLDERS
from advisor.engine.frameworks import Framework, Lines, load_framework
from advisor.engine.launch_text import fill

FOLDER = Path(__file__).resolve().parents[2] / "rules" / "frameworks"
"""The files that are shipped."""

VALUES = {name: str(number) for number, name in enumerate(sorted(PLACEHOLDERS), start=101)}
"""A different number for every placeholder, so that a mix-up shows."""


@cache
def framework(name: str) -> Framework:
    """One shipped framework."""
    return load_framework([FOLDER], name)


def all_lines(one: Framework) -> Iterator[Lines]:
    """Every entry with something to paste."""
    for entries in one.changes.values():
        yield from entries


def text_at(name: str, lever: str, version: str) -> str:
    """What is printed for a lever and a version, "" where nothing is."""
    one = framework(name)
    lines = one.lines(lever, one.version(version))
    return "" if lines is None else fill(lines.text, VALUES)
