"""What a computed value is, beside the declared facts: its kind, its needs, how it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from advisor.engine.computed_job import STATE, Get
from advisor.facts.catalogue import Kind
from advisor.facts.scenario import Scenario

STATUSES = ("default_on", "opt_in", "experimental", "external", "none", "unasked")
"""What a framework has of a capability; unasked: no framework was named."""

YES_NO = ("no", "yes")
"""Members of a computed yes/no value."""

Needs = Callable[[Scenario], tuple[str, ...]]
"""Facts to ask for, in one scenario: which time-out counts depends on the mode."""


@dataclass(frozen=True, slots=True)
class Computed:
    """One computed value.

    Attributes:
        kind: what it is measured in.
        what: one line for the reference.
        needs: facts to ask for when it is unknown, or how to find them.
        get: its value in a situation.
        choices: members where the kind is choice.
    """

    kind: Kind
    what: str
    needs: tuple[str, ...] | Needs
    get: Get
    choices: tuple[str, ...] = ()

    def needed(self, sc: Scenario) -> tuple[str, ...]:
        """Facts to ask for when it is unknown in a scenario."""
        return self.needs if isinstance(self.needs, tuple) else self.needs(sc)


def size_value(what: str, get: Get, needs: tuple[str, ...] | Needs = STATE) -> Computed:
    """A size, behind which the state stands unless something else is named."""
    return Computed("size", what, needs, get)


def time_value(what: str, needs: tuple[str, ...] | Needs, get: Get) -> Computed:
    """A duration."""
    return Computed("duration", what, needs, get)


def ratio_value(what: str, needs: tuple[str, ...] | Needs, get: Get) -> Computed:
    """A share or a factor."""
    return Computed("ratio", what, needs, get)
