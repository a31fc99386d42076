"""Which session was open last, so that the next start can offer to go on with it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from advisor.session.atomic import replace_file
from advisor.session.errors import StoreError
from advisor.session.journal import journal_path
from advisor.session.places import state_folder

NAME = "last-session.json"
"""Our note in the state folder."""


@dataclass(frozen=True, slots=True)
class Last:
    """The session that was open last.

    Attributes:
        path: its file.
        done: whether its results were looked at or exported with all five answered.
    """

    path: Path
    done: bool


def last_session() -> Last | None:
    """What was noted, or None where nothing was, or nothing is left of it."""
    try:
        text = (state_folder("interview", create=False) / NAME).read_text()
        noted = json.loads(text)
    except (StoreError, OSError, ValueError):
        return None
    match noted:
        case {"path": str(path), "done": bool(done)} if _is_there(Path(path)):
            return Last(Path(path), done)
    return None


def remember(last: Last) -> None:
    """Note it; where that fails the next start only does not offer it."""
    noted = json.dumps({"path": str(last.path.absolute()), "done": last.done})
    try:
        replace_file(state_folder("interview") / NAME, noted.encode())
    except (StoreError, OSError):
        return


def _is_there(path: Path) -> bool:
    """Whether there is a file, or answers that never reached one."""
    try:
        return path.is_file() or journal_path(path).is_file()
    except StoreError:
        return False
