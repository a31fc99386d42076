"""The rows of a fleet and their order."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from advisor.engine.advise import advise
from advisor.engine.knowledge import load_knowledge
from advisor.facts.answers import Answer
from advisor.session.document import Session
from advisor.session.fleet import FleetRow, fleet_row, left_out, ranked
from tests.ticket_job import TICKET


def _row(answers: dict[str, Answer], **about: object) -> FleetRow:
    session = Session("job", answers=answers, **about)  # type: ignore[arg-type]
    return fleet_row(Path("job.toml"), session, advise(session, load_knowledge(), whole=False))


def test_the_row_of_the_worked_example() -> None:
    """84.7 % of 1024 x 8760 h x $3 is kept: $4.12M idle; 9.4 points more is $2.53M."""
    answers = {name: Answer(value) for name, value in TICKET.items()}
    answers["nodes"] = Answer("128", "measured")
    answers["pool_share"] = Answer("?", "unknown")
    row = _row(answers, title="T", updated=datetime(2026, 3, 2, 10, tzinfo=UTC))
    hours = 1024 * 8760 * 3
    assert row.goodput == pytest.approx(0.847, abs=5e-4)
    assert row.after == pytest.approx(0.941, abs=5e-4)
    assert row.idle == pytest.approx(hours * (1 - 0.84685), rel=1e-3)
    assert row.saving == pytest.approx(2.53e6, rel=5e-3)
    assert (row.nodes, row.changes, row.first_change) == (128, 1, "Save asynchronously")
    assert (row.price_assumed, row.answered) == (False, date(2026, 3, 2))
    # Every answer of the example but the one nobody knew; one of them was measured.
    assert (row.measured, row.answers) == (1, len(TICKET))
    assert (row.computed, row.missing, row.fault) == (True, (), "")


def test_a_price_nobody_gave_is_marked() -> None:
    answers = {n: Answer(v) for n, v in TICKET.items() if n != "accelerator_hour"}
    assert _row(answers).price_assumed
    assert not _row({**answers, "node_hour": Answer("$30/h")}).price_assumed


def test_what_lacks_facts_names_them() -> None:
    row = _row({"nodes": Answer("8"), "state_total": Answer("2 TB"), "interval": Answer("1 h")})
    assert (row.computed, row.idle, row.saving) == (False, None, None)
    assert row.missing == ("Pool write rate",)


def _made(name: str, idle: float | None, saving: float | None, day: date | None) -> FleetRow:
    return FleetRow(
        Path(name), name, goodput=0.9, after=0.9, idle=idle, saving=saving, answered=day
    )


ROWS = [
    _made("b", 3.0, 1.0, date(2026, 1, 1)),
    _made("a", 3.0, 2.0, date(2025, 1, 1)),
    _made("c", 9.0, 0.0, None),
    _made("d", None, None, date(2024, 1, 1)),
    FleetRow(Path("e"), "e", fault="no"),
]


@pytest.mark.parametrize(
    ("by", "order"), [("idle", "cabd"), ("saving", "abcd"), ("evidence", "cdab")]
)
def test_the_order_of_each_view(by: str, order: str) -> None:
    found = ranked(ROWS, by)  # type: ignore[arg-type]
    assert "".join(row.session for row in found) == order
    assert [row.session for row in left_out(ROWS)] == ["e"]
