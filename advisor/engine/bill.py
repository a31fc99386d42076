"""The bills of the storage options for one job, and the scale at which the cheapest changes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from advisor.engine.bill_types import BillChange, BillLine
from advisor.engine.situation import number
from advisor.facts.scenario import Scenario
from advisor.model.bill import bill, options, totals_at

POINTS = 41
"""Points of the sweep over nodes, two decades each side: ten in a decade."""

_ROUNDS = 3
"""Refinements of a change by POINTS each: to far less than one node."""


def bills(sc: Scenario) -> Mapping[str, BillLine]:
    """The bill of every storage option, each at its own best interval; empty without any price.

    Args:
        sc: the job with the plan, calibrated.
    """
    out: dict[str, BillLine] = {}
    for option, there in options(sc).items():
        found = bill(option, there)
        out[option] = BillLine(
            committed=number(found.committed),
            per_unit=number(found.per_unit),
            misbehaviour=number(found.misbehaviour),
            missing=found.missing,
        )
    return out


def _cheapest(sc: Scenario, nodes: list[float]) -> list[str]:
    points = np.asarray(nodes, dtype=np.float64)
    found = totals_at(sc, points)
    names = sorted(found)
    best = np.argmin(np.array([found[name] for name in names]), axis=0)
    return [names[i] for i in best]


def changes(sc: Scenario, lines: Mapping[str, BillLine]) -> tuple[BillChange, ...]:
    """The nearest numbers of nodes below and above at which another option becomes the cheapest.

    Nodes of the same kind come or go with their share of the state and of the failures.

    Args:
        sc: the job with the plan.
        lines: its bills; at least two have to be complete.
    """
    now = number(sc.number("nodes"))
    if now is None or sum(line.total is not None for line in lines.values()) < 2:
        return ()
    spec = sc.catalogue.facts["nodes"]
    low = max(now / 100, spec.minimum or 1.0)
    high = min(now * 100, spec.maximum or np.inf)
    out = []
    for end in (low, high):
        change = _change(sc, now, end)
        if change is not None:
            out.append(change)
    return tuple(out)


def _change(sc: Scenario, inside: float, outside: float) -> BillChange | None:
    above = outside > inside
    name = ""
    for turn in range(_ROUNDS):
        points = [float(p) for p in np.geomspace(inside, outside, POINTS)]
        cheapest = _cheapest(sc, points)
        other = next((i for i, c in enumerate(cheapest) if c != cheapest[0]), None)
        if other is None:
            if turn == 0:
                return None
            break
        inside, outside, name = points[other - 1], points[other], cheapest[other]
    return BillChange(option=name, nodes=outside, direction="above" if above else "below")
