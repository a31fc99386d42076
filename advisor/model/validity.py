"""Where the closed form is not to be taken alone: what it leaves out, and in which jobs.

One tier is exact, and so are two with drains that a soft interruption starts again. Where drains go
on, a soft interruption counts at its mean delay: no job of the stored comparison is 0.3 points off,
and none in which the MTBF is longer than a pattern 0.2 points. And a time-out kills a save at its
end, when the whole interval is lost, not at a random moment.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from advisor.model.lost_work import goodput
from advisor.model.normal import Floats
from advisor.model.pattern import Pattern
from advisor.model.waits import period, saves_between

TOLERANCE = 0.002
"""Share of the time left out above which the simulated value belongs beside the closed form: twice
the 0.1 point below which two configurations count as equal."""


def left_out(p: Pattern, interval: ArrayLike) -> Floats:
    """First-order estimate of closed form less true goodput; positive where it is too high.

    Args:
        p: the pattern.
        interval: work between two saves, s, over 0; broadcasts with ``p``.

    Returns:
        Shares of the time; 0 without time-outs. Each save that is killed loses the whole interval
        and is charged half of it.
    """
    out: Floats = goodput(p, interval) * p.kill / 2
    return out


def closed_form_holds(p: Pattern, interval: ArrayLike) -> NDArray[np.bool_]:
    """Whether the closed form may stand alone.

    Args:
        p: the pattern.
        interval: work between two saves, s, over 0; broadcasts with ``p``.

    Returns:
        False where more than ``TOLERANCE`` is left out, or where interruptions are more frequent
        than patterns while drains go on through the soft ones.
    """
    goes_on = (p.drain_survives > 0) & (p.soft_rate > 0) & (p.pool_lag > 0)
    length = saves_between(p) * period(p, interval)
    frequent = goes_on & ((p.soft_rate + p.hard_rate) * length > 1)
    out: NDArray[np.bool_] = ~frequent & (np.abs(left_out(p, interval)) <= TOLERANCE)
    return out
