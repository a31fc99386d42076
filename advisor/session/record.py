"""The ``[advice]`` table of a session file: what was advised, for a replay to compare with."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any

from advisor import __version__
from advisor.engine.advice import Advice, Step, View
from advisor.facts.resolve import FactSource

GIVEN: frozenset[FactSource] = frozenset({"measured", "estimated", "guessed", "site"})
"""Sources of facts that somebody answered; the others follow from these and the rules."""

MISSING = "missing"
"""The key that lists the figures which could not be computed: TOML has no null."""


def advice_record(advice: Advice) -> dict[str, Any]:
    """An advice as the table that is stored with its session.

    Scalars in SI with the unit in the key: ``_s`` seconds, ``_Bps`` bytes a second, shares of 1,
    dollars a year; figures before the plan under their own names, after it with ``after_`` before
    them. What could not be computed is left out and named under ``missing``. Plain Python values
    only; the plan stands in tables by rule and lever.
    """
    figures = {
        **_figures(advice.before),
        **{f"after_{key}": value for key, value in _figures(advice.after).items()},
    }
    known = {key: value for key, value in figures.items() if value is not None}
    return {
        "knowledge_version": advice.knowledge.version,
        "knowledge_digest": advice.knowledge.digest,
        "advisor_version": __version__,
        "answers_digest": answers_digest(advice),
        "interval_verdict": advice.verdict.interval or "unknown",
        "hits": sorted(finding.rule for finding in advice.hits()),
        **known,
        MISSING: [key for key in figures if key not in known],
        "plan": {step.key: _step(step) for step in advice.plan},
    }


def answers_digest(advice: Advice) -> str:
    """A digest of the answers the advice rests on: which facts, as typed, and how sure."""
    given = sorted(
        (name, fact.text, fact.source)
        for name, fact in advice.facts.items()
        if fact.source in GIVEN
    )
    return hashlib.sha256(json.dumps(given).encode()).hexdigest()


def _figures(view: View) -> dict[str, float | str | None]:
    loss, save = view.loss, view.save
    band = view.flat_band or (None, None)
    figures: dict[str, float | None] = {
        "goodput": view.goodput,
        "ceiling": view.ceiling,
        "interval_s": view.interval,
        "best_interval_s": view.best_interval,
        "best_goodput": view.best_goodput,
        "flat_band_low_s": band[0],
        "flat_band_high_s": band[1],
        "loss_stall": loss.stall if loss else None,
        "loss_drain": loss.drain if loss else None,
        "loss_restart": loss.restart if loss else None,
        "loss_rework": loss.rework if loss else None,
        "bytes_total": save.bytes_total,
        "barrier_p50_s": save.barrier_p50,
        "barrier_p99_s": save.barrier_p99,
        "stall_s": save.stall,
        "pool_lag_s": save.pool_lag,
        "required_pool_write_Bps": view.required_pool_write,
        "required_pool_write_p99_Bps": view.required_pool_write_p99,
        "pool_duty": view.pool_duty,
        "interruptions_per_year": view.interruptions_per_year,
        "rework_per_interruption_s": view.rework_per_interruption,
        "idle_cost_per_year": view.idle_cost_per_year,
    }
    return {"path": view.path, **{key: _finite(value) for key, value in figures.items()}}


def _finite(value: float | None) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None


def _step(step: Step) -> dict[str, Any]:
    return {
        "order": step.order,
        "goodput_gain": float(step.goodput_gain),
        "settings": _settings(step.settings),
    }


def _settings(settings: Mapping[str, float | str | None]) -> dict[str, float | str]:
    return {
        name: value if isinstance(value, str) else float(value)
        for name, value in settings.items()
        if value is not None
    }
