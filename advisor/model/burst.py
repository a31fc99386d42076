"""The burst: how long one save takes when every node writes at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from advisor.model.normal import Z99, Floats, lognormal_shape
from advisor.model.tails import slowest_mean, slowest_quantile


@dataclass(frozen=True, slots=True)
class Tail:
    """Factors on the data time of a save: typical, mean, and one save in a hundred."""

    p50: Floats
    mean: Floats
    p99: Floats


@dataclass(frozen=True, slots=True)
class Barrier:
    """Time from the first byte to the slowest writer, s.

    Attributes:
        nominal: bytes over rate plus creates, no tail and no overhead.
        p50: the typical save.
        mean: mean over saves; this one enters the goodput.
        p99: one save in a hundred.
    """

    nominal: Floats
    p50: Floats
    mean: Floats
    p99: Floats

    def scaled(self, ratio: ArrayLike) -> Barrier:
        """All but the nominal time times a measured-over-modelled ratio."""
        r = np.asarray(ratio, dtype=np.float64)
        return Barrier(self.nominal, self.p50 * r, self.mean * r, self.p99 * r)

    def at_least(self, seconds: ArrayLike) -> Barrier:
        """The same, never shorter than something that goes on beside it (a codec), s."""
        floor = np.asarray(seconds, dtype=np.float64)
        return Barrier(
            *(np.maximum(t, floor) for t in (self.nominal, self.p50, self.mean, self.p99))
        )


def variation_tail(ratio: ArrayLike) -> Tail:
    """Factors of a rate that already includes the slowest writer (aggregate, data sheet).

    What is left varies from save to save: lognormal with median 1 and p99/p50 = ``ratio``, so the
    mean is ``exp(w^2/2)``.

    Args:
        ratio: p99/p50 of whole saves, at least 1, any shape.
    """
    w = lognormal_shape(ratio)
    return Tail(p50=np.ones_like(w), mean=np.exp(w * w / 2), p99=np.exp(w * Z99))


def writer_tail(ratio: ArrayLike, writers: ArrayLike) -> Tail:
    """Factors of a rate measured on single writers: the save waits for the slowest of n.

    Args:
        ratio: p99/p50 of single writers, at least 1.
        writers: independently slow writers n, at least 1.
    """
    ratio, writers = np.asarray(ratio, dtype=np.float64), np.asarray(writers, dtype=np.float64)
    if ratio.ndim == writers.ndim == 0:
        return _tail_of_one(float(ratio), float(writers))
    return _tail_of_writers(ratio, writers)


@lru_cache(maxsize=256)
def _tail_of_one(ratio: float, writers: float) -> Tail:
    """The same for one job: searches and sweeps ask for it again at each step."""
    return _tail_of_writers(ratio, writers)


def _tail_of_writers(ratio: ArrayLike, writers: ArrayLike) -> Tail:
    return Tail(
        p50=slowest_quantile(0.5, ratio, writers),
        mean=slowest_mean(ratio, writers),
        p99=slowest_quantile(0.99, ratio, writers),
    )


def data_time(
    total: ArrayLike, fullest: ArrayLike, pool_rate: ArrayLike, node_limit: ArrayLike
) -> Floats:
    """Seconds to move the bytes: max(V / pool, S / node limit).

    Args:
        total: V, bytes of one save.
        fullest: S, bytes of the fullest node.
        pool_rate: delivered by the pool to this job, B/s; infinite where it sets no limit.
        node_limit: what one node can send, B/s; infinite where unknown.
    """
    total, fullest, pool_rate, node_limit = (
        np.asarray(a, dtype=np.float64) for a in (total, fullest, pool_rate, node_limit)
    )
    out: Floats = np.maximum(total / pool_rate, fullest / node_limit)
    return out


def taken_fast(
    arriving: ArrayLike, sustained: ArrayLike, area: ArrayLike, refill: ArrayLike = np.inf
) -> Floats:
    """Bytes of a save that a fast write area takes before the slower storage shows: A a/(a - B).

    Args:
        arriving: a, rate at which the save arrives, B/s.
        sustained: B, rate at which the area empties, B/s.
        area: A, its size in bytes.
        refill: seconds in which it can empty before the save.

    Returns:
        Bytes; 0 where the save arrives no faster than the area empties: it plays no part then.
    """
    arriving, sustained, area, refill = (
        np.asarray(v, dtype=np.float64) for v in (arriving, sustained, area, refill)
    )
    usable = np.minimum(area, sustained * np.maximum(refill, 0.0))
    faster = arriving > sustained
    gap = np.where(faster, arriving - sustained, 1.0)
    out: Floats = np.where(faster, usable * arriving / gap, 0.0)
    return out


def two_phase_time(
    total: ArrayLike,
    arriving: ArrayLike,
    sustained: ArrayLike,
    area: ArrayLike,
    refill: ArrayLike = np.inf,
) -> Floats:
    """Seconds to move the bytes into a pool with a fast write area in front of slower storage.

    The area fills at ``a - B_sust`` and holds ``V <= A a/(a - B_sust)``; the rest goes at B_sust.
    Between two saves only ``B_sust (refill)`` of it drains (garbage collection, burst credits).

    Args:
        total: V, bytes of one save.
        arriving: a = min(nodes x link, fast rate), B/s.
        sustained: B_sust, B/s.
        area: A, bytes of the fast area; 0 for none.
        refill: seconds from the end of one save to the start of the next.
    """
    total, arriving, sustained, area, refill = (
        np.asarray(v, dtype=np.float64) for v in (total, arriving, sustained, area, refill)
    )
    faster = arriving > sustained
    fast = np.minimum(total, taken_fast(arriving, sustained, area, refill))
    out: Floats = fast / np.where(faster, arriving, 1.0) + (total - fast) / np.minimum(
        sustained, np.where(faster, sustained, arriving)
    )
    return out


def barrier(data: ArrayLike, creates: ArrayLike, tail: Tail) -> Barrier:
    """The barrier of a save; the tail multiplies the data time only.

    Args:
        data: seconds to move the bytes.
        creates: seconds of file creation.
        tail: factors for this basis of the rate.
    """
    data, creates = np.asarray(data, dtype=np.float64), np.asarray(creates, dtype=np.float64)
    return Barrier(
        nominal=data + creates,
        p50=data * tail.p50 + creates,
        mean=data * tail.mean + creates,
        p99=data * tail.p99 + creates,
    )
