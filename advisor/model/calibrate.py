"""Measured beats modelled: what a measured save or stall says about the configuration as it is.

Two ratios, measured over modelled, are taken once from the job as it is and then held: a change
that keeps the path keeps them, a change of the path drops them. Where no rate of the pool was
given, a measured save stands in for it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from advisor.facts.scenario import Calibration, Scenario
from advisor.model.configuration import configure
from advisor.model.failures import restart_reads
from advisor.model.job import floats, has_stream_limit, rank_times, sizes, tail, whole_saves
from advisor.model.measured_tails import slowest_measured_mean
from advisor.model.normal import Floats
from advisor.model.payload import given_interval, is_chain, payload


def measured_barrier(sc: Scenario) -> Floats | None:
    """Measured time of a save to the pool, s.

    Best first: typed, the mean of the slowest by the times of single ranks, or a synchronous stall
    less its overhead. The times are those of writing; what is planned before them is not in them.
    """
    save = sc.number("measured_save")
    if save is not None:
        return floats(save)
    times = rank_mean(sc)
    if times is not None:
        return times
    stall = sc.number("measured_stall")
    if stall is None or sc.word("mode") == "async" or sc.word("nvme") == "used":
        return None
    seen, overhead = floats(stall), floats(sc.require("save_overhead"))
    # An overhead longer than the whole stall is wrong; the measured stall stands.
    return np.where(seen > overhead, seen - overhead, seen)


def rank_mean(sc: Scenario) -> Floats | None:
    """Mean of the slowest writer by the times of single ranks, s; None where nobody has them."""
    size, times = sizes(sc), rank_times(sc)
    return None if size is None or times is None else slowest_measured_mean(times, size.slow)


def implied_pool_rate(sc: Scenario) -> Floats | None:
    """Rate of the pool that a measured save stands for, B/s, None where it says nothing of it.

    V kappa / (measured - creates), an aggregate rate of this job: the slowest writer is inside.
    A save through one stream says nothing of the pool.
    """
    size, measured = sizes(sc), measured_barrier(sc)
    if size is None or measured is None or has_stream_limit(sc):
        return None
    data = measured - size.creates
    if _holds_overhead(sc) and sc.word("mode") == "async" and sc.word("nvme") != "used":
        data = data - floats(sc.require("save_overhead"))
    if not np.all(data > 0):
        return None
    factors = tail(whole_saves(sc), size.slow)
    written = payload(sc)
    return size.total * written.mean * written.left * factors.mean / data


def calibrate(sc: Scenario) -> Scenario:
    """The scenario with its measured-over-modelled ratios (and the pool's rate, if implied).

    Args:
        sc: the job as it is.

    Returns:
        The same facts; ``calibration`` holds 1 where nothing was measured.
    """
    seen = _seen(sc)
    sc = sc.calibrated(seen)
    implied = False
    if sc.number("pool_write") is None:
        rate = implied_pool_rate(sc)
        if rate is not None:
            implied = True
            share = floats(sc.require("pool_share"))
            rate = rate / share
            value = float(rate) if rate.ndim == 0 else rate
            sc = sc.changed({"pool_write": value, "pool_write_basis": "aggregate"})
    save = stall = floats(1.0)
    plain = configure(sc)
    if plain is None:
        return sc
    measured = measured_barrier(sc)
    if measured is not None and plain.usual is not None:
        # What is measured of a background save holds its overhead, which is not scaled.
        planned = plain.path == "pool_async" and _holds_overhead(sc)
        extra = plain.overhead if planned else floats(0.0)
        data = np.where(measured > extra, measured - extra, measured)
        save = data / plain.usual.mean
    sc = sc.calibrated(replace(seen, save=_plain(save), implied=implied))
    blocked = sc.number("measured_stall")
    if blocked is not None:
        now = configure(sc)
        if now is not None and now.stall is not None:
            stall = np.where(now.stall > 0, floats(blocked) / np.maximum(now.stall, 1e-300), 1.0)
    return sc.calibrated(replace(seen, save=_plain(save), stall=_plain(stall), implied=implied))


def _holds_overhead(sc: Scenario) -> bool:
    """Whether what was measured is a whole save: times of single ranks are of their writing."""
    return sc.number("measured_save") is not None or rank_times(sc) is None


def _seen(sc: Scenario) -> Calibration:
    """The interval at which bytes were seen to change, and the reads that a restart includes."""
    interval = given_interval(sc)
    fewer = sc.word("restart_reads") == "one_replica"
    plain = sc.calibrated(Calibration())
    reads = restart_reads(plain) if is_chain(sc) or fewer else floats(1.0)
    return Calibration(
        interval=None if interval is None else _plain(interval),
        reads=_plain(reads),
        queued=not np.any(floats(sc.require("spare_nodes")) >= 1),
    )


def _plain(value: Floats) -> float | Floats:
    return float(value) if value.ndim == 0 else value
