"""How long one save takes on its way: to the pool, through its fast area, or to the drives."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from advisor.facts.scenario import Scenario
from advisor.model.burst import Barrier, Tail, barrier, data_time, two_phase_time, writer_tail
from advisor.model.job import Sizes, floats
from advisor.model.normal import Floats
from advisor.model.payload import Payload, given_interval
from advisor.model.peers import exchange_time


def redundancy_bytes(sc: Scenario) -> Floats:
    """Bytes written node-locally over bytes of the state: partner 2, xor m/(m-1), rs m/(m-2).

    Storage factors of SCR's schemes; rs keeps two parity blocks.
    """
    group = floats(sc.require("redundancy_group"))
    match sc.word("redundancy"):
        case "partner":
            return floats(2.0)
        case "xor":
            return group / np.maximum(group - 1, 1)
        case "rs":
            return group / np.maximum(group - 2, 1)
        case _:
            return floats(1.0)


def local_data(fullest: Floats, rate: Floats, written: Payload) -> Floats:
    """Seconds in which a node writes its mean save to its drives, its codec beside it."""
    share = written.mean * fullest
    return np.maximum(share * written.left / rate, share / written.codec)


def local_copy_time(sc: Scenario, size: Sizes, written: Payload) -> Floats:
    """Seconds until a node's mean save is on its drives and, with redundancy, at its peers."""
    copies, peer = redundancy_bytes(sc), sc.number("peer_link")
    data = local_data(size.fullest, floats(sc.require("nvme_write")) / copies, written)
    sent = size.fullest * written.mean * written.left
    return data if peer is None else data + exchange_time(sent, copies, floats(peer))


def local_barrier(sc: Scenario, size: Sizes, written: Payload) -> Barrier:
    """Barrier of a save to the node-local drives: the slowest drive, redundancy included."""
    data = local_copy_time(sc, size, written)
    slow = writer_tail(floats(sc.require("nvme_tail_ratio")), size.writing)
    return barrier(data, floats(0.0), slow)


def pool_barrier(
    sc: Scenario,
    size: Sizes,
    rate: Floats | None,
    factors: Tail,
    written: Payload,
    share: Floats,
) -> Barrier:
    """Barrier of a save of a share of the state; a codec works beside the writing."""
    data = _data(sc, size, rate, share * written.left)
    codec = share * size.fullest / written.codec
    return barrier(data, size.creates, factors).at_least(codec + size.creates)


def least_time(sc: Scenario, size: Sizes, written: Payload, share: Floats) -> Floats | None:
    """Seconds of a share of the state at the full rate of the pool: V/B, no save is faster.

    A data sheet counts in full here: less than it is usual, but measured times may reach it. None
    while nobody gave a rate (one that was taken from a measured save is no bound for it).
    """
    rate = sc.number("pool_write")
    if rate is None or sc.calibration.implied:
        return None
    full = floats(rate) * floats(sc.require("pool_share"))
    wide = replace(size, node_limit=floats(np.inf))
    return _data(sc, wide, full, share * written.left)


def _data(sc: Scenario, size: Sizes, rate: Floats | None, share: Floats) -> Floats:
    """Seconds to move a share of the bytes: at the pool's rate, or through its fast area first.

    The area empties between two saves at the sustained rate only; one fixed-point step takes the
    time of the save itself off that gap.
    """
    total, fullest = size.total * share, size.fullest * share
    plain = data_time(total, fullest, np.inf if rate is None else rate, size.node_limit)
    fast = None if rate is None else fast_area(sc, size, rate, share)
    if rate is None or fast is None:
        return plain
    slowest = fullest / size.node_limit
    return np.maximum(two_phase_time(total, fast.arriving, rate, fast.area, fast.gap), slowest)


@dataclass(frozen=True, slots=True)
class FastArea:
    """The write area of a buffered pool as one save meets it.

    Attributes:
        arriving: rate at which the save arrives while the area takes it, B/s.
        area: bytes of it that are this job's.
        gap: seconds it has to empty since the last save; infinite while the interval is unknown.
    """

    arriving: Floats
    area: Floats
    gap: Floats


def fast_area(sc: Scenario, size: Sizes, rate: Floats, share: Floats) -> FastArea | None:
    """The write area in front of a pool, None where nobody named one.

    Args:
        sc: the scenario.
        size: its bytes and writers.
        rate: sustained rate of the pool, B/s.
        share: share of the state a save writes.
    """
    area, fast = sc.number("pool_buffer"), sc.number("pool_buffer_write")
    if area is None or fast is None:
        return None
    part = floats(sc.require("pool_share"))
    arriving = np.minimum(size.writing * size.node_limit, floats(fast) * part)
    usable = floats(area) * part
    every = given_interval(sc)
    if every is None:
        return FastArea(arriving, usable, floats(np.inf))
    if sc.word("interval_basis") == "clock":
        every = every - two_phase_time(size.total * share, arriving, rate, usable)
    return FastArea(arriving, usable, every)
