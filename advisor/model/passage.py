"""The way to the next pool save while no pool copy drains: what a soft interruption sends back to.

A soft interruption goes back to the newest complete local copy, so the way is a row of windows
between two complete copies. Each is repeated until it is got through: its chance A contains the
soft retries, the attempt after an interruption being longer by the lag left of the local copy.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.model.interruptions import Interruptions, exponent
from advisor.model.normal import Floats
from advisor.model.pattern import Pattern
from advisor.model.waits import Pace


@dataclass(frozen=True, slots=True)
class Passage:
    """-ln of the chances to arrive before a hard interruption; ``n`` counts the saves to go.

    Attributes:
        only: from a restart, the next save being the pool save.
        first: from a restart to the first complete local copy.
        step: from one complete copy to the next.
        last: from the last complete copy before the pool save to the pool save.
    """

    only: Floats
    first: Floats
    step: Floats
    last: Floats

    def from_restart_exponent(self, n: Floats) -> Floats:
        """-ln of the chance to arrive from a restart with n saves to go, at least 1."""
        longer = self.first + times(n - 2, self.step) + self.last
        return np.where(n <= 1, self.only, longer)

    def lost_from_restart(self, n: Floats) -> Floats:
        """Chance not to arrive from a restart with n saves to go, at least 1."""
        out: Floats = -np.expm1(-self.from_restart_exponent(n))
        return out

    def lost_from_copy(self, n: Floats) -> Floats:
        """Chance not to arrive from a complete copy with n saves to go, at least 1."""
        out: Floats = -np.expm1(-(times(n - 1, self.step) + self.last))
        return out


def times(count: Floats, value: Floats) -> Floats:
    """Count x value, 0 for a count of 0 or below whatever the value."""
    out: Floats = np.where(count > 0, count * value, 0.0)
    return out


def passage(p: Pattern, f: Interruptions, at: Pace) -> Passage:
    """Chances without a pool drain.

    From complete copy to complete copy is one interval at the local pace l; after an interruption
    it is the first interval and the whole local lag: ``A = a + G (1 - a) A'``, A' the repeated
    attempt. The last window ends with the pool save itself, ``d1`` before its copy is complete.

    Args:
        p: the pattern.
        f: its interruptions.
        at: its paces.
    """
    alone, alone_lost = f.repeated(at.free + p.pool_stall)
    first, first_lost = f.repeated(at.free + p.local_lag)
    survive, fail = f.attempt(at.local)
    end, end_fail = f.attempt(at.local + p.pool_stall - p.local_lag)
    return Passage(
        only=exponent(alone, alone_lost),
        first=exponent(first, first_lost),
        step=exponent(survive + f.retry_ok * fail * first, fail * f.broken(first_lost)),
        last=exponent(end + f.retry_ok * end_fail * alone, end_fail * f.broken(alone_lost)),
    )
