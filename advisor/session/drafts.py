"""Text typed but not accepted yet, kept for the next start in the user's state folder.

One small file per session, beside the journal: a draft is no answer, it may not even be readable.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from advisor.facts.toml_text import TomlFault, read_file
from advisor.session.atomic import replace_file
from advisor.session.errors import store_error
from advisor.session.places import state_folder

MAX_BYTES = 1_000_000
"""Bytes; a draft is a line. A larger file is not ours."""


def read_drafts(path: Path) -> dict[str, str]:
    """The drafts of the session at a path, by question; none where the file is not as we write it.

    Raises:
        StoreError: there is no usable state folder.
    """
    try:
        data = json.loads(read_file(_file(path), max_bytes=MAX_BYTES))
    except (TomlFault, ValueError, RecursionError):
        return {}
    drafts = data.get("drafts") if isinstance(data, dict) else None
    if not isinstance(drafts, dict):
        return {}
    return {name: text for name, text in drafts.items() if isinstance(text, str)}


def write_drafts(path: Path, drafts: Mapping[str, str]) -> None:
    """Keep these drafts and no others.

    Raises:
        StoreError: they cannot be written; the old ones are untouched.
    """
    file = _file(path, create=bool(drafts))
    try:
        if drafts:
            about = {"session": str(path.absolute()), "drafts": dict(drafts)}
            replace_file(file, json.dumps(about).encode())
        else:
            file.unlink(missing_ok=True)
    except OSError as error:
        raise store_error(file, error) from error


def _file(path: Path, *, create: bool = False) -> Path:
    name = hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()[:32]
    return state_folder("drafts", create=create) / f"{name}.json"
