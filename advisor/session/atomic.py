"""Replace a file so that at every moment either the old or the new one is whole."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import stat
import time
from collections.abc import Iterator
from pathlib import Path

NEW_FILE = 0o666
"""Mode of a new file before the umask: sessions are shared in teams."""

WAIT = 2.0
"""Seconds to wait for another saver in the same folder; one save takes about 10 ms."""


def replace_file(target: Path, data: bytes, *, like: Path | None = None) -> None:
    """Write a file and put it in the place of ``target``.

    Args:
        target: the file itself; replacing a link would cut it, so resolve links before.
        data: the new content.
        like: the file whose mode, and where allowed group, the new one gets; ``target`` unless
            given. Where it does not exist, the mode follows the umask.

    Raises:
        OSError: the old file is then untouched and no other file is left behind.
    """
    temporary = target.with_name(f".ckpt-advisor-{secrets.token_hex(8)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    handle = os.open(temporary, flags, NEW_FILE)
    done = False
    try:
        with os.fdopen(handle, "wb", buffering=0):
            _keep_access(like or target, handle)
            write_all(handle, data)
            os.fsync(handle)
        os.replace(temporary, target)
        done = True
    finally:
        if not done:
            with contextlib.suppress(OSError):
                temporary.unlink()
    # The new file is whole and in its place; a folder that cannot be synced changes neither.
    with contextlib.suppress(OSError):
        sync_folder(target.parent)


def write_to(path: Path, data: bytes) -> None:
    """Write to whatever a path names: a file whole or not at all, a device or a pipe as it is.

    A link keeps pointing at the file that is replaced.

    Raises:
        OSError: it cannot be written; ENXIO for a pipe that nobody reads, instead of waiting.
    """
    # Asked of the path itself: what /dev/stdout leads to has no name where it is a pipe.
    if path.is_file() or not path.exists():
        replace_file(path.resolve(), data)
        return
    # Replacing a device would remove it, and opening a pipe without a reader would never return.
    handle = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        os.set_blocking(handle, True)
        write_all(handle, data)
    finally:
        os.close(handle)


def write_all(handle: int, data: bytes) -> None:
    """Write all of the data; the kernel may take them in pieces. Raises OSError."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def sync_folder(folder: Path) -> None:
    """Make new names in a folder survive a power cut. Raises OSError."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Keep other savers of ours out of a folder while a file is compared and replaced.

    Network folders without locks, and a saver that hangs, only cost the wait: the digest decides.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        end = time.monotonic() + WAIT
        while not _locked(handle) and time.monotonic() < end:
            time.sleep(0.005)
        yield
    finally:
        os.close(handle)


def _locked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # No locks on this file system; waiting would not bring one.
        return True
    return True


def _keep_access(like: Path, handle: int) -> None:
    try:
        old = like.stat()
    except FileNotFoundError:
        return
    new = os.fstat(handle)
    if new.st_gid != old.st_gid:
        with contextlib.suppress(PermissionError):
            os.fchown(handle, -1, old.st_gid)
    os.fchmod(handle, stat.S_IMODE(old.st_mode))
