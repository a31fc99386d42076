"""Sessions on disk: load, save, list, and names for new ones.

A save never leaves half a file, never overwrites what somebody else saved meanwhile, changes only
the lines of what changed, and never drops hand-written comments without a copy.
"""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.facts.toml_text import TomlDocument, TomlFault, decode_toml, read_file
from advisor.session.atomic import one_at_a_time, replace_file
from advisor.session.document import (
    Session,
    check_version,
    render_session,
    session_from,
)
from advisor.session.errors import ChangedOnDisk, NewerSchema, StoreError, store_error
from advisor.session.splice import splice

if TYPE_CHECKING:
    from advisor.facts.catalogue import Catalogue

SUFFIX = ".toml"
"""How the name of a session file ends."""

MAX_SLUG = 60
"""Characters of a file name made from a title; names are at most 255 bytes."""


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """One file of the sessions folder.

    Attributes:
        path: the file.
        session: what it holds, or None where it cannot be read.
        fault: why it cannot be read, or None.
    """

    path: Path
    session: Session | None
    fault: TomlFault | None

    @property
    def is_newer(self) -> bool:
        """Whether a newer ckpt-advisor wrote it."""
        return isinstance(self.fault, NewerSchema)


def load(path: Path, catalogue: Catalogue | None = None) -> tuple[Session, str]:
    """A session and the digest of the bytes it was read from.

    Raises:
        TomlFault: as ``read_session``.
    """
    data = read_file(path)
    return session_from(decode_toml(data, str(path)), catalogue), _sha256(data)


def digest(path: Path) -> str:
    """The SHA-256 of a session file, in hexadecimal. Raises TomlFault if it cannot be read."""
    return _sha256(read_file(path))


def save(session: Session, path: Path, *, expected_digest: str | None) -> str:
    """Write a session and return the new digest.

    Args:
        session: what to write.
        path: where; a link keeps pointing at the file that is replaced.
        expected_digest: what ``load`` or the last ``save`` returned; None for a new file.

    Raises:
        ChangedOnDisk: the file is not the one that was read (for None: there already is one).
        NewerSchema: the file was written by a newer ckpt-advisor.
        TomlFault: what stands there is not a session file.
        StoreError: it cannot be written; the old file is untouched.
    """
    try:
        data = render_session(session).encode()
    except UnicodeEncodeError as error:
        sign = error.object[error.start].encode("unicode_escape").decode()
        raise StoreError(path, f"an answer holds {sign}, which no file can hold") from error
    try:
        target = path.resolve()
        with one_at_a_time(target.parent):
            old = _checked(path, target, expected_digest)
            if old is not None:
                data = _by_hand(target, old, session) or data
            replace_file(target, data)
    except (OSError, RuntimeError, ValueError) as error:
        raise store_error(path, error) from error
    return _sha256(data)


def slug(title: str) -> str:
    """A title as part of a file name: lower-case ASCII letters, digits and single hyphens."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", plain)
    return "-".join(words)[:MAX_SLUG].strip("-") or "session"


def new_session_path(folder: Path, title: str) -> Path:
    """A path in the folder, named after the title, at which nothing is yet."""
    name = slug(title)
    path, number = folder / f"{name}{SUFFIX}", 2
    while os.path.lexists(path):
        path, number = folder / f"{name}-{number}{SUFFIX}", number + 1
    return path


def list_sessions(folder: Path) -> list[SessionSummary]:
    """The sessions of a folder, last changed first, then those that cannot be read, by name.

    A folder that is not there holds none.

    Raises:
        StoreError: the folder cannot be read.
    """
    try:
        paths = sorted(path for path in folder.iterdir() if _is_session_name(path.name))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise store_error(folder, error) from error
    found = [_summary(path) for path in paths]
    return sorted(found, key=_last_changed, reverse=True)


def _is_session_name(name: str) -> bool:
    return name.endswith(SUFFIX) and not name.startswith(".")


def _summary(path: Path) -> SessionSummary:
    try:
        return SessionSummary(path, load(path)[0], None)
    except TomlFault as fault:
        return SessionSummary(path, None, fault)


def _last_changed(summary: SessionSummary) -> tuple[bool, datetime]:
    session = summary.session
    updated = session.updated if session else None
    return session is not None, updated or datetime.min.replace(tzinfo=UTC)


def _checked(path: Path, target: Path, expected_digest: str | None) -> TomlDocument | None:
    """The file to be replaced, None for a new one; refused where somebody else changed it."""
    if not target.exists():
        if expected_digest is not None:
            raise ChangedOnDisk(path, "this session was deleted or moved since it was read")
        return None
    old = read_file(target)
    if expected_digest is None:
        raise ChangedOnDisk(path, "there already is a file of this name")
    if _sha256(old) != expected_digest:
        raise ChangedOnDisk(path, "somebody else saved this session since it was read")
    document = decode_toml(old, str(path))
    check_version(document)
    return document


def _by_hand(target: Path, old: TomlDocument, session: Session) -> bytes | None:
    """The bytes of a hand-written file with its form kept; None where it is written anew.

    A copy of it is kept where a comment would be lost either way.
    """
    before = session_from(old)
    if old.text == render_session(before):
        return None
    spliced = splice(old.text, before, session)
    if spliced is None or not _says(spliced.text, old.path, session):
        if old.has_comments:
            _keep_copy(target, old.text.encode())
        return None
    if spliced.lost:
        _keep_copy(target, old.text.encode())
    return spliced.text.encode()


def _says(text: str, name: str, session: Session) -> bool:
    """Whether a text is read as a session, its answers in the same order."""
    try:
        read = session_from(decode_toml(text.encode(), name))
    except TomlFault:
        return False
    return read == session and list(read.answers) == list(session.answers)


def _keep_copy(target: Path, old: bytes) -> None:
    copy, number = target.with_name(f"{target.name}.bak"), 2
    while os.path.lexists(copy):
        if copy.is_file() and copy.read_bytes() == old:
            return
        copy, number = target.with_name(f"{target.name}.bak{number}"), number + 1
    replace_file(copy, old, like=target)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
