"""A save that the system refuses or that is killed: the old file is whole, nothing is left over."""

from __future__ import annotations

import errno
import os
import resource
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from advisor.session.document import Session, read_session
from advisor.session.errors import StoreError
from advisor.session.store import (
    digest,
    list_sessions,
    load,
    save,
)

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


class TestErrorsOfTheSystem:
    """Root ignores modes, so refusals are played by the call that would refuse."""

    def check_untouched(self, saved: tuple[Path, str], session: Session, words: str) -> None:
        path, known = saved
        before = path.read_bytes()
        changed = session.without_answer("mode", NOW)
        with pytest.raises(StoreError, match=words) as caught:
            save(changed, path, expected_digest=known)
        assert caught.value.hint
        assert path.read_bytes() == before
        assert names(path.parent) == ["a.toml"]

    @pytest.mark.parametrize(
        ("code", "words"),
        [
            (errno.ENOSPC, "the disk is full"),
            (errno.EDQUOT, "quota"),
            (errno.EROFS, "read-only"),
            (errno.EACCES, "you may not write here"),
            (errno.EPERM, "you may not write here"),
            (errno.EIO, "reports an error"),
        ],
    )
    @pytest.mark.parametrize("call", ["fsync", "replace", "write"])
    def test_refusals(
        self,
        saved: tuple[Path, str],
        session: Session,
        monkeypatch: pytest.MonkeyPatch,
        code: int,
        words: str,
        call: str,
    ) -> None:
        def refuse(*_: object) -> None:
            raise OSError(code, os.strerror(code))

        monkeypatch.setattr(os, call, refuse)
        self.check_untouched(saved, session, words)

    def test_full_device(
        self, saved: tuple[Path, str], session: Session, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The kernel's own refusal, from the device that is always full."""
        real = os.write

        def to_full(_: int, data: memoryview) -> int:
            full = os.open("/dev/full", os.O_WRONLY)
            try:
                return real(full, data)
            finally:
                os.close(full)

        monkeypatch.setattr(os, "write", to_full)
        self.check_untouched(saved, session, "the disk is full")

    def test_file_size_limit(self, saved: tuple[Path, str], session: Session) -> None:
        """The kernel takes the first bytes and refuses the rest."""
        old = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (64, old[1]))
        try:
            self.check_untouched(saved, session, "larger than is allowed")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, old)

    def test_full_disk_while_copying_comments(
        self, saved: tuple[Path, str], session: Session
    ) -> None:
        path, _ = saved
        path.write_text(f"# mine\n{path.read_text()}")
        old = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (64, old[1]))
        try:
            self.check_untouched((path, digest(path)), session, "larger than is allowed")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, old)

    def test_interrupt_leaves_no_temporary_file(
        self, saved: tuple[Path, str], session: Session, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path, known = saved

        def interrupt(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(os, "replace", interrupt)
        with pytest.raises(KeyboardInterrupt):
            save(session.without_answer("mode", NOW), path, expected_digest=known)
        assert load(path) == (session, known)
        assert names(path.parent) == ["a.toml"]

    def test_folder_that_cannot_be_synced_does_not_undo_the_save(
        self, saved: tuple[Path, str], session: Session, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path, known = saved
        real = os.fsync

        def only_files(file: int) -> None:
            if stat.S_ISDIR(os.fstat(file).st_mode):
                raise OSError(errno.EINVAL, "Invalid argument")
            real(file)

        monkeypatch.setattr(os, "fsync", only_files)
        changed = session.without_answer("mode", NOW)
        assert save(changed, path, expected_digest=known) == digest(path)

    @pytest.mark.parametrize(
        ("make", "words"),
        [
            (lambda folder: folder / "none" / "a.toml", "there is no such folder"),
            (
                lambda folder: (folder / "file").write_text("x") and folder / "file" / "a.toml",
                "file",
            ),
            (lambda folder: folder / ("n" * 300 + ".toml"), "too long"),
            (lambda folder: folder / "a\0.toml", "cannot be used"),
        ],
        ids=["no-folder", "below-a-file", "long", "nul"],
    )
    def test_places_that_cannot_be(
        self, tmp_path: Path, session: Session, make: Callable[[Path], Path], words: str
    ) -> None:
        with pytest.raises(StoreError, match=words):
            save(session, make(tmp_path), expected_digest=None)

    def test_link_to_itself(self, tmp_path: Path, session: Session) -> None:
        path = tmp_path / "a.toml"
        path.symlink_to(path)
        with pytest.raises(StoreError):
            save(session, path, expected_digest=None)


KILLED = """
import os, signal, sys
from pathlib import Path
from advisor.session.document import Session
from advisor.session.store import digest, save
real = getattr(os, sys.argv[2])
def die(*arguments):
    os.kill(os.getpid(), signal.SIGKILL)
setattr(os, sys.argv[2], die)
path = Path(sys.argv[1])
save(Session("other"), path, expected_digest=digest(path))
"""


@pytest.mark.parametrize("call", ["write", "fsync", "replace"])
def test_killed_in_the_middle(saved: tuple[Path, str], session: Session, call: str) -> None:
    path, known = saved
    run = subprocess.run([sys.executable, "-c", KILLED, path, call], check=False)
    assert run.returncode == -signal.SIGKILL
    assert load(path) == (session, known)
    assert [summary.path for summary in list_sessions(path.parent)] == [path]
    changed = session.without_answer("mode", NOW)
    save(changed, path, expected_digest=known)
    assert read_session(path) == changed
