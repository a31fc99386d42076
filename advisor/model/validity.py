"""Where the closed form is not to be taken alone: what it leaves out, roughly, and in which jobs.

One tier is exact. With soft failures and copies that lag it charges every pattern the same wait and
drag, although a soft failure changes both: a drain that goes on meanwhile has less left to wait
for, one that starts again slows training and holds the next pool save back once more. And a
time-out kills a save at its end, when the whole interval is lost, not at a random moment.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from advisor.model.lost_work import goodput
from advisor.model.normal import Floats
from advisor.model.pattern import NEARLY_STOPPED, Pattern
from advisor.model.waits import Waits, waits

TOLERANCE = 0.002
"""Share of the time left out above which the simulated value belongs beside the closed form: twice
the 0.1 point below which two configurations count as equal."""


def left_out(p: Pattern, interval: ArrayLike) -> Floats:
    """First-order estimate of closed form less true goodput; positive where it is too high.

    Args:
        p: the pattern.
        interval: work between two saves, s, over 0; broadcasts with ``p``.

    Returns:
        Shares of the time; 0 for one tier without time-outs. Found by hand from one soft failure
        per pattern at a random moment, and held against simulation in the tests.
    """
    tau = np.asarray(interval, dtype=np.float64)
    w = waits(p, tau)
    length = p.every * w.segment + w.pool_stall
    step = length / p.every
    saves = np.minimum(np.floor(p.pool_lag / step), p.every)
    rest = np.minimum(p.pool_lag / step - saves, 1.0)
    soft = np.where(
        p.drain_survives > 0,
        -_absorbed(p, w, step, saves, rest, tau),
        _repeated(p, w, step, saves, rest),
    )
    # A pool copy that is complete before the local one is restored instead of it.
    newer = np.where(p.pool_lag > 0, np.maximum(0.0, p.local_lag - p.pool_lag), 0.0)
    soft = p.soft_rate * (soft - newer * tau / length)
    # The local drags are part of the time in which the pool copy drains.
    twice = -np.minimum(w.pool_wait, p.every * w.local_drag) / length
    out: Floats = goodput(p, tau) * (soft + twice + p.kill / 2)
    return out


def _absorbed(
    p: Pattern, w: Waits, step: Floats, saves: Floats, rest: Floats, tau: Floats
) -> Floats:
    """Seconds that a soft failure takes off drag and wait while the drain goes on.

    The drain is further by the work done again and the restart: ``saves`` whole intervals and
    ``rest`` of one lie under it.
    """
    further = step * (saves / 2 + rest - rest**2 / 2) / p.every
    busy = np.minimum(1.0, (saves + rest) / p.every)
    drag = p.pool_slowdown * (further + busy * p.soft_restart)
    out: Floats = drag + np.minimum(w.pool_wait, tau / 2 + p.soft_restart)
    return out


def _repeated(p: Pattern, w: Waits, step: Floats, saves: Floats, rest: Floats) -> Floats:
    """Seconds that a soft failure adds where the drain starts again, less what is charged for it.

    The drain repeats what it did up to the last save, slows training for that long again, and its
    end moves by as much against the next pool save.
    """
    slow = np.minimum(p.pool_slowdown, NEARLY_STOPPED)
    count = saves + rest
    safe = np.where(count > 0, count, 1.0)
    done = step * (saves * (saves - 1) / 2 + saves * rest) / safe
    span = np.where(done > 0, 2 * done * (1 - slow), 1.0)
    early = p.pool_lag - p.every * step
    latest = np.where(done > 0, span, 0.0) + early
    late = np.where(early >= 0, latest / 2, np.maximum(latest, 0.0) ** 2 / (2 * span))
    hit = np.minimum(1.0, count / p.every)
    # After the drain is out, a repeated interval is not slowed although it is charged for it.
    spared = slow * step * rest * (1 - rest) / p.every
    out: Floats = hit * (slow * done + late) - spared
    return out


def closed_form_holds(p: Pattern, interval: ArrayLike) -> NDArray[np.bool_]:
    """Whether the closed form may stand alone.

    Args:
        p: the pattern.
        interval: work between two saves, s, over 0; broadcasts with ``p``.

    Returns:
        False where more than ``TOLERANCE`` is left out, or where interruptions are more frequent
        than patterns while copies lag and some failures are soft.
    """
    tau = np.asarray(interval, dtype=np.float64)
    w = waits(p, tau)
    length = p.every * w.segment + w.pool_stall
    lagging = (p.soft_rate > 0) & (p.pool_lag + p.local_lag > 0)
    frequent = lagging & ((p.soft_rate + p.hard_rate) * length > 1)
    out: NDArray[np.bool_] = ~frequent & (np.abs(left_out(p, tau)) <= TOLERANCE)
    return out
