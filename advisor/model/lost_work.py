"""Goodput under failures: one formula for one tier and two, synchronous and lagging copies.

Failures are Poisson and also hit saves and restarts. For one synchronous tier it is Daly's complete
model (FGCS 22(3), 2006, eq. 20); for two synchronous tiers the Markov chain of the multi-level
papers (Moody et al., SC 2010).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from advisor.model.normal import Floats
from advisor.model.one_tier import is_one_tier, one_tier_goodput
from advisor.model.pattern import Pattern, Waits, waits

_TINY = 1e-300
"""Keeps 0/0 away where a job that only fails softly never gets through a segment."""


@dataclass(frozen=True, slots=True)
class Shares:
    """Where the compute time goes; the five add up to 1.

    Attributes:
        goodput: useful share.
        stall: compute waits for saves (and for earlier copies to be out).
        drain: training runs slower while copies drain.
        restart: from interruption to training again, announced stops included.
        rework: work done again.
    """

    goodput: Floats
    stall: Floats
    drain: Floats
    restart: Floats
    rework: Floats


def _share(part: Floats, total: Floats) -> Floats:
    """Part / total, 0 where both are 0."""
    out: Floats = np.where(total > 0, part / np.where(total > 0, total, 1.0), 0.0)
    return out


def _times(count: Floats, value: Floats) -> Floats:
    """Count x value, 0 for a count of 0 whatever the value."""
    out: Floats = np.where(count > 0, count * value, 0.0)
    return out


@dataclass(frozen=True, slots=True)
class _Failures:
    """Rates and restart terms of one pattern at one interval."""

    soft: Floats
    hard: Floats
    total: Floats
    soft_share: Floats
    retry_ok: Floats
    """g G: the soft share times the probability that a soft restart, repeated as long as it fails
    softly, succeeds."""
    retry_lost: Floats
    """1 - g G, without cancellation."""
    soft_restart_mean: Floats
    """Mean time spent in soft restarts per soft failure: X, s."""
    hard_restart_mean: Floats
    """Mean time spent in hard restarts per hard failure: V2, s."""
    soft_repeat_mean: Floats
    """Mean soft restart where only soft failures exist, s."""


def _mean_restart(rate: Floats, restart: Floats) -> Floats:
    """Mean time of a restart that any failure repeats: expm1(rate R)/rate, R for rate 0."""
    safe = np.where(rate > 0, rate, 1.0)
    with np.errstate(over="ignore"):
        out: Floats = np.where(rate > 0, np.expm1(safe * restart) / safe, restart)
    return out


def _failures(p: Pattern, w: Waits) -> _Failures:
    hard = p.hard_rate + p.kill / (p.every * w.segment + w.pool_stall)
    total = p.soft_rate + hard
    soft_share = _share(p.soft_rate, total)
    alive = np.exp(-total * p.soft_restart)
    denominator = np.maximum(1 - soft_share * (1 - alive), _TINY)
    safe = np.where(total > 0, total, 1.0)
    spent = np.where(total > 0, -np.expm1(-safe * p.soft_restart) / safe, p.soft_restart)
    return _Failures(
        soft=p.soft_rate,
        hard=hard,
        total=total,
        soft_share=soft_share,
        retry_ok=soft_share * alive / denominator,
        retry_lost=_share(hard, total) / denominator,
        soft_restart_mean=spent / denominator,
        hard_restart_mean=_mean_restart(total, p.hard_restart),
        soft_repeat_mean=_mean_restart(p.soft_rate, p.soft_restart),
    )


def _log_survival(f: _Failures, length: Floats, again: Floats) -> Floats:
    """-ln A: A the probability that a segment is finished before a hard failure.

    With g the soft share and 1 - a the chance of any failure, 1 - A is
    ``(1 - a) (1 - g G) / ((1 - g G) + g G a')``, a form without cancellation for rare failures; A
    itself is used where failures are frequent.
    """
    a = np.exp(-f.total * length)
    fail = -np.expm1(-f.total * length)
    bottom = np.maximum(f.retry_lost + f.retry_ok * np.exp(-f.total * again), _TINY)
    loss = fail * f.retry_lost / bottom
    survive = a + f.retry_ok * fail * np.exp(-f.total * again) / bottom
    hard_only = f.total * length
    general = np.where(loss < 0.5, -np.log1p(-np.minimum(loss, 0.5)), -np.log(survive))
    out: Floats = np.where(f.soft_share > 0, general, hard_only)
    return out


def _segment_time(f: _Failures, length: Floats, again: Floats) -> Floats:
    """Mean time to finish a segment with soft retries only (the limit of no hard failure)."""
    rate = np.where(f.soft > 0, f.soft, 1.0)
    fail = -np.expm1(-rate * length)
    fail_again = -np.expm1(-rate * again)
    restart = f.soft_repeat_mean
    retry = fail_again * (1 / rate + restart) / (1 - fail_again)
    timed = fail / rate + fail * (restart + retry)
    return np.where(f.soft > 0, timed, length)


def goodput(p: Pattern, interval: ArrayLike) -> Floats:
    """Useful share of the time.

    ``k tau q L / ((1/lam_h + V2)(1 - L))`` with L the survival of k segments, the last one longer
    by the pool stall, q the survival of the pool copy's lag and V2 the mean hard restart; then
    divided by ``1 + lam_ann (s_e + R_h)`` for announced stops and by ``1 + Lam P p/(1-p)`` for an
    unusable newest copy.

    Args:
        p: the pattern.
        interval: work between two saves, full-speed seconds, over 0; broadcasts with ``p``.

    Returns:
        Values in (0, 1]; 0 where the period exceeds about 700 times the MTBF.
    """
    tau = np.asarray(interval, dtype=np.float64)
    if is_one_tier(p):
        return one_tier_goodput(p, tau)
    w = waits(p, tau)
    return _goodput(p, w, _failures(p, w), tau)


def _goodput(p: Pattern, w: Waits, f: _Failures, tau: Floats) -> Floats:
    k = p.every
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        short = _log_survival(f, w.segment, w.segment + w.soft_extra)
        last = w.segment + w.pool_stall
        theta = _times(k - 1, short) + _log_survival(f, last, last + w.soft_extra)
        lag = np.where(
            p.drain_survives > 0,
            f.hard * w.hard_lag,
            _log_survival(f, w.hard_lag, w.hard_lag),
        )
        safe = np.where(f.hard > 0, f.hard, 1.0)
        per_failure = np.expm1(theta) * np.exp(lag) * (1 / safe + f.hard_restart_mean)
        with_hard = k * tau / per_failure
        pattern_time = np.where(
            f.soft > 0,
            _times(k - 1, _segment_time(f, w.segment, w.segment + w.soft_extra))
            + _segment_time(f, last, last + w.soft_extra),
            (k - 1) * w.segment + last,
        )
        plain = np.where(f.hard > 0, with_hard, k * tau / pattern_time)
        rework = (w.segment + w.pool_stall / k) * p.unusable / (1 - p.unusable)
        stops = 1 + p.announced_rate * (p.emergency_save + p.hard_restart)
        out: Floats = plain / (stops * (1 + f.total * rework))
    return out


def shares(p: Pattern, interval: ArrayLike) -> Shares:
    """Goodput and the four losses; they add up to 1.

    stall = goodput (k s + b)/(k tau), drain = goodput (lost1 + lost2/k)/tau, restart from the mean
    restart times and the announced stops, rework the remainder.

    Args:
        p: the pattern.
        interval: work between two saves, full-speed seconds, over 0; broadcasts with ``p``.
    """
    tau = np.asarray(interval, dtype=np.float64)
    w = waits(p, tau)
    f = _failures(p, w)
    g = _goodput(p, w, f, tau)
    stall = g * ((p.stall + w.local_wait) + w.pool_stall / p.every) / tau
    drain = g * (w.local_drag + w.pool_drag / p.every) / tau
    with np.errstate(over="ignore", invalid="ignore"):
        up = (
            (1 + _times(f.hard, f.hard_restart_mean))
            * (1 + f.soft * f.soft_restart_mean)
            * (1 + p.announced_rate * (p.emergency_save + p.hard_restart))
        )
        restart = 1 - 1 / up
    return Shares(
        goodput=g, stall=stall, drain=drain, restart=restart, rework=1 - g - stall - drain - restart
    )


def without_checkpoints(length: ArrayLike, rate: ArrayLike, restart: ArrayLike) -> Floats:
    """Goodput of a job of a given length that never saves: L/(M e^(R/M) (e^(L/M) - 1)).

    Args:
        length: work of the whole job, s, over 0.
        rate: its interruptions, 1/s; 0 gives 1.
        restart: from interruption to training again, s.

    Returns:
        Broadcast values in [0, 1].
    """
    length, rate, restart = (np.asarray(a, dtype=np.float64) for a in (length, rate, restart))
    safe = np.where(rate > 0, rate, 1.0)
    with np.errstate(over="ignore"):
        value = length * safe / (np.exp(safe * restart) * np.expm1(safe * length))
    return np.where(rate > 0, value, 1.0)


def ceiling(rate: ArrayLike, restart: ArrayLike) -> Floats:
    """Goodput that no storage can exceed: e^(-R/M); rates in 1/s, restart in s, broadcast."""
    out: Floats = np.exp(
        -np.asarray(rate, dtype=np.float64) * np.asarray(restart, dtype=np.float64)
    )
    return out
