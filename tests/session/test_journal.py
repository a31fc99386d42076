"""The journal: what was answered survives a kill, a torn line and a full disk."""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.facts.answers import Answer
from advisor.session import journal as module
from advisor.session.document import Session, read_session
from advisor.session.errors import StoreError
from advisor.session.journal import Change, Journal, journal_path, journaled, pending
from advisor.session.store import save

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
LATER = NOW + timedelta(seconds=5)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.toml"


def test_changes_come_back_in_order(path: Path) -> None:
    journal = Journal(path, "d1")
    answer = Answer("18 GB", "measured", 'a "note"\n\x1b', "f sha256:1", "Kim", "site")
    journal.record("state_total", answer, NOW)
    journal.forget("state_total", LATER)
    found = pending(path, "d1")
    assert found.changes == (
        Change(NOW, "state_total", answer),
        Change(LATER, "state_total", None),
    )
    assert found.base_matches


def test_lines_are_plain_json(path: Path) -> None:
    journal = Journal(path, None)
    journal.record("nodes", Answer("4", "guessed"), NOW)
    journal.forget("nodes", NOW)
    head, first, second = map(json.loads, journal_path(path).read_text().splitlines())
    assert head == {"session": str(path), "base": None}
    assert first["t"] == "2026-11-29T12:00:00+00:00"
    assert first["set"][0] == "nodes"
    assert first["set"][1]["value"] == "4"
    assert second == {"t": "2026-11-29T12:00:00+00:00", "unset": "nodes"}


def test_nothing_is_pending_without_a_journal(path: Path) -> None:
    assert not pending(path, None)
    assert journaled() == []


def test_sessions_have_journals_of_their_own(path: Path) -> None:
    Journal(path, None).record("nodes", Answer("4"), NOW)
    assert not pending(path.with_name("b.toml"), None)
    link = path.with_name("link.toml")
    link.symlink_to(path)
    assert pending(link, None)
    assert journaled() == [path]


def test_cleared_after_a_save(path: Path, session: Session) -> None:
    journal = Journal(path, None)
    journal.record("keep", Answer("3"), NOW)
    known = save(session.with_answer("keep", Answer("3"), NOW), path, expected_digest=None)
    journal.saved(known)
    assert not pending(path, known)
    journal.record("keep", Answer("4"), LATER)
    assert pending(path, known).base_matches
    assert [change.name for change in pending(path, known).changes] == ["keep"]


def test_killed_between_save_and_clearing(path: Path, session: Session) -> None:
    """All changes are in the file already, so nothing is offered."""
    Journal(path, None).record("keep", Answer("3"), NOW)
    saved = session.with_answer("keep", Answer("3"), NOW)
    known = save(saved, path, expected_digest=None)
    assert not pending(path, known, saved)


def test_somebody_else_saved_meanwhile(path: Path, session: Session) -> None:
    known = save(session, path, expected_digest=None)
    Journal(path, known).record("nodes", Answer("4"), NOW)
    theirs = session.with_answer("mode", Answer("async"), LATER)
    newer = save(theirs, path, expected_digest=known)
    found = pending(path, newer, read_session(path))
    assert found.changes
    assert not found.base_matches
    assert found.applied(theirs).answers["nodes"].value == "4"
    assert found.applied(theirs).answers["mode"].value == "async"


def test_torn_last_line_loses_only_itself(path: Path) -> None:
    journal = Journal(path, None)
    journal.record("nodes", Answer("4"), NOW)
    journal.record("mode", Answer("sync"), NOW)
    file = journal_path(path)
    whole = file.read_bytes()
    lengths = range(whole.rfind(b"\n", 0, -1) + 1, len(whole) - 2)
    for length in lengths:
        file.write_bytes(whole[:length])
        assert [change.name for change in pending(path, None).changes] == ["nodes"]
    journal.record("keep", Answer("3"), NOW)
    assert [change.name for change in pending(path, None).changes] == ["nodes", "keep"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    st.lists(
        st.binary(max_size=40)
        | st.sampled_from(
            [
                b"[" * 100_000,
                b'{"t": 1, "unset": "x"}',
                b'{"t": "2026-01-01T00:00:00", "unset": "no zone"}',
                b'{"t": "never", "unset": "x"}',
                b'{"t": "2026-01-01T00:00:00+00:00", "set": ["x", {"value": 1}]}',
                b'{"t": "2026-01-01T00:00:00+00:00", "set": ["x", {"value": "1", "note": 2}]}',
                b'{"t": "2026-01-01T00:00:00+00:00", "set": ["x", {"value": "1", "source": "?"}]}',
            ]
        ),
        max_size=4,
    )
)
def test_rubbish_in_the_journal_is_ignored(path: Path, rubbish: list[bytes]) -> None:
    journal = Journal(path, None)
    journal.clear()
    journal.record("nodes", Answer("4"), NOW)
    with journal_path(path).open("ab") as file:
        file.write(b"\n".join(rubbish))
    journal.record("mode", Answer("sync"), NOW)
    assert [change.name for change in pending(path, None).changes] == ["nodes", "mode"]


def test_kill_loses_nothing(path: Path) -> None:
    code = """
import os, signal, sys
from datetime import datetime, UTC
from pathlib import Path
from advisor.facts.answers import Answer
from advisor.session.journal import Journal
Journal(Path(sys.argv[1]), None).record("nodes", Answer("4"), datetime.now(UTC))
os.kill(os.getpid(), signal.SIGKILL)
"""
    run = subprocess.run([sys.executable, "-c", code, path], check=False)
    assert run.returncode == -signal.SIGKILL
    assert [change.name for change in pending(path, None).changes] == ["nodes"]


def test_journal_is_private(path: Path) -> None:
    Journal(path, None).record("nodes", Answer("4"), NOW)
    file = journal_path(path)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_full_disk_is_told_once_and_healed_silently(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(path, None)

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(module, "write_all", refuse)
        with pytest.raises(StoreError, match="the disk is full"):
            journal.record("nodes", Answer("4"), NOW)
        journal.record("nodes", Answer("5"), NOW)
        assert not journal.works
    journal.record("nodes", Answer("6"), NOW)
    assert journal.works
    values = [change.answer.value for change in pending(path, None).changes if change.answer]
    assert values == ["6"]


def test_half_a_line_on_a_full_disk(path: Path) -> None:
    """The kernel takes a part of the line; what follows later must not be glued to it."""
    journal = Journal(path, None)
    journal.record("nodes", Answer("4"), NOW)
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (journal_path(path).stat().st_size + 9, old[1]))
    try:
        with pytest.raises(StoreError, match="larger than is allowed"):
            journal.record("mode", Answer("sync"), NOW)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    journal.record("keep", Answer("3"), NOW)
    assert [change.name for change in pending(path, None).changes] == ["nodes", "keep"]


def test_unusable_state_folder_is_told_once(path: Path, home: Path) -> None:
    (home / "state").write_text("in the way")
    journal = Journal(path, None)
    with pytest.raises(StoreError, match="a file, not a folder"):
        journal.record("nodes", Answer("4"), NOW)
    journal.record("nodes", Answer("5"), NOW)
    assert not journal.works
    assert not pending(path, None)


def test_pipe_in_place_of_a_journal_does_not_hang(path: Path) -> None:
    file = journal_path(path, create=True)
    os.mkfifo(file)
    assert not pending(path, None)
    assert journaled() == []
