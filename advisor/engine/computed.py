"""Computed values that conditions and messages may name, beside the declared facts.

Each has a kind, so that conditions over it are checked for dimensions like those over facts. None
means unknown, and the names of the facts it needs are then reported instead of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf

from advisor.engine.situation import Situation, number
from advisor.facts.catalogue import Kind
from advisor.model.configuration import configure
from advisor.model.job import accelerators, floats, pool_rate

STATUSES = ("default_on", "opt_in", "experimental", "external", "none", "unasked")
"""What a framework has of a capability; unasked: no framework was named."""

YES_NO = ("no", "yes")
"""Members of a computed yes/no value."""

Get = Callable[[Situation], "float | str | None"]


@dataclass(frozen=True, slots=True)
class Computed:
    """One computed value.

    Attributes:
        kind: what it is measured in.
        what: one line for the reference.
        needs: facts to ask for when it is unknown.
        get: its value in a situation.
        choices: members where the kind is choice.
    """

    kind: Kind
    what: str
    needs: tuple[str, ...]
    get: Get
    choices: tuple[str, ...] = ()


def _loss(name: str) -> Get:
    def get(s: Situation) -> float | None:
        shares = s.estimate.shares
        return None if shares is None else number(getattr(shares, name))

    return get


def _estimate(name: str) -> Get:
    def get(s: Situation) -> float | None:
        return number(getattr(s.estimate, name))

    return get


def _best(name: str) -> Get:
    def get(s: Situation) -> float | None:
        best = s.estimate.best
        return None if best is None else number(getattr(best, name))

    return get


def _pool(name: str) -> Get:
    def get(s: Situation) -> float | None:
        c = s.estimate.configuration
        return None if c is None or c.pool is None else number(getattr(c.pool, name))

    return get


def _sizes(name: str) -> Get:
    def get(s: Situation) -> float | None:
        c = s.estimate.configuration
        return None if c is None else number(getattr(c.sizes, name))

    return get


def _status(capability: str) -> Get:
    return lambda s: s.framework.status(capability)


def _stall(s: Situation) -> float | None:
    c, w = s.estimate.configuration, s.estimate.waits
    if c is None or c.stall is None:
        return None
    wait = 0.0 if w is None else number(w.local_wait) or 0.0
    return (number(c.stall) or 0.0) + wait


def _drain(s: Situation) -> float | None:
    c = s.estimate.configuration
    return None if c is None else number(c.pool_lag)


def _wait(s: Situation) -> float | None:
    w = s.estimate.waits
    return None if w is None else max(number(w.local_wait) or 0.0, number(w.pool_wait) or 0.0)


def _period(s: Situation) -> float | None:
    e = s.estimate
    if e.waits is None or e.configuration is None:
        return None
    every = number(e.configuration.every) or 1.0
    return (number(e.waits.segment) or 0.0) + (number(e.waits.pool_stall) or 0.0) / every


def _measured_over_rated(s: Situation) -> float | None:
    """Measured save over bytes at the rate given; only where both are known."""
    sc = s.scenario
    if not (sc.is_given("measured_save") or sc.is_given("measured_stall")):
        return None
    if s.estimate.configuration is None or s.estimate.configuration.pool is None:
        return None
    return number(sc.calibration.save)


def _modelled_save(s: Situation) -> float | None:
    mean, ratio = _pool("mean")(s), number(s.scenario.calibration.save)
    return None if not isinstance(mean, float) or not ratio else mean / ratio


def _measured(s: Situation) -> float | None:
    sc = s.scenario
    save = number(sc.number("measured_save"))
    return save if save is not None else number(sc.number("measured_stall"))


def _mtbf(s: Situation) -> float | None:
    c = s.estimate.configuration
    rate = None if c is None else number(c.rates.soft + c.rates.hard)
    return None if not rate else 1 / rate


def _pool_rate(s: Situation) -> float | None:
    return number(pool_rate(s.scenario))


def _aggregate_node_limit(s: Situation) -> float | None:
    c = s.estimate.configuration
    if c is None:
        return None
    limit = number(c.sizes.writing * c.sizes.node_limit)
    return None if limit in (None, inf) else limit


def _page_cache_share(s: Situation) -> float | None:
    """Measured rate as a multiple of what the nodes or the pool can move at most."""
    sc, c = s.scenario, s.estimate.configuration
    if c is None or not (sc.is_given("measured_save") or sc.is_given("measured_stall")):
        return None
    measured = _measured(s)
    limits = [v for v in (_aggregate_node_limit(s), _rated_pool(s)) if v is not None]
    if not measured or not limits or sc.word("nvme") == "used" or sc.word("mode") == "async":
        return None
    total = number(c.sizes.total)
    return None if total is None else total / measured / min(limits)


def _rated_pool(s: Situation) -> float | None:
    """The pool's rate as typed, with the margin that measurement noise needs."""
    if s.scenario.word("pool_write_basis") == "per_writer":
        return None
    rate = number(s.scenario.number("pool_write"))
    return None if rate is None else rate * s.scenario.constant("page_cache_factor")


def _crossover(s: Situation) -> float | None:
    """Nodes from which the drives together beat the pool: pool rate over drive rate of a node."""
    pool = _pool_rate(s)
    drive = number(s.scenario.number("nvme_write"))
    return None if pool is None or not drive else pool / drive


def _usable(s: Situation) -> float:
    kind = s.scenario.word("pool_kind") or "other"
    name = "usable_object" if kind.startswith("object") else f"usable_{kind}"
    constants = s.scenario.catalogue.constants
    return constants[name if name in constants else "usable_other"].value


def _fill_saves(s: Situation) -> float | None:
    """Saves that fit into the free space until the pool is as good as full."""
    free, total = number(s.scenario.number("pool_free")), _sizes("total")(s)
    if free is None or not isinstance(total, float):
        return None
    return float(int(free * _usable(s) / total))


def _retained(s: Situation) -> float | None:
    keep, total = number(s.scenario.number("keep")), _sizes("total")(s)
    return None if keep is None or not isinstance(total, float) else keep * total


def _usable_free(s: Situation) -> float | None:
    free = number(s.scenario.number("pool_free"))
    return None if free is None else free * _usable(s)


def _fill_time(s: Situation) -> float | None:
    saves, period = _fill_saves(s), _period(s)
    return None if saves is None or period is None else saves * period


def _required(s: Situation) -> float | None:
    r = s.required
    return None if r is None or not r.feasible or not r.because else number(r.rate)


def _plain_required(s: Situation) -> float | None:
    pause, total = number(s.scenario.number("acceptable_pause")), _sizes("total")(s)
    return None if not pause or not isinstance(total, float) else total / pause


def _size_ratio(s: Situation) -> float | None:
    disk, total = number(s.scenario.number("size_on_disk")), _sizes("total")(s)
    return None if disk is None or not isinstance(total, float) else disk / total


def _one_writer_bytes(s: Situation) -> float | None:
    """Rate at which the writers together can send, while one or few of them write."""
    c = s.estimate.configuration
    return None if c is None else number(c.sizes.writing * c.sizes.node_limit)


def _timeout_probability(s: Situation) -> float | None:
    c = s.estimate.configuration
    return None if c is None else number(c.kill)


def _timeout_limit(s: Situation) -> float | None:
    c = s.estimate.configuration
    if c is None:
        return None
    name = "collective_timeout" if c.stalls_on_pool else "drain_timeout"
    return number(s.scenario.number(name))


def _local_copies(s: Situation) -> float | None:
    """Node-local bytes a node needs: a new copy is written before the old one goes."""
    c = s.estimate.configuration
    if c is None:
        return None
    from advisor.model.configuration import redundancy_bytes

    copies = s.scenario.constant("copies_on_hand")
    return number(copies * c.sizes.fullest * redundancy_bytes(s.scenario))


def _trap_text(s: Situation) -> str | None:
    for trap in s.framework.traps:
        if trap.effect == "async_off":
            return trap.text
    return None


def _alternative(s: Situation) -> str | None:
    found = s.framework.capability("async")
    return None if found is None else (found.alternative or found.what)


def _framework_title(s: Situation) -> str | None:
    f = s.framework.framework
    return None if f is None else f.title


def _waiting(s: Situation) -> float | None:
    return number(accelerators(s.scenario))


def _doubled_pool_save(s: Situation) -> float | None:
    """Mean save with a pool twice as fast, s: whether the pool matters at all."""
    rate = pool_rate(s.scenario)
    if rate is None:
        return None
    c = configure(s.scenario, floats(rate) * 2)
    return None if c is None or c.pool is None else number(c.pool.mean)


_STATE = ("state_total", "nodes")
_SAVE = ("state_total", "nodes", "pool_write")
_ALL = ("state_total", "nodes", "pool_write", "interval", "mode", "nvme")

COMPUTED: Mapping[str, Computed] = {
    "state_bytes": Computed("size", "Bytes of one save.", _STATE, _sizes("total")),
    "fullest_bytes": Computed("size", "Bytes the fullest node writes.", _STATE, _sizes("fullest")),
    "held_bytes": Computed("size", "Bytes a node holds while it stages.", _STATE, _sizes("held")),
    "pool_delivered": Computed(
        "rate", "Rate the pool delivers to this job.", ("pool_write",), _pool_rate
    ),
    "writers_rate": Computed(
        "rate",
        "Rate at which the writing nodes together can send.",
        ("node_link",),
        _one_writer_bytes,
    ),
    "save_time": Computed("duration", "Mean time of a save to the pool.", _SAVE, _pool("mean")),
    "save_nominal": Computed(
        "duration", "Bytes over rate plus creates, no tail.", _SAVE, _pool("nominal")
    ),
    "save_p99": Computed("duration", "One save in a hundred takes longer.", _SAVE, _pool("p99")),
    "modelled_save": Computed(
        "duration", "Mean save by the model alone, nothing measured.", _SAVE, _modelled_save
    ),
    "measured_time": Computed(
        "duration", "Measured save, or measured stall.", ("measured_save",), _measured
    ),
    "measured_over_modelled": Computed(
        "ratio",
        "Measured save over the modelled one.",
        ("measured_save", "pool_write"),
        _measured_over_rated,
    ),
    "page_cache_share": Computed(
        "ratio",
        "Measured rate over what the links or 1.2 times the pool can move.",
        ("measured_save", "pool_write"),
        _page_cache_share,
    ),
    "stall": Computed("duration", "Stall of a save, waits included.", _SAVE, _stall),
    "drain": Computed("duration", "Time until the pool copy is complete.", _SAVE, _drain),
    "wait": Computed("duration", "Wait of a save for the previous copy.", _ALL, _wait),
    "period": Computed("duration", "Wall time from save to save.", _ALL, _period),
    "interval_now": Computed(
        "duration", "Useful work between saves.", ("interval",), _estimate("interval")
    ),
    "mtbf": Computed(
        "duration", "Time between unannounced interruptions of the job.", ("nodes",), _mtbf
    ),
    "best_interval": Computed(
        "duration", "Interval with the highest goodput.", _SAVE, _best("interval")
    ),
    "flat_band_low": Computed(
        "duration", "Shortest interval within 0.1 point of the best.", _SAVE, _best("band_low")
    ),
    "flat_band_high": Computed(
        "duration", "Longest interval within 0.1 point of the best.", _SAVE, _best("band_high")
    ),
    "best_goodput": Computed("ratio", "Goodput at the best interval.", _SAVE, _best("goodput")),
    "goodput": Computed("ratio", "Useful share of the time.", _ALL, _loss("goodput")),
    "loss_stall": Computed("ratio", "Share lost to stalls.", _ALL, _loss("stall")),
    "loss_drain": Computed("ratio", "Share lost while copies drain.", _ALL, _loss("drain")),
    "loss_restart": Computed("ratio", "Share lost to restarts.", _ALL, _loss("restart")),
    "loss_rework": Computed("ratio", "Share lost to work done again.", _ALL, _loss("rework")),
    "ceiling": Computed("ratio", "Goodput no storage can exceed.", _ALL, _estimate("ceiling")),
    "no_checkpoint_goodput": Computed(
        "ratio",
        "Goodput of this job with no periodic save.",
        ("job_length",),
        _estimate("no_checkpoint"),
    ),
    "rework_per_interruption": Computed(
        "duration", "Work lost per interruption.", _ALL, _estimate("rework_per_interruption")
    ),
    "interruptions_per_year": Computed(
        "per_year", "Interruptions a year.", ("nodes",), _estimate("interruptions_per_year")
    ),
    "pool_duty": Computed(
        "ratio", "Share of the time the pool is busy.", _ALL, _estimate("pool_duty")
    ),
    "idle_cost": Computed(
        "money_per_year",
        "Price of the time lost.",
        (*_ALL, "accelerator_hour"),
        _estimate("idle_cost_per_year"),
    ),
    "host_memory_share": Computed(
        "ratio",
        "Bytes staged over host memory free.",
        ("host_memory_free",),
        _estimate("host_memory_share"),
    ),
    "required_rate": Computed("rate", "Pool rate the configuration needs.", _ALL, _required),
    "plain_required": Computed(
        "rate", "Bytes over the pause wished.", ("acceptable_pause",), _plain_required
    ),
    "crossover_nodes": Computed(
        "count", "Nodes above which drives beat the pool.", ("pool_write", "nvme_write"), _crossover
    ),
    "fill_saves": Computed("count", "Saves that still fit.", ("pool_free",), _fill_saves),
    "fill_time": Computed(
        "duration", "Time until the pool is full.", ("pool_free", "interval"), _fill_time
    ),
    "retained_bytes": Computed("size", "Bytes of all copies kept.", ("keep",), _retained),
    "usable_free": Computed("size", "Free space that is usable.", ("pool_free",), _usable_free),
    "size_ratio": Computed(
        "ratio", "Size on disk over the size computed.", ("size_on_disk",), _size_ratio
    ),
    "timeout_probability": Computed(
        "ratio",
        "Chance that a save outlasts its time-out.",
        ("collective_timeout", "pool_write"),
        _timeout_probability,
    ),
    "timeout_limit": Computed(
        "duration", "Time-out that counts for a save.", ("collective_timeout",), _timeout_limit
    ),
    "timeouts_per_year": Computed(
        "per_year",
        "Saves a year that outlast their time-out.",
        ("collective_timeout", "pool_write"),
        _estimate("timeouts_per_year"),
    ),
    "local_copies_bytes": Computed(
        "size", "Node-local space needed by a node.", _STATE, _local_copies
    ),
    "save_time_pool_doubled": Computed(
        "duration", "Mean save with a pool twice as fast.", _SAVE, _doubled_pool_save
    ),
    "waiting_accelerators": Computed("count", "Accelerators that wait.", ("nodes",), _waiting),
    "async_status": Computed(
        "choice",
        "Asynchronous saves in this framework version.",
        ("framework",),
        _status("async"),
        STATUSES,
    ),
    "sharded_status": Computed(
        "choice",
        "Sharded saves in this framework version.",
        ("framework",),
        _status("sharded"),
        STATUSES,
    ),
    "incremental_status": Computed(
        "choice",
        "Incremental saves in this version.",
        ("framework",),
        _status("incremental"),
        STATUSES,
    ),
    "async_on_paper": Computed(
        "choice",
        "Flags ask for asynchronous saves that this version switches off.",
        (),
        lambda s: "yes" if s.framework.async_on_paper else "no",
        YES_NO,
    ),
    "async_trap": Computed("text", "Why async is off.", ("framework_settings",), _trap_text),
    "async_alternative": Computed(
        "text", "Nearest to asynchronous saves.", ("framework",), _alternative
    ),
    "framework_title": Computed("text", "Name of the framework.", ("framework",), _framework_title),
}
"""Everything a condition or a message may name beside the facts and the named thresholds."""
