"""Which command is meant: options may stand before it, and a file alone means the interview."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence

from advisor.commands.faults import UsageFault
from advisor.commands.options import WITH_VALUE

PROGRAM = "ckpt-advisor"
"""The name of the command, also under ``python -m advisor``."""

_VERSION = ("--version", "-v")
_HELP = ("--help", "-h")


def arranged(words: Sequence[str], commands: Collection[str]) -> list[str]:
    """The arguments with the command first.

    Options may stand before the command; without a command, or with a file in its place, the
    interview is meant.

    Args:
        words: as typed, after the name of the program.
        commands: the names of all commands.

    Raises:
        UsageFault: the first word is neither a command nor looks like a file.
    """
    at = 0
    while at < len(words):
        word = words[at]
        if word in _VERSION or (word in _HELP and not any(one in commands for one in words)):
            return [word]
        if word == "--" or not word.startswith("-"):
            break
        at += 2 if word in WITH_VALUE else 1
    if at < len(words) and words[at] != "--":
        if words[at] in commands:
            return [words[at], *words[:at], *words[at + 1 :]]
        _refuse_unless_file(words[at], commands)
    return ["interview", *words]


def _refuse_unless_file(word: str, commands: Collection[str]) -> None:
    if "." in word or os.sep in word or os.path.exists(word):
        return
    from advisor.facts.toml_fault import suggest

    hint = suggest(word, commands) or f"see {PROGRAM} --help; a session is a file named *.toml"
    raise UsageFault(f'{PROGRAM}: there is no command "{word}"', hint)
