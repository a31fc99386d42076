"""What a save writes: whole, a chain of increments, or compressed; formulas and what a job uses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from advisor.facts.scenario import Scenario
from advisor.model.normal import Floats

_LONGEST = 1000
"""Longest chain tried, saves: the optimum of a changed share of 1e-4 with quick reads is below."""


def _array(value: ArrayLike) -> Floats:
    return np.asarray(value, dtype=np.float64)


def chain_bytes(changed: ArrayLike, every: ArrayLike) -> Floats:
    """Mean bytes of a save in a chain over those of a full one: (1 + (K-1) f)/K.

    Args:
        changed: f, share of the bytes that an increment writes.
        every: K, each so-manieth save is a full one, at least 1.
    """
    f, k = _array(changed), _array(every)
    return (1 + (k - 1) * f) / k


def chain_reads(changed: ArrayLike, every: ArrayLike) -> Floats:
    """Mean bytes read at a restart over those of a full copy: 1 + f (K-1)/2.

    The failure meets the chain at any of its K places alike: on average (K-1)/2 increments.

    Args:
        changed: f, share of the bytes that an increment writes.
        every: K, each so-manieth save is a full one, at least 1.
    """
    return 1 + _array(changed) * (_array(every) - 1) / 2


def changed_after(changed: ArrayLike, intervals: ArrayLike) -> Floats:
    """Share of the bytes that differ after n intervals: 1 - (1-f)^n.

    Each byte is changed in an interval with probability f, independently. It is the size of one
    increment over a base n intervals old, and the f of an interval n times as long.

    Args:
        changed: f after one interval, in [0, 1].
        intervals: n, any number over 0.
    """
    f, n = np.broadcast_arrays(_array(changed), _array(intervals))
    with np.errstate(divide="ignore"):
        out: Floats = -np.expm1(n * np.log1p(-f))
    return out


@dataclass(frozen=True, slots=True)
class Chain:
    """The best chain of increments, first order in the save and in the restart.

    Attributes:
        every: K.
        save: mean cost of a save, s.
        restart: mean restart, s.
        loss: share of the time lost at the best interval, sqrt(2 C/M) + R/M.
        interval: that interval, sqrt(2 C M), s.
    """

    every: int
    save: float
    restart: float
    loss: float
    interval: float


def best_chain(
    mtbf: float,
    save: float,
    load: float,
    changed: float,
    *,
    fixed: float = 0.0,
    longest: int = _LONGEST,
) -> Chain:
    """The chain length K with the least loss sqrt(2 C(K)/M) + R(K)/M, by trying all.

    Args:
        mtbf: M, s.
        save: C of a full save, s.
        load: reading a full copy at a restart, s.
        changed: f.
        fixed: part of the restart that does not depend on the chain, s.
        longest: longest chain allowed.
    """
    k = np.arange(1, longest + 1, dtype=np.float64)
    cost = save * chain_bytes(changed, k)
    restart = fixed + load * chain_reads(changed, k)
    loss = np.sqrt(2 * cost / mtbf) + restart / mtbf
    at = int(np.argmin(loss))
    c = float(cost[at])
    return Chain(
        every=at + 1,
        save=c,
        restart=float(restart[at]),
        loss=float(loss[at]),
        interval=float(np.sqrt(2 * c * mtbf)),
    )


def codec_needed(share: ArrayLike, left: ArrayLike) -> Floats:
    """Codec rate above which compressing first and then writing is faster: B_w/(1-r), B/s.

    S/B_c + r S/B_w < S/B_w. Where compressing and writing overlap, B_c > B_w is enough.

    Args:
        share: B_w, rate at which a node writes while all do, B/s.
        left: r, bytes left over bytes before; 1 gives infinity.
    """
    b, r = np.broadcast_arrays(_array(share), _array(left))
    gain = 1 - r
    out: Floats = np.where(gain > 0, b / np.where(gain > 0, gain, 1.0), np.inf)
    return out


def best_speedup(left: ArrayLike) -> Floats:
    """How much faster a save can get with a codec that is never waited for: 1/r."""
    return 1 / _array(left)


@dataclass(frozen=True, slots=True)
class Payload:
    """What the saves of one job write.

    Attributes:
        mean: bytes of the mean save over those of a full one, before compression.
        reads: bytes read at a restart over those of a full copy.
        left: bytes after compression over those before.
        codec: rate of the codec on one node, B/s; infinite without compression.
    """

    mean: Floats
    reads: Floats
    left: Floats
    codec: Floats

    @property
    def compressed(self) -> bool:
        """Whether saves are compressed."""
        return bool(np.all(np.isfinite(self.codec)))


def given_interval(sc: Scenario) -> Floats | None:
    """Interval as given, s: a time, or steps times the time of a step; None while unknown."""
    every = sc.number("interval")
    if every is not None:
        return _array(every)
    steps, step = sc.number("interval_steps"), sc.number("step_time")
    return None if steps is None or step is None else _array(steps) * _array(step)


def is_chain(sc: Scenario) -> bool:
    """Whether increments are in use: not every save is full, and not every byte changes."""
    every, changed = sc.number("full_every"), sc.number("changed_fraction")
    return (
        every is not None
        and changed is not None
        and bool(np.any(_array(every) > 1))
        and bool(np.any(_array(changed) < 1))
    )


def is_compressed(sc: Scenario) -> bool:
    """Whether saves are compressed: less is left, and the rate of the codec is known."""
    left = sc.number("compressed_fraction")
    known = sc.number("compress_rate") is not None
    return known and left is not None and bool(np.any(_array(left) < 1))


def payload(sc: Scenario) -> Payload:
    """What a scenario's saves write.

    Args:
        sc: the scenario, calibrated: the share changed was seen at the interval held there, and
            follows where the scenario has another one.
    """
    return sc.once(_payload)


def _payload(sc: Scenario) -> Payload:
    one = _array(1.0)
    mean = reads = left = one
    codec = _array(np.inf)
    if is_chain(sc):
        every = np.maximum(_array(sc.require("full_every")), 1.0)
        changed = _array(sc.require("changed_fraction"))
        seen, interval = sc.calibration.interval, given_interval(sc)
        if seen is not None and interval is not None:
            changed = changed_after(changed, interval / _array(seen))
        mean, reads = chain_bytes(changed, every), chain_reads(changed, every)
    if is_compressed(sc):
        left = _array(sc.require("compressed_fraction"))
        codec = np.where(left < 1, _array(sc.require("compress_rate")), np.inf)
    return Payload(mean, reads, left, codec)
