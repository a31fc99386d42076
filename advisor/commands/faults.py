"""What can go wrong in a command, and how it is said: one message, never a traceback."""

from __future__ import annotations

import re

from advisor.commands.exit_codes import BAD_USE, LOCKED

NAME = "ckpt-advisor"
"""What a message begins with, so that a reader of a log knows whose it is."""

_PLACE = re.compile(r"[^\n]*?:\d+:\d+: ")
"""File, line and column at the beginning of a message."""


class UsageFault(Exception):  # noqa: N818 - a fault of the call, not of the program
    """The command was called in a way that cannot work; ``hint`` says what to type instead."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message}\n    {hint}" if hint else message)
        self.message = message
        self.hint = hint


def known_faults() -> tuple[type[Exception], ...]:
    """Every kind of fault that is told in one message.

    Called when something was raised, so that nothing is imported before.
    """
    from advisor.engine.framework_types import FrameworkError
    from advisor.facts.resolve import AnswerError
    from advisor.facts.toml_fault import TomlFault
    from advisor.session.errors import StoreError

    return UsageFault, TomlFault, StoreError, AnswerError, FrameworkError


def told(message: str) -> str:
    """A message under our name; a place in a file stands first instead, as editors read it."""
    return message if _PLACE.match(message) or message.startswith(NAME) else f"{NAME}: {message}"


def exit_code(fault: Exception) -> int:
    """4 for a session that is open elsewhere, else 2."""
    from advisor.session.errors import SessionLocked

    return LOCKED if isinstance(fault, SessionLocked) else BAD_USE
