"""All writing of the open session: in the background, one job after the other.

A slow disk then never holds up the typing, and no answer overtakes another.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from advisor.session.editing import Editing


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do with the session, and what to do in the event loop afterwards."""

    work: Callable[[Editing], tuple[str, ...] | None]
    then: Callable[[tuple[str, ...]], None] | None


class Keeper:
    """The session that is open, and the queue of what is to be done with it.

    Args:
        changed: called in the event loop after every job.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self.editing: Editing | None = None
        self._changed = changed
        self._jobs: deque[Job] = deque()
        self._news = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def is_idle(self) -> bool:
        """Whether everything asked for is done."""
        return self._idle.is_set()

    @property
    def banner(self) -> str:
        """Why the session is not saved, or why nothing keeps a second editor out, or ""."""
        editing = self.editing
        return "" if editing is None else editing.banner or editing.warning

    @property
    def saved_text(self) -> str:
        """When it was last saved, for the title line."""
        editing = self.editing
        if editing is None or editing.saved_at is None or editing.banner:
            return ""
        return f"saved {editing.saved_at.astimezone():%H:%M:%S}"

    def submit(
        self,
        work: Callable[[Editing], tuple[str, ...] | None],
        then: Callable[[tuple[str, ...]], None] | None = None,
    ) -> None:
        """Put a job at the end of the queue; it runs in a thread.

        Args:
            work: what to do.
            then: what to do afterwards, in the event loop, with what the work returned.
        """
        self._jobs.append(Job(work, then))
        self._idle.clear()
        self._news.set()

    async def run(self) -> None:
        """Do jobs until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._jobs and self.editing is not None:
                # Taken off first: leaving while it runs must not do it a second time.
                job = self._jobs.popleft()
                result = await asyncio.to_thread(job.work, self.editing)
                if not self._jobs:
                    self._idle.set()
                self._changed()
                if job.then is not None:
                    job.then(result or ())

    async def settled(self) -> None:
        """Wait until everything asked for is done."""
        await self._idle.wait()

    def use(self, editing: Editing) -> None:
        """Go on with another session; the one before is closed."""
        self.finish()
        self.editing = editing
        self._news.set()

    def finish(self) -> None:
        """Do what is left, at once, and close the session."""
        editing, self.editing = self.editing, None
        if editing is None:
            return
        while self._jobs:
            self._jobs.popleft().work(editing)
        self._idle.set()
        editing.close()
