"""Values computed about traps: slow writers, file creation, groups, loading, silent corruption."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from advisor.engine.computed_job import measured, save_bytes, save_needs
from advisor.engine.computed_types import (
    YES_NO,
    Computed,
    ratio_value,
    time_value,
)
from advisor.engine.situation import Situation, number
from advisor.model.failures import interruption_rate
from advisor.model.job import files_created, floats, slow_writers, year_seconds
from advisor.model.measured_tails import slowest_measured_quantile
from advisor.model.payload import payload
from advisor.model.tails import slowest_quantile


def _tail_stated(s: Situation) -> str:
    given = s.scenario.is_given("tail_ratio") or s.scenario.times("rank_times") is not None
    return "yes" if given else "no"


def _tail_now(s: Situation) -> float | None:
    times = s.scenario.times("rank_times")
    if times is not None:
        return number(slowest_measured_quantile(0.99, times, 1) / np.median(times))
    return number(s.scenario.number("tail_ratio"))


def _slowest_factor(s: Situation) -> float | None:
    """Typical slowest of all writers over a usual one."""
    n = slow_writers(s.scenario)
    if n is None:
        return None
    times = s.scenario.times("rank_times")
    if times is not None:
        return number(slowest_measured_quantile(0.5, times, n) / np.median(times))
    return number(slowest_quantile(0.5, floats(s.scenario.require("tail_ratio")), n))


def _slow_count(s: Situation) -> float | None:
    n = slow_writers(s.scenario)
    return None if n is None else number(n)


def _ranks(s: Situation) -> float | None:
    nodes = s.scenario.number("nodes")
    if nodes is None:
        return None
    return number(floats(nodes) * floats(s.scenario.require("ranks_per_node")))


def _files_created(s: Situation) -> float | None:
    return number(files_created(s.scenario))


def _creates_time(s: Situation) -> float | None:
    files, rate = files_created(s.scenario), s.scenario.number("pool_creates")
    return None if files is None or rate is None else number(files / floats(rate))


def _creates_over_data(s: Situation) -> float | None:
    """Time of the creates over the time in which the bytes are written."""
    c, creates = s.estimate.configuration, _creates_time(s)
    if c is None or c.pool is None or creates is None:
        return None
    data = number(c.pool.nominal - c.sizes.creates)
    return creates / data if data else None


def _measured_rate(s: Situation) -> float | None:
    """Bytes of a save over the time measured for it."""
    taken, total, written = measured(s), save_bytes(s), payload(s.scenario)
    if not taken or total is None:
        return None
    return number(total * written.mean * written.left / taken)


def _rate_given(s: Situation) -> str:
    known = s.scenario.number("pool_write") is not None and not s.scenario.calibration.implied
    return "yes" if known else "no"


def _gathered_share(s: Situation) -> float | None:
    total, free = save_bytes(s), number(s.scenario.number("host_memory_free"))
    return None if total is None or not free else total / free


def _left_over(s: Situation) -> float | None:
    """Nodes that no group holds: nodes modulo distance times group size."""
    nodes = s.scenario.number("nodes")
    if nodes is None:
        return None
    span = floats(s.scenario.require("peer_jump")) * floats(s.scenario.require("redundancy_group"))
    return number(floats(nodes) % span)


def _outage_share(s: Situation) -> float | None:
    """Outages of the pool over all interruptions."""
    found, outages = interruption_rate(s.scenario), s.scenario.number("pool_outages")
    if found is None or outages is None:
        return None
    # More outages than interruptions are one answer against another: then all of them are.
    return number(np.minimum(floats(outages) / year_seconds(s.scenario) / found[0], 1.0))


TRAPS: Mapping[str, Computed] = {
    "tail_stated": Computed(
        "choice", "Whether the slow writers were measured.", (), _tail_stated, YES_NO
    ),
    "tail_now": ratio_value("One writer in a hundred over a usual one.", (), _tail_now),
    "ranks": Computed("count", "Processes of the job.", ("nodes",), _ranks),
    "slow_count": Computed(
        "count", "Writers that can be slow on their own.", ("nodes",), _slow_count
    ),
    "slowest_factor": ratio_value(
        "Slowest of all writers over a usual one.", ("nodes",), _slowest_factor
    ),
    "files_created": Computed("count", "Files that one save creates.", ("nodes",), _files_created),
    "creates_time": time_value(
        "Time of a save that creating its files takes.", ("nodes", "pool_creates"), _creates_time
    ),
    "creates_over_data": ratio_value(
        "Time of the creates over the time of the bytes.",
        lambda sc: (*save_needs(sc), "pool_creates"),
        _creates_over_data,
    ),
    "measured_rate": Computed(
        "rate",
        "Bytes of a save over its measured time.",
        ("state_total", "measured_save"),
        _measured_rate,
    ),
    "rate_given": Computed(
        "choice", "Whether the rate of the pool was given.", (), _rate_given, YES_NO
    ),
    "gathered_share": ratio_value(
        "The whole state over the host memory free on one node.",
        ("state_total", "host_memory_free"),
        _gathered_share,
    ),
    "nodes_left_over": Computed(
        "count", "Nodes that fit into no redundancy group.", ("nodes",), _left_over
    ),
    "outage_share": ratio_value(
        "Outages of the pool over all interruptions.", ("nodes",), _outage_share
    ),
}
"""Everything about these traps that a condition or a message may name."""
