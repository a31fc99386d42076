"""Two tiers: the best interval together with the best k, every k-th save going to the pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from advisor.model.lost_work import goodput
from advisor.model.normal import Floats
from advisor.model.optimum import LONGEST, SHORTEST, Best, best_interval
from advisor.model.pattern import Pattern
from advisor.model.search import highest

MOST = 64
"""Largest k searched: later pool copies than every 64th save are none in practice."""

_LADDER = (*range(1, 9), 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, MOST)
"""Values of k of the first pass: all small ones, then about a fifth further each time."""

_COARSE, _FINE = 3, 4
"""Refinements of the interval on the ladder and between its steps: goodput to 1e-5 and 1e-6."""

_TIE = 1e-9
"""Goodputs this close count as equal; the smaller k, the safer copy, is then taken."""


@dataclass(frozen=True, slots=True)
class BestTiers:
    """The optimum of one configuration over interval and k.

    Attributes:
        every: k, each so-manieth save goes to the pool; whole, 1 to ``MOST``.
        best: the best interval at that k, s of work, its goodput and its flat band.
    """

    every: Floats
    best: Best


def _shape(p: Pattern) -> tuple[int, ...]:
    """Shape of the jobs of a pattern, whatever its k."""
    names = (n for n in Pattern.__dataclass_fields__ if n != "every")
    return np.broadcast_shapes(*(np.shape(getattr(p, n)) for n in names))


def _tops(p: Pattern, every: Floats, rounds: int) -> Floats:
    """Goodput at the best interval of each k; ``every`` and the result: (choices, *jobs)."""
    tried = p.changed(every=every)
    low, high = np.full(every.shape, SHORTEST), np.full(every.shape, LONGEST)
    return highest(lambda tau: goodput(tried, tau), low, high, rounds=rounds)[1]


def _smallest_best(every: Floats, values: Floats) -> tuple[Floats, Floats]:
    """The smallest k whose value is the highest of its job; arguments (choices, *jobs)."""
    values = np.where(np.isnan(values), -np.inf, values)
    top: Floats = values.max(axis=0)
    out: Floats = np.where(values >= top - _TIE, every, np.inf).min(axis=0)
    return out, top


def best_every(p: Pattern) -> tuple[Floats, Floats]:
    """The k with the highest goodput, each k at its own best interval.

    First the ladder, then every whole k between the neighbours of the best step of it.

    Args:
        p: the pattern; its own k does not count.

    Returns:
        Whole numbers, one per job of ``p``, and the goodputs they reach, to 1e-6.
    """
    jobs = _shape(p)
    ladder = np.asarray(_LADDER, dtype=np.float64)
    column = ladder.reshape((-1,) + (1,) * len(jobs))
    tried = np.broadcast_to(column, (ladder.size, *jobs))
    first, _ = _smallest_best(tried, _tops(p, tried, _COARSE))
    at = np.searchsorted(ladder, first)
    low = ladder[np.maximum(at - 1, 0)]
    high = ladder[np.minimum(at + 1, ladder.size - 1)]
    width = int(np.max(high - low)) + 1
    steps = np.arange(width, dtype=np.float64).reshape((-1,) + (1,) * len(jobs))
    near = np.minimum(low + steps, high)
    return _smallest_best(near, _tops(p, near, _FINE))


def best_tiers(p: Pattern, band: float) -> BestTiers:
    """The best interval and k of a pattern, and the intervals as good at that k.

    With one tier (nothing survives on the nodes, or the pool copy costs nothing extra) k is 1.

    Args:
        p: the pattern; its own k does not count.
        band: width of the flat band in goodput, e.g. 0.001 for a tenth of a point.
    """
    every, _ = best_every(p)
    return BestTiers(every=every, best=best_interval(p.changed(every=every), band))


def stacked(patterns: Sequence[Pattern]) -> Pattern:
    """Patterns of single jobs as one pattern of many, to be searched in one call."""
    names = Pattern.__dataclass_fields__
    return Pattern(**{n: np.array([float(getattr(p, n)) for p in patterns]) for n in names})
