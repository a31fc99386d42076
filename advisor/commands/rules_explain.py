"""``rules explain ID SESSION``: why a rule hit or not, and how far it is from flipping."""

from __future__ import annotations

import argparse
from datetime import date
from math import ceil, floor

from advisor.commands.inputs import job
from advisor.commands.output import table
from advisor.engine.advise import present
from advisor.engine.explain import Explanation, RuleFlip, explain
from advisor.engine.expression import ComparisonTrace, Side
from advisor.engine.knowledge import Knowledge
from advisor.engine.pack import Rule
from advisor.engine.waivers import in_force, waiver_text
from advisor.facts.catalogue import FactSpec, Kind
from advisor.facts.display import format_value
from advisor.facts.toml_fault import printable
from advisor.session.document import Session

_STATES = {
    "hit": "applies",
    "clear": "does not apply",
    "unknown": "cannot be decided yet",
    "error": "could not be judged",
}
"""Outcomes in words."""


def explained(rule: Rule, arguments: argparse.Namespace, knowledge: Knowledge) -> str:
    """The explanation as text.

    Raises:
        UsageFault: no session and no facts.
        TomlFault: a faulty session, with its place.
        AnswerError: an answer that cannot be read.
    """
    session = job(arguments, knowledge)
    now = present(session.answers, knowledge)
    found = explain(rule, now.situation, knowledge.pack)
    lines = [f"{rule.id} {_STATES[found.finding.state]}: {rule.title}", *_said(found, session)]
    lines += ["", "Condition", *(f"  {part}" for part in rule.when.text.strip().split("\n"))]
    if found.comparisons:
        lines += ["", "Comparisons", *_comparisons(found.comparisons)]
    if found.finding.missing:
        lines += ["", "To decide it"]
        for name in found.finding.missing:
            lines += _to_find(name, knowledge.catalogue.facts[name])
    if found.flips:
        lines += ["", "How far from flipping, one fact at a time", *_flips(found.flips)]
    return "\n".join(printable(line) for line in lines)


def _said(found: Explanation, session: Session) -> list[str]:
    rule = found.finding.rule
    said = [f"  {found.finding.message}"] if found.finding.message else []
    waiver = session.waivers.get(rule)
    if waiver is not None and found.finding.state == "hit":
        ended = "" if in_force(waiver, date.today()) else ", which has ended"
        said.append(f"  Waived{ended}: {waiver_text(waiver)}")
    return said


def _comparisons(traces: tuple[ComparisonTrace, ...]) -> list[str]:
    rows: list[tuple[str, ...]] = [("  comparison", "left", "right", "is", "")]
    for trace in traces:
        outcome = {True: "true", False: "false", None: "unknown"}[trace.outcome]
        decides = "decides alone" if trace.decisive else ""
        left, right = _side(trace.left, trace.kind), _side(trace.right, trace.kind)
        rows.append((f"  {' '.join(trace.text.split())}", left, right, outcome, decides))
    return table(rows).split("\n")


def _side(side: Side, kind: Kind | None) -> str:
    if side is None:
        return "unknown"
    if isinstance(side, str):
        return side
    if isinstance(side, tuple):
        return ", ".join(side)
    return f"{side:.4g}" if kind is None else format_value(side, kind)


def _to_find(name: str, spec: FactSpec) -> list[str]:
    lines = spec.find.strip().split("\n")
    return [f"  {spec.label} ({name})", *(f"    {line}" for line in lines)]


def _flips(flips: tuple[RuleFlip, ...]) -> list[str]:
    rows: list[tuple[str, ...]] = [("  fact", "now", "flips at")]
    for flip in flips:
        ends = [(flip.below, "below"), (flip.above, "above")]
        at = [f"{_whole(v, flip, word)} ({word})" for v, word in ends if v is not None]
        low, high = _whole(flip.low, flip, "above"), _whole(flip.high, flip, "below")
        none = f"no flip between {low} and {high}"
        rows.append(
            (f"  {flip.label}", format_value(flip.now, flip.kind), " and ".join(at) or none)
        )
    return table(rows).split("\n")


def _whole(value: float, flip: RuleFlip, word: str) -> str:
    """A value as text; of a count the nearest whole number on the far side of it."""
    if flip.kind == "count":
        value = floor(value) if word == "below" else ceil(value)
    return format_value(value, flip.kind)
