"""Goodput under failures: one formula for one tier and two, synchronous and lagging copies.

Failures are Poisson and also hit saves and restarts. For one synchronous tier it is Daly's complete
model (FGCS 22(3), 2006, eq. 20); for two synchronous tiers the Markov chain of the multi-level
papers (Moody et al., SC 2010).

Two moments make the process start anew: the end of a hard restart, and the end of a pool save,
which finds every earlier copy out. Between hard failures lie 1/lam_h + V2 on average, and what they
leave are pool copies completed in time. With L0 the chance to get from a hard restart to the first
pool save before the next hard failure, L that from one pool save to the next, and q the chance that
a pool save's copy is complete in time (a pool save that follows proves it),

    copies per hard failure = L0 q / (1 - L).

L0 has no drain under way (``passage``). L and q depend on what a soft failure does to one: it
starts again (``drain_again``, exact) or goes on (``drain_goes_on``). With hard failures alone
L = e^(-Lam T), T the undisturbed pattern.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from advisor.model.drain_again import drained_again
from advisor.model.drain_costs import costs_again
from advisor.model.drain_goes_on import costs_on, drained_on
from advisor.model.drains import Costs, Drained, Job
from advisor.model.interruptions import interruptions
from advisor.model.normal import Floats
from advisor.model.one_tier import is_one_tier, one_tier_goodput
from advisor.model.passage import passage
from advisor.model.pattern import Pattern
from advisor.model.waits import Waits, pace, saves_between, walked

_TINY = 1e-300
"""Keeps 0/0 away where nothing is ever lost."""


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


def _job(p: Pattern, tau: Floats) -> tuple[Job, Waits]:
    k, at = saves_between(p), pace(p, tau)
    w = walked(p, tau, at)
    f = interruptions(p, k * w.segment + w.pool_stall)
    return Job(p, tau, k, at, f, passage(p, f, at), *f.attempt(p.pool_lag)), w


def _drained(job: Job, w: Waits) -> Drained:
    """What a pool save leads to, by what a soft interruption does to its drain."""
    if not job.p.soft_rate.any():
        return Drained(job.f.attempt(job.every * w.segment + w.pool_stall)[1], job.whole)
    survives = job.p.drain_survives > 0
    if bool(np.all(survives)):
        return drained_on(job)
    if not bool(np.any(survives)):
        return drained_again(job)
    on, again = drained_on(job), drained_again(job)
    return Drained(np.where(survives, on.lost, again.lost), np.where(survives, on.kept, again.kept))


def goodput(p: Pattern, interval: ArrayLike) -> Floats:
    """Useful share of the time.

    ``k tau L0 q / ((1/lam_h + V2)(1 - L))``, V2 the mean hard restart; then divided by
    ``1 + lam_ann (s_e + R_h)`` for announced stops and by ``1 + Lam P p/(1-p)`` for an unusable
    newest copy.

    Args:
        p: the pattern.
        interval: work between two saves, full-speed seconds, over 0; broadcasts with ``p``.

    Returns:
        Values in (0, 1]; 0 where the period exceeds about 700 times the MTBF.
    """
    tau = np.asarray(interval, dtype=np.float64)
    if is_one_tier(p):
        return one_tier_goodput(p, tau)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        job, w = _job(p, tau)
        return _goodput(job, w, _drained(job, w))


def _goodput(job: Job, w: Waits, drained: Drained) -> Floats:
    f, p, k = job.f, job.p, job.every
    first = np.exp(-job.way.from_restart_exponent(k))
    durable = first * drained.kept / np.maximum(drained.lost, _TINY)
    plain = k * job.tau * durable * f.hard / (1 + f.hard * f.hard_restart_mean)
    rework = (w.segment + w.pool_stall / k) * p.unusable / (1 - p.unusable)
    stops = 1 + p.announced_rate * (p.emergency_save + p.hard_restart)
    out: Floats = plain / (stops * (1 + f.total * rework))
    return out


def _costs(job: Job, w: Waits) -> Costs:
    """Wait and drag of the pool copies of a pattern that is kept."""
    plain = Costs(w.pool_wait, w.pool_drag)
    lagging = job.p.pool_lag.any() and job.p.soft_rate.any()
    if not lagging:
        return plain
    survives = job.p.drain_survives > 0
    if bool(np.all(survives)):
        return costs_on(job)
    if not bool(np.any(survives)):
        return costs_again(job, w)
    on, again = costs_on(job), costs_again(job, w)
    return Costs(np.where(survives, on.wait, again.wait), np.where(survives, on.drag, again.drag))


def _after_a_save(job: Job, drained: Drained) -> Floats:
    """Share of the kept intervals that begin with a save: those after a restart drain no copy.

    An interval got through at once has e^(-Lam l), among the A that get through at all; the first
    of a pattern also needs the pattern before it.
    """
    again = np.maximum(job.f.total * job.pace.local - job.way.step, 0.0)
    at_once = np.where(np.isfinite(job.way.step), np.exp(-again), 0.0)
    out: Floats = at_once * (1 - drained.lost / job.every)
    return out


def shares(p: Pattern, interval: ArrayLike) -> Shares:
    """Goodput and the four losses; they add up to 1.

    stall = goodput (k s + b)/(k tau) with the waits, drain = goodput x drag/(k tau), both of work
    that is kept. Of the pool copies they are those of a pattern that begins with a pool save (the
    first one after a hard restart, which pays none, is charged them too). Restart from the mean
    restart times and the announced stops; rework the remainder: everything done again.

    Args:
        p: the pattern.
        interval: work between two saves, full-speed seconds, over 0; broadcasts with ``p``.
    """
    tau = np.asarray(interval, dtype=np.float64)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        job, w = _job(p, tau)
        f, k = job.f, job.every
        drained = _drained(job, w)
        g, pool = _goodput(job, w, drained), _costs(job, w)
        own = _after_a_save(job, drained)
        stall = g * (p.stall + own * w.local_wait + (p.pool_stall + pool.wait) / k) / tau
        drain = g * (own * w.local_drag + pool.drag / k) / tau
        up = (
            (1 + f.hard * f.hard_restart_mean)
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
