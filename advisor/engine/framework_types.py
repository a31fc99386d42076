"""What a training framework can do about checkpoints, by version.

The facts are data (``rules/frameworks/<id>.toml`` and site packs); these types answer questions
about them for one version.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from packaging.version import Version

from advisor.engine.launch_text import fill, settings_terms, term
from advisor.engine.versions import KnownVersion, VersionRange, known_version

Read = Literal["source", "measured", "inferred", "recalled"]
"""How a fact was established, best first; "recalled" ones are to be checked before use."""

Status = Literal["default_on", "opt_in", "experimental", "external", "none"]
"""How a framework has a capability, best first."""

STATUS_RANK: Mapping[str, int] = {
    status: rank
    for rank, status in enumerate(("none", "external", "experimental", "opt_in", "default_on"))
}
"""Higher is better: what "since" compares."""

Effect = Literal[
    "async_off", "async_ruled_out", "timeout_unchanged", "one_writer", "dirty_buffers", "other"
]
"""What a trap does to the job, for rules to look at: async_off where another setting would switch
asynchronous saves on, async_ruled_out where nothing does beside these settings."""

ASYNC_OFF: frozenset[Effect] = frozenset({"async_off", "async_ruled_out"})
"""Effects with which no save runs in the background."""


@dataclass(frozen=True, slots=True)
class Capability:
    """One capability (async, sharded, incremental, compression, local, peer, gds) of a version.

    Attributes:
        what: what it is and what it needs; blocks: what still stops the step.
        writer: who writes in the background (async only).
        host_copies: copies of the state in host memory per save in flight (async only).
        plans_before_return: whether planning happens before the call returns (async only).
        one_step: the next optimizer step waits for the drain, so at most one step is hidden.
        own_saves: local copies are saves of their own between those to the pool, and never drain.
        drain_limit: seconds the background save may take; None where nothing limits it.
        alternative: the nearest thing that exists, where the status is none or external, or where
            the version is older than all that have it.
        since: first later version with a better status, or None.
        scheme: how copies on other nodes are protected (peer only).
    """

    name: str
    versions: VersionRange
    status: Status
    what: str
    source: str
    read: Read
    blocks: str = ""
    writer: Literal["thread", "process"] | None = None
    host_copies: float | None = None
    plans_before_return: bool | None = None
    one_step: bool = False
    own_saves: bool = False
    drain_limit: float | None = None
    drain_limit_what: str = ""
    alternative: str = ""
    since: str | None = None
    scheme: Literal["partner", "xor", "rs"] | None = None


@dataclass(frozen=True, slots=True)
class Timeout:
    """The collective time-out, in seconds, of the group that trains."""

    versions: VersionRange
    key: str
    seconds: float
    what: str
    source: str
    read: Read


@dataclass(frozen=True, slots=True)
class Lines:
    """What to paste for one lever, how to see that it worked, and how to take it back."""

    lever: str
    versions: VersionRange
    text: str
    source: str
    read: Read
    notes: tuple[str, ...] = ()
    worked_if: str = ""
    undo: str = ""

    def filled(self, values: Mapping[str, str]) -> Lines:
        """The same lines with their placeholders filled, see ``fill``."""
        return replace(
            self,
            text=fill(self.text, values),
            notes=tuple(fill(note, values) for note in self.notes),
            worked_if=fill(self.worked_if, values),
            undo=fill(self.undo, values),
        )


@dataclass(frozen=True, slots=True)
class Trap:
    """Settings that do not do what they seem to."""

    id: str
    versions: VersionRange
    has: tuple[str, ...]
    lacks: tuple[str, ...]
    effect: Effect
    text: str
    cure: str
    source: str
    read: Read


@dataclass(frozen=True, slots=True)
class Note:
    """Anything else worth saying beside a change."""

    id: str
    levers: tuple[str, ...]
    versions: VersionRange
    text: str
    source: str
    read: Read


@dataclass(frozen=True, slots=True, kw_only=True)
class Framework:
    """The facts of one framework; every lookup takes the version they are wanted for.

    Attributes:
        aliases: other names people write for it, in any case, with blanks or underscores.
    """

    id: str
    title: str
    kind: Literal["framework", "library", "application"]
    version_prefixes: tuple[str, ...]
    newest: Version
    as_of: str
    path: Path
    interval_key: str
    interval_unit: Literal["steps", "seconds", "minutes", "epochs", "call_site"]
    aliases: tuple[str, ...] = ()
    interval_default: float | None = None
    interval_default_text: str = ""
    sync_log: str = ""
    async_log: str = ""
    capabilities: Mapping[str, tuple[Capability, ...]] = field(default_factory=dict)
    timeouts: tuple[Timeout, ...] = ()
    changes: Mapping[str, tuple[Lines, ...]] = field(default_factory=dict)
    all_traps: tuple[Trap, ...] = ()
    all_notes: tuple[Note, ...] = ()

    def version(self, text: str | None) -> KnownVersion:
        """The version facts are looked up for; assumed, with a sentence, where it must be."""
        return known_version(text, self.newest, self.title, self.version_prefixes)

    def capability(self, name: str, version: KnownVersion) -> Capability | None:
        """What this version has of ``name``; None where the file says nothing about it.

        A version outside every range of the file gets status "none", the version that has it, and
        the nearest alternative of the file.
        """
        entries = self.capabilities.get(name)
        if not entries:
            return None
        found = next((e for e in entries if e.versions.holds(version.version)), None)
        since = _better_from(entries, found, version.version)
        if found is None:
            there = f"; since {since}" if since else ""
            found = Capability(
                name=name,
                versions=entries[0].versions,
                status="none",
                what=f"Not in {self.title} {version.text}{there}.",
                source=entries[0].source,
                read=entries[0].read,
                alternative=next((e.alternative for e in entries if e.alternative), ""),
            )
        nearest = found.alternative
        if found.status in ("none", "external") and since and not _names(nearest, since):
            nearest = f"{self.title} {since} or newer. {nearest}".rstrip()
        return replace(found, since=since, alternative=nearest)

    def timeout(self, version: KnownVersion) -> Timeout | None:
        """The default collective time-out of the training group; None where there is none."""
        return next((t for t in self.timeouts if t.versions.holds(version.version)), None)

    def lines(self, lever: str, version: KnownVersion) -> Lines | None:
        """What to paste for ``lever``; None where this version has no switch for it."""
        entries = self.changes.get(lever, ())
        return next((e for e in entries if e.versions.holds(version.version)), None)

    def notes(self, lever: str, version: KnownVersion) -> tuple[Note, ...]:
        """The notes to print beside ``lever``, in the order of the file."""
        return tuple(
            n for n in self.all_notes if lever in n.levers and n.versions.holds(version.version)
        )

    def traps(self, settings: str, version: KnownVersion) -> tuple[Trap, ...]:
        """The traps ``settings`` (flags as in the launch line) walk into with this version."""
        present = settings_terms(settings)
        return tuple(
            trap
            for trap in self.all_traps
            if trap.versions.holds(version.version)
            and all(term(word) in present for word in trap.has)
            and not any(term(word) in present for word in trap.lacks)
        )


class FrameworkError(Exception):
    """A framework that does not exist, or a file that says something impossible.

    Attributes:
        message: what is wrong, one sentence.
        hint: what to do, or "".
        path: the file as it was named, or "" where no file has the id.
        line: from 1, 0 where unknown; column: likewise.
        key: the dotted key in the file, or "".
    """

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        path: str = "",
        line: int = 0,
        column: int = 0,
        key: str = "",
        shown: str = "",
    ) -> None:
        super().__init__(shown or f"{message} {hint}".strip())
        self.message = message
        self.hint = hint
        self.path = path
        self.line = line
        self.column = column
        self.key = key


def _names(text: str, version: str) -> bool:
    """Whether a text names a version, not only a longer one that holds its digits."""
    return re.search(rf"(?<![0-9.]){re.escape(version)}(?![0-9])", text) is not None


def _better_from(
    entries: Sequence[Capability], found: Capability | None, version: Version
) -> str | None:
    """The first later version with a better status than ``found``."""
    rank = STATUS_RANK[found.status] if found is not None else STATUS_RANK["none"]
    starts = [
        start
        for entry in entries
        if STATUS_RANK[entry.status] > rank and (start := entry.versions.first) is not None
    ]
    later = [start for start in starts if start > version]
    return str(min(later)) if later else None
