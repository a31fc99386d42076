"""The framework files: which there are, and one of them on demand.

Listing looks at file names only and loading reads a single file, because one advice needs one
framework; only a name that is no id makes all be read, for the other names they go by. The types
and lookups are in ``framework_types``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from advisor.engine.framework_file import read_framework
from advisor.engine.framework_types import (
    Capability,
    Framework,
    FrameworkError,
    Lines,
    Note,
    Timeout,
    Trap,
)
from advisor.engine.strict_table import near
from advisor.engine.versions import KnownVersion

__all__ = [
    "Capability",
    "Framework",
    "FrameworkError",
    "KnownVersion",
    "Lines",
    "Note",
    "Timeout",
    "Trap",
    "framework_aliases",
    "framework_id_of",
    "framework_ids",
    "load_framework",
]


def framework_ids(folders: Sequence[Path]) -> tuple[str, ...]:
    """The ids there are files for, sorted; a folder that does not exist has none."""
    return tuple(sorted({path.stem for folder in folders for path in folder.glob("*.toml")}))


def folded(name: str) -> str:
    """A name as it is compared: case, blanks, - and _ do not count."""
    return re.sub(r"[\s_-]+", "", name.casefold())


def framework_id_of(name: str, ids: Sequence[str]) -> str:
    """The id people mean by a name; case, blanks, - and _ do not count; "" for none."""
    return next((known for known in ids if folded(known) == folded(name)), "")


def framework_aliases(folders: Sequence[Path]) -> Mapping[str, str]:
    """The id for each other name of a framework, folded; a later folder wins.

    A file with a fault has no other names: its fault is named when it is used.
    """
    found: dict[str, str] = {}
    for framework_id in framework_ids(folders):
        try:
            framework = load_framework(folders, framework_id)
        except FrameworkError:
            continue
        found.update({folded(alias): framework_id for alias in framework.aliases})
    return found


def load_framework(folders: Sequence[Path], framework_id: str) -> Framework:
    """Read the file of one framework; the last folder that has it wins (site packs come last).

    Raises:
        FrameworkError: no folder has the id, or the file is not as it should be.
    """
    ids = framework_ids(folders)
    if framework_id not in ids:
        raise FrameworkError(
            f'There are no facts about a framework "{framework_id}":', hint=near(framework_id, ids)
        )
    paths = [folder / f"{framework_id}.toml" for folder in folders]
    return read_framework([path for path in paths if path.is_file()][-1])
