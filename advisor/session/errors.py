"""What can go wrong with the files of a session, in sentences for the person in front of it."""

from __future__ import annotations

import errno
from pathlib import Path

from advisor.facts.toml_fault import TomlFault, printable


class StoreError(Exception):
    """A file or folder of ours could not be used.

    Attributes:
        path: the file or folder.
        message: one sentence, what is wrong.
        hint: what to do, or "".
    """

    def __init__(self, path: Path | str, message: str, hint: str = "") -> None:
        super().__init__(str(path), message)
        self.path = str(path)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        text = f"{printable(self.path)}: {self.message}"
        return f"{text}; {self.hint}" if self.hint else text


class ChangedOnDisk(StoreError):  # noqa: N818 - it is news, not a failure
    """Somebody else wrote the session since it was read; nothing was written."""

    def __init__(self, path: Path | str, message: str) -> None:
        super().__init__(path, message, "save under another name, or reload and answer again")


class SessionLocked(StoreError):  # noqa: N818 - it is a state, not a failure
    """The session is open in another ckpt-advisor; ``owner`` is pid@host, or "" if not known."""

    def __init__(self, path: Path | str, owner: str) -> None:
        by = f" (process {owner})" if owner else ""
        super().__init__(path, f"open in another ckpt-advisor{by}", "close it there first")
        self.owner = owner


class NewerSchema(TomlFault):
    """The file was written by a newer ckpt-advisor; it is never rewritten by this one."""


_REASONS = {
    errno.ENOSPC: ("the disk is full", "free some space and save again"),
    errno.EDQUOT: ("your disk quota is used up", "free some space and save again"),
    errno.EFBIG: ("the file would be larger than is allowed here", "save under another folder"),
    errno.EROFS: ("this disk is mounted read-only", "save under another folder"),
    errno.EACCES: ("you may not write here", "save under another folder"),
    errno.EPERM: ("you may not write here", "save under another folder"),
    errno.EIO: ("the disk reports an error", "save under another folder and check the disk"),
    errno.ESTALE: ("the network folder has gone away", "mount it again or save elsewhere"),
    errno.ENOENT: ("there is no such folder", "create it, or save under another folder"),
    errno.ENOTDIR: ("a part of this path is a file, not a folder", "save under another folder"),
    errno.EEXIST: ("a part of this path is a file, not a folder", "save under another folder"),
    errno.EISDIR: ("this is a folder", "name a file in it"),
    errno.ENXIO: ("nobody reads from this pipe", "start its reader first, or name a file"),
    errno.EPIPE: ("whoever read from this pipe has left", "start its reader again"),
    errno.ELOOP: ("this link leads back to itself", "save under another name"),
    errno.ENAMETOOLONG: ("this name is too long", "save under a shorter name"),
    errno.EMFILE: ("too many files are open", "close some programs and save again"),
}
"""What the kernel says, and what to do about it."""


def store_error(path: Path | str, error: OSError | RuntimeError | ValueError) -> StoreError:
    """A failure of the operating system as a plain sentence with what to do."""
    code = error.errno if isinstance(error, OSError) else None
    if code in _REASONS:
        return StoreError(path, *_REASONS[code])
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return StoreError(path, f"this cannot be used: {reason}")
