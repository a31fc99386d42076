"""How often a job is interrupted, what survives it, and how long until it trains again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.facts.scenario import Scenario
from advisor.model.job import floats, pool_rate, year_seconds
from advisor.model.normal import Floats
from advisor.model.payload import payload
from advisor.model.spares import wait_saved

DAY = 86400.0
"""Seconds of a day; failure rates are published per day."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Interruptions of the job, 1/s, and what follows one.

    Attributes:
        soft: survived by the node-local copy.
        hard: not survived by it.
        announced: announced early enough for a save.
        soft_restart: seconds to training again from the node-local copy.
        hard_restart: seconds to training again from the pool.
        counted: whether the rate was counted on this job (its present kills are then in it).
    """

    soft: Floats
    hard: Floats
    announced: Floats
    soft_restart: Floats
    hard_restart: Floats
    counted: bool

    @property
    def total(self) -> Floats:
        """All interruptions, announced ones included."""
        return self.soft + self.hard + self.announced


def interruption_rate(sc: Scenario) -> tuple[Floats, bool] | None:
    """All interruptions of the job, 1/s, and whether they were counted on this job.

    Best first: counted over a time (zero events count as the 95 % bound 3/T), the job's MTBF, the
    node's MTBF over the nodes, the published rate per 1,000 accelerator-days (CPU: node-days).
    Pool outages come on top where the rate was not counted.
    """
    count, over = sc.number("interruptions"), sc.number("observed_for")
    if count is not None and over is not None:
        events = floats(count)
        bound = sc.constant("zero_interruptions_bound")
        return np.where(events > 0, events, bound) / floats(over), True
    mtbf = sc.number("job_mtbf")
    if mtbf is not None:
        return 1 / floats(mtbf), True
    nodes = sc.number("nodes")
    if nodes is None:
        return None
    outages = sc.number("pool_outages")
    extra = floats(0.0) if outages is None else floats(outages) / year_seconds(sc)
    node = sc.number("node_mtbf")
    if node is not None:
        return floats(nodes) / floats(node) + extra, False
    published = published_rate(sc)
    return None if published is None else (published + extra, False)


def published_rate(sc: Scenario) -> Floats | None:
    """Interruptions by the published rate for as many accelerators (CPU: nodes), 1/s."""
    nodes = sc.number("nodes")
    if nodes is None:
        return None
    per_node = floats(sc.require("accelerators_per_node"))
    gpu = sc.constant("interruptions_per_1000_accelerator_days") * per_node
    cpu = sc.constant("interruptions_per_1000_cpu_node_days")
    return floats(nodes) * np.where(per_node > 0, gpu, cpu) / (1000 * DAY)


def full_load(sc: Scenario, total: Floats | None) -> Floats | None:
    """Reading a full copy for each replica at a restart, s: replicas V / pool_read, or None.

    Where the read rate is unknown the rate for writing stands in: pools read no slower.
    """
    read = sc.number("pool_read")
    rate = pool_rate(sc) if read is None else floats(read)
    if rate is None or total is None:
        return None
    return floats(sc.require("replicas")) * total / rate


def unannounced_rate(sc: Scenario) -> Floats | None:
    """Interruptions that come without notice, 1/s; None while the nodes are unknown."""
    found, share = interruption_rate(sc), sc.number("announced_share")
    if found is None:
        return None
    return found[0] * (1 - (floats(0.0) if share is None else floats(share)))


def restart_reads(sc: Scenario) -> Floats:
    """Bytes read at a restart over a full copy for each replica.

    A chain of increments is read whole; where one replica reads and sends the state on, it is read
    once instead of once for each.
    """
    reads = payload(sc).reads
    if sc.word("restart_reads") == "one_replica":
        return reads / floats(sc.require("replicas"))
    return reads


def restart_time(sc: Scenario, total: Floats | None) -> Floats:
    """From interruption to training again, s: as given, or its phases and the load.

    A time that was given includes the reads of the job as it is; what a change adds to them comes
    on top (of the whole restart where no rate is known), what it spares goes off. So does the wait
    for a node that spares take away.
    """
    with_wait, rate = _with_wait(sc, total), unannounced_rate(sc)
    if rate is None:
        return with_wait
    return with_wait - np.minimum(wait_saved(sc, rate), with_wait)


def _with_wait(sc: Scenario, total: Floats | None) -> Floats:
    reads = restart_reads(sc)
    phases_known = sc.is_given("detect_time") and sc.is_given("init_time")
    if not sc.is_given("restart_time") and phases_known:
        phases = floats(sc.require("detect_time")) + floats(sc.require("init_time"))
        read = sc.number("pool_read")
        if read is None or total is None:
            return phases
        return phases + floats(sc.require("replicas")) * total / floats(read) * reads
    restart = floats(sc.require("restart_time"))
    more = reads - floats(sc.calibration.reads)
    if not np.any(more):
        return restart
    load = full_load(sc, total)
    most = restart if load is None else np.minimum(load, restart)
    return (
        restart
        + np.maximum(more, 0.0) * most
        - np.maximum(-more, 0.0) * _reading(sc, restart, most)
    )


def _reading(sc: Scenario, restart: Floats, load: Floats) -> Floats:
    """Seconds of a restart that can be reading: those in which it does not wait for a node."""
    wait = sc.number("replacement_wait")
    if wait is None or not sc.calibration.queued:
        return load
    return np.minimum(load, np.maximum(restart - floats(wait), 0.0))


def load_time(sc: Scenario, total: Floats | None) -> Floats | None:
    """Reading at a restart of the job as it is, s, within its restart; None while unknown."""
    load = full_load(sc, total)
    if load is None:
        return None
    restart = restart_time(sc, total)
    return _reading(sc, restart, np.minimum(load * restart_reads(sc), restart))


def rates(sc: Scenario, total: Floats | None, emergency: Floats | None) -> Rates | None:
    """Failure rates and restarts of a scenario, None while the nodes are unknown.

    Args:
        sc: the scenario.
        total: bytes of a save, for the load at restart.
        emergency: seconds of one whole save to the pool, None while unknown.
    """
    found = interruption_rate(sc)
    if found is None:
        return None
    rate, counted = found
    share = sc.number("announced_share")
    told = floats(0.0) if share is None else floats(share)
    handled = _announced_handled(sc, emergency)
    local = sc.word("nvme") == "used"
    survive = floats(sc.require("survivable_share")) if local else floats(0.0)
    soft = rate * (1 - told) * survive
    hard = rate * (1 - told) * (1 - survive) + rate * told * (1 - handled)
    slow = restart_time(sc, total)
    quick = sc.number("local_restart_time") if sc.is_given("local_restart_time") else None
    return Rates(
        soft=soft,
        hard=hard,
        announced=rate * told * handled,
        soft_restart=slow if quick is None else floats(quick),
        hard_restart=slow,
        counted=counted,
    )


def saves_on_notice(sc: Scenario) -> bool:
    """Whether the job saves when it is told that it will be stopped."""
    return sc.word("notice_handled") == "yes"


def _announced_handled(sc: Scenario, emergency: Floats | None) -> Floats:
    notice = sc.number("preemption_notice")
    if not saves_on_notice(sc) or notice is None or emergency is None:
        return floats(0.0)
    step = sc.number("step_time")
    needed = sc.constant("notice_factor") * (
        (floats(0.0) if step is None else floats(step)) + emergency
    )
    return np.where(floats(notice) >= needed, 1.0, 0.0)
