"""Files that are missing, huge or no files: told in words, without waiting."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from advisor.facts.toml_text import (
    TomlFault,
    load_toml,
)


class TestFiles:
    def test_missing_file_suggests_a_neighbour(self, tmp_path: Path) -> None:
        (tmp_path / "bloom.toml").write_text("a = 1")
        with pytest.raises(TomlFault, match="no such file") as caught:
            load_toml(tmp_path / "blom.toml")
        assert caught.value.hint == 'did you mean "bloom.toml"?'

    def test_missing_folder(self, tmp_path: Path) -> None:
        with pytest.raises(TomlFault, match="no such file") as caught:
            load_toml(tmp_path / "none" / "x.toml")
        assert "no folder" in caught.value.hint

    def test_folder(self, tmp_path: Path) -> None:
        with pytest.raises(TomlFault, match="a folder, not a file"):
            load_toml(tmp_path)

    def test_too_large(self, tmp_path: Path) -> None:
        path = tmp_path / "big.toml"
        path.write_bytes(b"#" * 3_000_000)
        with pytest.raises(TomlFault, match="this file is 3 MB; one of ours is under 2 MB"):
            load_toml(path)

    def test_sparse_giant_is_not_read(self, tmp_path: Path) -> None:
        path = tmp_path / "giant.toml"
        path.touch()
        os.truncate(path, 1_200_000_000)
        with pytest.raises(TomlFault, match=r"this file is 1\.2 GB"):
            load_toml(path)

    def test_pipe_does_not_hang(self, tmp_path: Path) -> None:
        path = tmp_path / "pipe.toml"
        os.mkfifo(path)
        with pytest.raises(TomlFault, match="a pipe, a socket or a device"):
            load_toml(path)

    def test_device(self) -> None:
        with pytest.raises(TomlFault, match="a pipe, a socket or a device"):
            load_toml(Path("/dev/zero"))

    def test_link_to_itself(self, tmp_path: Path) -> None:
        path = tmp_path / "loop.toml"
        path.symlink_to(path)
        with pytest.raises(TomlFault, match="cannot be read"):
            load_toml(path)

    def test_nul_in_the_name(self) -> None:
        with pytest.raises(TomlFault, match="not the name of a file"):
            load_toml(Path("a\0b"))

    def test_unreadable(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Root reads everything, so the refusal of the kernel is played by os.open."""
        path = tmp_path / "x.toml"
        path.write_text("a = 1")

        def refuse(*_: object) -> int:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(os, "open", refuse)
        with pytest.raises(TomlFault, match="may not read"):
            load_toml(path)
