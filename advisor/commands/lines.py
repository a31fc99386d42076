"""Lines in, lines out: what the plain interview needs of a terminal, and nothing more."""

from __future__ import annotations

import io
from typing import TextIO

from advisor.facts.toml_fault import printable

MOST = 10_000
"""Characters of one line; a longer one was not typed."""


class EndOfInput(Exception):  # noqa: N818 - the person has left, nothing failed
    """There are no more lines."""


class Lines:
    """A terminal, a serial line, a pipe or a script, one line at a time.

    Args:
        stdin: where lines come from.
        stdout: where they go.
    """

    def __init__(self, stdin: TextIO, stdout: TextIO) -> None:
        if isinstance(stdin, io.TextIOWrapper):
            # A byte of another encoding is refused as an answer instead of ending the interview.
            stdin.reconfigure(errors="surrogateescape")
        self._stdin = stdin
        self._stdout = stdout
        self._shows_typing = stdin.isatty()

    def say(self, *lines: str) -> None:
        """Write lines; control characters in what people typed are shown escaped."""
        for line in lines:
            self._stdout.write(f"{printable(line)}\n")
        self._stdout.flush()

    def ask(self, prompt: str) -> str:
        """Write a prompt and read a line, without the blanks around it.

        Raises:
            EndOfInput: there is none.
        """
        self._stdout.write(f"{printable(prompt)} ")
        self._stdout.flush()
        line = self._stdin.readline(MOST)
        if not line:
            self.say("")
            raise EndOfInput
        rest = line
        while len(rest) == MOST and not rest.endswith("\n"):
            # What is over the limit is read and dropped, or it would answer the next question.
            rest = self._stdin.readline(MOST)
        text = line.strip()
        if not self._shows_typing:
            self.say(text)
        return text
