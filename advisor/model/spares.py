"""Spare nodes inside the allocation: how often one is free, how many pay, what they cost."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from advisor.facts.scenario import Scenario
from advisor.model.job import accelerators, floats
from advisor.model.normal import Floats

MOST_SPARES = 64
"""Spare nodes tried at most: a job that is always short of more has another problem."""


def none_free(waiting: ArrayLike, spares: ArrayLike) -> Floats:
    """Probability that an interruption finds no spare free: P(N >= s), N Poisson with mean a.

    A spare that was used is away for the time a replacement takes; at Poisson interruptions the
    number away is Poisson (M/G/infinity) and an interruption sees its mean.

    Args:
        waiting: a, interruptions in the time a replacement takes, any shape.
        spares: s, whole, 0 for none, broadcast with it.
    """
    a, s = np.broadcast_arrays(floats(np.asarray(waiting)), floats(np.asarray(spares)))
    term, below = np.exp(-a), np.zeros(a.shape)
    for count in range(int(np.max(s, initial=0.0))):
        below = below + np.where(count < s, term, 0.0)
        term = term * a / (count + 1)
    out: Floats = np.clip(1 - below, 0.0, 1.0)
    return out


def wait_saved(sc: Scenario, rate: Floats) -> Floats:
    """Seconds of a restart that the spares of a scenario take away, on average.

    Nothing where the job as it is has spares already: the restart time it gives has no wait in it.

    Args:
        sc: the scenario.
        rate: unannounced interruptions of the job, 1/s.
    """
    wait, spares = sc.number("replacement_wait"), floats(sc.require("spare_nodes"))
    if wait is None or not sc.calibration.queued or not np.any(spares >= 1):
        return floats(0.0)
    return floats(wait) * (1 - none_free(rate * floats(wait), spares))


def spares_share(sc: Scenario) -> Floats | None:
    """Price of the spare nodes over that of everything that waits; None while nodes are unknown.

    Accelerators of the spares over those that wait, nodes over nodes where there are none: the
    price of an hour is the same for both and does not count.
    """
    spares, nodes, waiting = sc.require("spare_nodes"), sc.number("nodes"), accelerators(sc)
    if nodes is None or waiting is None:
        return None
    each = floats(sc.require("accelerators_per_node"))
    gpus = floats(spares) * each / np.where(waiting > 0, waiting, 1.0)
    out: Floats = np.where(waiting > 0, gpus, floats(spares) / floats(nodes))
    return out


def best_spares(wait: float, rate: float, share: float) -> int:
    """Spare nodes with the least loss, first order: a P(N >= s) and what s nodes cost.

    Args:
        wait: seconds of a restart that wait for a node.
        rate: unannounced interruptions, 1/s.
        share: price of one spare over that of everything that waits.

    Returns:
        At least 1.
    """
    tried = np.arange(1, MOST_SPARES + 1, dtype=np.float64)
    waiting = rate * wait
    return int(tried[np.argmin(waiting * none_free(waiting, tried) + share * tried)])
