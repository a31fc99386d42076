"""Which facts a null of the JSON export needs."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.engine.advice import Advice, View
from advisor.report.words import price_fact

_DRAINS = ("pool_async", "local", "local_async")
"""Paths on which the pool copy is written while training goes on."""

_OWN: Mapping[str, tuple[str, ...]] = {
    "goodput_p10": (),
    "goodput_p90": (),
    "save.measured_over_modelled": ("measured_save", "pool_write"),
    "save.path_Bps": ("pool_write",),
    "save.nominal_s": ("pool_write",),
    "save.barrier_p50_s": ("pool_write",),
    "save.barrier_mean_s": ("pool_write",),
    "save.barrier_p99_s": ("pool_write",),
    "save.stall_s": ("pool_write",),
    "save.pool_lag_s": ("pool_write",),
    "required_pool_write_Bps": ("acceptable_pause", "interval"),
    "required_pool_write_p99_Bps": ("acceptable_pause", "interval"),
    "configuration.interval_s": ("interval",),
    "best_interval_s": ("pool_write",),
    "best_pool_every": ("pool_write",),
    "best_goodput": ("pool_write",),
    "flat_band_s": ("pool_write",),
    "host_memory_share": ("host_memory_free",),
    "no_checkpoint_goodput": ("job_length",),
    "simple_required_pool_write_Bps": ("acceptable_pause",),
}
"""Keys that need facts of their own, beside the state and the nodes; the others need all that the
goodput needs."""

_GROUPS: Mapping[str, tuple[str, ...]] = {
    "state_total": ("state_total", "state_per_node", "parameters"),
    "interval": ("interval", "interval_steps"),
    "measured_save": ("measured_save", "measured_stall"),
}
"""Facts that stand in for each other."""


def view_missing(advice: Advice, view: View, key: str) -> list[str]:
    """Facts to find out before a key of ``before`` or ``after`` can be computed.

    Args:
        advice: for what is known.
        view: the configuration the key is about.
        key: dotted, without ``before`` or ``after``.

    Returns:
        Names of facts that are unknown; empty where no fact would help.
    """
    needs = ("state_total", "nodes", *_needs(advice, view, key))
    if key in ("goodput_p10", "goodput_p90"):
        return []
    return [name for name in dict.fromkeys(needs) if not _known(advice, name)]


_PRICES = ("pool_committed", "nvme_committed", "remote_committed")
"""What the storage options cost whatever is written; one of them makes a bill."""


def bill_missing(advice: Advice) -> dict[str, list[str]]:
    """Per term of a bill that is null the facts it needs; without any bill the prices."""
    out = {
        f"bill.{option}.{term}": list(needs)
        for option, line in advice.bill.items()
        for term, needs in line.missing.items()
    }
    return out if advice.bill else {"bill": [n for n in _PRICES if not _known(advice, n)]}


def _needs(advice: Advice, view: View, key: str) -> tuple[str, ...]:
    if key in _OWN:
        return _OWN[key]
    if key.startswith("save.timeout"):
        limit = "drain_timeout" if view.path in _DRAINS else "collective_timeout"
        rest = view.missing.get("goodput", ()) if key.endswith("per_year") else ()
        return (limit, "pool_write", *rest)
    if key == "idle_cost_per_year" and view.cost_per_year is None:
        return (price_fact(advice), *view.missing.get("goodput", ()))
    if key in ("configuration.writers", "configuration.redundancy", "configuration.payload"):
        return ()
    return tuple(view.missing.get("goodput", ()))


def _known(advice: Advice, name: str) -> bool:
    names = _GROUPS.get(name, (name,))
    return any(n in advice.facts and advice.facts[n].value is not None for n in names)
