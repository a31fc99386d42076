"""The slowest of n writers where the times of single writers were measured.

Of a writer only what was measured is known: F(t) is the share of the measured times up to t, and
the slowest of n is at most t with probability F(t)^n. A time over the slowest measured one has
probability 0, however many write.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from advisor.model.normal import Floats

_SLACK = 1e-12
"""Relative rounding of a power of F: a quantile that lies exactly on a step belongs to it."""


_KNOTS = 256
"""Values up to which a function of an array is computed at each of them; beyond, at as many
quantiles of it: thousands of samples then cost no more than these."""


def _at_knots(function: Callable[[Floats], Floats], values: Floats) -> Floats:
    """A monotone function of many values, linear between 256 of them, exact at both ends."""
    if values.size <= _KNOTS:
        return function(values)
    places = np.linspace(0, values.size - 1, _KNOTS).astype(np.intp)
    knots = np.unique(np.sort(values, axis=None)[places])
    out: Floats = np.interp(values, knots, function(knots))
    return out


def _ordered(times: ArrayLike) -> Floats:
    return np.sort(np.asarray(times, dtype=np.float64).ravel())


def _up_to(times: Floats, n: Floats) -> Floats:
    """P(slowest of n <= each of the sorted times): (*n.shape, times)."""
    steps = np.arange(1, times.size + 1) / times.size
    out: Floats = steps ** n[..., None]
    return out


def slowest_measured_mean(times: ArrayLike, n: ArrayLike) -> Floats:
    """Mean of the slowest of n: sum over the sorted times of ``x_i (F_i^n - F_(i-1)^n)``.

    Args:
        times: measured times of single writers, s, any order.
        n: writers, at least 1, any shape.

    Returns:
        Seconds, of the shape of ``n``; the plain mean for n = 1.
    """
    x = _ordered(times)

    def mean(n: Floats) -> Floats:
        weights = np.diff(_up_to(x, n), axis=-1, prepend=0.0)
        # Summed from the smallest time up, so that equal times give exactly that time.
        out: Floats = x[0] + (weights * (x - x[0])).sum(axis=-1)
        return out

    return _at_knots(mean, np.asarray(n, dtype=np.float64))


def slowest_measured_quantile(q: float, times: ArrayLike, n: ArrayLike) -> Floats:
    """Time that the slowest of n stays within with probability q: the first with F^n >= q.

    Args:
        q: probability over 0, 0.5 for the typical save, 0.99 for one in a hundred.
        times: measured times of single writers, s, any order.
        n: writers, at least 1, any shape.

    Returns:
        One of the times, s, per element of ``n``.
    """
    x = _ordered(times)

    def quantile(n: Floats) -> Floats:
        out: Floats = x[np.argmax(_up_to(x, n) >= q * (1 - _SLACK), axis=-1)]
        return out

    return _at_knots(quantile, np.asarray(n, dtype=np.float64))


def measured_exceeds(times: ArrayLike, limit: ArrayLike, n: ArrayLike) -> Floats:
    """Probability that the slowest of n is over a limit: ``1 - F(limit)^n``.

    Args:
        times: measured times of single writers, s.
        limit: seconds, any shape.
        n: writers, broadcast with the limit.
    """
    x, n = _ordered(times), np.asarray(n, dtype=np.float64)
    within = np.searchsorted(x, np.asarray(limit, dtype=np.float64), side="right") / x.size
    with np.errstate(divide="ignore"):
        out: Floats = -np.expm1(n * np.log(within))
    return out


def measured_spread_exceeds(times: ArrayLike, limit: ArrayLike, n: ArrayLike) -> Floats:
    """Probability that slowest minus fastest of n is over a limit.

    The fastest is x_i and all others lie within the limit of it with probability
    ``(F(x_i + L) - F(x_(i-1)))^n - (F(x_i + L) - F(x_i))^n``; what those leave of 1 is over it.

    Args:
        times: measured times of single writers, s.
        limit: seconds, any shape.
        n: writers, at least 1: one number, or one for each limit.

    Returns:
        Probabilities of the broadcast shape; exactly 0 where the limit is no shorter than the
        slowest measured time less the fastest.
    """
    x = np.unique(_ordered(times))
    count = np.searchsorted(_ordered(times), x, side="right") / np.size(times)
    limit, n = np.broadcast_arrays(
        np.asarray(limit, dtype=np.float64), np.asarray(n, dtype=np.float64)
    )
    out = np.zeros(limit.shape)
    # Most limits are longer than any spread seen; only the others cost a table of all pairs.
    short = limit < x[-1] - x[0]
    if not np.any(short):
        return out
    below = np.concatenate([[0.0], count[:-1]])

    def over(limit: Floats, n: Floats) -> Floats:
        top = count[np.searchsorted(x, x + limit[:, None], side="right") - 1]
        within = ((top - below) ** n[:, None] - (top - count) ** n[:, None]).sum(axis=-1)
        found: Floats = np.clip(1 - within, 0.0, 1.0)
        return found

    tight, many = limit[short], n[short]
    if np.all(many == many[0]):
        out[short] = _at_knots(lambda some: over(some, np.full(some.shape, many[0])), tight)
    else:
        out[short] = over(tight, many)
    return out
