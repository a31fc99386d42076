"""Saves against the time-out that counts for them: the chance that one outlasts a limit."""

from __future__ import annotations

import numpy as np

from advisor.facts.scenario import Scenario
from advisor.model.burst import Barrier
from advisor.model.job import (
    Sizes,
    floats,
    has_stream_limit,
    rank_times,
    tail_ratio,
    writers_measured,
)
from advisor.model.measured_tails import (
    measured_exceeds,
    measured_spread_exceeds,
    slowest_measured_quantile,
)
from advisor.model.normal import Floats
from advisor.model.tails import exceeds, spread_exceeds


def time_out(sc: Scenario, *, drains: bool) -> Floats | None:
    """The limit that counts, s; None where nobody named it.

    Args:
        sc: the scenario.
        drains: whether the bytes go out in the background. Then it is the limit of the group the
            background save runs in, else that of the training group.
    """
    limit = sc.number("drain_timeout" if drains else "collective_timeout")
    return None if limit is None else floats(limit)


def counts_spread(sc: Scenario, *, drains: bool) -> bool:
    """Whether the limit runs from the fastest writer on, not from the start of the save.

    The writers of a synchronous save wait for each other in a collective; only where single
    writers were measured is the spread between them known.
    """
    return writers_measured(sc) and not drains and not has_stream_limit(sc)


def outlasting(sc: Scenario, size: Sizes, pool: Barrier, limit: Floats, *, drains: bool) -> Floats:
    """Probability that one save outlasts a limit.

    The spread of the writers where it is known; the slowest of single writers where those were
    measured; else the whole save, which is an upper bound.

    Args:
        sc: the scenario, calibrated.
        size: its writers.
        pool: barrier of its save.
        limit: s, any shape.
        drains: whether the bytes go out in the background.

    Returns:
        Probabilities of the shape of the limit.
    """
    ratio, times = tail_ratio(sc), rank_times(sc)
    single = (pool.nominal - size.creates) * floats(sc.calibration.save)
    if times is not None:
        # In the times as they were measured, so that one table serves every sample.
        allowed = limit * slowest_measured_quantile(0.5, times, 1.0) / single
        if counts_spread(sc, drains=drains):
            return measured_spread_exceeds(times, allowed, size.slow)
        return measured_exceeds(times, allowed, size.slow)
    if counts_spread(sc, drains=drains):
        return spread_exceeds(single, ratio, limit, np.maximum(size.slow, 2.0))
    if sc.word("pool_write_basis") == "per_writer":
        return exceeds(pool.nominal * floats(sc.calibration.save), ratio, limit, size.slow)
    return exceeds(pool.p50, ratio, limit)
