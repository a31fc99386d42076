"""What idle accelerators cost; capacity regained, not cash."""

from __future__ import annotations

import numpy as np

from advisor.facts.scenario import Scenario
from advisor.model.job import accelerators, floats
from advisor.model.normal import Floats


def cost_per_year(sc: Scenario) -> Floats | None:
    """Price of everything that waits while the job waits, dollars a year of 8760 x duty hours.

    Accelerators times their hourly price; nodes times theirs where there are no accelerators.

    Args:
        sc: the scenario.

    Returns:
        Dollars a year, None while the nodes or the price are unknown.
    """
    waiting, nodes = accelerators(sc), sc.number("nodes")
    if waiting is None or nodes is None:
        return None
    hours = sc.constant("hours_per_year") * floats(sc.require("duty"))
    each, node = sc.number("accelerator_hour"), sc.number("node_hour")
    if bool(np.all(waiting > 0)):
        return None if each is None else waiting * floats(each) * hours
    return None if node is None else floats(nodes) * floats(node) * hours


def idle_cost(goodput: Floats, per_year: Floats) -> Floats:
    """(1 - goodput) of the price of everything that waits, dollars a year."""
    return (1 - goodput) * per_year
