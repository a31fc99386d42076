"""The advice as JSON: every key always there, null where it cannot be computed, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

from advisor import __version__
from advisor.engine.advice import (
    Advice,
    Alternative,
    ConfigText,
    Finding,
    Step,
    Threshold,
    View,
)
from advisor.facts.catalogue import UNITS
from advisor.facts.times import parse_times
from advisor.report.json_framework import framework_table, trap_tables
from advisor.report.json_missing import bill_missing, view_missing
from advisor.report.json_schema import (
    SCHEMA_VERSION,
    AdviceFile,
    AlternativeTable,
    BillTable,
    ConfigTable,
    ConfigurationTable,
    ContradictionTable,
    FactTable,
    FindingTable,
    KnowledgeTable,
    LossTable,
    PurchaseTable,
    SaveTable,
    SessionTable,
    StepTable,
    ThresholdTable,
    UnknownTable,
    VerdictTable,
    ViewTable,
)
from advisor.report.opening import headline
from advisor.report.words import price_fact


def render(advice: Advice) -> str:
    """The export as text: ASCII, two spaces of indent, keys in the order of the contract."""
    return json.dumps(to_json(advice), indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def to_json(advice: Advice) -> dict[str, Any]:
    """The export as plain values, valid by ``json_schema.advice_json_schema``."""
    before, after = _view(advice.before), _view(advice.after)
    file = AdviceFile(
        schema_version=SCHEMA_VERSION,
        advisor_version=__version__,
        knowledge=KnowledgeTable(
            version=advice.knowledge.version,
            digest=advice.knowledge.digest,
            changes=list(advice.knowledge.changes),
        ),
        session=SessionTable(
            id=advice.session.id,
            title=advice.session.title,
            tags=list(advice.session.tags),
            updated=advice.session.updated,
        ),
        headline=headline(advice),
        missing=_missing(advice, before, after),
        facts={name: _fact(advice, name) for name in advice.facts},
        before=before,
        after=after,
        findings={f.rule: _finding(f) for f in advice.findings},
        plan=[StepTable(**_step(step)) for step in advice.plan],
        further=[StepTable(**_step(step)) for step in advice.further],
        refused=list(advice.refused),
        alternatives=[_alternative(f.rule, a) for f in advice.findings for a in f.nearest],
        brought_up={f.rule: _finding(f) for f in advice.brought_up},
        verdict=VerdictTable(interval=advice.verdict.interval, text=advice.verdict.text),
        purchases=[PurchaseTable(**_step(s), verdict=s.verdict) for s in advice.purchases],
        bill={
            option: BillTable(
                committed=_finite(line.committed),
                per_unit=_finite(line.per_unit),
                misbehaviour=_finite(line.misbehaviour),
            )
            for option, line in advice.bill.items()
        },
        unknowns=[
            UnknownTable(
                fact=u.fact,
                worth_per_year=_finite(u.worth_per_year),
                how=u.how,
                goodput_swing=_finite(u.swing),
            )
            for u in advice.unknowns
        ],
        waiver_notes=list(advice.waiver_notes),
        contradictions=[
            ContradictionTable(
                kept=c.kept,
                kept_value=c.kept_value,
                dropped=c.dropped,
                dropped_value=c.dropped_value,
                unit=UNITS[c.unit],
            )
            for c in advice.contradictions
        ],
        framework=None if advice.framework is None else framework_table(advice.framework),
        traps=[] if advice.framework is None else trap_tables(advice.framework.traps),
    )
    return file.model_dump(mode="json")


def _finite(value: float | None) -> float | None:
    """JSON has no infinity and no NaN."""
    return None if value is None or not isfinite(value) else float(value)


def _finding(found: Finding) -> FindingTable:
    return FindingTable(
        state=found.state,
        severity=found.severity,
        message=found.message,
        missing=list(found.missing),
        superseded_by=found.superseded_by,
    )


def _fact(advice: Advice, name: str) -> FactTable:
    fact = advice.facts[name]
    value: float | str | list[float] | None = (
        fact.value if isinstance(fact.value, str) else _finite(fact.value)
    )
    if fact.spec.kind == "durations" and isinstance(value, str):
        value = list(parse_times(value))
    return FactTable(
        value=value,
        low=_finite(fact.low),
        high=_finite(fact.high),
        unit=fact.spec.unit,
        source=fact.source,
    )


def _view(view: View) -> ViewTable:
    loss = view.loss
    # With two tiers the four best values belong together: those of the best interval and k.
    both = view.best_together
    band = view.flat_band if both is None else both.flat_band
    return ViewTable(
        configuration=ConfigurationTable(
            writers=view.writers,
            path=view.path,
            payload=view.payload,
            redundancy=view.redundancy,
            interval_s=_finite(view.interval),
            pool_every=_finite(view.pool_every),
        ),
        goodput=_finite(view.goodput),
        goodput_p10=_finite(view.goodput_p10),
        goodput_p90=_finite(view.goodput_p90),
        ceiling=_finite(view.ceiling),
        no_checkpoint_goodput=_finite(view.no_checkpoint_goodput),
        best_interval_s=_finite(view.best_interval if both is None else both.interval),
        best_pool_every=_finite(view.best_pool_every),
        best_goodput=_finite(view.best_goodput if both is None else both.goodput),
        flat_band_s=list(band) if band is not None and all(map(isfinite, band)) else None,
        loss=LossTable(
            stall=None if loss is None else _finite(loss.stall),
            drain=None if loss is None else _finite(loss.drain),
            restart=None if loss is None else _finite(loss.restart),
            rework=None if loss is None else _finite(loss.rework),
        ),
        save=_save(view),
        required_pool_write_Bps=_finite(view.required_pool_write),
        required_pool_write_p99_Bps=_finite(view.required_pool_write_p99),
        simple_required_pool_write_Bps=_finite(view.simple_required_pool_write),
        required_because=list(view.required_because),
        interruptions_per_year=_finite(view.interruptions_per_year),
        rework_per_interruption_s=_finite(view.rework_per_interruption),
        pool_duty=_finite(view.pool_duty),
        host_memory_share=_finite(view.host_memory_share),
        idle_cost_per_year=_finite(view.idle_cost_per_year),
    )


def _save(view: View) -> SaveTable:
    save = view.save
    return SaveTable(
        bytes_total=_finite(save.bytes_total),
        path_Bps=_finite(save.path_rate),
        nominal_s=_finite(save.nominal),
        barrier_p50_s=_finite(save.barrier_p50),
        barrier_mean_s=_finite(save.barrier_mean),
        barrier_p99_s=_finite(save.barrier_p99),
        stall_s=_finite(save.stall),
        pool_lag_s=_finite(save.pool_lag),
        local_lag_s=_finite(save.local_lag),
        wait_s=_finite(save.wait),
        measured_over_modelled=_finite(save.measured_over_modelled),
        timeout_probability=_finite(save.timeout_probability),
        timeouts_per_year=_finite(save.timeouts_per_year),
    )


def _step(step: Step) -> dict[str, Any]:
    return {
        "order": step.order,
        "rule": step.rule,
        "lever": step.lever,
        "effort": step.effort,
        "settings": {
            name: value if isinstance(value, str) else _finite(value)
            for name, value in step.settings.items()
        },
        "goodput_gain": step.goodput_gain,
        "saves_per_year": _finite(step.saves_per_year),
        "chance_it_pays": _finite(step.chance_it_pays),
        "thresholds": [_threshold(t) for t in step.thresholds],
        "conditions": list(step.conditions),
        "config": [_config(c) for c in step.config],
        "in_words": step.in_words,
        "checks": [*step.checks, *([step.signs] if step.signs else [])],
    }


def _config(config: ConfigText) -> ConfigTable:
    return ConfigTable(
        framework=config.framework,
        versions=config.versions,
        text=config.text,
        read=config.read,
    )


def _alternative(rule: str, one: Alternative) -> AlternativeTable:
    return AlternativeTable(
        rule=rule,
        lever=one.lever,
        layer=one.layer,
        title=one.title,
        what=one.what,
        survives_lost_node=one.survives,
        lost_node=one.copy,
        needs=list(one.needs),
        gotchas=list(one.gotchas),
        config=_config(one.config),
        notes=list(one.config.notes),
        checks=list(one.checks),
        undo=one.config.undo,
        source=one.config.source,
    )


def _threshold(threshold: Threshold) -> ThresholdTable:
    return ThresholdTable(
        fact=threshold.fact,
        at=_finite(threshold.at),
        unit=UNITS[threshold.kind],
        direction=threshold.direction,
        kind=threshold.why,
    )


def _missing(advice: Advice, before: ViewTable, after: ViewTable) -> dict[str, list[str]]:
    """Per null of the export the facts it needs; a null setting or fact speaks for itself."""
    out: dict[str, list[str]] = {}
    for name, table, view in (("before", before, advice.before), ("after", after, advice.after)):
        for key in _nulls(table.model_dump()):
            out[f"{name}.{key}"] = view_missing(advice, view, key)
    goodput = view_missing(advice, advice.before, "goodput")
    if advice.verdict.interval is None:
        out["verdict.interval"] = goodput
    price = [] if advice.facts[price_fact(advice)].value is not None else [price_fact(advice)]
    for name, steps in (
        ("plan", advice.plan),
        ("further", advice.further),
        ("purchases", advice.purchases),
    ):
        if any(step.saves_per_year is None for step in steps):
            out[f"{name}.saves_per_year"] = price
        if any(step.chance_it_pays is None for step in steps):
            out[f"{name}.chance_it_pays"] = []
    if any(u.worth_per_year is None for u in advice.unknowns):
        out["unknowns.worth_per_year"] = price
    if any(u.swing is None for u in advice.unknowns):
        out["unknowns.goodput_swing"] = goodput
    if advice.session.updated is None:
        out["session.updated"] = []
    if advice.framework is None:
        out["framework"] = [] if advice.facts["framework"].value is not None else ["framework"]
    out |= bill_missing(advice)
    return out


def _nulls(table: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    for key, value in table.items():
        if value is None:
            yield prefix + key
        elif isinstance(value, Mapping):
            yield from _nulls(value, f"{prefix}{key}.")
