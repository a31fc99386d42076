"""What a storage layer between a job and its pool makes possible, and what becomes of its copies.

The facts are data (``rules/storage/<id>.toml`` and the folders of a site).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from advisor.engine.advice import Survives
from advisor.engine.framework_types import Lines, Read

Kind = Literal["file_system", "cache", "service", "writer", "path"]
"""What a layer is: a file system of its own, a cache before the pool, a managed service, a library
that writes, or a path that bytes take."""

SURVIVAL_RANK: Mapping[str, int] = {"yes": 0, "only_with": 1, "no": 2}
"""Lower is better: what a layer that fits as well is offered after."""

ANY = "any"
"""The member of a list that stands for every pool kind, or every framework."""

EVERY_LEVER = "all"
"""The lines of a layer that serve every change without lines of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One storage layer.

    Attributes:
        gives: ids of the changes it makes possible; empty for one that only changes the path.
        pools: kinds of pool it stands before, or "any".
        frameworks: ids of frameworks it works with, or "any"; empty where the application itself
            has to be changed.
        survives: whether a copy in it outlives its node; only_with: what that takes.
        copy_source: where that is said; copy_read: how it was established.
        needs: what has to be there first.
        gotchas: what goes wrong.
        lines: what to paste, by change; "all" serves the rest.
        instead: what to use in its place; only of a deprecated layer, which is never offered.
    """

    id: str
    title: str
    kind: Kind
    as_of: str
    path: Path
    what: str
    gives: tuple[str, ...]
    pools: tuple[str, ...]
    frameworks: tuple[str, ...]
    survives: Survives
    only_with: str
    copy_source: str
    copy_read: Read
    needs: tuple[str, ...]
    gotchas: tuple[str, ...]
    lines: Mapping[str, Lines]
    source: str
    read: Read
    deprecated: bool = False
    instead: str = ""

    @property
    def copy(self) -> str:
        """What becomes of a copy in it when its node is lost, one sentence."""
        if self.survives == "yes":
            return "A copy in it survives the loss of a node."
        if self.survives == "no":
            return "A copy in it is lost with its node."
        return f"A copy in it survives the loss of a node only with {self.only_with}"

    def fits(self, pool: str | None, framework: str) -> bool:
        """Whether it stands before this kind of pool (None: unknown) and serves this framework."""
        of_pool = ANY in self.pools or pool in self.pools
        return of_pool and (ANY in self.frameworks or framework in self.frameworks)

    def lines_for(self, lever: str) -> Lines | None:
        """What to paste for a change; None only for a deprecated layer."""
        return self.lines.get(lever) or self.lines.get(EVERY_LEVER)
