"""Values computed about restarts: what spare nodes and fewer readers would bring."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from advisor.engine.computed_job import STATE, save_needs
from advisor.engine.computed_types import Computed, ratio_value, time_value
from advisor.engine.levers import LEVERS
from advisor.engine.situation import Situation, number
from advisor.facts.scenario import Scenario
from advisor.model.configuration import configure
from advisor.model.failures import load_time, restart_reads
from advisor.model.optimum import best_goodput
from advisor.model.spares import spares_share


def _best(sc: Scenario) -> float | None:
    c = configure(sc)
    if c is None or c.pattern is None or bool(np.any(c.every < 1)):
        return None
    return number(best_goodput(c.pattern))


def _gain(s: Situation, lever: str) -> float | None:
    """Goodput that one lever adds at the best interval, which a restart does not move."""
    settings = LEVERS[lever].change(s.scenario)
    now, then = _best(s.scenario), _best(LEVERS[lever].apply(s.scenario, settings))
    return None if now is None or then is None else then - now


def _spares(s: Situation) -> float | None:
    """Spare nodes that pay; 0 where there are some, None while the wait for a node is unknown."""
    if _has_spares(s.scenario):
        return 0.0
    count = LEVERS["spares"].change(s.scenario).get("spare_nodes")
    return count if isinstance(count, float) else None


def _has_spares(sc: Scenario) -> bool:
    return bool(np.any(np.asarray(sc.require("spare_nodes")) >= 1))


def _spares_gain(s: Situation) -> float | None:
    if _has_spares(s.scenario):
        return 0.0
    return None if _spares(s) is None else _gain(s, "spares")


def _broadcast_gain(s: Situation) -> float | None:
    sc = s.scenario
    if sc.word("restart_reads") == "one_replica" or sc.number("replicas") == 1:
        return 0.0
    return None if sc.number("pool_read") is None else _gain(s, "broadcast_load")


def _spares_share(s: Situation) -> float | None:
    count = _spares(s)
    return (
        None if count is None else number(spares_share(s.scenario.changed({"spare_nodes": count})))
    )


def _restart(s: Situation) -> float | None:
    c = s.estimate.configuration
    return None if c is None else number(c.rates.hard_restart)


def _reads(s: Situation) -> float | None:
    """Times the state that a restart reads from the pool."""
    return number(restart_reads(s.scenario) * s.scenario.require("replicas"))


def _load(s: Situation) -> float | None:
    """Reading the save at a restart, within it; None while no read rate is known."""
    c = s.estimate.configuration
    if c is None or s.scenario.number("pool_read") is None:
        return None
    return number(load_time(s.scenario, c.sizes.total))


def _load_share(s: Situation) -> float | None:
    load, restart = _load(s), _restart(s)
    return None if load is None or not restart else load / restart


def _with_wait(sc: Scenario) -> tuple[str, ...]:
    return (*save_needs(sc), "replacement_wait")


_LOAD = (*STATE, "pool_read")

RESTARTS: Mapping[str, Computed] = {
    "restart_now": time_value("From an interruption to training again.", STATE, _restart),
    "spares_wanted": Computed("count", "Spare nodes that pay.", _with_wait, _spares),
    "spares_gain": ratio_value("Goodput that these spare nodes add.", _with_wait, _spares_gain),
    "spares_share": ratio_value(
        "Price of these spare nodes over that of all that waits.", _with_wait, _spares_share
    ),
    "load_time": time_value("Reading the save at a restart.", _LOAD, _load),
    "load_share": ratio_value("Its share of the restart.", _LOAD, _load_share),
    "load_reads": Computed("count", "Times the state that a restart reads.", STATE, _reads),
    "broadcast_gain": ratio_value(
        "Goodput that one reader for all adds.",
        lambda sc: (*save_needs(sc), "pool_read"),
        _broadcast_gain,
    ),
}
"""Everything about restarts that a condition or a message may name."""
