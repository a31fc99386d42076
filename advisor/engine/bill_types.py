"""The bill of a storage option as an advice shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class BillLine:
    """The bill of one storage option, dollars a year; None while something of it is unknown.

    Attributes:
        committed: paid whatever is written.
        per_unit: terabytes kept, or drives worn out before their time.
        misbehaviour: compute lost on this option at its best interval.
        missing: per term left None, the facts it needs.
    """

    committed: float | None
    per_unit: float | None
    misbehaviour: float | None
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def total(self) -> float | None:
        """The three together."""
        if self.committed is None or self.per_unit is None or self.misbehaviour is None:
            return None
        return self.committed + self.per_unit + self.misbehaviour


@dataclass(frozen=True, slots=True)
class BillChange:
    """A number of nodes from which on another storage option is the cheapest.

    Attributes:
        option: the one that then is.
        nodes: from how many on.
        direction: on which side of it.
    """

    option: str
    nodes: float
    direction: Literal["below", "above"]
