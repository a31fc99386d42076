"""Where files go, also for people and services without a usable home."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from advisor.session.errors import StoreError
from advisor.session.places import (
    config_folder,
    ensure_folder,
    keymap_file,
    sessions_folder,
    site_file,
    state_folder,
)


def test_one_variable_moves_everything(home: Path) -> None:
    assert sessions_folder() == home / "data" / "sessions"
    assert state_folder("journal") == home / "state" / "journal"
    assert site_file() == home / "config" / "site.toml"
    assert keymap_file() == home / "config" / "keymap.toml"


def test_folders_are_made_on_demand_and_private(home: Path) -> None:
    sessions_folder(create=False)
    config_folder()
    assert list(home.iterdir()) == []
    for folder in (sessions_folder(), state_folder("locks"), config_folder(create=True)):
        for made in (folder, folder.parent):
            if made != home:
                assert stat.S_IMODE(made.stat().st_mode) == 0o700


def test_existing_folder_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    assert ensure_folder(tmp_path) == tmp_path
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


class TestWithoutOurVariable:
    @pytest.fixture(autouse=True)
    def bare(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("CKPT_ADVISOR_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            monkeypatch.delenv(name, raising=False)

    def test_home_as_the_xdg_specification_has_it(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setattr("sys.platform", "linux")
        assert sessions_folder() == tmp_path / ".local/share/ckpt-advisor/sessions"
        assert state_folder("locks") == tmp_path / ".local/state/ckpt-advisor/locks"
        assert config_folder() == tmp_path / ".config/ckpt-advisor"

    @pytest.mark.parametrize("home", ["", "relative/home"])
    def test_home_that_is_none(self, monkeypatch: pytest.MonkeyPatch, home: str) -> None:
        monkeypatch.setenv("HOME", home)
        with pytest.raises(StoreError, match="no home folder") as caught:
            sessions_folder()
        assert "CKPT_ADVISOR_HOME" in caught.value.hint

    def test_home_of_a_service(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOME", "/dev/null")
        with pytest.raises(StoreError, match="a file, not a folder") as caught:
            state_folder("journal")
        assert "CKPT_ADVISOR_HOME" in caught.value.hint

    def test_user_without_an_entry(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A container run under a number: no HOME, and the number is in no password file."""
        monkeypatch.delenv("HOME", raising=False)
        monkeypatch.setattr("pwd.getpwuid", lambda uid: {}[uid])
        monkeypatch.chdir(tmp_path)
        with pytest.raises(StoreError, match="no home folder"):
            sessions_folder()
        assert list(tmp_path.iterdir()) == []


def test_read_only_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root writes everywhere, so mkdir plays the kernel of a read-only disk."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(StoreError, match="read-only"):
        sessions_folder()
