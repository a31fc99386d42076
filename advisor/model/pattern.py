"""What a configuration sets: the numbers the lost-work formula needs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from advisor.model.normal import Floats

NEARLY_STOPPED = 1 - 1e-9
"""Largest slow-down computed with, a fraction: training that stands still while a copy drains."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One job's saves and failures; every field broadcasts with the others.

    Attributes:
        stall: stall of a save, s.
        pool_stall: extra stall of a save that also goes to the pool, s.
        local_lag: time until the local copy can be restored from, s.
        pool_lag: time until the pool copy can be restored from, s.
        local_slowdown: fraction of training speed lost while the local copy drains.
        pool_slowdown: the same while the pool copy drains.
        every: each so-manieth save also goes to the pool, at least 1.
        soft_rate: interruptions the local copy survives, 1/s.
        hard_rate: interruptions it does not, 1/s.
        soft_restart: from a soft interruption to training again, s.
        hard_restart: the same after a hard one, s.
        kill: probability that one save to the pool is killed by a time-out; over the time between
            two of them it joins the hard rate.
        announced_rate: interruptions announced early enough to save first, 1/s.
        emergency_save: that save, s.
        unusable: probability that the newest copy cannot be restored from.
        drain_survives: 1 where a pool drain goes on through a soft failure, 0 where it restarts.
    """

    stall: Floats
    pool_stall: Floats
    local_lag: Floats
    pool_lag: Floats
    local_slowdown: Floats
    pool_slowdown: Floats
    every: Floats
    soft_rate: Floats
    hard_rate: Floats
    soft_restart: Floats
    hard_restart: Floats
    kill: Floats
    announced_rate: Floats
    emergency_save: Floats
    unusable: Floats
    drain_survives: Floats

    def changed(self, **fields: ArrayLike) -> Pattern:
        """The same pattern with some fields replaced (converted to arrays)."""
        arrays: dict[str, Any] = {k: np.asarray(v, dtype=np.float64) for k, v in fields.items()}
        return replace(self, **arrays)


def pattern(
    *,
    stall: ArrayLike,
    hard_rate: ArrayLike,
    hard_restart: ArrayLike,
    pool_stall: ArrayLike = 0.0,
    local_lag: ArrayLike = 0.0,
    pool_lag: ArrayLike = 0.0,
    local_slowdown: ArrayLike = 0.0,
    pool_slowdown: ArrayLike = 0.0,
    every: ArrayLike = 1.0,
    soft_rate: ArrayLike = 0.0,
    soft_restart: ArrayLike = 0.0,
    kill: ArrayLike = 0.0,
    announced_rate: ArrayLike = 0.0,
    emergency_save: ArrayLike = 0.0,
    unusable: ArrayLike = 0.0,
    drain_survives: ArrayLike = 0.0,
) -> Pattern:
    """Build a pattern from numbers or arrays; what is left out is one synchronous tier.

    Args and units are those of ``Pattern``.
    """
    values = dict(locals())
    return Pattern(**{k: np.asarray(v, dtype=np.float64) for k, v in values.items()})
