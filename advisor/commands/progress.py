"""How far a long command is, on one line of stderr, and only where stderr is a terminal."""

from __future__ import annotations

import sys
from types import TracebackType

from advisor.commands.output import is_terminal

WIDTH = 24
"""Characters of the bar; with the count beside it, it fits into 60 columns."""


class Progress:
    """A bar that is drawn over itself and removed at the end; use it as a context manager.

    Args:
        total: how many steps there are; under 2 nothing is drawn.
        quiet: draw nothing.
    """

    def __init__(self, total: int, *, quiet: bool = False) -> None:
        self._total = total
        self._shown = total > 1 and not quiet and is_terminal(sys.stderr)
        self._length = 0

    def at(self, done: int) -> None:
        """Show that so many steps are done."""
        if not self._shown:
            return
        full = WIDTH * done // self._total
        self._draw(f"[{'#' * full}{' ' * (WIDTH - full)}] {done:,} of {self._total:,}")

    def __enter__(self) -> Progress:
        self.at(0)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._shown:
            self._draw("")
            sys.stderr.write("\r")
            sys.stderr.flush()

    def _draw(self, text: str) -> None:
        sys.stderr.write(f"\r{text.ljust(self._length)}")
        sys.stderr.flush()
        self._length = len(text)
