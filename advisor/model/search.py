"""Searches over one logarithmic variable, on arrays: a grid, then finer grids around the answer.

Every round evaluates all jobs at all grid points in one call; nothing loops over jobs.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from advisor.model.normal import Floats

Curve = Callable[[Floats], Floats]
"""A function of points of shape (grid, *jobs) that returns values of the same shape."""

_POINTS = 48
"""Grid points of a round; each round narrows the bracket by about 24."""


_STEPS = np.linspace(0.0, 1.0, _POINTS)
"""A grid over a bracket of width 1."""


def _grid(low: Floats, high: Floats) -> Floats:
    out: Floats = low + _STEPS.reshape((_POINTS,) + (1,) * low.ndim) * (high - low)
    return out


def _take(values: Floats, index: Floats) -> Floats:
    if index.ndim == 0:
        # One job: the general way takes ten times as long as the look-up.
        one: Floats = values[int(index)]
        return one
    chosen: Floats = np.take_along_axis(values, index[None].astype(np.intp), axis=0)[0]
    return chosen


def highest(
    curve: Curve, low: ArrayLike, high: ArrayLike, rounds: int = 6
) -> tuple[Floats, Floats]:
    """Where a curve with one peak is highest, searched in the logarithm.

    Args:
        curve: values at points of shape (grid, *jobs).
        low: smallest point, over 0, shape (*jobs).
        high: largest point.
        rounds: refinements; 6 give 8 digits over 12 decades (the peak itself is flat).

    Returns:
        The point and the value there, shape (*jobs).
    """
    a, b = np.broadcast_arrays(
        np.log(np.asarray(low, dtype=np.float64)), np.log(np.asarray(high, dtype=np.float64))
    )
    best_at, best = a, np.full(a.shape, -np.inf)
    for _ in range(rounds):
        grid = _grid(a, b)
        values = curve(np.exp(grid))
        values = np.where(np.isnan(values), -np.inf, values)
        top = values.argmax(axis=0)
        value, at = _take(values, top), _take(grid, top)
        better = value > best
        best_at, best = np.where(better, at, best_at), np.where(better, value, best)
        step = (b - a) / (_POINTS - 1)
        a, b = np.maximum(a, best_at - step), np.minimum(b, best_at + step)
    return np.exp(best_at), best


def first_true(test: Curve, low: ArrayLike, high: ArrayLike, rounds: int = 6) -> Floats:
    """Smallest point from which a monotone condition holds, searched in the logarithm.

    Args:
        test: booleans (or 0/1) at points of shape (grid, *jobs), false first and then true.
        low: smallest point, over 0.
        high: largest point.
        rounds: refinements; 6 give 8 digits over 18 decades.

    Returns:
        The point, shape (*jobs); ``low`` where it already holds there, NaN where it never does.
    """
    a, b = np.broadcast_arrays(
        np.log(np.asarray(low, dtype=np.float64)), np.log(np.asarray(high, dtype=np.float64))
    )
    never: NDArray[np.bool_] = np.zeros(a.shape, dtype=bool)
    at_low: NDArray[np.bool_] = np.zeros(a.shape, dtype=bool)
    for turn in range(rounds):
        grid = _grid(a, b)
        holds = np.asarray(test(np.exp(grid))) > 0
        holds = np.broadcast_to(holds, grid.shape)
        somewhere = holds.any(axis=0)
        first = np.where(somewhere, holds.argmax(axis=0), _POINTS - 1)
        if turn == 0:
            never = np.asarray(~somewhere)
            at_low = np.asarray(holds[0] > 0)
        a, b = _take(grid, np.maximum(first - 1, 0)), _take(grid, first)
    out: Floats = np.where(never, np.nan, np.where(at_low, np.exp(a), np.exp(b)))
    return out
