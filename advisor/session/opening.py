"""Opening a session to edit it: an old file or a new name, with its lock."""

from __future__ import annotations

import errno
import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from advisor.facts.catalogue import Catalogue
from advisor.facts.resolve import AnswerError, read_answer
from advisor.session.document import Session
from advisor.session.errors import SessionLocked, StoreError, store_error
from advisor.session.journal import Change
from advisor.session.lock import SessionLock
from advisor.session.places import sessions_folder
from advisor.session.store import load, new_session_path

MOST_NAMES = 1000
"""Names tried for a new session while others take the same one at the same moment."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A session that is ours to edit.

    Attributes:
        path: its file, which need not be there yet.
        session: what it holds.
        digest: of the file; None where there is none.
        lock: to be released in the end.
    """

    path: Path
    session: Session
    digest: str | None
    lock: SessionLock


def open_session(path: Path | None, catalogue: Catalogue, title: str, now: datetime) -> Opened:
    """Take the lock of a session and read it.

    Args:
        path: the file; None for a new one in the sessions folder, named after the title.
        catalogue: the declared facts.
        title: what people call the job, for a new session.
        now: the moment at which a new one begins.

    Raises:
        SessionLocked: it is open elsewhere.
        TomlFault: the file is not a session that can be edited.
        StoreError: there is no folder for it.
    """
    path, lock = _new_place(title) if path is None else (path, SessionLock(path).acquire())
    try:
        if os.path.lexists(path):
            return Opened(path, *load(path, catalogue), lock)
        if not path.parent.is_dir():
            raise store_error(path, FileNotFoundError(errno.ENOENT, "no folder"))
    except BaseException:
        lock.release()
        raise
    session = Session(path.stem, title, created=now.replace(microsecond=0))
    return Opened(path, session, None, lock)


def usable(
    changes: Iterable[Change], catalogue: Catalogue, but: Collection[str]
) -> tuple[Change, ...]:
    """The changes that these rules can read, without those to some facts."""
    return tuple(c for c in changes if c.name not in but and _is_readable(c, catalogue))


def _is_readable(change: Change, catalogue: Catalogue) -> bool:
    spec = catalogue.facts.get(change.name)
    if spec is None:
        return False
    if change.answer is not None:
        try:
            read_answer(spec, change.answer)
        except AnswerError:
            return False
    return True


def _new_place(title: str) -> tuple[Path, SessionLock]:
    """A name for a new session that nobody else is beginning at this moment, and its lock."""
    folder, name = sessions_folder(), title
    for number in range(2, MOST_NAMES):
        path = new_session_path(folder, name)
        try:
            return path, SessionLock(path).acquire()
        except SessionLocked:
            name = f"{title or 'session'} {number}"
    raise StoreError(folder, "every name for a new session is taken", "name a file")
