"""A fleet for scripts: SI and dollars with the unit in the key, null for what is not known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import advisor
from advisor.engine.advice import KnowledgeId
from advisor.report.fleet import total, why_not
from advisor.session.fleet import FleetRow, View, left_out, ranked


def render(rows: Sequence[FleetRow], by: View, knowledge: KnowledgeId) -> str:
    """The ranked sessions, the sums, and what could not be computed with the reason."""
    computed = ranked(rows, by)
    data = {
        "schema_version": 1,
        "advisor_version": advisor.__version__,
        "knowledge": {"version": knowledge.version, "digest": knowledge.digest},
        "by": by,
        "sessions": [_row(row) for row in computed],
        "not_computed": [
            {
                "path": str(row.path),
                "session": row.session,
                "missing": list(row.missing),
                "fault": row.fault or None,
                "reason": why_not(row),
            }
            for row in left_out(rows)
        ],
        "idle_cost_per_year": total(computed, "idle"),
        "saves_per_year": total(computed, "saving"),
    }
    return json.dumps(data, indent=2)


def _row(row: FleetRow) -> dict[str, Any]:
    return {
        "path": str(row.path),
        "session": row.session,
        "title": row.title,
        "nodes": row.nodes,
        "goodput": row.goodput,
        "after_goodput": row.after,
        "idle_cost_per_year": row.idle,
        "saves_per_year": row.saving,
        "price_assumed": row.price_assumed,
        "first_change": row.first_change or None,
        "changes": row.changes,
        "answered": row.answered.isoformat() if row.answered else None,
        "measured_answers": row.measured,
        "known_answers": row.answers,
    }
