"""The best interval, the flat band around it, and the stall a goodput goal leaves room for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from advisor.model.lost_work import goodput
from advisor.model.normal import Floats
from advisor.model.pattern import Pattern
from advisor.model.search import Curve, first_true, highest

SHORTEST = 1e-3
"""Shortest interval searched, s: below any training step."""

LONGEST = 3.15e9
"""Longest interval searched, s: a century, far over any catalogue limit."""

_NEWTON_STEPS = 4
"""Four steps reach machine precision from either start (checked over 1e-12 to 1e3)."""


_SWEEP_ROUNDS = 5
"""Refinements where only the goodput matters: 5 give it to 1e-6, at a corner too."""


@dataclass(frozen=True, slots=True)
class Best:
    """The optimum of one configuration.

    Attributes:
        interval: the interval with the highest goodput, s of work.
        goodput: that goodput.
        band_low: shortest interval within the band of it, s.
        band_high: longest interval within the band, s.
    """

    interval: Floats
    goodput: Floats
    band_low: Floats
    band_high: Floats


def closed_form_interval(
    stall: ArrayLike, lag: ArrayLike, slowdown: ArrayLike, mtbf: ArrayLike
) -> Floats:
    """Best period less its overheads for one tier, in closed form.

    With x = (s + sig d)/M, solve ``v + expm1(-v) = x`` (a Lambert W in disguise; exact for Daly's
    complete model) by Newton; the best is ``M y`` with ``y = -expm1(-v)``, and not below the
    point where a save would wait for the last copy, ``(1 - sig) d``. The restart never moves it.
    Where that point binds and the drain outlasts the MTBF, a shorter interval with waits is better
    still (the work at risk counts more than the wait): ``best_interval`` finds it.

    Args:
        stall: s of one save, s.
        lag: d until the copy is restorable, s; 0 for a synchronous save.
        slowdown: sig while it drains.
        mtbf: M of the unannounced interruptions, s.

    Returns:
        Interval of work, s, broadcast.
    """
    stall, lag, slowdown, mtbf = (
        np.asarray(a, dtype=np.float64) for a in (stall, lag, slowdown, mtbf)
    )
    x = (stall + slowdown * lag) / mtbf
    p = np.sqrt(2 * x)
    v = np.where(x < 1, p + p**2 / 6 + p**3 / 36, 1 + x)
    for _ in range(_NEWTON_STEPS):
        slope = -np.expm1(-v)
        v = v - np.where(slope > 0, (v + np.expm1(-v) - x) / np.where(slope > 0, slope, 1.0), 0.0)
    out: Floats = np.maximum(mtbf * -np.expm1(-v), (1 - slowdown) * lag)
    return out


def jobs_of(p: Pattern) -> tuple[int, ...]:
    """Shape of the jobs of a pattern."""
    shapes = (np.shape(getattr(p, name)) for name in Pattern.__dataclass_fields__)
    return np.broadcast_shapes(*shapes)


def best_interval(p: Pattern, band: float) -> Best:
    """The best interval of a pattern and every interval within ``band`` of its goodput.

    One search serves one tier and two, waits included; the tests hold it to the closed form where
    there is one. Without interruptions the goodput only rises with the interval: the best is then
    the longest searched.

    Args:
        p: the pattern; jobs are its broadcast shape.
        band: width of the flat band in goodput, e.g. 0.001 for a tenth of a point.
    """
    return best_of_curve(lambda interval: goodput(p, interval), jobs_of(p), band)


def best_of_curve(curve: Curve, jobs: tuple[int, ...], band: float) -> Best:
    """The best interval of any goodput over the interval, with its flat band.

    Args:
        curve: goodput at intervals of shape (grid, *jobs).
        jobs: shape of the jobs.
        band: width of the flat band in goodput.
    """
    low, high = np.full(jobs, SHORTEST), np.full(jobs, LONGEST)
    at, top = highest(curve, low, high)
    floor = top - band

    def passed(intervals: Floats) -> Floats:
        """Whether the band has begun, and whether it is left: (grid, 2, *jobs)."""
        inside = curve(intervals) >= floor
        return np.stack([inside[:, 0], ~inside[:, 1]], axis=1)

    # Both ends at once: a search takes as long for two as for one.
    band_low, beyond = first_true(passed, np.stack([low, at]), np.stack([at, high]))
    return Best(
        interval=at,
        goodput=top,
        band_low=band_low,
        band_high=np.where(np.isnan(beyond), high, beyond),
    )


def best_goodput(p: Pattern) -> Floats:
    """Goodput at the best interval alone, for sweeps: the closed form where there is one.

    Args:
        p: the pattern; jobs are its broadcast shape.

    Returns:
        The same goodput as ``best_interval`` to 1e-6.
    """
    plain = (
        not np.any(p.soft_rate)
        and not np.any(p.kill)
        and not np.any(p.unusable)
        and bool(np.all(p.every == 1))
        and not np.any(p.local_lag)
        and not np.any(p.pool_stall)
        and bool(np.all(p.hard_rate > 0))
    )
    if plain:
        tau = closed_form_interval(p.stall, p.pool_lag, p.pool_slowdown, 1 / p.hard_rate)
        # Where the drain binds and outlasts the MTBF, waiting for it is better than working on.
        if bool(np.all(tau > (1 - p.pool_slowdown) * p.pool_lag)):
            return goodput(p, np.maximum(tau, SHORTEST))
    jobs = jobs_of(p)
    low, high = np.full(jobs, SHORTEST), np.full(jobs, LONGEST)
    return highest(lambda tau: goodput(p, tau), low, high, rounds=_SWEEP_ROUNDS)[1]


def allowed_stall(goal: ArrayLike, rate: ArrayLike, restart: ArrayLike) -> Floats:
    """Largest synchronous one-tier stall whose best interval still reaches a goodput.

    ``M (u - 1 - ln u)`` with ``u = E e^(R/M)``, the inverse of the closed-form optimum.

    Args:
        goal: goodput E in (0, 1).
        rate: interruptions, 1/s, over 0.
        restart: R, s.

    Returns:
        Seconds; NaN where u >= 1: no stall reaches the goal, the restart must change.
    """
    goal, rate, restart = (np.asarray(a, dtype=np.float64) for a in (goal, rate, restart))
    u = goal * np.exp(rate * restart)
    safe = np.where(u < 1, u, 0.5)
    return np.where(u < 1, (safe - 1 - np.log(safe)) / rate, np.nan)


def stall_for_goal(goal: ArrayLike, rate: ArrayLike, restart: ArrayLike) -> tuple[Floats, Floats]:
    """The allowed stall and the interval at which it reaches the goal (both s)."""
    stall = allowed_stall(goal, rate, restart)
    interval = closed_form_interval(stall, 0.0, 0.0, 1 / np.asarray(rate, dtype=np.float64))
    return stall, interval
