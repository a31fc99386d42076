"""The live estimate in the background: one computation at a time, the newest answers win."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from advisor.facts.answers import Answer
    from advisor.interview.panel import Live

Compute = Callable[[Mapping[str, "Answer"]], "Live"]
"""Computes an estimate; runs in a thread."""


class Estimator:
    """Follows the typing without ever holding it up.

    Args:
        show: takes each estimate, in the event loop.
    """

    def __init__(self, show: Callable[[Live], None]) -> None:
        self._show = show
        self._wanted: Mapping[str, Answer] | None = None
        self._news = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()

    def request(self, answers: Mapping[str, Answer]) -> None:
        """Ask for an estimate of these answers; a request not yet begun is forgotten."""
        self._wanted = dict(answers)
        self._idle.clear()
        self._news.set()

    async def run(self, compute: Compute) -> None:
        """Serve requests until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            answers = self._wanted
            if answers is None:
                continue
            live = await asyncio.to_thread(compute, answers)
            self._show(live)
            if not self._news.is_set():
                self._idle.set()

    async def settled(self) -> None:
        """Wait until the newest request is shown."""
        await self._idle.wait()
