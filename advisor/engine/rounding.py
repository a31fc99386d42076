"""Intervals as people set them: a round number of minutes or steps inside the flat band."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, log

_MINUTE = 60.0
_HOUR = 3600.0

_SECONDS = (
    *(float(s) for s in (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 45, 50)),
    *(m * _MINUTE for m in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 20, 25, 30)),
    *(m * _MINUTE for m in (35, 40, 45, 50, 60, 75, 90, 105, 120)),
    *(h * _HOUR for h in (2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 24)),
    *(d * 24 * _HOUR for d in (1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 10, 12, 14, 21, 28)),
)
"""Round times, s: what people write into a config without a calculator."""

_LEADING = (1, 1.2, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 7.5, 8, 9)
"""Leading digits of round step counts."""


def _round_steps() -> Iterator[float]:
    yield from (float(n) for n in range(1, 21))
    for power in (10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7):
        for lead in _LEADING:
            if lead * power == round(lead * power) and lead * power > 20:
                yield lead * power


def round_within(best: float, low: float, high: float, *, steps: bool) -> float:
    """The round value nearest to the best that stays inside the band.

    Args:
        best: best interval, seconds, or steps.
        low: shortest that is as good.
        high: longest that is as good.
        steps: whole steps instead of seconds.

    Returns:
        The round value; where none fits, the best itself (whole for steps, at least 1).
    """
    options = _round_steps() if steps else iter(_SECONDS)
    nearest, distance = None, inf
    for option in options:
        if low <= option <= high and abs(log(option / best)) < distance:
            nearest, distance = option, abs(log(option / best))
    if nearest is not None:
        return nearest
    return max(1.0, float(round(best))) if steps else best
