"""Bills in the advice, and the number of nodes at which another option is the cheapest."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.engine.advise import advise
from advisor.engine.bill import bills, changes
from advisor.engine.knowledge import load_knowledge
from advisor.model.bill import totals_at
from tests.model.jobs import job
from tests.model.test_bill import PRICED
from tests.rules.fixtures import PlainSession, answers

# A dear pool with drives that outlast their rating, and no namespaces.
TWO = {
    **{k: v for k, v in PRICED.items() if not k.startswith("remote")},
    "nvme_dwpd": "30",
    "interval_decided_by": "policy",
}


def test_every_option_has_its_line_and_they_add_up() -> None:
    found = bills(job(**PRICED))
    assert list(found) == ["pool", "node_local", "remote"]
    for line in found.values():
        assert None not in (line.committed, line.per_unit, line.misbehaviour)
        assert line.total == pytest.approx(
            (line.committed or 0) + (line.per_unit or 0) + (line.misbehaviour or 0)
        )


def test_the_scale_at_which_the_cheapest_changes() -> None:
    sc = job(**{**TWO, "nvme_committed": "$9000/node-year"})
    lines = bills(sc)
    assert lines["pool"].total is not None
    assert lines["node_local"].total is not None
    # 100 nodes: $300,000 + 6,000 and 5.7 % lost against $900,000 and 2.7 % lost.
    assert lines["pool"].total > lines["node_local"].total
    below, above = changes(sc, lines)
    assert (below.option, below.direction) == ("pool", "below")
    # So many nodes that nothing is left to save on either: the drives are a cost and no more.
    assert (above.option, above.direction) == ("pool", "above")

    def dearer(nodes: float) -> float:
        totals = totals_at(sc, np.array([nodes]))
        return float(totals["pool"][0] - totals["node_local"][0])

    # The crossing by bisection of the totals, one job at a time.
    # At 50 nodes $9,000 each are more than what the shorter stall saves of 400 accelerators.
    low, high = 50.0, 100.0
    assert dearer(low) < 0 < dearer(high)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if dearer(middle) < 0 else (low, middle)
    assert below.nodes == pytest.approx(high, rel=1e-3)
    assert dearer(above.nodes * 0.99) > 0 > dearer(above.nodes * 1.01)


def test_one_complete_bill_changes_nothing() -> None:
    sc = job(**{k: v for k, v in TWO.items() if k != "nvme_committed"})
    lines = bills(sc)
    assert lines["node_local"].total is None
    assert changes(sc, lines) == ()


def test_the_advice_bills_the_job_with_its_plan() -> None:
    knowledge = load_knowledge()
    found = advise(PlainSession(answers(TWO, {})), knowledge)
    assert [step.lever for step in found.plan]
    # What the plan settles is held: an asynchronous save on both options.
    assert found.after.path in ("pool_async", "local_async")
    pool = found.bill["pool"]
    assert pool.committed == 300_000
    assert pool.misbehaviour is not None
    assert found.before.idle_cost_per_year is not None
    assert pool.misbehaviour < found.before.idle_cost_per_year
    no_prices = {k: v for k, v in TWO.items() if not k.endswith("committed")}
    assert advise(PlainSession(answers(no_prices, {})), knowledge).bill == {}
