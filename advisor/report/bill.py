"""The storage options on one bill: fixed cost, cost per unit, and compute lost."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.engine.advice import Advice
from advisor.engine.bill_types import BillChange
from advisor.engine.message import money
from advisor.facts.display import format_value
from advisor.report.document import Block, Heading, Paragraph, Runs, Table, Text, text

_OPTIONS: Mapping[str, str] = {
    "pool": "the pool",
    "node_local": "drives in the nodes",
    "remote": "a remote namespace per node",
}
"""How a reader calls the options."""

_HEADER = ("storage, a year", "fixed", "per unit", "compute lost", "together")


def bill(advice: Advice) -> tuple[Block, ...]:
    """One table of the options, with what changes the cheapest; empty below two options."""
    if len(advice.bill) < 2:
        return ()
    rows = tuple(
        tuple(
            text(cell)
            for cell in (
                _OPTIONS[option],
                *(
                    "unknown" if value is None else money(value)
                    for value in (line.committed, line.per_unit, line.misbehaviour, line.total)
                ),
            )
        )
        for option, line in advice.bill.items()
    )
    header: tuple[Runs, ...] = tuple(text(words) for words in _HEADER)
    words = " ".join(_sentences(advice))
    return (
        Heading(3, text("The storage options on one bill")),
        Table(header, rows),
        Paragraph((Text(words),)),
    )


def _sentences(advice: Advice) -> list[str]:
    known = {option: line.total for option, line in advice.bill.items() if line.total is not None}
    out = ["Each option at its own best interval."]
    if len(known) > 1:
        cheapest = min(known, key=lambda option: known[option])
        among = "" if len(known) == len(advice.bill) else " of those with a full bill"
        out.append(f"Cheapest at this size{among}: {_OPTIONS[cheapest]}.")
        out += [_change(change) for change in advice.bill_changes]
        if not advice.bill_changes:
            out.append("It stays the cheapest at a hundredth and at a hundred times the nodes.")
    if "node_local" in advice.bill:
        out.append("The pool that drives in the nodes drain to is not in their line.")
    missing = dict.fromkeys(
        fact for line in advice.bill.values() for needs in line.missing.values() for fact in needs
    )
    labels = [advice.facts[fact].spec.label for fact in missing if fact in advice.facts]
    if labels:
        out.append(f"Unknown: {', '.join(labels)}.")
    return out


def _change(change: BillChange) -> str:
    side = "or more" if change.direction == "above" else "or fewer"
    nodes = format_value(float(round(change.nodes)), "count")
    return f"With {nodes} nodes {side}: {_OPTIONS[change.option]}."
