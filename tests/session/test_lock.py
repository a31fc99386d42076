"""The lock: a second editor is told, a dead one does not block, a missing folder only warns."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from advisor.session.errors import SessionLocked
from advisor.session.lock import SessionLock

HOLDER = """
import sys
from pathlib import Path
from advisor.session.lock import SessionLock
with SessionLock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def held_elsewhere(path: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_another_process_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    with held_elsewhere(path) as process, pytest.raises(SessionLocked) as caught:
        SessionLock(path).acquire()
    assert caught.value.owner == f"{process.pid}@{socket.gethostname()}"
    assert caught.value.owner in str(caught.value)


def test_a_killed_holder_blocks_nobody(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    with held_elsewhere(path) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
        with SessionLock(path) as lock:
            assert lock.warning == ""


def test_the_same_process_is_locked_out_too(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    link = tmp_path / "link.toml"
    link.symlink_to(path)
    with SessionLock(path):
        with pytest.raises(SessionLocked):
            SessionLock(link).acquire()
        with SessionLock(tmp_path / "b.toml") as other:
            assert other.warning == ""
    with SessionLock(link) as again:
        assert again.warning == ""


def test_nothing_lies_beside_the_session(tmp_path: Path, home: Path) -> None:
    with SessionLock(tmp_path / "a.toml"):
        assert list(tmp_path.iterdir()) == []
        owners = list((home / "state" / "locks").glob("*.owner"))
        assert [owner.read_text() for owner in owners] == [f"{os.getpid()}@{socket.gethostname()}"]
    assert list((home / "state" / "locks").glob("*.owner")) == []


def test_released_from_another_thread(tmp_path: Path) -> None:
    lock = SessionLock(tmp_path / "a.toml").acquire()
    # Kept, since a lock that nobody refers to is released by the collector in any case.
    inner = lock._lock
    thread = threading.Thread(target=lock.release)
    thread.start()
    thread.join()
    lock.release()
    with SessionLock(tmp_path / "a.toml") as again:
        assert again.warning == ""
    assert inner is not None


def test_unusable_state_folder_only_warns(tmp_path: Path, home: Path) -> None:
    (home / "state").write_text("in the way")
    with SessionLock(tmp_path / "a.toml") as lock:
        assert "two people could edit this session at once" in lock.warning


def test_folder_in_place_of_the_lock_file_only_warns(tmp_path: Path, home: Path) -> None:
    with SessionLock(tmp_path / "a.toml"):
        lock_file = next((home / "state" / "locks").glob("*.lock"))
    lock_file.unlink(missing_ok=True)
    lock_file.mkdir()
    with SessionLock(tmp_path / "a.toml") as lock:
        assert "two people could edit this session at once" in lock.warning


@pytest.mark.parametrize(
    "fault", [NotImplementedError("FileSystem does not appear to support flock"), OSError(38, "x")]
)
def test_a_file_system_without_locks_only_warns(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr("filelock.FileLock.acquire", refuse)
    with SessionLock(tmp_path / "a.toml") as lock:
        assert "two people could edit this session at once" in lock.warning


def test_owner_with_escape_codes_is_not_shown(tmp_path: Path, home: Path) -> None:
    with SessionLock(tmp_path / "a.toml"):
        owner = next((home / "state" / "locks").glob("*.owner"))
        owner.write_text("1@\x1b[31mhost")
        with pytest.raises(SessionLocked) as caught:
            SessionLock(tmp_path / "a.toml").acquire()
    assert caught.value.owner == ""
