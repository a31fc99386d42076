"""The job behind a scenario: bytes, writers, limits and rates, each from the facts that are known.

Nothing here invents a number: what is unknown and has no default stays None, and sets no limit only
where the model says so (links, targets, creates).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from advisor.facts.scenario import Number, Scenario
from advisor.model.burst import Tail, measured_tail, variation_tail, writer_tail
from advisor.model.normal import Floats


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


def total_bytes(sc: Scenario) -> Floats | None:
    """V, bytes of one save; the nodes are needed only where the bytes were given per node."""
    unknown = floats(np.nan)
    count = sc.number("nodes")
    nodes = unknown if count is None else floats(count)
    total = _total(sc, nodes, unknown if count is None else _writing_nodes(sc, nodes))
    return None if total is None or bool(np.any(np.isnan(total))) else total


def _writing_nodes(sc: Scenario, nodes: Floats) -> Floats:
    kind = sc.word("writers")
    if kind == "one":
        return np.ones_like(nodes)
    if sc.is_given("writing_nodes"):
        return np.minimum(floats(sc.require("writing_nodes")), nodes)
    if kind == "one_replica":
        return np.maximum(nodes / floats(sc.require("replicas")), 1.0)
    return nodes


def _writers(sc: Scenario, writing: Floats) -> tuple[Floats, Floats, Floats]:
    """Streams per writing node, single writers, and how many of them are slow on their own."""
    ranks = floats(sc.require("ranks_per_node"))
    streams = np.ones_like(ranks) if sc.word("writers") in ("one", "one_per_node") else ranks
    writers = writing * streams
    if sc.word("tail_of") == "ranks":
        return streams, writers, writers
    targets = sc.number("storage_targets")
    return streams, writers, writing if targets is None else np.minimum(writing, floats(targets))


def slow_writers(sc: Scenario) -> Floats | None:
    """Independently slow writers of a save, n of the tail; None while the nodes are unknown."""
    count = sc.number("nodes")
    return None if count is None else _writers(sc, _writing_nodes(sc, floats(count)))[2]


def files_created(sc: Scenario) -> Floats | None:
    """Files that one save creates; None while the nodes are unknown."""
    count = sc.number("nodes")
    if count is None:
        return None
    return floats(sc.require("files_per_node")) * _writing_nodes(sc, floats(count))


def sizes(sc: Scenario) -> Sizes | None:
    """Bytes and writers of a scenario, None while the state or the nodes are unknown."""
    return sc.once(_sizes)


def _sizes(sc: Scenario) -> Sizes | None:
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
    streams, writers, slow = _writers(sc, writing)
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
    """Tail factors: of measured times, else by the basis of the rate: whole saves or writers."""
    times = sc.times("rank_times")
    if times is not None:
        return _tail_of(times, float(slow)) if slow.ndim == 0 else measured_tail(times, slow)
    if sc.word("pool_write_basis") == "per_writer":
        return writer_tail(floats(sc.require("tail_ratio")), slow)
    return variation_tail(floats(sc.require("save_variation")))


@lru_cache(maxsize=64)
def _tail_of(times: tuple[float, ...], writers: float) -> Tail:
    """The tail of one job, asked for at each of the hundreds of evaluations of an advice."""
    return measured_tail(times, writers)


def rank_times(sc: Scenario) -> Floats | None:
    """Measured times of single writers in one save, s; None where nobody has them."""
    times = sc.times("rank_times")
    return None if times is None else floats(np.asarray(times))


def writers_measured(sc: Scenario) -> bool:
    """Whether single writers were measured, so that their spread is known."""
    return sc.word("pool_write_basis") == "per_writer" or sc.is_given("rank_times")


def whole_saves(sc: Scenario) -> Scenario:
    """The same job with a rate that has its slowest writer inside: no factor of single writers."""
    return sc.changed({"pool_write_basis": "aggregate", "rank_times": None})


def tail_ratio(sc: Scenario) -> Floats:
    """p99/p50 that belongs to the basis: of single writers, or of whole saves."""
    per_writer = sc.word("pool_write_basis") == "per_writer"
    return floats(sc.require("tail_ratio" if per_writer else "save_variation"))


def accelerators(sc: Scenario) -> Floats | None:
    """Accelerators that wait while the job waits; 0 for CPU jobs, None while nodes are unknown."""
    given = sc.number("stalled_accelerators") if sc.is_given("stalled_accelerators") else None
    if given is not None:
        return floats(given)
    nodes = sc.number("nodes")
    return None if nodes is None else floats(nodes) * floats(sc.require("accelerators_per_node"))
