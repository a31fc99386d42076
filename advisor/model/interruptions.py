"""Rates and restarts of one pattern, and what an attempt at some stretch of time comes to.

Every chance is kept as the chance of the opposite too, so that rare interruptions lose no digits:
1e-10 of an interruption in a pattern is as exact as one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.model.normal import Floats
from advisor.model.pattern import Pattern

_TINY = 1e-300
"""Keeps 0/0 away where a job that only fails softly never gets through a segment."""

RAREST = 1e-100
"""Hard rate computed with where there is none, 1/s: every figure has reached its limit by then."""


@dataclass(frozen=True, slots=True)
class Interruptions:
    """Rates and restart terms of one pattern at one interval.

    Attributes:
        soft: interruptions the local copy survives, 1/s.
        hard: interruptions it does not, 1/s, at least ``RAREST``.
        total: both, 1/s.
        retry_ok: of an interruption: that it is soft and that its restart, repeated as long as it
            fails softly, succeeds.
        retry_lost: 1 - ``retry_ok``, without cancellation.
        soft_restart_mean: mean time in soft restarts per soft interruption, s.
        hard_restart_mean: mean time in hard restarts per hard interruption, s; any interruption
            repeats one: (e^(rate R) - 1)/rate.
        soft_repeat_mean: mean soft restart where only soft interruptions repeat it, s.
    """

    soft: Floats
    hard: Floats
    total: Floats
    retry_ok: Floats
    retry_lost: Floats
    soft_restart_mean: Floats
    hard_restart_mean: Floats
    soft_repeat_mean: Floats

    def attempt(self, length: Floats) -> tuple[Floats, Floats]:
        """Chances that a stretch of some s is got through, and that it is not."""
        exponent = -self.total * length
        return np.exp(exponent), -np.expm1(exponent)

    def broken(self, then: Floats) -> Floats:
        """Chance of loss after an interruption, from that chance where a soft restart leads."""
        out: Floats = self.retry_lost + self.retry_ok * then
        return out

    def repeated(self, length: Floats) -> tuple[Floats, Floats]:
        """Chances that a stretch is got through before a hard interruption, and that it is not.

        Each soft one starts it again: with a the chance of no interruption and G the one of a soft
        retry, ``a / (1 - G (1 - a))``.
        """
        survive, fail = self.attempt(length)
        whole = np.maximum(survive + self.retry_lost * fail, _TINY)
        return survive / whole, self.retry_lost * fail / whole


def interruptions(p: Pattern, length: Floats) -> Interruptions:
    """Those of a pattern that lasts so long from one pool save to the next, s.

    Saves that a time-out kills, one per pattern at the most, join the hard rate.
    """
    hard = np.maximum(p.hard_rate + p.kill / length, RAREST)
    total = p.soft_rate + hard
    soft_share = p.soft_rate / total
    alive = np.exp(-total * p.soft_restart)
    restarted = np.maximum(hard / total + soft_share * alive, _TINY)
    return Interruptions(
        soft=p.soft_rate,
        hard=hard,
        total=total,
        retry_ok=soft_share * alive / restarted,
        retry_lost=hard / total / restarted,
        soft_restart_mean=-np.expm1(-total * p.soft_restart) / total / restarted,
        # However long one takes on average, none happens without hard interruptions.
        hard_restart_mean=np.where(hard > RAREST, _mean_restart(total, p.hard_restart), 0.0),
        soft_repeat_mean=_mean_restart(p.soft_rate, p.soft_restart),
    )


def _mean_restart(rate: Floats, restart: Floats) -> Floats:
    """Mean time of a restart that any failure repeats: expm1(rate R)/rate, R for rate 0."""
    safe = np.maximum(rate, RAREST)
    out: Floats = np.expm1(safe * restart) / safe
    return out


def exponent(survive: Floats, fail: Floats) -> Floats:
    """-ln of a chance, from the smaller of it and its opposite; infinite for a chance of 0."""
    certain = -np.log(np.maximum(survive, 0.0))
    out: Floats = np.where(fail < 0.5, -np.log1p(-np.minimum(fail, 0.5)), certain)
    return out
