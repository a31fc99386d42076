"""Several jobs on one pool, and machines of several kinds of parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from advisor.model.normal import Floats

_STEPS = 200
"""Bisections of the pool's price: it ends at the last bit of a double long before."""


@dataclass(frozen=True, slots=True)
class SharingJob:
    """Jobs of one kind that save to the same pool.

    Attributes:
        count: n, jobs of this kind at a time.
        nodes: q, nodes of one of them.
        save: C, seconds in which it has the pool to itself for one save.
        restart: seconds from interruption to training again.
    """

    count: float
    nodes: float
    save: float
    restart: float


@dataclass(frozen=True, slots=True)
class Cooperation:
    """Intervals that serve all jobs of a pool together.

    Attributes:
        periods: per kind of job the best time from save to save, s.
        price: what a second of pool costs the others, in the unit of the optimum; 0 while there is
            room for every job's own best interval.
        pool_use: share of the time the pool is busy.
        pool_use_free: the same if every job took its own best interval; over 1 it cannot.
        waste: share of the whole machine lost to saves, rework and restarts, first order.
    """

    periods: Floats
    price: float
    pool_use: float
    pool_use_free: float
    waste: float


def cooperative_intervals(
    jobs: Sequence[SharingJob], node_mtbf: float, nodes: float
) -> Cooperation:
    """The periods with the least waste of a whole machine whose saves share one pool.

    P_i = sqrt(2 mu N/q_i^2 (q_i/N + l) C_i): Young's period while the pool has room (l = 0), and
    longer by a common price l of pool time where the sum of n C/P would pass 1. First order, from
    Herault et al., Optimal Cooperative Checkpointing for Shared High-Performance Computing
    Platforms (APDCM 2018).

    Args:
        jobs: kinds of jobs that run at the same time.
        node_mtbf: mu, time between failures of one node, s.
        nodes: N, nodes of the machine.
    """
    n, q, save, restart = (
        np.array([getattr(job, name) for job in jobs], dtype=np.float64)
        for name in ("count", "nodes", "save", "restart")
    )

    def periods(price: float) -> Floats:
        return np.asarray(np.sqrt(2 * node_mtbf * nodes / q**2 * (q / nodes + price) * save))

    def use(price: float) -> float:
        return float(np.sum(n * save / periods(price)))

    free = use(0.0)
    price = 0.0
    if free > 1:
        low, high = 0.0, 1.0
        while use(high) > 1:
            low, high = high, 2 * high
        for _ in range(_STEPS):
            middle = (low + high) / 2
            low, high = (middle, high) if use(middle) > 1 else (low, middle)
        price = high
    best = periods(price)
    lost = save / best + q / node_mtbf * (best / 2 + restart)
    return Cooperation(
        periods=best,
        price=price,
        pool_use=use(price),
        pool_use_free=free,
        waste=float(np.sum(n * q / nodes * lost)),
    )


def series_mtbf(parts: Sequence[tuple[float, float]]) -> float:
    """Time between failures of a machine that any part stops: 1 / sum of n/mtbf.

    Args:
        parts: (time between failures of one part, how many of them), any unit of time.

    Returns:
        In the same unit; infinite without parts.
    """
    rate = sum(count / mtbf for mtbf, count in parts)
    return 1 / rate if rate > 0 else float("inf")
