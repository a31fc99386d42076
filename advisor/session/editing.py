"""A session while it is edited: every accepted answer is on disk before the next question.

The screen and the line prompts both edit through this class, so that the same answers at the same
clock write the same bytes.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import TracebackType

from advisor.facts.answers import Answer
from advisor.facts.catalogue import Catalogue
from advisor.facts.toml_text import TomlFault
from advisor.interview.meaning import Meaning
from advisor.session.accept import accept, changes
from advisor.session.document import Session
from advisor.session.drafts import read_drafts, write_drafts
from advisor.session.errors import ChangedOnDisk, StoreError
from advisor.session.journal import Journal, Pending, apply, pending
from advisor.session.lock import SessionLock
from advisor.session.opening import Opened, open_session, usable
from advisor.session.site import with_site
from advisor.session.store import load, save


class Editing:
    """One session being edited, from one thread at a time.

    Attributes:
        path: its file.
        session: its present state, saved or not.
        recovery: answers that a killed run left behind, until ``recover`` or ``discard``.
        conflict: set while somebody else's save keeps ours out, until ``reload`` or ``save_as``.
        banner: why the session is not saved, or "".
        warning: why nothing keeps a second editor out, or "".
        saved_at: when this run last saved; None before.
        drafts: text typed but not accepted, by question.
    """

    def __init__(
        self, opened: Opened, *, catalogue: Catalogue, now: Callable[[], datetime]
    ) -> None:
        self.path = opened.path
        self.session = opened.session
        self.recovery: Pending | None = None
        self.conflict: ChangedOnDisk | None = None
        self.banner = ""
        self.warning = opened.lock.warning
        self.saved_at: datetime | None = None
        self.drafts: Mapping[str, str] = {}
        self._catalogue = catalogue
        self._now = now
        self._lock = opened.lock
        self._digest = opened.digest
        self._on_disk = opened.session
        self._journal = Journal(opened.path, opened.digest)
        self._undo: list[Session] = []
        self._redo: list[Session] = []
        self._touched: set[str] = set()
        # Without a state folder there is nothing to recover and nowhere to keep drafts.
        with contextlib.suppress(StoreError):
            self.recovery = pending(self.path, self._digest, self.session) or None
            self.drafts = read_drafts(self.path)

    @classmethod
    def open(
        cls,
        path: Path | None,
        *,
        catalogue: Catalogue,
        now: Callable[[], datetime],
        title: str = "",
        site: Mapping[str, Answer] | None = None,
    ) -> Editing:
        """Open a session, or begin one: its file appears with the first answer.

        Args:
            path: the file; None for a new one in the sessions folder, named after the title.
            catalogue: the declared facts.
            now: the clock, with its time zone.
            title: what people call the job, for a new session.
            site: answers of the site file, taken where the session has none.

        Raises:
            SessionLocked: it is open elsewhere.
            TomlFault: the file is not a session that can be edited.
            StoreError: there is no folder for it.
        """
        editing = cls(open_session(path, catalogue, title, now()), catalogue=catalogue, now=now)
        if site:
            editing.session = with_site(editing.session, site, catalogue)
        return editing

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(self._undo)

    @property
    def can_redo(self) -> bool:
        """Whether there is a change to make again."""
        return bool(self._redo)

    @property
    def kept(self) -> bool:
        """Whether what is not saved is in the journal, to be offered at the next start."""
        return self._journal.works

    def accept(self, meaning: Meaning) -> None:
        """Take an answer over and save; what keeps it from being saved is in ``banner``."""
        after = accept(self.session, meaning.answers, meaning.clears, self._now())
        self._drop_drafts((*meaning.answers, *meaning.clears))
        if after is not self.session:
            self._remember()
            self._become(after)
        elif self.banner:
            self.save()

    def undo(self) -> tuple[str, ...]:
        """Take the last change back and save; the facts that changed, none where there is none."""
        return self._step(self._undo, self._redo)

    def redo(self) -> tuple[str, ...]:
        """Make the last change taken back again; the facts that changed."""
        return self._step(self._redo, self._undo)

    def draft(self, name: str, text: str) -> None:
        """Keep a text that is not accepted yet, by question; "" drops it."""
        if self.drafts.get(name, "") != text:
            others = {key: value for key, value in self.drafts.items() if key != name}
            self._keep_drafts({**others, name: text} if text else others)

    def recover(self) -> tuple[str, ...]:
        """Take over what a killed run left behind, where it was not answered anew; its facts."""
        found, self.recovery = self.recovery, None
        news = usable(found.changes if found else (), self._catalogue, self._touched)
        after = apply(self.session, news)
        if after.answers == self.session.answers:
            self.discard()
            return ()
        self._remember()
        self._become(replace(after, advice=None))
        return tuple(dict.fromkeys(change.name for change in news))

    def discard(self) -> None:
        """Drop what a killed run left behind."""
        self.recovery = None
        with contextlib.suppress(StoreError):
            self._journal.clear()
        # What this run could not save yet was in the same journal.
        self._note(self._on_disk, self.session)

    def reload(self) -> tuple[str, ...]:
        """Read the file again, with the answers not saved yet on top, and save those.

        A file that was deleted is written again. Undo starts anew.

        Returns:
            The facts put on top.

        Raises:
            TomlFault: the file is no session any more; nothing changed.
        """
        mine = changes(self._on_disk, self.session, self._now())
        if os.path.lexists(self.path):
            session, self._digest = load(self.path, self._catalogue)
            self._on_disk, self.session = session, apply(session, mine)
        else:
            self._digest = None
        self.conflict, self.banner = None, ""
        self._undo, self._redo = [], []
        if self._digest is None or mine:
            self.save()
        return tuple(change.name for change in mine)

    def save_as(self, path: Path) -> None:
        """Go on under another name.

        Raises:
            SessionLocked: that session is open elsewhere.
            StoreError: it cannot be written, or there is a file already; nothing changed.
        """
        lock = SessionLock(path).acquire()
        session = replace(self.session, id=path.stem)
        try:
            digest = save(session, path, expected_digest=None)
        except BaseException:
            lock.release()
            raise
        drafts = self.drafts
        self._keep_drafts({})
        # An undecided recovery stays with the old file, and is offered when that is opened.
        if self.recovery is None:
            with contextlib.suppress(StoreError):
                self._journal.clear()
        self._lock.release()
        self.path, self.session, self._lock, self._digest = path, session, lock, digest
        self._on_disk, self._journal = session, Journal(path, digest)
        self.recovery, self.conflict, self.banner = None, None, ""
        self.warning, self.saved_at = lock.warning, self._now()
        self._keep_drafts(drafts)

    def save(self) -> bool:
        """Save the present state; False, with the reason in ``banner``, where that fails."""
        try:
            self._digest = save(self.session, self.path, expected_digest=self._digest)
        except ChangedOnDisk as changed:
            self.conflict, self.banner = changed, f"not saved: {changed.message}"
        except (StoreError, TomlFault) as error:
            self.banner = "; ".join(filter(None, (f"not saved: {error.message}", error.hint)))
        else:
            self.conflict, self.banner, self.saved_at = None, "", self._now()
            self._on_disk = self.session
            # While a recovery is undecided the journal still holds it.
            if self.recovery is None:
                with contextlib.suppress(StoreError):
                    self._journal.saved(self._digest)
        return not self.banner

    def close(self) -> None:
        """Let others edit it; everything is saved already."""
        self._lock.release()

    def __enter__(self) -> Editing:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _remember(self) -> None:
        self._undo.append(self.session)
        self._redo = []

    def _step(self, source: list[Session], target: list[Session]) -> tuple[str, ...]:
        if not source:
            return ()
        before, then = self.session, source.pop()
        target.append(before)
        names = tuple(change.name for change in changes(before, then, self._now()))
        self._drop_drafts(names)
        self._become(replace(then, updated=self._now().replace(microsecond=0)))
        return names

    def _become(self, after: Session) -> None:
        self._note(self.session, after)
        self.session = after
        self.save()

    def _note(self, before: Session, after: Session) -> None:
        """Put the difference into the journal, before the file is touched."""
        for change in changes(before, after, self._now()):
            self._touched.add(change.name)
            # A journal that cannot be written costs nothing as long as the file can be.
            with contextlib.suppress(StoreError):
                if change.answer is None:
                    self._journal.forget(change.name, change.when)
                else:
                    self._journal.record(change.name, change.answer, change.when)

    def _drop_drafts(self, names: Iterable[str]) -> None:
        gone = frozenset(names)
        if not gone.isdisjoint(self.drafts):
            self._keep_drafts({k: v for k, v in self.drafts.items() if k not in gone})

    def _keep_drafts(self, drafts: Mapping[str, str]) -> None:
        self.drafts = drafts
        # A draft that cannot be kept is still on the screen.
        with contextlib.suppress(StoreError):
            write_drafts(self.path, drafts)
