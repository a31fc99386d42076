"""The advice: one frozen value with everything a screen, export or script shows; no arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from advisor.engine.bill_types import BillChange, BillLine
from advisor.engine.curve_types import GoodputCurve, SaveTail
from advisor.engine.framework_types import Read
from advisor.engine.framework_used import FrameworkUsed
from advisor.facts.catalogue import Kind
from advisor.facts.resolve import Contradiction, Fact

Severity = Literal["note", "warning", "error"]
"""How bad a finding is; ``--fail-on`` takes these."""

SEVERITIES: tuple[Severity, ...] = ("note", "warning", "error")
"""Mildest first."""

State = Literal["hit", "clear", "unknown", "waived", "error"]
"""The five outcomes of a rule."""

IntervalVerdict = Literal["keep", "longer", "shorter", "none"]
"""What to do with the present interval in the present configuration; none: no periodic saves."""


Survives = Literal["yes", "no", "only_with"]
"""Whether a copy in a storage layer is still there after its node is lost."""


@dataclass(frozen=True, slots=True)
class Loss:
    """Shares of the time that are not goodput."""

    stall: float
    drain: float
    restart: float
    rework: float

    @property
    def total(self) -> float:
        """1 - goodput."""
        return self.stall + self.drain + self.restart + self.rework


@dataclass(frozen=True, slots=True)
class SaveFigures:
    """One save of a configuration; seconds and bytes, None while unknown."""

    bytes_total: float | None = None
    path_rate: float | None = None
    nominal: float | None = None
    barrier_p50: float | None = None
    barrier_mean: float | None = None
    barrier_p99: float | None = None
    stall: float | None = None
    pool_lag: float | None = None
    local_lag: float | None = None
    wait: float | None = None
    measured_over_modelled: float | None = None
    timeout_probability: float | None = None
    timeouts_per_year: float | None = None


@dataclass(frozen=True, slots=True)
class BestTogether:
    """The best interval and k of a configuration with two tiers, chosen together.

    Attributes:
        interval: work between saves, s.
        pool_every: each so-manieth save goes to the pool.
        goodput: at both.
        flat_band: intervals within 0.1 point of it at that k, s.
    """

    interval: float
    pool_every: float
    goodput: float
    flat_band: tuple[float, float]


@dataclass(frozen=True, slots=True)
class ClockIntervals:
    """Present and best interval and the flat band by the clock, for jobs that save by the clock."""

    now: float | None
    best: float
    band: tuple[float, float]


@dataclass(frozen=True, slots=True)
class View:
    """One configuration in figures: before the plan or after it. None while unknown.

    ``simulated_goodput`` is the 95 % interval of the event simulation, given only where the closed
    form is known to be off (copies that lag for most of the time between two of them).
    Intervals are useful work between saves, in seconds; rates bytes/s; shares fractions. The best
    interval, its goodput and its flat band are those at the k in force; ``best_pool_every`` is the
    k of the best of both together. Where no rate is enough, ``required_short`` has per demand what
    is left of it at any rate and what may be.
    k of the best of both together. ``required_as_measured``: demands on the pool that the measured
    save is seen to meet although the model knows no rate for them. ``no_interval_helps``: even the
    best keeps no more than the width of the flat band, so that every interval lies in it.
    """

    writers: str | None = None
    path: str | None = None
    payload: str | None = None
    redundancy: str | None = None
    interval: float | None = None
    pool_every: float | None = None
    goodput: float | None = None
    goodput_p10: float | None = None
    goodput_p90: float | None = None
    ceiling: float | None = None
    no_checkpoint_goodput: float | None = None
    best_interval: float | None = None
    best_pool_every: float | None = None
    best_goodput: float | None = None
    flat_band: tuple[float, float] | None = None
    clock: ClockIntervals | None = None
    simulated_goodput: tuple[float, float] | None = None
    best_together: BestTogether | None = None
    loss: Loss | None = None
    save: SaveFigures = field(default_factory=SaveFigures)
    required_pool_write: float | None = None
    required_pool_write_p99: float | None = None
    simple_required_pool_write: float | None = None
    required_because: tuple[str, ...] = ()
    required_feasible: bool = True
    required_short: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    required_as_measured: tuple[str, ...] = ()
    interruptions_per_year: float | None = None
    rework_per_interruption: float | None = None
    pool_duty: float | None = None
    host_memory_share: float | None = None
    idle_cost_per_year: float | None = None
    cost_per_year: float | None = None
    no_interval_helps: bool = False
    curve: GoodputCurve | None = None
    tail: SaveTail | None = None
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def shown_interval(self) -> float | None:
        """The interval as people set it: by the clock where the job saves by the clock."""
        return self.interval if self.clock is None else self.clock.now

    @property
    def shown_best(self) -> float | None:
        """The best interval as people set it."""
        return self.best_interval if self.clock is None else self.clock.best

    @property
    def shown_band(self) -> tuple[float, float] | None:
        """The flat band as people set it."""
        return self.flat_band if self.clock is None else self.clock.band


@dataclass(frozen=True, slots=True)
class Threshold:
    """The value of one fact at which a verdict flips.

    Attributes:
        fact: name of the fact.
        label: its label for people.
        now: its value now.
        at: where the verdict flips.
        kind: the fact's kind (size, rate, duration …), for printing.
        direction: the side of ``at`` on which the verdict no longer holds.
        why: "gain" where the change stops paying, "limit" where it stops being possible.
    """

    fact: str
    label: str
    now: float
    at: float
    kind: Kind
    direction: Literal["below", "above"]
    why: Literal["gain", "limit"]

    @property
    def margin(self) -> float:
        """How far the present value is from the flip, as a ratio of at least 1."""
        if self.at <= 0 or self.now <= 0:
            return float("inf")
        return max(self.now / self.at, self.at / self.now)


@dataclass(frozen=True, slots=True)
class NoFlip:
    """A fact whose verdict does not flip anywhere in the range looked at."""

    fact: str
    label: str
    low: float
    high: float
    kind: Kind


@dataclass(frozen=True, slots=True)
class ConfigText:
    """Lines to paste for one framework and version range; ``read``: how they were established."""

    framework: str
    versions: str
    text: str
    notes: tuple[str, ...] = ()
    undo: str = ""
    source: str = ""
    assumed: str = ""
    read: Read = "source"


@dataclass(frozen=True, slots=True)
class Step:
    """One change of the plan, one restart change after it, or one purchase.

    Attributes:
        order: position, from 1.
        rule: id of the rule that offers it.
        lever: id of the change.
        title: what to do, a short imperative.
        effort: configuration, version, hardware_present or money.
        settings: facts that change, in the unit of their kind (None: no longer applies).
        goodput_before: before this step, in the order shown.
        goodput_gain: what this step adds, in the order shown.
        saves_per_year: dollars of capacity regained; None without a price.
        chance_it_pays: share of the uncertainty samples in which it gains; None until computed.
        thresholds: where it stops paying or being possible.
        no_flips: facts looked at without a flip.
        conditions: unknown limits that must hold.
        config: lines to paste.
        in_words: what to do, where no lines to paste are known.
        checks: how to see that it worked.
        signs: how saves in the background and those that block are told apart, where that matters.
        notes: what to know before doing it.
        verdict: for purchases: why buy or not.
        pays: for purchases with a price: whether a year's gain is over a year's price.
    """

    order: int
    rule: str
    lever: str
    title: str
    effort: str
    settings: Mapping[str, float | str | None]
    goodput_before: float
    goodput_gain: float
    saves_per_year: float | None
    chance_it_pays: float | None = None
    thresholds: tuple[Threshold, ...] = ()
    no_flips: tuple[NoFlip, ...] = ()
    conditions: tuple[str, ...] = ()
    config: tuple[ConfigText, ...] = ()
    in_words: str = ""
    checks: tuple[str, ...] = ()
    signs: str = ""
    notes: tuple[str, ...] = ()
    verdict: str = ""
    pays: bool = False

    @property
    def key(self) -> str:
        """Stable id of the step in a session file: rule and lever."""
        return f"{self.rule}-{self.lever}"


@dataclass(frozen=True, slots=True)
class Alternative:
    """A storage layer that gives what the framework in use does not have.

    Attributes:
        layer: its id; title: its name for people.
        lever: id of the change it makes possible.
        what: what it is.
        survives: yes, no or only_with; copy: what becomes of a copy when its node is lost.
        needs: what has to be there first.
        gotchas: what goes wrong.
        config: how to switch it on.
        checks: how to see that it worked.
    """

    layer: str
    title: str
    lever: str
    what: str
    survives: Survives
    copy: str
    needs: tuple[str, ...]
    gotchas: tuple[str, ...]
    config: ConfigText
    checks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """What one rule says about this job.

    Attributes:
        rule: its id.
        title: one line.
        state: hit, clear, unknown, waived or error.
        severity: of a hit.
        message: filled with the figures; empty unless hit or waived.
        missing: facts that would decide an unknown.
        remedy: what to do, one line each.
        config: lines to paste, where the framework has them.
        evidence: facts shown with it.
        sources: where the rule comes from.
        order: place in the ticket; what loses data or kills the job first.
        lever: id of the change the rule offers, or "".
        waiver: reason of a waiver in force, with who accepted it and until when.
        superseded_by: the rule whose hit says more than this one, or "".
        nearest: storage layers that give what the framework lacks, best first.
        with_plan: what is left of it once the plan is in; "" where that is the same.
    """

    rule: str
    title: str
    state: State
    severity: Severity
    message: str = ""
    missing: tuple[str, ...] = ()
    remedy: tuple[str, ...] = ()
    config: tuple[ConfigText, ...] = ()
    evidence: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    order: int = 0
    lever: str = ""
    waiver: str = ""
    superseded_by: str = ""
    nearest: tuple[Alternative, ...] = ()
    with_plan: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The present interval in the present configuration, whatever the plan says."""

    interval: IntervalVerdict | None
    text: str
    thresholds: tuple[Threshold, ...] = ()
    no_flips: tuple[NoFlip, ...] = ()


@dataclass(frozen=True, slots=True)
class Unknown:
    """A fact that is assumed or guessed, with what knowing it is worth and how to find it.

    Attributes:
        fact: name.
        label: for people.
        assumed: the value taken meanwhile, as text; "" where nothing is taken.
        worth_per_year: dollars a year; None until computed or without a price.
        worth_points: the same in points of goodput.
        swing: how much the goodput after the plan moves over the published range.
        how: how to find out.
        planned: what is assumed with the plan where a choice of it changes that, range included.
    """

    fact: str
    label: str
    assumed: str
    worth_per_year: float | None
    worth_points: float | None
    swing: float | None
    how: str
    planned: str = ""


@dataclass(frozen=True, slots=True)
class KnowledgeId:
    """Version and digest of all the knowledge used.

    Attributes:
        version: of our rules, then name and version of each pack of the site.
        digest: sha256 over every file.
        changes: what the site changed in our rules, a sentence each.
    """

    version: str
    digest: str
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionId:
    """What an export says about the session."""

    id: str
    title: str
    tags: tuple[str, ...] = ()
    updated: date | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """Everything the advisor has to say about one session.

    Attributes:
        session: which one.
        knowledge: with which rules.
        facts: all declared facts with value and source.
        contradictions: answers that contradict each other.
        before: the configuration as it is.
        after: with the plan.
        findings: one per rule loaded, in the order of the ticket.
        plan: changes, in order; empty means keep.
        refused: levers a limit rules out, with the reason.
        further: restart changes judged on top of the plan.
        purchases: hardware judged on top of the plan.
        verdict: on the present interval.
        unknowns: assumed and guessed facts, most valuable first.
        headline: the first sentence of the ticket.
        missing_required: required questions nobody answered yet.
        brought_up: findings that apply only once the plan is in: what to change along with it.
        waiver_notes: waivers that ended or are not needed, a sentence each.
        bill: per storage option its bill after the plan; empty while no option has a price.
        bill_changes: the nearest numbers of nodes at which another option is the cheapest.
        version_assumed: why facts of another framework version than the one typed are used, or "".
        framework: the framework in use; None where none with a file was named.
    """

    session: SessionId
    knowledge: KnowledgeId
    facts: Mapping[str, Fact]
    contradictions: tuple[Contradiction, ...]
    before: View
    after: View
    findings: tuple[Finding, ...]
    plan: tuple[Step, ...]
    refused: tuple[str, ...]
    further: tuple[Step, ...]
    purchases: tuple[Step, ...]
    verdict: Verdict
    unknowns: tuple[Unknown, ...]
    headline: str
    missing_required: tuple[str, ...] = ()
    brought_up: tuple[Finding, ...] = ()
    waiver_notes: tuple[str, ...] = ()
    bill: Mapping[str, BillLine] = field(default_factory=dict)
    bill_changes: tuple[BillChange, ...] = ()
    version_assumed: str = ""
    framework: FrameworkUsed | None = None

    def finding(self, rule: str) -> Finding:
        """The finding of one rule.

        Raises:
            KeyError: no such rule.
        """
        for found in self.findings:
            if found.rule == rule:
                return found
        raise KeyError(rule)

    def hits(self) -> tuple[Finding, ...]:
        """Findings that apply and of which no other says more, in the order of the ticket."""
        return tuple(f for f in self.findings if f.state == "hit" and not f.superseded_by)
