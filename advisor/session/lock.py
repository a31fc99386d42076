"""One editor per session: a lock in the user's state folder, released by the kernel if we die.

It is advice, since network folders differ: the digest check of a save is what protects the file.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import socket
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from advisor.session.errors import SessionLocked, StoreError, store_error
from advisor.session.places import state_folder

if TYPE_CHECKING:
    from filelock import BaseFileLock

NO_LOCK = "two people could edit this session at once"
"""What a missing lock means for the person."""

MAX_OWNER = 200
"""Characters of pid@host that are read: a host name has at most 64 on Linux."""


class SessionLock:
    """The lock on one session, as a context manager or by ``acquire`` and ``release``.

    Attributes:
        warning: why there is no lock although nobody else holds it, or "".
    """

    def __init__(self, path: Path) -> None:
        self.warning = ""
        self._path = path
        self._lock: BaseFileLock | None = None
        self._owner: Path | None = None

    def acquire(self) -> SessionLock:
        """Take the lock at once.

        Raises:
            SessionLocked: another process, or another part of this one, holds it.
        """
        from filelock import FileLock, Timeout

        name = hashlib.sha256(os.fsencode(os.path.realpath(self._path))).hexdigest()[:32]
        try:
            folder = state_folder("locks")
        except StoreError as error:
            self.warning = f"{error}: {NO_LOCK}"
            return self
        owner = folder / f"{name}.owner"
        # The interview saves from a worker thread, so the lock belongs to the process.
        lock = FileLock(folder / f"{name}.lock", timeout=0, thread_local=False)
        try:
            lock.acquire()
        except Timeout:
            raise SessionLocked(self._path, _read_owner(owner)) from None
        except (OSError, NotImplementedError) as error:
            # filelock 3 raises the second one where a file system knows no locks (ENOSYS).
            reason = store_error(folder, error)
            self.warning = f"{reason}: {NO_LOCK}"
            return self
        self._lock, self._owner = lock, owner
        # Only for the message in the other process.
        with contextlib.suppress(OSError):
            owner.write_text(f"{os.getpid()}@{socket.gethostname()}")
        return self

    def release(self) -> None:
        """Give the lock back; nothing happens where it is not held."""
        if self._lock is None or self._owner is None:
            return
        with contextlib.suppress(OSError):
            self._owner.unlink(missing_ok=True)
        self._lock.release()
        self._lock = None

    def __enter__(self) -> SessionLock:
        return self.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


def _read_owner(owner: Path) -> str:
    try:
        text = owner.read_text(errors="replace")[:MAX_OWNER].strip()
    except OSError:
        return ""
    return text if text.isprintable() else ""
