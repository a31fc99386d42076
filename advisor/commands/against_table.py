"""What other rules would change, as a table for people and as JSON for scripts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from advisor.commands.against import AgainstRow, Outlook
from advisor.commands.output import table
from advisor.engine.advice import KnowledgeId
from advisor.engine.message import percent

MOST_FACTS = 3
"""Facts named in a line about what new rules ask for; the JSON has all."""


def render_text(rows: Sequence[AgainstRow], now: KnowledgeId, then: KnowledgeId) -> str:
    """A line for each session that would change, then for each rule in how many, then the sum.

    Args:
        rows: the sessions, in order.
        now: the rules in place.
        then: the same with others on top.
    """
    changed = [row for row in rows if row.changes]
    parts = []
    if changed:
        head = ("session", "verdict", "plan", "findings", "goodput after")
        parts.append(table([head, *(_cells(row) for row in changed)]))
    rules = list(_by_rule(rows))
    if rules:
        parts.append(table([("rule", "would newly say", "would no longer", "asks for"), *rules]))
    good = [row for row in rows if not row.fault]
    faulty = len(rows) - len(good)
    total = f"{len(changed):,} of {len(good):,} sessions would change"
    if faulty:
        total += f", {faulty:,} cannot be computed"
    parts.append(f"{total}.\nrules {now.version}, against rules {then.version}")
    return "\n\n".join(parts)


def _cells(row: AgainstRow) -> tuple[str, ...]:
    assert row.now is not None  # noqa: S101 - a row that changes has both
    assert row.then is not None  # noqa: S101
    now, then = row.now, row.then
    same = now.goodput == then.goodput
    return (
        row.session_id,
        "" if now.interval == then.interval else f"{now.interval} -> {then.interval}",
        ", ".join(_plan(now, then)),
        ", ".join(_findings(now, then)),
        "" if same else f"{_share(now.goodput)} -> {_share(then.goodput)}",
    )


def _share(value: float | None) -> str:
    return "?" if value is None else percent(value)


def _plan(now: Outlook, then: Outlook) -> Iterator[str]:
    """Changes that come (+), go (-) or set something else (~)."""
    yield from (f"+{key}" for key in then.plan if key not in now.plan)
    yield from (f"-{key}" for key in now.plan if key not in then.plan)
    both = [key for key in now.plan if key in then.plan]
    yield from (f"~{key}" for key in both if now.plan[key] != then.plan[key])
    if both != [key for key in then.plan if key in now.plan]:
        yield "in another order"


def _findings(now: Outlook, then: Outlook) -> Iterator[str]:
    """Findings that come (+), go (-), or say it more or less loudly."""
    for rule, said in then.findings.items():
        before = now.findings.get(rule)
        if before is None:
            yield f"+{rule}" if said.state == "hit" else f"+{rule} ({said.state})"
        elif before.state != said.state:
            yield f"~{rule} ({before.state} -> {said.state})"
        elif before.severity != said.severity:
            yield f"~{rule} ({before.severity} -> {said.severity})"
    yield from (f"-{rule}" for rule in now.findings if rule not in then.findings)


def _by_rule(rows: Sequence[AgainstRow]) -> Iterator[tuple[str, ...]]:
    come, go = Counter[str](), Counter[str]()
    asked: dict[str, Counter[str]] = {}
    asking = Counter[str]()
    for row in rows:
        if row.now is not None and row.then is not None:
            come.update(row.then.findings.keys() - row.now.findings.keys())
            go.update(row.now.findings.keys() - row.then.findings.keys())
        for rule, facts in (row.unknown or {}).items():
            asking[rule] += 1
            asked.setdefault(rule, Counter()).update(facts)
    for rule in sorted({*come, *go, *asking}):
        needs = ""
        if asking[rule]:
            names = [name for name, _ in asked[rule].most_common(MOST_FACTS)]
            needs = f"{', '.join(names)} in {asking[rule]:,}"
        yield rule, f"{come[rule]:,}", f"{go[rule]:,}", needs


def render_json(rows: Sequence[AgainstRow], now: KnowledgeId, then: KnowledgeId) -> str:
    """The same as JSON: both outlooks of every session."""
    data = {
        "schema_version": 1,
        "now": {"version": now.version, "digest": now.digest},
        "against": {"version": then.version, "digest": then.digest},
        "changed": sum(row.changes for row in rows),
        "sessions": [_json(row) for row in rows],
    }
    return json.dumps(data, indent=2)


def _json(row: AgainstRow) -> Mapping[str, Any]:
    return {
        "path": str(row.path),
        "session": row.session_id,
        "changes": row.changes,
        "now": _outlook(row.now),
        "against": _outlook(row.then),
        "unknown": {rule: list(facts) for rule, facts in (row.unknown or {}).items()},
        "fault": row.fault or None,
    }


def _outlook(found: Outlook | None) -> Mapping[str, Any] | None:
    if found is None:
        return None
    return {
        "interval": found.interval,
        "plan": [{"step": key, "settings": dict(sets)} for key, sets in found.plan.items()],
        "findings": {
            rule: {"state": said.state, "severity": said.severity}
            for rule, said in found.findings.items()
        },
        "after_goodput": found.goodput,
    }
