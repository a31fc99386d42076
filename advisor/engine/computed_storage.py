"""Values computed about what a save writes and where: payload, shared pools, drives, GPUDirect."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from advisor.engine.computed_job import STATE, all_needs, save_needs
from advisor.engine.computed_risks import framework_title, status
from advisor.engine.computed_types import (
    STATUSES,
    YES_NO,
    Computed,
    ratio_value,
    size_value,
    time_value,
)
from advisor.engine.levers_payload import chain_for
from advisor.engine.situation import Situation, number
from advisor.facts.display import format_value
from advisor.facts.scenario import Scenario
from advisor.model.burst import taken_fast
from advisor.model.failures import interruption_rate, published_rate
from advisor.model.job import pool_rate
from advisor.model.payload import chain_bytes, codec_needed
from advisor.model.save_time import fast_area, redundancy_bytes
from advisor.model.wear import drive_writes_per_day, years_to_wear_out


def _on_drives(sc: Scenario) -> bool:
    return sc.word("nvme") == "used"


def _path_needs(sc: Scenario) -> tuple[str, ...]:
    """Facts behind the rate of a node: its drives have a default, the pool has none."""
    return STATE if _on_drives(sc) else save_needs(sc)


def _chain_length(s: Situation) -> float | None:
    chain = chain_for(s.scenario)
    return None if chain is None else float(chain.every)


def _chain_share(s: Situation) -> float | None:
    every, changed = _chain_length(s), s.scenario.number("changed_fraction")
    return None if every is None or changed is None else number(chain_bytes(changed, every))


def _node_share(s: Situation) -> float | None:
    """Rate at which a node writes while all do: to its drives, or its part of the pool."""
    c, sc = s.estimate.configuration, s.scenario
    if c is None:
        return None
    if _on_drives(sc):
        return number(sc.require("nvme_write") / redundancy_bytes(sc))
    if c.pool is None:
        return None
    # The pool's nominal time is that of the codec where one is waited for.
    data = number(c.pool.nominal - c.sizes.creates)
    fullest = number(c.sizes.fullest * c.payload.left)
    return None if not data or fullest is None else fullest / data


def _codec_needed(s: Situation) -> float | None:
    share = _node_share(s)
    if share is None:
        return None
    return number(codec_needed(share, s.scenario.constant("compressible_fraction")))


def _required_over_read(s: Situation) -> float | None:
    """Rate required over the read rate; 0 where nothing is asked of the pool, or no rate helps."""
    r, read = s.required, number(s.scenario.number("read_requirement"))
    if r is None or not read:
        return None
    if not r.because:
        return None if s.estimate.interval is None else 0.0
    return (number(r.rate) or 0.0) / read if r.feasible else 0.0


def _buffer_takes(s: Situation) -> float | None:
    """Bytes of a save that the fast area takes; the whole save where it is not needed at all."""
    c, rate = s.estimate.configuration, pool_rate(s.scenario)
    if c is None or rate is None:
        return None
    fast = fast_area(s.scenario, c.sizes, rate, np.asarray(1.0))
    if fast is None:
        return None
    if bool(fast.arriving <= rate):
        return number(c.sizes.total)
    return number(taken_fast(fast.arriving, rate, fast.area, fast.gap))


def _overhead_share(s: Situation) -> float | None:
    c = s.estimate.configuration
    if c is None:
        return None
    overhead = number(c.overhead)
    if not overhead:
        return overhead
    return None if c.usual is None else number(overhead / (overhead + c.usual.mean))


def _drive_writes(s: Situation) -> float | None:
    c, tau = s.estimate.configuration, s.estimate.interval
    capacity = s.scenario.number("nvme_capacity")
    if c is None or tau is None or capacity is None:
        return None
    share = c.payload.mean * c.payload.left * redundancy_bytes(s.scenario)
    return number(drive_writes_per_day(c.sizes.fullest * share, tau, capacity))


def _wear_years(s: Situation) -> float | None:
    used, rating = _drive_writes(s), s.scenario.number("nvme_dwpd")
    if not used or rating is None:
        return None
    return number(years_to_wear_out(rating, used, s.scenario.constant("rated_drive_years")))


def _gds(s: Situation) -> tuple[str, str] | None:
    """Whether GPUDirect Storage can help, and why; None while the storage path is unknown."""
    sc, path = s.scenario, _node_share(s)
    if sc.word("mode") == "async":
        return "refused", "saves are asynchronous, so training waits for neither: no gain"
    if s.framework.status("gds") == "none":
        return "refused", f"{framework_title(s)} has no such path for saves: no gain"
    if path is None:
        return None
    carries = f"the storage carries {format_value(path, 'rate')} per node"
    if path <= sc.constant("gds_bounce_rate"):
        return "refused", f"{carries}: no gain"
    return (
        "accepted",
        f"{carries}: saves can get that much faster, with a writer that is not forked",
    )


def _gds_verdict(s: Situation) -> str | None:
    found = _gds(s)
    return None if found is None else found[0]


def _gds_reason(s: Situation) -> str | None:
    found = _gds(s)
    return None if found is None else found[1]


def _published_mtbf(s: Situation) -> float | None:
    rate = published_rate(s.scenario)
    return None if rate is None else number(1 / rate)


def _counted_mtbf(s: Situation) -> float | None:
    found = interruption_rate(s.scenario)
    return None if found is None or not found[1] else number(1 / found[0])


def _counted_factor(s: Situation) -> float | None:
    """How many times the counted and the published rate differ, whichever is higher."""
    counted, published = _counted_mtbf(s), _published_mtbf(s)
    if not counted or not published:
        return None
    return max(counted / published, published / counted)


def _stated(s: Situation) -> str:
    return "yes" if s.scenario.is_given("changed_fraction") else "no"


_BUFFER = ("pool_buffer", "pool_buffer_write")

STORAGE: Mapping[str, Computed] = {
    "chain_length": Computed(
        "count", "Saves in the best chain of increments, the full one included.", save_needs,
        _chain_length,
    ),
    "chain_share": ratio_value(
        "Mean bytes of a save in that chain over a full one.", save_needs, _chain_share
    ),
    "changed_stated": Computed(
        "choice", "Whether the share of changed bytes was said.", (), _stated, YES_NO
    ),
    "node_share": Computed(
        "rate", "Rate at which a node writes while all do.", _path_needs, _node_share
    ),
    "codec_needed": Computed(
        "rate", "Codec rate of a node above which compressing first pays.", _path_needs,
        _codec_needed,
    ),
    "compression_status": Computed(
        "choice", "Compression in this framework version.", (), status("compression"), STATUSES
    ),
    "required_over_read": ratio_value(
        "Write rate required over the read rate bought for.",
        lambda sc: (*all_needs(sc), "acceptable_pause", "read_requirement"),
        _required_over_read,
    ),
    "buffer_takes": size_value(
        "Bytes of a save that the fast area of the pool takes.", _buffer_takes,
        lambda sc: (*STATE, "pool_write", *_BUFFER),
    ),
    "overhead_share": ratio_value(
        "Share of a save that is coordination.", save_needs, _overhead_share
    ),
    "drive_writes": Computed(
        "count", "Drive writes a day that the saves take.",
        (*STATE, "interval", "nvme_capacity"), _drive_writes,
    ),
    "wear_years": Computed(
        "count", "Years until the rated endurance of the drives is used up.",
        (*STATE, "interval", "nvme_capacity", "nvme_dwpd"), _wear_years,
    ),
    "gds_verdict": Computed(
        "choice",
        "Whether GPUDirect Storage can shorten the saves.",
        _path_needs,
        _gds_verdict,
        ("refused", "accepted"),
    ),
    "gds_reason": Computed("text", "What GPUDirect Storage would bring.", _path_needs, _gds_reason),
    "published_mtbf": time_value(
        "Time between interruptions by the published rate.", ("nodes",), _published_mtbf
    ),
    "counted_mtbf": time_value(
        "Time between interruptions as counted.", ("job_mtbf",), _counted_mtbf
    ),
    "counted_factor": ratio_value(
        "Factor between the counted and the published rate.", ("nodes", "job_mtbf"),
        _counted_factor,
    ),
}  # fmt: skip
"""Everything about payload, shared pools and drives that a condition or a message may name."""
