"""The session files behind the paths of a command line: files, and folders with all in them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from advisor.commands.inputs import find_session
from advisor.session.errors import StoreError, store_error
from advisor.session.store import SUFFIX


def session_files(names: Sequence[str]) -> list[Path]:
    """The files, folders in the order of their names, each file once.

    Hidden files and folders are left out, and links to folders are not followed.

    Raises:
        StoreError: a folder cannot be read, or holds no session.
    """
    found: dict[str, Path] = {}
    for name in names:
        path = find_session(name)
        for file in _below(path) if path.is_dir() else [path]:
            found.setdefault(os.path.realpath(file), file)
    return list(found.values())


def _below(folder: Path) -> list[Path]:
    def refuse(error: OSError) -> None:
        raise store_error(error.filename or folder, error) from error

    files: list[Path] = []
    for place, inner, names in os.walk(folder, onerror=refuse):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        files += [
            Path(place) / name
            for name in sorted(names)
            if name.endswith(SUFFIX) and not name.startswith(".")
        ]
    if not files:
        raise StoreError(folder, "there is no session in this folder", "sessions are named *.toml")
    return files
