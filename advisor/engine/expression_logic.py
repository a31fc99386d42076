"""Comparisons joined in three-valued logic.

True, false and None (unknown) follow Kleene's strong tables: ``and`` is false as soon as one side
is, ``or`` true as soon as one side is, whatever the order; otherwise an unknown side stays unknown.
Source: S. C. Kleene, Introduction to Metamathematics (1952), section 64.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Look = Callable[[int], bool | None]
"""The outcome of a comparison by its number."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A comparison by its number."""

    index: int

    def decide(self, look: Look) -> bool | None:
        """Its outcome."""
        return look(self.index)

    def undecided(self, look: Look) -> frozenset[int]:
        """Itself while unknown."""
        return frozenset({self.index}) if look(self.index) is None else frozenset()


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite; unknown stays unknown."""

    part: Logic

    def decide(self, look: Look) -> bool | None:
        """The opposite of the part."""
        value = self.part.decide(look)
        return None if value is None else not value

    def undecided(self, look: Look) -> frozenset[int]:
        """The comparisons that keep the part unknown."""
        return self.part.undecided(look)


@dataclass(frozen=True, slots=True)
class Joined:
    """``and`` (decided by a false part) or ``or`` (decided by a true part)."""

    parts: tuple[Logic, ...]
    decider: bool

    def decide(self, look: Look) -> bool | None:
        """The decider if any part has it, else unknown if any part is, else its opposite."""
        unknown = False
        for part in self.parts:
            value = part.decide(look)
            if value is self.decider:
                return value
            unknown = unknown or value is None
        return None if unknown else not self.decider

    def undecided(self, look: Look) -> frozenset[int]:
        """The comparisons that could still change the outcome; none once it is decided."""
        if self.decide(look) is not None:
            return frozenset()
        return frozenset().union(*(part.undecided(look) for part in self.parts))


Logic = Atom | Not | Joined
