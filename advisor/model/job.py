"""The job behind a scenario: bytes, writers, limits and rates, each from the facts that are known.

Nothing here invents a number: what is unknown and has no default stays None, and sets no limit only
where the model says so (links, targets, creates).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.facts.scenario import Number, Scenario
from advisor.model.burst import Tail, variation_tail, writer_tail
from advisor.model.normal import Floats

DAY = 86400.0
"""Seconds of a day; failure rates are published per day."""


def year_seconds(sc: Scenario) -> float:
    """Seconds of the year in which money and counts are given."""
    return sc.constant("hours_per_year") * 3600


def floats(value: Number) -> Floats:
    """A number as a float array."""
    return np.asarray(value, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Bytes and writers of one save.

    Attributes:
        total: V, bytes of one save.
        fullest: S, bytes the fullest node writes.
        held: H, bytes a node holds while it stages.
        nodes: all that wait.
        writing: nodes that write, N_w.
        writers: single writers.
        creates: seconds of file creation at the pool, 0 while the create rate is unknown.
        node_limit: bytes/s one writing node can send, infinite where nothing limits it.
        slow: independently slow writers of the tail, n.
    """

    total: Floats
    fullest: Floats
    held: Floats
    nodes: Floats
    writing: Floats
    writers: Floats
    creates: Floats
    node_limit: Floats
    slow: Floats


def _total(sc: Scenario, nodes: Floats, writing: Floats) -> Floats | None:
    total = sc.number("state_total")
    if total is not None:
        return floats(total)
    each = sc.number("state_per_node")
    if each is not None:
        holders = nodes if sc.word("writers") == "one" else writing
        return floats(each) * holders
    parameters = sc.number("parameters")
    if parameters is None:
        return None
    return floats(parameters) * floats(sc.require("bytes_per_parameter"))


def _writing_nodes(sc: Scenario, nodes: Floats) -> Floats:
    kind = sc.word("writers")
    if kind == "one":
        return np.ones_like(nodes)
    if sc.is_given("writing_nodes"):
        return np.minimum(floats(sc.require("writing_nodes")), nodes)
    if kind == "one_replica":
        return np.maximum(nodes / floats(sc.require("replicas")), 1.0)
    return nodes


def sizes(sc: Scenario) -> Sizes | None:
    """Bytes and writers of a scenario, None while the state or the nodes are unknown."""
    count = sc.number("nodes")
    if count is None:
        return None
    nodes = floats(count)
    writing = _writing_nodes(sc, nodes)
    total = _total(sc, nodes, writing)
    if total is None:
        return None
    kind = sc.word("writers")
    each = sc.number("state_per_node")
    fullest = floats(each) if each is not None and kind != "one" else total / writing
    if sc.is_given("state_held_per_node"):
        held = floats(sc.require("state_held_per_node"))
    else:
        # With replicas a node stages its whole replica share although it writes a part of it.
        held = np.maximum(fullest, floats(sc.require("replicas")) * total / nodes)
    ranks = floats(sc.require("ranks_per_node"))
    streams = np.ones_like(ranks) if kind in ("one", "one_per_node") else ranks
    writers = writing * streams
    if sc.word("tail_of") == "ranks":
        slow = writers
    else:
        targets = sc.number("storage_targets")
        slow = writing if targets is None else np.minimum(writing, floats(targets))
    creates = sc.number("pool_creates")
    files = floats(sc.require("files_per_node")) * writing
    return Sizes(
        total=total,
        fullest=fullest,
        held=held,
        nodes=nodes,
        writing=writing,
        writers=writers,
        creates=np.zeros_like(files) if creates is None else files / floats(creates),
        node_limit=_node_limit(sc, streams),
        slow=slow,
    )


def _node_limit(sc: Scenario, streams: Floats) -> Floats:
    limit: Floats = np.asarray(np.inf)
    for name in ("node_link", "client_write"):
        value = sc.number(name)
        if value is not None:
            limit = np.minimum(limit, floats(value))
    # A published stream rate counts only where few streams write; a typed one always does.
    typed = sc.number("single_stream_write")
    if typed is not None:
        limit = np.minimum(limit, streams * floats(typed))
    elif has_stream_limit(sc):
        limit = np.minimum(limit, streams * sc.constant("single_stream_write"))
    return limit


def has_stream_limit(sc: Scenario) -> bool:
    """Whether one stream per node writes, so that the pool's rate need not be known."""
    return sc.word("writers") in ("one", "one_per_node")


def pool_rate(sc: Scenario) -> Floats | None:
    """Rate the pool delivers to this job, B/s; None while nothing was measured or given.

    A data-sheet figure counts at the published whole-save efficiency.
    """
    rate = sc.number("pool_write")
    if rate is None:
        return None
    delivered = floats(rate) * floats(sc.require("pool_share"))
    if sc.word("pool_write_basis") == "data_sheet":
        delivered = delivered * sc.constant("data_sheet_efficiency")
    return delivered


def tail(sc: Scenario, slow: Floats) -> Tail:
    """Tail factors by the basis of the pool's rate: of whole saves, or of single writers."""
    if sc.word("pool_write_basis") == "per_writer":
        return writer_tail(floats(sc.require("tail_ratio")), slow)
    return variation_tail(floats(sc.require("save_variation")))


def tail_ratio(sc: Scenario) -> Floats:
    """p99/p50 that belongs to the basis: of single writers, or of whole saves."""
    per_writer = sc.word("pool_write_basis") == "per_writer"
    return floats(sc.require("tail_ratio" if per_writer else "save_variation"))


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


def accelerators(sc: Scenario) -> Floats | None:
    """Accelerators that wait while the job waits; 0 for CPU jobs, None while nodes are unknown."""
    given = sc.number("stalled_accelerators") if sc.is_given("stalled_accelerators") else None
    if given is not None:
        return floats(given)
    nodes = sc.number("nodes")
    return None if nodes is None else floats(nodes) * floats(sc.require("accelerators_per_node"))


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
    per_node = floats(sc.require("accelerators_per_node"))
    gpu = sc.constant("interruptions_per_1000_accelerator_days") * per_node
    cpu = sc.constant("interruptions_per_1000_cpu_node_days")
    rate = floats(nodes) * np.where(per_node > 0, gpu, cpu) / (1000 * DAY)
    return rate + extra, False


def restart_time(sc: Scenario, total: Floats | None) -> Floats:
    """From interruption to training again, s: as given, or its phases and the load."""
    if not sc.is_given("restart_time") and sc.is_given("detect_time"):
        phases = floats(sc.require("detect_time")) + floats(sc.require("init_time"))
        read = sc.number("pool_read")
        if read is None or total is None:
            return phases
        return phases + floats(sc.require("replicas")) * total / floats(read)
    return floats(sc.require("restart_time"))


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


def _announced_handled(sc: Scenario, emergency: Floats | None) -> Floats:
    notice = sc.number("preemption_notice")
    if sc.word("notice_handled") != "yes" or notice is None or emergency is None:
        return floats(0.0)
    step = sc.number("step_time")
    needed = sc.constant("notice_factor") * (
        (floats(0.0) if step is None else floats(step)) + emergency
    )
    return np.where(floats(notice) >= needed, 1.0, 0.0)
