"""Curves of an advice, as plain figures for those who draw them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GoodputCurve:
    """Goodput of one configuration over intervals.

    Attributes:
        intervals: as people set them (by the clock where the job saves by the clock), s, rising.
        goodput: at each.
    """

    intervals: tuple[float, ...]
    goodput: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SaveTail:
    """How likely a save outlasts a limit, over limits.

    Attributes:
        seconds: limits, s, rising; the time-out is one of them.
        chance: of one save to outlast each.
        limit: the time-out that counts, s.
        outlasts_limit: the chance at the time-out.
        spread: whether the time runs from the first writer that is done, not from the start.
        drains: whether the bytes go out in the background.
    """

    seconds: tuple[float, ...]
    chance: tuple[float, ...]
    limit: float
    outlasts_limit: float
    spread: bool
    drains: bool
