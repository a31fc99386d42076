"""The sessions of a replay, one after the other: read, recomputed, and rewritten on request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from advisor.commands.exit_codes import BAD_USE, FINE, HIT, LOCKED
from advisor.engine.knowledge import Knowledge
from advisor.facts.toml_fault import TomlFault
from advisor.session.document import Session
from advisor.session.errors import SessionLocked, StoreError
from advisor.session.lock import SessionLock
from advisor.session.replay import Replayed, is_current, replay, with_advice
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


def replay_rows(paths: Iterable[Path], knowledge: Knowledge, *, update: bool) -> Iterator[Row]:
    """Replay file after file; a fault of one leaves the others alone.

    Args:
        paths: session files.
        knowledge: the rules to recompute with.
        update: rewrite the stored advice where it is not the one of today.
    """
    for path in paths:
        try:
            session, digest = load(path, knowledge.catalogue)
        except TomlFault as fault:
            yield Row(path, Replayed(path.stem, "error", why=(fault.message,)), str(fault))
            continue
        result = replay(session, knowledge)
        if result.advice is None:
            yield Row(path, result, f"{path}: {'; '.join(result.why)}")
            continue
        fault_text, updated, locked = "", False, False
        if update:
            try:
                updated = _store(path, session, digest, result)
            except (StoreError, TomlFault) as fault:
                fault_text, locked = str(fault), isinstance(fault, SessionLocked)
        yield Row(path, result, fault_text, updated, locked)


def _store(path: Path, session: Session, digest: str, result: Replayed) -> bool:
    """Rewrite the advice where it is not the one of today; whether that was needed."""
    if result.advice is None:
        return False
    if result.state == "same" and is_current(session, result.advice):
        return False
    with SessionLock(path):
        save(with_advice(session, result.advice), path, expected_digest=digest)
    return True
