"""Older session files brought to the present format: one pure function per version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

SCHEMA_VERSION = 1
"""The version of the session file that is written, and the newest that is read."""

Step = Callable[[Mapping[str, Any]], dict[str, Any]]
"""Takes the data of one version, returns those of the next, and changes nothing in place."""

STEPS: Mapping[int, Step] = {}
"""By the version a step starts from; version 1 is the first, so there is none yet."""


def migrate(
    data: Mapping[str, Any],
    *,
    steps: Mapping[int, Step] = STEPS,
    current: int = SCHEMA_VERSION,
) -> dict[str, Any]:
    """The data in the format of version ``current``.

    Args:
        data: what a file holds; its ``schema_version`` is a whole number from 1 to ``current``.
        steps: the migrations, by the version they start from.
        current: the version to arrive at.

    Raises:
        KeyError: no step leads on from a version; the table has a gap.
    """
    migrated = dict(data)
    for version in range(migrated["schema_version"], current):
        migrated = {**steps[version](migrated), "schema_version": version + 1}
    return migrated
