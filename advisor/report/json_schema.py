"""The JSON export as strict pydantic models: a contract for scripts, and its JSON Schema.

SI units with the unit in the key. What cannot be computed is null and named in ``missing``.
"""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from advisor.engine.advice import IntervalVerdict, Severity, State, Survives
from advisor.engine.framework_types import Effect, Read
from advisor.facts.resolve import FactSource

SCHEMA_VERSION: Literal[1] = 1
"""Raised when a key changes its meaning or goes; added keys do not raise it."""


class _Table(BaseModel):
    model_config = ConfigDict(
        strict=True,
        extra="forbid",
        frozen=True,
        allow_inf_nan=False,
    )


class KnowledgeTable(_Table):
    """The rules used."""

    version: str
    digest: str = Field(description="sha256 over every file of the rules.")
    changes: list[str] = Field(description="What the site changed in the built-in rules.")


class SessionTable(_Table):
    """The session."""

    id: str
    title: str
    tags: list[str]
    updated: date | None = Field(description="Day on which an answer last changed.")


class FactTable(_Table):
    """One fact in force."""

    value: float | str | list[float] | None
    low: float | None = Field(description="Lower end of its range, typed or published.")
    high: float | None
    unit: str = Field(description="Unit of value, low and high; empty for texts and choices.")
    source: FactSource


class ConfigurationTable(_Table):
    """What is set."""

    writers: str | None
    path: str | None
    payload: str | None
    redundancy: str | None
    interval_s: float | None = Field(description="Useful work between two saves.")
    pool_every: float | None = Field(description="Each so-manieth save goes to the pool.")


class LossTable(_Table):
    """Shares of the time that are not goodput."""

    stall: float | None
    drain: float | None
    restart: float | None
    rework: float | None


class SaveTable(_Table):
    """One save."""

    bytes_total: float | None
    path_Bps: float | None  # noqa: N815 - a key of the contract
    nominal_s: float | None = Field(description="Without tail, variation and overhead.")
    barrier_p50_s: float | None
    barrier_mean_s: float | None
    barrier_p99_s: float | None
    stall_s: float | None
    pool_lag_s: float | None
    local_lag_s: float | None
    wait_s: float | None
    measured_over_modelled: float | None
    timeout_probability: float | None
    timeouts_per_year: float | None


class ViewTable(_Table):
    """One configuration in figures."""

    configuration: ConfigurationTable
    goodput: float | None
    goodput_p10: float | None
    goodput_p90: float | None
    ceiling: float | None = Field(description="Goodput no storage can exceed.")
    no_checkpoint_goodput: float | None
    best_interval_s: float | None
    best_pool_every: float | None
    best_goodput: float | None
    flat_band_s: list[float] | None = Field(
        description="Shortest and longest interval as good as the best."
    )
    loss: LossTable
    save: SaveTable
    required_pool_write_Bps: float | None  # noqa: N815 - a key of the contract
    required_pool_write_p99_Bps: float | None  # noqa: N815 - a key of the contract
    simple_required_pool_write_Bps: float | None = Field(  # noqa: N815 - a key of the contract
        description="Bytes over the pause accepted."
    )
    required_because: list[str]
    interruptions_per_year: float | None
    rework_per_interruption_s: float | None
    pool_duty: float | None
    host_memory_share: float | None
    idle_cost_per_year: float | None = Field(description="Dollars.")


class FindingTable(_Table):
    """What one rule says."""

    state: State
    severity: Severity
    message: str
    missing: list[str] = Field(description="Facts that would decide it.")
    superseded_by: str = Field(description="The rule whose hit says more, or empty.")


class ThresholdTable(_Table):
    """Where a change stops paying (gain) or being possible (limit)."""

    fact: str
    at: float | None
    unit: str
    direction: Literal["below", "above"]
    kind: Literal["gain", "limit"]


class ConfigTable(_Table):
    """Lines to paste."""

    framework: str
    versions: str
    text: str
    read: Read = Field(description="How they were established; recalled: check them first.")


class StepTable(_Table):
    """One change."""

    order: int
    rule: str
    lever: str
    effort: str
    settings: dict[str, float | str | None] = Field(
        description="Facts that change; null: no longer applies."
    )
    goodput_gain: float = Field(description="What this step adds to those before it.")
    saves_per_year: float | None = Field(description="Dollars.")
    chance_it_pays: float | None
    thresholds: list[ThresholdTable]
    conditions: list[str]
    config: list[ConfigTable]
    in_words: str = Field(description="What to do where no lines to paste are known.")
    checks: list[str]


class AlternativeTable(_Table):
    """A storage layer that gives what the framework in use does not have."""

    rule: str
    lever: str
    layer: str
    title: str
    what: str
    survives_lost_node: Survives
    lost_node: str = Field(description="What becomes of a copy in it when its node is lost.")
    needs: list[str]
    gotchas: list[str]
    config: ConfigTable
    notes: list[str]
    checks: list[str]
    undo: str
    source: str


class PurchaseTable(StepTable):
    """One purchase, judged after the plan."""

    verdict: str


class VerdictTable(_Table):
    """The present interval in the present configuration, whatever the plan says."""

    interval: IntervalVerdict | None
    text: str


class BillTable(_Table):
    """One storage option on one bill, dollars a year."""

    committed: float | None = Field(description="Paid whatever is written.")
    per_unit: float | None = Field(description="Terabytes kept, or drives worn out early.")
    misbehaviour: float | None = Field(description="Compute lost at this option's best interval.")


class FrameworkTable(_Table):
    """The framework in use, with the age of what is known about it."""

    id: str
    title: str
    version: str = Field(description="The version facts were looked up for.")
    newest_known: str
    as_of: str = Field(description="Day the facts were last brought up to date.")
    newer_than_known: bool = Field(description="Whether the version in use is newer.")
    assumed: str = Field(description="Why that version was taken; empty where it was given.")
    interval_key: str
    interval_unit: str
    interval_default: str
    sync_log: str = Field(description="How a save that blocks shows.")
    async_log: str = Field(description="How a save in the background shows.")


class TrapTable(_Table):
    """A setting typed that does not do what it seems to."""

    id: str
    effect: Effect
    text: str
    cure: str
    source: str
    read: Read


class UnknownTable(_Table):
    """A fact worth finding out."""

    fact: str
    worth_per_year: float | None = Field(description="Dollars.")
    how: str
    goodput_swing: float | None = Field(
        description="How far goodput moves over the range of the fact."
    )


class ContradictionTable(_Table):
    """Two answers to one question that disagree, both in the unit of the common quantity."""

    kept: str
    kept_value: float
    dropped: str
    dropped_value: float
    unit: str


class AdviceFile(_Table):
    """An advice of ckpt-advisor."""

    schema_version: Literal[1]
    advisor_version: str
    knowledge: KnowledgeTable
    session: SessionTable
    headline: str
    missing: dict[str, list[str]] = Field(
        description="By dotted key of what is null: the facts it needs; empty where no fact helps."
    )
    facts: dict[str, FactTable]
    before: ViewTable
    after: ViewTable
    findings: dict[str, FindingTable]
    plan: list[StepTable]
    further: list[StepTable]
    refused: list[str]
    alternatives: list[AlternativeTable] = Field(
        description="Storage layers for what the framework lacks and the plan does not bring."
    )
    brought_up: dict[str, FindingTable] = Field(
        description="Findings that apply only once the plan is in."
    )
    verdict: VerdictTable
    purchases: list[PurchaseTable]
    bill: dict[str, BillTable]
    unknowns: list[UnknownTable]
    waiver_notes: list[str] = Field(description="Waivers that ended or are not needed.")
    contradictions: list[ContradictionTable]
    framework: FrameworkTable | None = Field(description="Null where none with facts was named.")
    traps: list[TrapTable]


def advice_json_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the export."""
    schema = AdviceFile.model_json_schema(mode="serialization")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "Advice of ckpt-advisor",
    }
