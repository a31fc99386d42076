"""The changes of what a save writes: chains of increments, and compression."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from advisor.facts.scenario import Scenario, Value
from advisor.model.configuration import configure
from advisor.model.failures import full_load
from advisor.model.payload import Chain, best_chain

Settings = Mapping[str, "Value | None"]

_NOT_MEASURED: Settings = {"measured_stall": None, "measured_save": None}
"""Measurements of the old configuration do not describe the new one."""


def chain_for(sc: Scenario) -> Chain | None:
    """The best chain of increments for one job, first order; None while its save is unknown.

    What a full save costs is its stall and what its drain slows; what a restart reads is at most
    the whole restart.
    """
    c = configure(sc.changed({"full_every": 1.0}))
    changed = sc.number("changed_fraction")
    if c is None or c.pattern is None or changed is None:
        return None
    p, rate = c.pattern, float(c.rates.soft + c.rates.hard)
    save = float(p.stall + p.pool_stall / p.every + p.pool_slowdown * p.pool_lag / p.every)
    restart = float(p.hard_restart)
    load = full_load(sc, c.sizes.total)
    if load is not None and sc.word("restart_reads") == "one_replica":
        load = load / np.asarray(sc.require("replicas"))
    read = restart if load is None else min(float(load), restart)
    return best_chain(
        1 / rate if rate > 0 else np.inf,
        save,
        read,
        float(changed),
        longest=int(sc.constant("longest_chain")),
    )


def incremental(sc: Scenario) -> Settings:
    """Increments between full saves, at the chain length with the least loss; {} for none."""
    chain = chain_for(sc)
    if chain is None or chain.every < 2:
        return {}
    return {"full_every": float(chain.every), **_NOT_MEASURED}


def compression(sc: Scenario) -> Settings:
    """Compressed saves with the published share left; {} while the codec's rate is unknown."""
    if sc.number("compress_rate") is None:
        return {}
    return {"compressed_fraction": sc.constant("compressible_fraction"), **_NOT_MEASURED}
