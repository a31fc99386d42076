"""What a pack holds: rules, named thresholds and hard limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from advisor.engine.advice import Severity
from advisor.engine.expression import Expression, Name
from advisor.facts.catalogue import Kind

Place = Literal["danger", "misconfigured", "change", "restart", "hardware", "evidence"]
"""Where a finding stands in the ticket; first what loses data or kills the job."""

PLACES: tuple[Place, ...] = (
    "danger",
    "misconfigured",
    "change",
    "restart",
    "hardware",
    "evidence",
)
"""The order of findings in the ticket."""


@dataclass(frozen=True, slots=True)
class RuleThreshold:
    """A named constant of a pack that conditions compare with."""

    name: str
    value: float
    kind: Kind
    source: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes:
        id: family letter and number, never reused.
        pack: id of the pack it comes from.
        title: what it finds, one line.
        status: stable, preview or deprecated.
        severity: of a hit.
        place: where a hit stands in the ticket.
        when: its condition.
        lever: the change it offers, or "".
        effort: what that change costs to make.
        message: with placeholders.
        remedy: what to do, with placeholders.
        nearest: changes the framework lacks, for which storage layers are named with a hit.
        evidence: facts shown with it.
        flip: facts to solve thresholds for.
        sources: where it comes from.
        doc: what, why, and when it does not apply.
    """

    id: str
    pack: str
    title: str
    status: str
    severity: Severity
    place: Place
    when: Expression
    message: str
    doc: str
    lever: str = ""
    effort: str = "configuration"
    remedy: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    flip: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    @property
    def family(self) -> str:
        """Its id without the number, such as CKB."""
        return self.id.rstrip("0123456789")


@dataclass(frozen=True, slots=True)
class Limit:
    """A hard limit a plan must keep: false rules a change out, unknown makes it a condition."""

    id: str
    ok: Expression
    message: str
    condition: str
    flip: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Pack:
    """All rules, thresholds and limits loaded, over one catalogue."""

    ids: tuple[str, ...] = ()
    version: str = ""
    rules: Mapping[str, Rule] = field(default_factory=dict)
    thresholds: Mapping[str, RuleThreshold] = field(default_factory=dict)
    limits: Mapping[str, Limit] = field(default_factory=dict)
    names: Mapping[str, Name] = field(default_factory=dict)
