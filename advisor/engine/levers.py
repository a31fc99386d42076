"""The changes the advisor can propose, as pure functions from a scenario to a scenario.

A lever returns settings: facts with their new value, None for what no longer applies (a stall that
was measured before the change). Measured-over-modelled ratios stay while the path of the bytes
stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from advisor.engine.levers_payload import compression, incremental
from advisor.engine.tiering import held, in_use, together
from advisor.facts.scenario import Calibration, Number, Scenario, Value
from advisor.model.failures import restart_reads, unannounced_rate
from advisor.model.spares import best_spares, spares_share

Slot = Literal[
    "writers",
    "path",
    "peer",
    "payload",
    "coordination",
    "interval",
    "restart",
    "goal",
    "hardware",
    "advice",
]
"""What a lever decides. "goal" is a figure without the change that reaches it, so no plan takes it;
"advice": nothing to score."""

Settings = Mapping[str, "Value | None"]

_NOT_MEASURED: Settings = {"measured_stall": None, "measured_save": None}
"""Measurements of the old configuration do not describe the new one."""


@dataclass(frozen=True, slots=True)
class Lever:
    """One kind of change.

    Attributes:
        id: its name in packs, sessions and exports.
        slot: what it decides.
        title: what to do, a short imperative.
        change: settings for a scenario, empty where there is nothing to change.
        calibrate: what is left of the measured-over-modelled ratios.
        includes: changes that are a special case of it, not offered beside it.
        applies: whether it changes anything beside the other changes of a plan.
    """

    id: str
    slot: Slot
    title: str
    change: Callable[[Scenario], Settings]
    calibrate: Callable[[Scenario], Calibration]
    includes: tuple[str, ...] = ()
    applies: Callable[[Scenario], bool] = lambda sc: True

    def apply(self, sc: Scenario, settings: Settings | None = None) -> Scenario:
        """The scenario after the change.

        Args:
            sc: before.
            settings: hold these instead of asking the lever again.
        """
        chosen = self.change(sc) if settings is None else settings
        return sc.changed(chosen).calibrated(self.calibrate(sc))


def _keeps_path(sc: Scenario) -> Calibration:
    return replace(sc.calibration, stall=1.0)


def _new_path(sc: Scenario) -> Calibration:
    # What changes from save to save, and what a restart is made of, is the same on every path.
    return replace(sc.calibration, save=1.0, stall=1.0, implied=False)


def _same(sc: Scenario) -> Calibration:
    return sc.calibration


def _async_on(sc: Scenario) -> Settings:
    return {"mode": "async", **_NOT_MEASURED}


def _async_process(sc: Scenario) -> Settings:
    return {"async_writer": "process", "drain_slowdown": None, **_NOT_MEASURED}


def _process_window(sc: Scenario) -> Calibration:
    """A process with cached plans shortens the background window by the published factor.

    Only the part above the bytes over bandwidth can go.
    """
    ratio = sc.calibration.save / sc.constant("background_window_reduction")
    kept = np.maximum(ratio, np.minimum(sc.calibration.save, 1.0))
    return replace(sc.calibration, save=kept)


def _sharded(sc: Scenario) -> Settings:
    return {
        "writers": "every_rank",
        "writing_nodes": None,
        "state_held_per_node": None,
        # Times of the one writer say nothing of the shards that all write then.
        "rank_times": None,
        **_NOT_MEASURED,
    }


def _staging(sc: Scenario) -> Settings:
    return {"nvme": "used", **_NOT_MEASURED}


def _two_tiers(sc: Scenario) -> Settings:
    """Drained copies to the pool, k by the best interval (held where a policy fixes it)."""
    job = in_use(sc)
    if sc.word("interval_decided_by") == "policy":
        found = held(job)
    else:
        best = together([job])[0]
        found = {} if best is None else best[0]
    if not found:
        return {}
    changes: Settings = {"nvme": "used", "pool_every": found["pool_every"]}
    waits = sc.word("pool_copy") == "with_save"
    if waits:
        changes = {**changes, "pool_copy": "drained"}
    stays = sc.word("nvme") == "used" and not waits
    return changes if stays else {**changes, **_NOT_MEASURED}


def _two_tiers_ratios(sc: Scenario) -> Calibration:
    return sc.calibration if sc.word("nvme") == "used" else _keeps_path(sc)


def _peer_copy(sc: Scenario) -> Settings:
    """A partner copy outside the nodes that fail together.

    The share of interruptions it survives follows the redundancy; one that somebody typed stays.
    """
    changes: dict[str, Value | None] = {"redundancy": "partner", "redundancy_group": None}
    domain, jump = sc.number("failure_domain_nodes"), sc.number("peer_jump")
    if domain is not None and jump is not None and np.all(np.asarray(domain) > jump):
        changes["peer_jump"] = domain
    return {**changes, **_NOT_MEASURED}


def _has_local_copies(sc: Scenario) -> bool:
    return sc.word("nvme") == "used"


def _faster_restart(sc: Scenario) -> Settings:
    goal = sc.constant("faster_restart_time")
    return {"restart_time": goal, "detect_time": None, "init_time": None}


def _as_restarted(sc: Scenario) -> Calibration:
    """A goal for the whole restart: no wait for a node and no read is taken off it again."""
    reads = np.minimum(np.asarray(sc.calibration.reads), restart_reads(sc))
    least = float(reads) if reads.ndim == 0 else reads
    return replace(sc.calibration, reads=least, queued=False)


def _spares(sc: Scenario) -> Settings:
    """As many spare nodes as pay, and a restart inside the allocation, where the drives stay.

    {} while nobody said how long a restart waits for a node, or where spares are there.
    """
    wait, rate = sc.number("replacement_wait"), unannounced_rate(sc)
    one = spares_share(sc.changed({"spare_nodes": 1.0}))
    if wait is None or rate is None or one is None or np.any(np.asarray(sc.require("spare_nodes"))):
        return {}
    count = best_spares(float(np.asarray(wait)), float(rate), float(one))
    changes: dict[str, Value | None] = {"spare_nodes": float(count)}
    if sc.word("nvme") != "none" and sc.word("local_survives") in _LEAVES_ITS_NODES:
        changes["local_survives"] = "process_restart"
    return changes


_LEAVES_ITS_NODES = ("requeue_same_nodes", "nothing")
"""Restart paths that end the allocation; with spares the job restarts inside it."""


def _broadcast_load(sc: Scenario) -> Settings:
    """One replica reads; {} where one does, or nobody knows how long reading takes."""
    several = np.any(np.asarray(sc.require("replicas")) > 1)
    if sc.word("restart_reads") == "one_replica" or not several or sc.number("pool_read") is None:
        return {}
    return {"restart_reads": "one_replica"}


def _purchase(sc: Scenario) -> Settings:
    rate = sc.number("upgrade_write")
    if rate is None:
        return {}
    return {"pool_write": rate, **_NOT_MEASURED}


def _nothing(sc: Scenario) -> Settings:
    return {}


LEVERS: Mapping[str, Lever] = {
    lever.id: lever
    for lever in (
        Lever("sharded_save", "writers", "Let every rank write its shard", _sharded, _new_path),
        Lever("async_on", "path", "Save asynchronously", _async_on, _keeps_path),
        Lever(
            "local_staging",
            "path",
            "Save to the node-local NVMe and drain to the pool",
            _staging,
            _keeps_path,
        ),
        Lever(
            "tiering",
            "path",
            "Save to the node-local drives and copy every few saves to the pool",
            _two_tiers,
            _two_tiers_ratios,
            includes=("local_staging",),
        ),
        Lever(
            "peer_copy",
            "peer",
            "Keep a second copy on a partner node",
            _peer_copy,
            _same,
            applies=_has_local_copies,
        ),
        Lever(
            "async_process",
            "coordination",
            "Write in the background from a process with a cached plan",
            _async_process,
            _process_window,
        ),
        Lever(
            "incremental",
            "payload",
            "Write increments between full saves",
            incremental,
            _keeps_path,
        ),
        Lever("compression", "payload", "Compress the saves", compression, _keeps_path),
        Lever("longer_interval", "interval", "Save less often", _nothing, _same),
        Lever("shorter_interval", "interval", "Save more often", _nothing, _same),
        Lever("spares", "restart", "Keep spare nodes in the allocation", _spares, _same),
        Lever(
            "broadcast_load",
            "restart",
            "Let one replica read the save at a restart and send it to the others",
            _broadcast_load,
            _same,
        ),
        Lever("faster_restart", "goal", "Restart faster", _faster_restart, _as_restarted),
        Lever("purchase", "hardware", "Buy pool bandwidth", _purchase, _same),
        Lever("keep", "advice", "Set how many copies are kept", _nothing, _same),
        Lever("raise_timeout", "advice", "Give the save its own time-out", _nothing, _same),
    )
}
"""Every lever by id."""


INTERVAL_LEVERS = ("longer_interval", "shorter_interval")
"""The levers of a retuned interval."""


def retimed(sc: Scenario, rate_factor: Number) -> Scenario:
    """The scenario with the pool's rate multiplied, what bandwidth cannot explain held fixed.

    A save measured slower than bytes over bandwidth has a part that a faster pool does not shorten.
    """
    rate = sc.number("pool_write")
    if rate is None:
        return sc
    changed = sc.changed({"pool_write": rate * rate_factor, **_NOT_MEASURED})
    return changed.calibrated(held_extra(sc, rate_factor))


def held_extra(sc: Scenario, rate_factor: Number) -> Calibration:
    """The calibration at another pool rate: the part that bandwidth cannot explain stays in time.

    Args:
        sc: the job at its present rate.
        rate_factor: new rate over the present one, any shape.
    """
    extra = np.asarray(sc.calibration.save) - 1
    ratio = np.where(extra > 0, 1 + extra * rate_factor, sc.calibration.save)
    return replace(sc.calibration, save=float(ratio) if ratio.ndim == 0 else ratio)
