"""How interruptions arrive: at random, with Weibull gaps, or in clusters, at one held mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import gamma

import numpy as np

from advisor.model.normal import Floats

_LEAST_GAP = 1e-12
"""Least time between two interruptions, s, so that time goes on."""


@dataclass(frozen=True, slots=True)
class Failures:
    """How interruptions arrive.

    Attributes:
        shape: of Weibull gaps, renewed at each failure; 1 is Poisson.
        cluster: probability that a failure is followed by another one soon.
        cluster_gap: mean gap of such a follow-up, s.
    """

    shape: float = 1.0
    cluster: float = 0.0
    cluster_gap: float = 600.0


def gaps(rng: np.random.Generator, rate: float, law: Failures) -> Callable[[int], Floats]:
    """A source of times between interruptions, s, with the mean 1/rate whatever the law.

    Args:
        rng: random numbers.
        rate: interruptions, 1/s; 0 for none.
        law: how they arrive; follow-ups of a cluster come on top, at a held mean.
    """
    if rate <= 0:
        return lambda count: np.full(count, np.inf)
    scale = 1 / rate
    if law.cluster > 0:
        alone = (1 / rate - law.cluster * law.cluster_gap) / (1 - law.cluster)
        scale = max(alone, _LEAST_GAP)
    scale /= gamma(1 + 1 / law.shape)

    def draw(count: int) -> Floats:
        found = rng.standard_exponential(count) if law.shape == 1 else rng.weibull(law.shape, count)
        found *= scale
        if law.cluster > 0:
            soon = rng.random(count) < law.cluster
            found = np.where(soon, law.cluster_gap * rng.standard_exponential(count), found)
        out: Floats = np.maximum(found, _LEAST_GAP, out=found)
        return out

    return draw
