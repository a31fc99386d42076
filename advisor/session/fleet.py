"""Many sessions beside each other: one row each, ranked by what a person looks for first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from advisor.session.document import Session

if TYPE_CHECKING:
    from advisor.engine.advice import Advice

View = Literal["idle", "saving", "evidence"]
"""What comes first: most dollars idle, most dollars saved, or the oldest answers."""

PRICES = ("accelerator_hour", "node_hour")
"""Facts that give the job its price; none given means that a published one was taken."""


@dataclass(frozen=True, slots=True)
class FleetRow:
    """One session of a fleet.

    Attributes:
        path: its file.
        session: its id; the name of the file where it cannot be read.
        title: what people call the job.
        nodes: how many; None while unknown.
        goodput: share of 1 now; None while it cannot be computed.
        after: share of 1 with the plan.
        idle: dollars a year that wait or work twice now.
        saving: dollars a year that the plan gives back.
        price_assumed: nobody gave the price of an hour, so both dollar figures rest on ours.
        first_change: title of the first change of the plan, "" where there is none.
        changes: how many changes the plan has.
        answered: the last day on which an answer changed; None where the file does not say.
        measured: answers that were measured.
        answers: answers that are known.
        missing: labels of the facts without which there is no goodput.
        fault: why the file cannot be read, one line; "" where it can.
    """

    path: Path
    session: str
    title: str = ""
    nodes: float | None = None
    goodput: float | None = None
    after: float | None = None
    idle: float | None = None
    saving: float | None = None
    price_assumed: bool = False
    first_change: str = ""
    changes: int = 0
    answered: date | None = None
    measured: int = 0
    answers: int = 0
    missing: tuple[str, ...] = ()
    fault: str = ""

    @property
    def computed(self) -> bool:
        """Whether there is a goodput."""
        return self.goodput is not None


def fleet_row(path: Path, session: Session, advice: Advice) -> FleetRow:
    """The row of one session; a part of an advice is enough (``advise`` with ``whole=False``)."""
    nodes = advice.facts["nodes"].value
    known = [answer for answer in session.answers.values() if not answer.is_unknown]
    facts = advice.facts
    missing = advice.before.missing.get("goodput", ())
    savings = [step.saves_per_year for step in advice.plan]
    priced = advice.before.idle_cost_per_year is not None
    return FleetRow(
        path=path,
        session=session.id,
        title=session.title,
        nodes=nodes if isinstance(nodes, float) else None,
        goodput=advice.before.goodput,
        after=advice.after.goodput,
        idle=advice.before.idle_cost_per_year,
        saving=sum(value for value in savings if value is not None) if priced else None,
        price_assumed=all(facts[name].source in ("default", "unknown") for name in PRICES),
        first_change=advice.plan[0].title if advice.plan else "",
        changes=len(advice.plan),
        answered=session.updated.date() if session.updated is not None else None,
        measured=sum(answer.source == "measured" for answer in known),
        answers=len(known),
        missing=tuple(facts[name].spec.label if name in facts else name for name in missing),
    )


def ranked(rows: Sequence[FleetRow], by: View) -> list[FleetRow]:
    """The sessions that could be computed, in the order of a view; ties by id.

    A session that does not say when it was answered counts as the oldest.
    """
    computed = [row for row in rows if row.computed]
    if by == "evidence":
        return sorted(computed, key=lambda row: (row.answered or date.min, row.session))
    return sorted(computed, key=lambda row: (-_dollars(row, by), row.session))


def _dollars(row: FleetRow, by: View) -> float:
    value = row.idle if by == "idle" else row.saving
    return -1.0 if value is None else value


def left_out(rows: Sequence[FleetRow]) -> list[FleetRow]:
    """The sessions that could not be computed, in the order given."""
    return [row for row in rows if not row.computed]
