"""The slowest of n writers, and how likely a save outlasts a limit."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from advisor.model.normal import (
    Z99,
    Floats,
    density,
    lognormal_shape,
    upper_quantile,
    upper_tail,
)

_NODES = 48
"""Gauss-Legendre nodes of the integrals; 32 reach 6 digits up to a p99/p50 of 7, 48 up to 100."""

_EDGE = 1e-12
"""Probability left outside the integrals at each end."""


@cache
def _legendre() -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return np.asarray(nodes, dtype=np.float64), np.asarray(weights, dtype=np.float64)


def _slowest_z(q: float, n: Floats) -> Floats:
    """Standard normal quantile that the slowest of n stays under with probability q."""
    return upper_quantile(-np.expm1(np.log(q) / n))


def slowest_quantile(q: float, ratio: ArrayLike, n: ArrayLike) -> Floats:
    """Quantile of the slowest of n writers over the median of one writer.

    Writer times are lognormal with median 1; ``exp(w Phi^-1(q^(1/n)))`` with the tail of
    ``q^(1/n)`` taken as ``-expm1(ln q / n)`` so that n = 1e6 keeps its digits.

    Args:
        q: probability, 0.5 for the typical save, 0.99 for one in a hundred.
        ratio: p99/p50 of single writers, at least 1, any shape.
        n: independently slow writers, at least 1, broadcast with ``ratio``.

    Returns:
        Factors on the time of a median writer.
    """
    n = np.asarray(n, dtype=np.float64)
    out: Floats = np.exp(lognormal_shape(ratio) * _slowest_z(q, n))
    return out


def slowest_mean(ratio: ArrayLike, n: ArrayLike) -> Floats:
    """Mean of the slowest of n writers over the median of one writer.

    Integral of ``n phi(z) Phi(z)^(n-1) e^(w z)`` by Gauss-Legendre between the 1e-12 quantiles,
    the upper one moved by w because the weight e^(w z) moves the mass there.

    Args:
        ratio: p99/p50 of single writers, at least 1, any shape.
        n: independently slow writers, at least 1, broadcast with ``ratio``.

    Returns:
        Factors on the time of a median writer.
    """
    w, n = np.broadcast_arrays(lognormal_shape(ratio), np.asarray(n, dtype=np.float64))
    low, high = _slowest_z(_EDGE, n), _slowest_z(1 - _EDGE, n) + w
    nodes, weights = _legendre()
    half = 0.5 * (high - low)[..., None]
    z = low[..., None] + half * (nodes + 1)
    log_cdf = np.log1p(-upper_tail(z))
    many = n[..., None]
    out: Floats = (
        half * weights * many * density(z) * np.exp((many - 1) * log_cdf + w[..., None] * z)
    ).sum(axis=-1)
    return out


def ratio_from_slowest_over_median(slowest: ArrayLike, n: ArrayLike) -> Floats:
    """p99/p50 of single writers from "the slowest took so many times the median of n".

    Args:
        slowest: slowest over median, at least 1.
        n: writers, at least 2.

    Returns:
        The p99/p50 whose typical slowest of n has that ratio.
    """
    z = _slowest_z(0.5, np.asarray(n, dtype=np.float64))
    out: Floats = np.exp(np.log(np.asarray(slowest, dtype=np.float64)) / z * Z99)
    return out


def exceeds(median: ArrayLike, ratio: ArrayLike, limit: ArrayLike, n: ArrayLike = 1.0) -> Floats:
    """Probability that the slowest of n lognormal times is over a limit.

    ``-expm1(n log1p(-p))`` with the tail p of one writer, which stays right at n = 1e5 and
    p = 1e-20.

    Args:
        median: median of one time, seconds, any shape.
        ratio: its p99/p50, at least 1; exactly 1 means no spread at all.
        limit: seconds.
        n: how many times; 1 for a whole save with its own distribution.

    Returns:
        Probabilities of the broadcast shape.
    """
    median, ratio, limit, n = (np.asarray(a, dtype=np.float64) for a in (median, ratio, limit, n))
    w = np.maximum(lognormal_shape(ratio), 1e-12)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        z = np.log(limit / median) / w
        p = np.where(median > 0, upper_tail(z), 0.0)
        out: Floats = -np.expm1(n * np.log1p(-p))
    return out


def spread_exceeds(median: ArrayLike, ratio: ArrayLike, limit: ArrayLike, n: ArrayLike) -> Floats:
    """Probability that slowest minus fastest of n lognormal times is over a limit.

    The fastest writer of a sharded save waits in a collective for the slowest:
    ``P(spread <= L) = n * integral of f(x) (F(x + L) - F(x))^(n-1)``. Computed as the integral of
    the complement, so that small probabilities keep their digits.

    Args:
        median: median time of one writer, seconds.
        ratio: p99/p50 of single writers, over 1.
        limit: seconds.
        n: writers, at least 2.

    Returns:
        Probabilities of the broadcast shape.
    """
    median, ratio, limit, n = np.broadcast_arrays(
        *(np.asarray(a, dtype=np.float64) for a in (median, ratio, limit, n))
    )
    w = np.maximum(lognormal_shape(ratio), 1e-12)[..., None]
    # Over the fastest writer, whose law is n phi (1 - Phi)^(n-1), between its own quantiles.
    low, high = -_slowest_z(1 - _EDGE, n), -_slowest_z(_EDGE, n)
    nodes, weights = _legendre()
    half = 0.5 * (high - low)[..., None]
    z = low[..., None] + half * (nodes + 1)
    x = median[..., None] * np.exp(w * z)
    late = upper_tail(np.log((x + limit[..., None]) / median[..., None]) / w)
    above = np.maximum(upper_tail(z), 1e-300)
    many = n[..., None]
    first = many * density(z) * np.exp((many - 1) * np.log(above))
    # Given the fastest, each other writer is late with probability late/above.
    with np.errstate(divide="ignore"):
        kill = -np.expm1((many - 1) * np.log1p(-np.minimum(late / above, 1.0)))
    out: Floats = np.clip((half * weights * first * kill).sum(axis=-1), 0.0, 1.0)
    return out
