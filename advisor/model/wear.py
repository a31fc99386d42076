"""How fast saves wear out the drives of a node."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from advisor.model.failures import DAY
from advisor.model.normal import Floats


def drive_writes_per_day(written: ArrayLike, interval: ArrayLike, capacity: ArrayLike) -> Floats:
    """Times a day that the whole drive is written: S (1 + copies)/tau x 86400 / capacity.

    Args:
        written: bytes a save leaves on the drives of one node, copies for others included.
        interval: work between saves, s.
        capacity: of the drives of one node, bytes.

    Returns:
        Drive writes per day, to be held against the rating (DWPD), broadcast.
    """
    w, tau, size = (np.asarray(v, dtype=np.float64) for v in (written, interval, capacity))
    out: Floats = w / tau * DAY / size
    return out


def years_to_wear_out(rating: ArrayLike, used: ArrayLike, rated_years: ArrayLike) -> Floats:
    """Years until the rated endurance is used up: a rating holds for the years of the warranty.

    Args:
        rating: drive writes per day the drive is rated for.
        used: drive writes per day.
        rated_years: years the rating is given for.
    """
    r, u, y = (np.asarray(v, dtype=np.float64) for v in (rating, used, rated_years))
    out: Floats = np.where(u > 0, y * r / np.where(u > 0, u, 1.0), np.inf)
    return out


def excess(rating: ArrayLike, used: ArrayLike) -> Floats:
    """Sets of drives used up beyond one in each warranty period: used/rating - 1, at least 0."""
    r, u = np.asarray(rating, dtype=np.float64), np.asarray(used, dtype=np.float64)
    out: Floats = np.maximum(u / r - 1, 0.0)
    return out
