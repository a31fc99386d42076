"""Keys typed before the question they are meant for is open wait until it is.

At the start that is the first question; what was typed before the program was there is in the
terminal's queue. Keys behind Enter are meant for the next question.

A slow line, a paste or a script delivers ``10 h``, Enter and ``15 min`` at once. Enter travels over
several messages before the next question opens; without the wait the second answer would be typed
into the first one's field, and ``10 h15 min`` be accepted.
"""

from __future__ import annotations

from collections import deque

from textual.events import Key, Paste

KeyLike = Key | Paste
"""What is typed."""

LONGEST = 1.0
"""Seconds until keys are let through even if no answer came of the Enter; no key is ever lost."""

LINE_END = "ctrl+j"
"""What becomes of an Enter that was pressed before the program took the terminal over."""


class KeyGate:
    """Shut by Enter, opened when the next question is there."""

    def __init__(self) -> None:
        self._held: deque[KeyLike] | None = None

    @property
    def is_shut(self) -> bool:
        """Whether keys wait."""
        return self._held is not None

    def shut(self) -> None:
        """From now on keys wait."""
        if self._held is None:
            self._held = deque()

    def hold(self, event: KeyLike) -> None:
        """Keep a key; the gate is shut."""
        if self._held is not None:
            self._held.append(event)

    def open(self) -> deque[KeyLike]:
        """Let keys through; those that waited, in their order."""
        held, self._held = self._held, None
        return held or deque()
