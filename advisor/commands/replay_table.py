"""The result of a replay as a table for people and as JSON for scripts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from advisor.commands.output import table
from advisor.engine.message import percent, points
from advisor.facts.toml_fault import printable
from advisor.session.differences import ABSOLUTE, RELATIVE, RELATIVE_AT_PEAK

if TYPE_CHECKING:
    from advisor.commands.replay_rows import Row
    from advisor.session.replay import State

_WORDS: Mapping[State, str] = {
    "same": "same",
    "differs": "differs",
    "new": "new",
    "error": "cannot be read",
}
_TOLERANCE = (
    f"Figures count as the same within {RELATIVE:.0e} of their value, the best interval and its"
    f" band within {RELATIVE_AT_PEAK:.0e}."
).replace("e-0", "e-")
_GOODPUTS = ("goodput", "after_goodput")


def render_text(rows: Sequence[Row], *, differences: bool = False) -> str:
    """Session, then, now, difference, why; then how many there are of each.

    Args:
        rows: the sessions, in order.
        differences: list every figure that differs after the table.
    """
    head = ("session", "then", "now", "difference", "why")
    lines = [table([head, *(_cells(row) for row in rows)])]
    if differences:
        lines += [_listed(row) for row in rows if row.result.differences]
    if any(row.result.differences for row in rows):
        lines.append(_TOLERANCE)
    counts = Counter(row.result.state for row in rows)
    total = [f"{counts[state]:,} {word}" for state, word in _WORDS.items() if counts[state]]
    updated = sum(row.updated for row in rows)
    if updated:
        total.append(f"{updated:,} rewritten")
    return "\n\n".join([*lines, ", ".join(total)])


def render_json(rows: Sequence[Row]) -> str:
    """The same as JSON: every difference with both values, and the counts by state."""
    counts = Counter(row.result.state for row in rows)
    data = {
        "schema_version": 1,
        "sessions": [_json_row(row) for row in rows],
        "tolerance": {
            "relative": RELATIVE,
            "relative_at_peak": RELATIVE_AT_PEAK,
            "absolute": ABSOLUTE,
        },
        "counts": {state: counts[state] for state in _WORDS},
    }
    return json.dumps(data, indent=2)


def _cells(row: Row) -> tuple[str, ...]:
    state, then, now = row.result.state, _then(row), _now(row)
    why = "; ".join(row.result.why)
    if row.fault and state != "error":
        why = "; ".join(part for part in (why, "not rewritten") if part)
    return str(row.path), _pair(then), _pair(now), _difference(row, then, now), why


def _difference(row: Row, then: Sequence[float | None], now: Sequence[float | None]) -> str:
    if row.result.state != "differs":
        return _WORDS[row.result.state]
    count = len(row.result.differences)
    text = f"{count} figures" if count > 1 else "1 figure"
    for name, a, b in zip(("now", "after the plan"), then, now, strict=True):
        if a is not None and b is not None and abs(b - a) >= 5e-5:
            return f"{text}, {'+' if b > a else ''}{points(b - a)} {name}"
    return text


def _then(row: Row) -> list[float | None]:
    """Goodput before and after the plan as stored: as now, unless it differs."""
    stored = {item.key: item.then for item in row.result.differences}
    if row.result.state not in ("same", "differs"):
        return [None, None]
    return [
        _number(stored[key]) if key in stored else value
        for key, value in zip(_GOODPUTS, _now(row), strict=True)
    ]


def _now(row: Row) -> list[float | None]:
    record = row.result.record
    return [None, None] if record is None else [_number(record.get(key)) for key in _GOODPUTS]


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _pair(shares: Sequence[float | None]) -> str:
    shown = ["?" if share is None else percent(share) for share in shares]
    return "-" if shares == [None, None] else " -> ".join(shown)


def _listed(row: Row) -> str:
    head = ("  figure", "then", "now")
    rows = [(f"  {d.key}", _shown(d.then), _shown(d.now)) for d in row.result.differences]
    return f"{printable(str(row.path))}\n{table([head, *rows])}"


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, Mapping):
        return f"step {value['order']}" if "order" in value else "a step"
    if isinstance(value, float):
        return f"{value:.9g}"
    if isinstance(value, list | tuple):
        return ", ".join(str(item) for item in value) or "none"
    return str(value)


def _json(value: Any) -> Any:
    """A value of a session file as JSON has it: there a date, an infinity or a nan is a text."""
    if isinstance(value, Mapping):
        return {key: _json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_json(item) for item in value]
    is_plain = value is None or isinstance(value, str | int)
    return value if is_plain or (isinstance(value, float) and isfinite(value)) else str(value)


def _json_row(row: Row) -> dict[str, Any]:
    result = row.result
    now = result.record
    return {
        "path": str(row.path),
        "session": result.session_id,
        "state": result.state,
        "differences": [
            {"key": item.key, "then": _json(item.then), "now": _json(item.now)}
            for item in result.differences
        ],
        "why": list(result.why),
        "goodput": None if now is None else now.get("goodput"),
        "after_goodput": None if now is None else now.get("after_goodput"),
        "updated": row.updated,
        "fault": row.fault or None,
    }
