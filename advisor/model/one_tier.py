"""The lost-work formula collapsed to one tier and hard failures, fast over millions of jobs.

The general formula with no soft failures and every save at the pool is
``tau Lam / (e^(Lam (R + x)) (e^(Lam P) - 1))``: x the lag left, P the period. Two exponentials a
job; everything else is done in place in blocks that stay in the cache, since memory, not
arithmetic, sets the time.
"""

from __future__ import annotations

import numpy as np

from advisor.model.normal import Floats
from advisor.model.pattern import NEARLY_STOPPED, Pattern

_BLOCK = 8192
"""Jobs of a block: its columns and buffers, 64 KiB each, stay in the second-level cache."""


def is_one_tier(p: Pattern) -> bool:
    """Whether the collapsed form holds for every job of a pattern."""
    return (
        not p.soft_rate.any()
        and not p.local_lag.any()
        and not p.pool_stall.any()
        and not p.kill.any()
        and not p.unusable.any()
        and not p.announced_rate.any()
        and bool((p.every == 1).all())
        and bool(p.hard_rate.min() > 0)
    )


def one_tier_goodput(p: Pattern, interval: Floats) -> Floats:
    """Goodput of one tier: Daly's complete model, with the lag and the waits of a drain.

    Args:
        p: a pattern for which ``is_one_tier`` holds.
        interval: work between saves, s, over 0; broadcasts with ``p``.

    Returns:
        Broadcast values in (0, 1]; 0 where the period exceeds about 700 times the MTBF.
    """
    fields = (interval, p.stall, p.hard_rate, p.hard_restart, p.pool_lag, p.pool_slowdown)
    shape = np.broadcast_shapes(*(f.shape for f in fields))
    flat = [f if f.ndim == 0 else np.broadcast_to(f, shape).reshape(-1) for f in fields]
    out = np.empty(int(np.prod(shape, dtype=np.int64)))
    block = _lagging if p.pool_lag.any() else _synchronous
    buffers = np.empty((3, min(out.size, _BLOCK)))
    with np.errstate(over="ignore"):
        for start in range(0, out.size, _BLOCK):
            part = [f if f.ndim == 0 else f[start : start + _BLOCK] for f in flat]
            result = out[start : start + _BLOCK]
            block(result, buffers[:, : result.size], *part)
    return out.reshape(shape)


def _synchronous(
    out: Floats,
    buffers: Floats,
    tau: Floats,
    stall: Floats,
    rate: Floats,
    restart: Floats,
    lag: Floats,
    slowdown: Floats,
) -> None:
    """One block without lag, in place: ``out`` receives the goodput."""
    period, behind = buffers[0], buffers[1]
    np.add(tau, stall, out=period)
    np.multiply(restart, rate, out=behind)
    _finish(out, period, behind, tau, rate)


def _lagging(
    out: Floats,
    buffers: Floats,
    tau: Floats,
    stall: Floats,
    rate: Floats,
    restart: Floats,
    lag: Floats,
    slowdown: Floats,
) -> None:
    """One block with drains: the period grows by wait and drag, the lag left is at risk too."""
    period, behind, slow = buffers
    np.minimum(slowdown, NEARLY_STOPPED, out=slow)
    np.subtract(1.0, slow, out=period)
    np.divide(tau, period, out=out)
    np.subtract(lag, out, out=behind)
    np.maximum(behind, 0.0, out=behind)  # the wait
    np.minimum(lag, out, out=out)
    np.multiply(out, slow, out=slow)  # the drag
    slow += behind
    np.add(tau, stall, out=period)
    period += slow
    np.subtract(restart, slow, out=behind)
    behind += lag
    behind *= rate
    _finish(out, period, behind, tau, rate)


def _finish(out: Floats, period: Floats, behind: Floats, tau: Floats, rate: Floats) -> None:
    period *= rate
    np.expm1(period, out=period)
    np.exp(behind, out=behind)
    period *= behind
    np.multiply(tau, rate, out=out)
    out /= period
