"""The bill of a storage option: what is committed, what is paid per unit, and lost compute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from advisor.facts.scenario import Calibration, Number, Scenario, Value
from advisor.model.best import best_of, depends_on_interval
from advisor.model.configuration import configure
from advisor.model.failures import interruption_rate
from advisor.model.job import floats, sizes
from advisor.model.money import cost_per_year, idle_cost
from advisor.model.normal import Floats
from advisor.model.optimum import best_goodput, best_interval
from advisor.model.save_time import redundancy_bytes
from advisor.model.wear import drive_writes_per_day, excess

Option = Literal["pool", "node_local", "remote"]
"""Where saves go: the shared pool, drives in the nodes, or a remote NVMe namespace per node."""

TERABYTE = 1e12
"""Bytes of a terabyte in prices per TB; prices are decimal."""

PRICES: Mapping[Option, str] = {
    "pool": "pool_committed",
    "node_local": "nvme_committed",
    "remote": "remote_committed",
}
"""The fact that holds what each option costs whatever is written."""

_NOT_MEASURED: Mapping[str, Value | None] = {"measured_stall": None, "measured_save": None}
"""Measurements of the path in use say nothing of another one."""


@dataclass(frozen=True, slots=True)
class Bill:
    """One option's bill, dollars a year; None while a price or a fact of it is unknown.

    Attributes:
        committed: hardware over its years, staff and spares, whatever is written.
        per_unit: terabytes kept on average, or drives worn out before their time.
        misbehaviour: compute lost at the best interval of this option, kills included.
        missing: per term left None, the facts it needs.
    """

    committed: Floats | None
    per_unit: Floats | None
    misbehaviour: Floats | None
    missing: Mapping[str, tuple[str, ...]]

    @property
    def total(self) -> Floats | None:
        """The three together."""
        if self.committed is None or self.per_unit is None or self.misbehaviour is None:
            return None
        return self.committed + self.per_unit + self.misbehaviour


def options(sc: Scenario) -> dict[Option, Scenario]:
    """The job on each storage option that somebody described; empty while none has a price.

    Args:
        sc: the job, calibrated; its mode, writers and payload are held.
    """
    if all(sc.number(price) is None for price in PRICES.values()):
        return {}
    found: dict[Option, Scenario] = {"pool": _on_pool(sc)}
    if sc.word("nvme") in ("present", "used") or sc.number("nvme_committed") is not None:
        found["node_local"] = _on_drives(sc)
    if sc.number("remote_write") is not None and sc.number("nodes") is not None:
        found["remote"] = _on_namespaces(sc)
    return found


def _other_path(sc: Scenario) -> Calibration:
    return replace(sc.calibration, save=1.0, stall=1.0, implied=False)


def _on_pool(sc: Scenario) -> Scenario:
    if sc.word("nvme") != "used":
        return sc
    return sc.changed({"nvme": "present", **_NOT_MEASURED}).calibrated(
        replace(sc.calibration, stall=1.0)
    )


def _on_drives(sc: Scenario) -> Scenario:
    if sc.word("nvme") == "used":
        return sc
    return sc.changed({"nvme": "used", **_NOT_MEASURED}).calibrated(
        replace(sc.calibration, stall=1.0)
    )


def _on_namespaces(sc: Scenario) -> Scenario:
    """Every node writes to a namespace of its own: a pool that grows with the nodes.

    It outlives its node, so every copy on it does; its slowest writer counts like a slow drive.
    """
    size = sizes(sc)
    writing = floats(sc.require("nodes")) if size is None else size.writing
    change: dict[str, Value | None] = {
        "nvme": "none",
        "pool_write": _plain(floats(sc.require("remote_write")) * writing),
        "pool_write_basis": "per_writer",
        "tail_of": "nodes",
        "tail_ratio": sc.require("nvme_tail_ratio"),
        "rank_times": None,
        "pool_share": 1.0,
    }
    for name in ("storage_targets", "pool_buffer", "pool_buffer_write", "pool_creates"):
        change[name] = None
    for name in ("client_write", "pool_outages", "pool_other_duty", *_NOT_MEASURED):
        change[name] = None
    return sc.changed(change).calibrated(_other_path(sc))


def _plain(value: Floats) -> Number:
    return float(value) if value.ndim == 0 else value


def bill(option: Option, sc: Scenario) -> Bill:
    """The bill of one option.

    Args:
        option: which one.
        sc: the job on it, from ``options``.
    """
    missing: dict[str, tuple[str, ...]] = {}
    best = _best(sc)
    terms = {
        "committed": _committed(option, sc, missing),
        "per_unit": _per_unit(option, sc, None if best is None else best[0], missing),
        "misbehaviour": _misbehaviour(sc, None if best is None else best[1], missing),
    }
    return Bill(**terms, missing=missing)


def _best(sc: Scenario) -> tuple[Floats, Floats] | None:
    """The best interval and its goodput; None while the save is unknown or never gets out."""
    c = configure(sc)
    if c is None or c.pattern is None or bool(np.any(c.every < 1)):
        return None
    found = best_of(sc, c.pattern, sc.constant("flat_band"))
    return found.interval, found.goodput


def _committed(option: Option, sc: Scenario, missing: dict[str, tuple[str, ...]]) -> Floats | None:
    price, nodes = sc.number(PRICES[option]), sc.number("nodes")
    needs = [PRICES[option]] if price is None else []
    if option != "pool" and nodes is None:
        needs.append("nodes")
    if needs or price is None:
        missing["committed"] = tuple(needs)
        return None
    each = floats(price)
    return each if option == "pool" or nodes is None else each * floats(nodes)


def _per_unit(
    option: Option, sc: Scenario, interval: Floats | None, missing: dict[str, tuple[str, ...]]
) -> Floats | None:
    if option == "remote":
        return floats(0.0)  # its price is that of the whole namespace
    size = sizes(sc)
    names = ("pool_per_tb", "keep") if option == "pool" else _WEAR
    needs = tuple(name for name in names if sc.number(name) is None)
    if size is None:
        needs = (*needs, *(n for n in ("state_total", "nodes") if sc.number(n) is None))
    if needs or size is None or (option == "node_local" and interval is None):
        missing["per_unit"] = needs or ("pool_write",)
        return None
    if option == "pool":
        kept = floats(sc.require("keep")) * size.total / TERABYTE
        return kept * floats(sc.require("pool_per_tb"))
    c = configure(sc)
    assert c is not None  # noqa: S101 - its sizes are known, so it can be configured
    assert interval is not None  # noqa: S101 - checked above
    written = size.fullest * redundancy_bytes(sc) * c.payload.mean * c.payload.left
    used = drive_writes_per_day(written, interval, floats(sc.require("nvme_capacity")))
    price = floats(sc.require("nvme_committed")) * floats(sc.require("nodes"))
    return price * excess(floats(sc.require("nvme_dwpd")), used)


_WEAR = ("nvme_capacity", "nvme_dwpd", "nvme_committed")
"""Facts behind drives that wear out before their time."""


def _misbehaviour(
    sc: Scenario, goodput: Floats | None, missing: dict[str, tuple[str, ...]]
) -> Floats | None:
    cost = cost_per_year(sc)
    needs: list[str] = []
    if goodput is None:
        needs += ["pool_every"] if sc.number("pool_every") == 0 else ["pool_write"]
    if cost is None:
        cpu = sc.number("accelerators_per_node") == 0
        needs.append("node_hour" if cpu else "accelerator_hour")
    if goodput is None or cost is None:
        missing["misbehaviour"] = tuple(n for n in needs if sc.number(n) in (None, 0))
        return None
    return idle_cost(goodput, cost)


def at_scale(sc: Scenario, nodes: Floats) -> Scenario:
    """The same job on more or fewer nodes of the same kind: bytes and failures grow with them.

    Args:
        sc: the job; its nodes and its state are known.
        nodes: any shape.
    """
    size = sizes(sc)
    if size is None:
        return sc
    factor = nodes / size.nodes
    change: dict[str, Value | None] = {
        "nodes": nodes,
        "state_total": size.total * factor,
        "state_per_node": None,
        "parameters": None,
    }
    for name in ("stalled_accelerators", "writing_nodes"):
        now = sc.number(name) if sc.is_given(name) else None
        if now is not None:
            change[name] = floats(now) * factor
    found = interruption_rate(sc)
    if found is not None and found[1]:
        change |= {"job_mtbf": 1 / (found[0] * factor), "interruptions": None, "observed_for": None}
    return sc.changed(change)


def totals_at(sc: Scenario, nodes: Floats) -> dict[Option, Floats]:
    """Total of each option whose bill is complete, on other numbers of nodes.

    Args:
        sc: the job.
        nodes: one-dimensional.
    """
    out: dict[Option, Floats] = {}
    for option, there in options(at_scale(sc, nodes)).items():
        found = _quick(option, there)
        if found is not None:
            out[option] = np.broadcast_to(found, nodes.shape)
    return out


def _quick(option: Option, sc: Scenario) -> Floats | None:
    """The total alone; the best interval is only searched where the bill depends on it."""
    c, cost = configure(sc), cost_per_year(sc)
    if c is None or c.pattern is None or cost is None or bool(np.any(c.every < 1)):
        return None
    missing: dict[str, tuple[str, ...]] = {}
    interval = None
    if option == "node_local" or depends_on_interval(sc):
        best = best_interval(c.pattern, sc.constant("flat_band"))
        interval, goodput = best.interval, best.goodput
    else:
        goodput = best_goodput(c.pattern)
    fixed = _committed(option, sc, missing)
    unit = _per_unit(option, sc, interval, missing)
    if fixed is None or unit is None:
        return None
    return fixed + unit + idle_cost(goodput, cost)
