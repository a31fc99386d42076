"""Answers as they are given, on disk at once: a killed terminal loses nothing.

One file of JSON lines per session path, in the user's state folder: a head naming the session and
the digest of the file the answers belong on top of, then one line per change.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from advisor.facts.answers import CERTAINTIES, Answer
from advisor.facts.toml_text import TomlFault, read_file
from advisor.session.atomic import write_all
from advisor.session.document import Session
from advisor.session.errors import StoreError, store_error
from advisor.session.places import state_folder

MAX_BYTES = 20_000_000
"""Bytes; 100,000 changes without a save. A larger journal is not ours."""

PRIVATE_FILE = 0o600
"""Mode of a journal: it lies in nobody's shared folder."""


@dataclass(frozen=True, slots=True)
class Change:
    """One answer given, or taken back where ``answer`` is None."""

    when: datetime
    name: str
    answer: Answer | None


@dataclass(frozen=True, slots=True)
class Pending:
    """What the journal holds and the saved file does not.

    Attributes:
        changes: in the order in which they were made.
        base_matches: whether the saved file is still the one they were made on top of; if not,
            somebody else saved it since, and they may contradict what it says now.
    """

    changes: tuple[Change, ...] = ()
    base_matches: bool = True

    def __bool__(self) -> bool:
        return bool(self.changes)

    def applied(self, session: Session) -> Session:
        """The session with the changes made."""
        return apply(session, self.changes)


class Journal:
    """The journal of one session that is being edited.

    A full disk or an unusable state folder raises StoreError on the first record that fails and
    is silent from then on, while every record is still tried: the caller warns once and goes on.

    Attributes:
        works: whether the last record reached the disk.
    """

    def __init__(self, path: Path, digest: str | None) -> None:
        self.works = True
        self._path = path
        self._digest = digest

    def record(self, name: str, answer: Answer, now: datetime) -> None:
        """Note an answer given. Raises StoreError once."""
        self._append({"t": now.isoformat(), "set": [name, _fields(answer)]})

    def forget(self, name: str, now: datetime) -> None:
        """Note an answer taken back. Raises StoreError once."""
        self._append({"t": now.isoformat(), "unset": name})

    def saved(self, digest: str) -> None:
        """The session file now holds everything; start again on top of it. Raises StoreError."""
        self.clear()
        self._digest = digest

    def clear(self) -> None:
        """Drop what is noted. Raises StoreError."""
        try:
            journal_path(self._path).unlink(missing_ok=True)
        except OSError as error:
            raise store_error(self._path, error) from error

    def _append(self, line: Mapping[str, Any]) -> None:
        try:
            file = journal_path(self._path, create=True)
            try:
                self._write(file, line)
            except OSError as error:
                raise store_error(file, error) from error
        except StoreError:
            failed_before, self.works = not self.works, False
            if not failed_before:
                raise
        else:
            self.works = True

    def _write(self, file: Path, line: Mapping[str, Any]) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        handle = os.open(file, flags, PRIVATE_FILE)
        try:
            size = os.fstat(handle).st_size
            lines = [line]
            if size == 0:
                lines.insert(0, {"session": str(self._path.absolute()), "base": self._digest})
            text = "".join(json.dumps(one) + "\n" for one in lines)
            if size and os.pread(handle, 1, size - 1) != b"\n":
                # The last line is torn; without this it would take the new one with it.
                text = "\n" + text
            write_all(handle, text.encode())
            os.fsync(handle)
        finally:
            os.close(handle)


def journal_path(path: Path, *, create: bool = False) -> Path:
    """The journal of the session at a path. Raises StoreError without a usable state folder."""
    name = hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()[:32]
    return state_folder("journal", create=create) / f"{name}.jsonl"


def pending(path: Path, digest: str | None, saved: Session | None = None) -> Pending:
    """The changes in the journal that the saved session does not hold.

    Args:
        path: the session file.
        digest: of the session file, None where there is none.
        saved: what the session file holds, to leave out changes that made it there.

    Raises:
        StoreError: there is no usable state folder.
    """
    try:
        data = read_file(journal_path(path), max_bytes=MAX_BYTES)
    except TomlFault:
        return Pending()
    base: object = None
    changes: list[Change] = []
    for raw in data.split(b"\n"):
        line = _parsed(raw)
        if "base" in line:
            base = line["base"]
        change = _change(line)
        if change:
            changes.append(change)
    if saved is not None and apply(saved, changes).answers == saved.answers:
        return Pending()
    return Pending(tuple(changes), base == digest)


def journaled() -> list[Path]:
    """The sessions that have a journal: unsaved ones, and those a crash left behind.

    Raises:
        StoreError: there is no usable state folder.
    """
    folder = state_folder("journal", create=False)
    found = []
    for file in sorted(folder.glob("*.jsonl")):
        try:
            head = read_file(file, max_bytes=MAX_BYTES).split(b"\n", 1)[0]
        except TomlFault:
            continue
        session = _parsed(head).get("session")
        if isinstance(session, str):
            found.append(Path(session))
    return found


def apply(session: Session, changes: Iterable[Change]) -> Session:
    """The session with changes made in order."""
    for change in changes:
        if change.answer is None:
            session = session.without_answer(change.name, change.when)
        else:
            session = session.with_answer(change.name, change.answer, change.when)
    return session


def _fields(answer: Answer) -> dict[str, str]:
    return {
        "value": answer.value,
        "source": answer.source,
        "note": answer.note,
        "evidence": answer.evidence,
        "said_by": answer.said_by,
        "origin": answer.origin,
    }


def _parsed(raw: bytes) -> dict[str, Any]:
    try:
        line = json.loads(raw)
    except (ValueError, RecursionError):
        # A torn line, or one that is not ours: what it said is lost, the rest is not.
        return {}
    return line if isinstance(line, dict) else {}


def _change(line: Mapping[str, Any]) -> Change | None:
    answer: Answer | None = None
    match line:
        case {"t": str(moment), "unset": str(name)}:
            pass
        case {"t": str(moment), "set": [str(name), {"value": str()} as fields]}:
            answer = _answer(fields)
            if answer is None:
                return None
        case _:
            return None
    try:
        when = datetime.fromisoformat(moment)
    except ValueError:
        return None
    return Change(when, name, answer) if when.tzinfo else None


def _answer(fields: Mapping[str, Any]) -> Answer | None:
    known = {key: fields[key] for key in _fields(Answer("?")) if key in fields}
    if not all(isinstance(text, str) for text in known.values()):
        return None
    answer = Answer(**known)
    fits = answer.source in CERTAINTIES and answer.origin in ("person", "site")
    return answer if fits else None
