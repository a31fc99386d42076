"""Computed values that conditions and messages may name, beside the declared facts.

Each has a kind, so that conditions over it are checked for dimensions like those over facts. None
means unknown, and the names of the facts it needs are then reported instead of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from advisor.engine import computed_job as job
from advisor.engine import computed_risks as risk
from advisor.engine.computed_job import STATE, all_needs, cost_needs, save_needs
from advisor.engine.computed_limits import LIMITS
from advisor.engine.computed_ranks import RANKS
from advisor.engine.computed_restart import RESTARTS
from advisor.engine.computed_settings import SETTINGS
from advisor.engine.computed_storage import STORAGE
from advisor.engine.computed_tiers import TIERS
from advisor.engine.computed_traps import TRAPS
from advisor.engine.computed_types import (
    STATUSES,
    YES_NO,
    Computed,
    Needs,
    ratio_value,
    size_value,
    time_value,
)


def _with_save(*names: str) -> Needs:
    return lambda sc: (*save_needs(sc), *names)


_SAVES: Mapping[str, Computed] = {
    "state_bytes": size_value("Bytes of one save.", job.save_bytes),
    "fullest_bytes": size_value("Bytes the fullest node writes.", job.size("fullest")),
    "held_bytes": size_value("Bytes a node holds while it stages.", job.size("held")),
    "staged_bytes": size_value("Host memory that saves in flight take on a node.", job.staged),
    "nodes_writing": Computed("count", "Nodes that write.", STATE, job.size("writing")),
    "pool_delivered": Computed(
        "rate", "Rate the pool delivers to this job.", ("pool_write",), job.delivered
    ),
    "writers_rate": Computed(
        "rate", "Rate of all writing nodes together.", (*STATE, "node_link"), job.writers_rate
    ),
    "path_rate": Computed(
        "rate", "Rate at which a save gets through pool and links.", save_needs, job.path_rate
    ),
    "save_time": time_value("Mean time of a save to the pool.", save_needs, job.pool("mean")),
    "save_nominal": time_value(
        "Bytes over rate plus creates, no tail.", save_needs, job.pool("nominal")
    ),
    "save_p99": time_value("One save in a hundred takes longer.", save_needs, job.pool("p99")),
    "rated_stall": time_value(
        "Mean synchronous save at the rates given, overhead included.", save_needs, job.rated_stall
    ),
    "modelled_save": time_value(
        "What the model says for the save measured.", save_needs, job.modelled
    ),
    "measured_time": time_value(
        "Measured time of a save to the pool.", ("measured_save",), job.measured
    ),
    "measured_over_modelled": ratio_value(
        "Measured save over the modelled one.",
        _with_save("measured_save"),
        job.measured_over_modelled,
    ),
    "page_cache_share": ratio_value(
        "Measured rate over what the links or 1.2 times the pool can move.",
        (*STATE, "measured_save", "pool_write"),
        risk.page_cache_share,
    ),
    "stall": time_value("Stall of a save, waits included.", save_needs, job.stall),
    "async_stall": time_value("Stall an asynchronous save would leave.", STATE, job.async_stall),
    "stall_over_mtbf": ratio_value(
        "Stall over the time between interruptions.", save_needs, risk.stall_over_mtbf
    ),
    "drain": time_value("Time until the pool copy is complete.", save_needs, job.drain),
    "slowdown": ratio_value("Share of speed lost while a copy drains.", STATE, job.slowdown),
    "drain_cost": time_value("Training lost to one drain.", save_needs, job.drain_cost),
    "wait": time_value("Wait of a save for the previous copy.", all_needs, job.wait),
    "period": time_value("Wall time from save to save.", all_needs, job.period),
    "required_rate": Computed(
        "rate", "Pool rate the configuration needs.", all_needs, job.required
    ),
    "plain_required": Computed(
        "rate",
        "Bytes over the pause wished.",
        (*STATE, "acceptable_pause"),
        job.plain_required,
    ),
    "crossover_nodes": Computed(
        "count", "Nodes above which drives beat the pool.", ("pool_write",), job.crossover
    ),
    "host_memory_share": ratio_value(
        "Bytes staged over host memory free.",
        (*STATE, "host_memory_free"),
        job.figure("host_memory_share"),
    ),
    "local_copies_bytes": size_value("Node-local space needed by a node.", risk.local_copies),
}

_GOODPUT: Mapping[str, Computed] = {
    "interval_now": time_value("Useful work between saves.", ("interval",), job.interval_now),
    "mtbf": time_value("Time between unannounced interruptions of the job.", ("nodes",), job.mtbf),
    "first_order_interval": time_value(
        "Young's interval, from the stall and the interruptions alone.",
        job.first_order_needs,
        job.first_order_interval,
    ),
    "first_order_excess": ratio_value(
        "Compute lost against Young's interval, to first order.",
        lambda sc: (*job.first_order_needs(sc), "interval"),
        job.first_order_excess,
    ),
    "best_interval": time_value(
        "Interval with the highest goodput.", save_needs, job.best("interval")
    ),
    "flat_band_low": time_value(
        "Shortest interval within 0.1 point of the best.", save_needs, job.best("band_low")
    ),
    "flat_band_high": time_value(
        "Longest interval within 0.1 point of the best.", save_needs, job.best("band_high")
    ),
    "best_goodput": ratio_value("Goodput at the best interval.", save_needs, job.best("goodput")),
    "goodput": ratio_value("Useful share of the time.", all_needs, job.share("goodput")),
    "interval_cost": ratio_value(
        "Goodput lost against the best interval.", all_needs, job.interval_cost
    ),
    "interval_cost_per_year": Computed(
        "money_per_year", "The same in dollars.", cost_needs, job.interval_cost_per_year
    ),
    "loss_stall": ratio_value("Share lost to stalls.", all_needs, job.share("stall")),
    "loss_drain": ratio_value("Share lost while copies drain.", all_needs, job.share("drain")),
    "loss_restart": ratio_value("Share lost to restarts.", all_needs, job.share("restart")),
    "loss_rework": ratio_value("Share lost to work done again.", all_needs, job.share("rework")),
    "ceiling": ratio_value("Goodput no storage can exceed.", all_needs, job.figure("ceiling")),
    "no_checkpoint_goodput": ratio_value(
        "Goodput of this job with no periodic save.",
        (*STATE, "job_length"),
        job.figure("no_checkpoint"),
    ),
    "rework_per_interruption": time_value(
        "Work lost per interruption.", all_needs, job.figure("rework_per_interruption")
    ),
    "interruptions_per_year": Computed(
        "per_year", "Interruptions a year.", STATE, job.figure("interruptions_per_year")
    ),
    "pool_duty": ratio_value(
        "Share of the time the pool is busy.", all_needs, job.figure("pool_duty")
    ),
    "idle_cost": Computed(
        "money_per_year", "Price of the time lost.", cost_needs, job.figure("idle_cost_per_year")
    ),
    "waiting_accelerators": Computed("count", "Accelerators that wait.", ("nodes",), job.waiting),
}

_RISKS: Mapping[str, Computed] = {
    "usable_share": ratio_value("Fill level at which a pool is full.", (), risk.usable_share),
    "usable_free": Computed("size", "Free space that is usable.", ("pool_free",), risk.usable_free),
    "fill_saves": Computed(
        "count", "Saves that still fit.", (*STATE, "pool_free"), risk.fill_saves
    ),
    "fill_time": time_value(
        "Time until the pool is full.", lambda sc: (*all_needs(sc), "pool_free"), risk.fill_time
    ),
    "copies_kept": Computed(
        "count", "Copies the run leaves behind.", risk.copies_needs, risk.copies_kept
    ),
    "retained_bytes": Computed(
        "size", "Bytes of all copies left.", risk.copies_needs, risk.retained
    ),
    "kept_span": time_value(
        "Copies kept times the interval.", (*STATE, "keep", "interval"), risk.kept_span
    ),
    "size_ratio": ratio_value(
        "Size on disk over the size computed.", (*STATE, "size_on_disk"), risk.size_ratio
    ),
    "timeout_probability": ratio_value(
        "Chance that a save outlasts its time-out.", risk.timeout_needs, risk.timeout_probability
    ),
    "timeout_limit": time_value(
        "Time-out that counts for a save.",
        lambda sc: (risk.limit_name(sc),),
        risk.timeout_limit,
    ),
    "timeouts_per_year": Computed(
        "per_year",
        "Saves a year that outlast their time-out.",
        risk.timeout_needs,
        risk.timeouts_per_year,
    ),
    "timeout_bound": Computed("text", "How that number is meant.", (), risk.timeout_bound),
    "failover_time": time_value(
        "Fail-over time of a pool of a known kind.", ("pool_kind",), risk.failover_time
    ),
    "notice_needed": time_value(
        "Notice that a step and a save need.", risk.notice_needs, risk.notice_needed
    ),
    "notice_state": Computed("text", "Why a notice does not help.", (), risk.notice_state),
    "async_status": Computed(
        "choice",
        "Asynchronous saves in this framework version.",
        (),
        risk.status("async"),
        STATUSES,
    ),
    "sharded_status": Computed(
        "choice", "Sharded saves in this framework version.", (), risk.status("sharded"), STATUSES
    ),
    "local_status": Computed(
        "choice", "Node-local copies in this framework version.", (), risk.status("local"), STATUSES
    ),
    "peer_status": Computed(
        "choice",
        "Copies on other nodes in this framework version.",
        (),
        risk.status("peer"),
        STATUSES,
    ),
    "incremental_status": Computed(
        "choice", "Incremental saves in this version.", (), risk.status("incremental"), STATUSES
    ),
    "async_native": Computed(
        "choice",
        "Whether this framework version has asynchronous saves of its own.",
        ("framework",),
        risk.native("async"),
        YES_NO,
    ),
    "async_on_paper": Computed(
        "choice",
        "Flags ask for asynchronous saves that this version switches off.",
        (),
        lambda s: "yes" if s.framework.async_on_paper else "no",
        YES_NO,
    ),
    "async_alternative": Computed(
        "text", "Nearest to asynchronous saves.", ("framework",), risk.alternative("async")
    ),
    "framework_title": Computed(
        "text", "Name of the framework.", ("framework",), risk.framework_title
    ),
}

COMPUTED: Mapping[str, Computed] = {
    **_SAVES,
    **_GOODPUT,
    **_RISKS,
    **TIERS,
    **STORAGE,
    **RANKS,
    **RESTARTS,
    **LIMITS,
    **TRAPS,
    **SETTINGS,
}
"""Everything a condition or a message may name beside the facts and the named thresholds."""
