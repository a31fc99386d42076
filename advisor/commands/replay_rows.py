"""The sessions of a replay: each read, recomputed, and rewritten on request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from advisor.commands.exit_codes import BAD_USE, FINE, HIT, LOCKED
from advisor.engine.knowledge import Knowledge, load_knowledge
from advisor.facts.toml_fault import TomlFault
from advisor.session.document import Session
from advisor.session.errors import SessionLocked, StoreError
from advisor.session.lock import SessionLock
from advisor.session.replay import Replayed, is_current, replay, with_record
from advisor.session.store import load, save


@dataclass(frozen=True, slots=True)
class Row:
    """One session of a replay.

    Attributes:
        path: its file.
        result: what came of it.
        fault: why it could not be read or rewritten, for stderr; "" where it could.
        updated: its advice was rewritten.
        locked: it is open in another ckpt-advisor.
    """

    path: Path
    result: Replayed
    fault: str = ""
    updated: bool = False
    locked: bool = False


def outcome(rows: Sequence[Row]) -> int:
    """The exit code: the worst that happened; a difference that was stored is none."""
    if any(row.fault and not row.locked for row in rows):
        return BAD_USE
    if any(row.locked for row in rows):
        return LOCKED
    return HIT if any(row.result.state == "differs" and not row.updated for row in rows) else FINE


@dataclass(frozen=True, slots=True)
class ReplayTask:
    """A replay of some files.

    Attributes:
        folders: rules over the built-in ones.
        update: rewrite the stored advice where it is not the one of today.
    """

    folders: tuple[Path, ...]
    update: bool = False

    def begin(self) -> Callable[[Path], Row]:
        """Load the rules; what is done with one file."""
        knowledge = load_knowledge(self.folders)
        return lambda path: replay_row(path, knowledge, update=self.update)


def replay_row(path: Path, knowledge: Knowledge, *, update: bool) -> Row:
    """Replay one file; what is wrong with it is told in its row.

    Args:
        path: the session file.
        knowledge: the rules to recompute with.
        update: rewrite the stored advice where it is not the one of today.
    """
    try:
        session, digest = load(path, knowledge.catalogue)
    except TomlFault as fault:
        return Row(path, Replayed(path.stem, "error", why=(fault.message,)), str(fault))
    result = replay(session, knowledge)
    if result.record is None:
        return Row(path, result, f"{path}: {'; '.join(result.why)}")
    fault_text, updated, locked = "", False, False
    if update:
        try:
            updated = _store(path, session, digest, result)
        except (StoreError, TomlFault) as fault:
            fault_text, locked = str(fault), isinstance(fault, SessionLocked)
    return Row(path, result, fault_text, updated, locked)


def _store(path: Path, session: Session, digest: str, result: Replayed) -> bool:
    """Rewrite the advice where it is not the one of today; whether that was needed."""
    if result.record is None:
        return False
    if result.state == "same" and is_current(session, result.record):
        return False
    with SessionLock(path):
        save(with_record(session, result.record), path, expected_digest=digest)
    return True
