"""Copies on other nodes: how long the exchange takes, and what they survive."""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import ArrayLike

from advisor.model.normal import Floats


def exchange_time(size: ArrayLike, copies: ArrayLike, link: ArrayLike) -> Floats:
    """Seconds in which every node sends its part to the peers: S (m - 1) / rate.

    Args:
        size: bytes of one node's part.
        copies: copies held of each part, its own included; parity counts as a part of a copy.
        link: rate from node to node, B/s.

    Returns:
        Broadcast seconds; 0 for a single copy.
    """
    size, copies, link = (np.asarray(a, dtype=np.float64) for a in (size, copies, link))
    return size * (copies - 1) / link


def held_bytes(size: ArrayLike, copies: ArrayLike) -> Floats:
    """Bytes a node holds for itself and its peers: S m; arguments as ``exchange_time``."""
    out: Floats = np.asarray(size, dtype=np.float64) * np.asarray(copies, dtype=np.float64)
    return out


def _check(nodes: int, copies: int, lost: int) -> None:
    if nodes < 1 or copies < 1 or nodes % copies:
        raise ValueError(f"{nodes} nodes do not divide into groups of {copies}")
    if not 0 <= lost <= nodes:
        raise ValueError(f"{lost} of {nodes} nodes cannot be lost")


def survives_at_least(nodes: int, copies: int, lost: int) -> float:
    """Lower bound of the probability that the copies in memory survive lost nodes.

    One less the expected number of groups lost whole, ``(N/m) C(N-m, k-m) / C(N, k)``
    (GEMINI, SOSP 2023).

    Args:
        nodes: N, a multiple of ``copies``.
        copies: m, nodes of a group; each holds the parts of all of them.
        lost: k, nodes lost at once, any equally likely.

    Raises:
        ValueError: the groups do not divide the nodes, or more nodes are lost than there are.
    """
    _check(nodes, copies, lost)
    if lost < copies:
        return 1.0
    groups = nodes // copies
    return max(0.0, 1 - groups * comb(nodes - copies, lost - copies) / comb(nodes, lost))


def survives(nodes: int, copies: int, lost: int) -> float:
    """The same probability exactly: no group is lost whole, by inclusion and exclusion.

    Args, units and errors are those of ``survives_at_least``.
    """
    _check(nodes, copies, lost)
    groups = nodes // copies
    # Whole numbers throughout: the terms alternate and would cancel as floats.
    whole = sum(
        (-1 if j % 2 else 1) * comb(groups, j) * comb(nodes - j * copies, lost - j * copies)
        for j in range(min(groups, lost // copies) + 1)
    )
    return whole / comb(nodes, lost)
