"""All sessions of a folder as one document: the sum, the table, and what could not be computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from advisor.engine.message import money, percent
from advisor.report.document import (
    ALWAYS,
    Block,
    Bullets,
    Document,
    Heading,
    Paragraph,
    Runs,
    Section,
    Strong,
    Table,
    Text,
)
from advisor.report.words import joined, lowered
from advisor.session.fleet import FleetRow, View, left_out, ranked

_Column = tuple[str, Callable[[FleetRow], str]]


def fleet_report(rows: Sequence[FleetRow], by: View) -> Document:
    """The report of a fleet.

    Args:
        rows: every session.
        by: what comes first.
    """
    computed, others = ranked(rows, by), left_out(rows)
    said = headline(rows)
    sections = (
        Section("the headline", (Paragraph((Strong(said),)),), ALWAYS),
        Section("the sessions", _table(computed, by), 90),
        Section("the price", _price(computed), 80),
        Section("what could not be computed", _left_out(others), 70),
    )
    return Document(said, tuple(section for section in sections if section.blocks))


def headline(rows: Sequence[FleetRow]) -> str:
    """What all of them lose a year, and what their plans would give back."""
    computed = [row for row in rows if row.computed]
    if not computed:
        return f"None of {_many(len(rows), 'session')} could be computed."
    some = len(computed) < len(rows)
    who = f"{len(computed):,} of {_many(len(rows), 'session')}" if some else _many(len(rows), "job")
    idle, saving = total(computed, "idle"), total(computed, "saving")
    if idle is None or saving is None:
        return f"{who} computed; no price is known."
    about = "about " if _assumed(computed) else ""
    loses = "loses" if len(computed) == 1 else "lose"
    first = f"{who} {loses} {about}{money(idle)} a year"
    changes = sum(1 for row in computed if row.changes)
    if not changes:
        return f"{first}; no change is worth its effort."
    if changes == len(computed):
        return f"{first}; changes of configuration would give back {money(saving)} of it."
    return f"{first}; changes to {changes:,} of them would give back {money(saving)} of it."


def _assumed(rows: Sequence[FleetRow]) -> bool:
    """Whether a price that nobody gave is in the sums."""
    return any(row.price_assumed and row.idle is not None for row in rows)


def total(rows: Sequence[FleetRow], name: str) -> float | None:
    """The sum of a figure over the sessions that have it; None where none has."""
    values = [getattr(row, name) for row in rows if getattr(row, name) is not None]
    return sum(values) if values else None


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def _table(rows: Sequence[FleetRow], by: View) -> tuple[Block, ...]:
    if not rows:
        return ()
    columns = _VIEWS[by]
    body = [tuple(_cell(show(row)) for _, show in columns) for row in rows]
    sums = {"idle a year": total(rows, "idle"), "would save": total(rows, "saving")}
    if len(rows) > 1:
        mark = "~" if _assumed(rows) else ""
        shown = {name: f"{mark}{money(sum_)}" for name, sum_ in sums.items() if sum_ is not None}
        last = ["all", *(shown.get(name, "") for name, _ in columns[1:])]
        body.append(tuple(_cell(text) for text in last))
    return (Table(tuple(_cell(name) for name, _ in columns), tuple(body)),)


def _cell(words: str) -> Runs:
    return (Text(words),) if words else ()


def _price(rows: Sequence[FleetRow]) -> tuple[Block, ...]:
    if not _assumed(rows):
        return ()
    words = "~: nobody gave the price of an hour, so a published one was taken."
    return (Paragraph((Text(words),)),)


def _left_out(rows: Sequence[FleetRow]) -> tuple[Block, ...]:
    if not rows:
        return ()
    items = tuple((Text(f"{row.session}: {why_not(row)}."),) for row in rows)
    return (Heading(2, (Text("Not computed"),)), Bullets(items))


def why_not(row: FleetRow) -> str:
    """Why a session has no figures, without a full stop."""
    if row.fault:
        return f"cannot be read, {row.fault.rstrip('.')}"
    if not row.missing:
        return "no periodic save is computed for it"
    return f"not known: {joined([lowered(name) for name in row.missing])}"


def _money(value: float | None) -> str:
    return "?" if value is None else money(value)


def _dollars(value: float | None, row: FleetRow) -> str:
    mark = "~" if row.price_assumed and value is not None else ""
    return f"{mark}{_money(value)}"


def _share(value: float | None) -> str:
    return "?" if value is None else percent(value)


def _first(row: FleetRow) -> str:
    if not row.changes:
        return "keep"
    return f"{row.first_change} (1 of {row.changes})" if row.changes > 1 else row.first_change


_SESSION: _Column = ("session", lambda row: row.session)
_NODES: _Column = ("nodes", lambda row: "?" if row.nodes is None else f"{row.nodes:,.0f}")
_NOW: _Column = ("goodput", lambda row: _share(row.goodput))
_AFTER: _Column = ("after", lambda row: _share(row.after))
_IDLE: _Column = ("idle a year", lambda row: _dollars(row.idle, row))
_SAVING: _Column = ("would save", lambda row: _dollars(row.saving, row))
_FIRST: _Column = ("first change", _first)
_ANSWERED: _Column = (
    "answered",
    lambda row: "no date" if row.answered is None else row.answered.isoformat(),
)
_MEASURED: _Column = ("measured", lambda row: f"{row.measured} of {row.answers}")

_VIEWS: Mapping[View, tuple[_Column, ...]] = {
    "idle": (_SESSION, _NODES, _NOW, _AFTER, _IDLE, _SAVING, _FIRST),
    "saving": (_SESSION, _NODES, _NOW, _AFTER, _SAVING, _IDLE, _FIRST),
    "evidence": (_SESSION, _ANSWERED, _MEASURED, _NODES, _NOW, _AFTER, _IDLE, _SAVING),
}
"""The columns of each view, what it ranks by near the front."""
