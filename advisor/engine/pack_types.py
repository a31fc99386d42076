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
    """A named constant of a pack that conditions compare with; a site may give another value."""

    name: str
    value: float
    unit: str
    kind: Kind
    source: str
    pack: str


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
        supersedes: rules that say less than this one; their hits are not told beside its own.
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
    supersedes: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    @property
    def family(self) -> str:
        """Its id without the number, such as CKB."""
        return self.id.rstrip("0123456789")


@dataclass(frozen=True, slots=True)
class Disabled:
    """A rule that a site switched off.

    Attributes:
        rule: the rule.
        reason: why, in the site's words.
        pack: id of the pack that says so.
    """

    rule: Rule
    reason: str
    pack: str


@dataclass(frozen=True, slots=True)
class Limit:
    """A hard limit a plan must keep: broken it rules a change out, unknown it is a condition.

    Attributes:
        id: its name.
        when: condition under which it counts; None always.
        needs: how much is needed.
        has: how much there is, in the same unit; the limit is kept while ``needs <= has``.
        of: what is needed, after the figure: "of host memory a node".
        there: how what there is is called, after its figure: "is free".
        message: why a change is ruled out; the two figures and their difference follow it.
        condition: what has to hold, said where a fact is unknown.
        flip: facts to solve thresholds for.
        source: where it comes from.
    """

    id: str
    when: Expression | None
    needs: Expression
    has: Expression
    of: str
    there: str
    message: str
    condition: str
    flip: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Pack:
    """All rules, thresholds and limits loaded, over one catalogue.

    Attributes:
        ids: of the packs, in the order read.
        version: the newest version of ours, then name and version of each of a site's.
        rules: in force, by id.
        disabled: what a site switched off, by id.
        changes: what a site changed in ours, a sentence each.
        thresholds: by name, a site's values over ours.
        limits: by id.
        names: everything a condition may name.
        settings: settings that remedies name and that are no framework's.
    """

    ids: tuple[str, ...] = ()
    version: str = ""
    rules: Mapping[str, Rule] = field(default_factory=dict)
    disabled: Mapping[str, Disabled] = field(default_factory=dict)
    changes: tuple[str, ...] = ()
    thresholds: Mapping[str, RuleThreshold] = field(default_factory=dict)
    limits: Mapping[str, Limit] = field(default_factory=dict)
    names: Mapping[str, Name] = field(default_factory=dict)
    settings: frozenset[str] = frozenset()
