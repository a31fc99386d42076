"""Node-local copies and the pool together: which k, every k-th save going to the pool.

What the two tiers should look like depends on the rest of the plan, so a plan sets them last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from advisor.engine.situation import number
from advisor.facts.scenario import Scenario, Value
from advisor.model.configuration import configure, work_interval
from advisor.model.lost_work import goodput
from advisor.model.normal import Floats
from advisor.model.pattern import Pattern
from advisor.model.tiers import MOST, best_every, stacked

Settings = dict[str, "Value | None"]
"""Facts with their new value."""


def in_use(sc: Scenario) -> Scenario:
    """The job with its node-local drives in use, every save going on to the pool."""
    if sc.word("nvme") == "used":
        return sc
    used = sc.changed({"nvme": "used", "pool_every": 1.0, "pool_copy": "drained"})
    # A stall measured on the way to the pool says nothing of the drives.
    return used.calibrated(replace(sc.calibration, stall=1.0))


def _drained(sc: Scenario, every: float | Floats) -> Scenario:
    """The job with every so-manieth save drained to the pool.

    Waiting for the copy is never better: what a drain takes of the training speed is at most the
    time it takes, and the wait for it is there where it pays.
    """
    return sc.changed({"pool_copy": "drained", "pool_every": every})


def _pattern(sc: Scenario) -> Pattern | None:
    c = configure(sc)
    return None if c is None else c.pattern


def together(jobs: Sequence[Scenario]) -> list[tuple[Settings, float] | None]:
    """Best k of each job with its best interval, and the goodput reached.

    Args:
        jobs: single jobs whose node-local drives are in use.

    Returns:
        Per job the settings ``pool_copy`` and ``pool_every`` and the goodput; None while something
        is unknown.
    """
    patterns = [_pattern(_drained(sc, 1.0)) for sc in jobs]
    known = [p for p in patterns if p is not None]
    if not known:
        return [None] * len(jobs)
    every, top = best_every(stacked(known))
    found = iter(zip(every, top, strict=True))
    return [None if p is None else _chosen(*next(found)) for p in patterns]


def _chosen(every: float, value: float) -> tuple[Settings, float]:
    return {"pool_copy": "drained", "pool_every": float(every)}, float(value)


def held(sc: Scenario) -> Settings:
    """Best k of one job at the interval in force; empty while something is unknown."""
    counts = np.arange(1.0, MOST + 1)
    job = _drained(sc, counts)
    p = _pattern(job)
    tau = None if p is None else work_interval(job, p)
    if p is None or tau is None:
        return {}
    at = int(np.broadcast_to(goodput(p, tau), counts.shape).argmax())
    return {"pool_copy": "drained", "pool_every": float(counts[at])}


def best_value(sc: Scenario) -> float | None:
    """Goodput of one job with its drives in use, at the best interval and k."""
    found = together([sc])[0]
    return None if found is None else found[1]


def ordinal(every: float) -> str:
    """Which saves go to the pool: save, second save, 3rd save, 21st save."""
    k = round(every)
    if k == 1:
        return "save"
    if k == 2:
        return "second save"
    ending = {1: "st", 2: "nd", 3: "rd"}.get(k % 10, "th") if k // 10 % 10 != 1 else "th"
    return f"{k}{ending} save"


def title(every: object) -> str:
    """What to do, a short imperative, for a k."""
    k = number(every)
    which = "save" if k is None else ordinal(k)
    return f"Save to the node-local drives and copy every {which} to the pool"
