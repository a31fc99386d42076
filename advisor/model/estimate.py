"""The estimate of one configuration: goodput, losses, save, requirement, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from advisor.facts.scenario import Scenario
from advisor.model.best import best_of
from advisor.model.configuration import Configuration, configure, work_interval
from advisor.model.job import floats, year_seconds
from advisor.model.lost_work import Shares, without_checkpoints
from advisor.model.money import cost_per_year, idle_cost
from advisor.model.normal import Floats
from advisor.model.optimum import Best
from advisor.model.short_jobs import shares_at
from advisor.model.waits import Waits, waits


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a configuration gives; every field is None while something it needs is unknown.

    Attributes:
        configuration: what the configuration sets.
        interval: work between two saves, s.
        shares: goodput and the four losses.
        waits: waits for earlier copies, and lags.
        best: best interval with its flat band.
        ceiling: goodput no storage can exceed.
        no_checkpoint: goodput of the whole job without periodic saves.
        interruptions_per_year: per 8760 x duty hours.
        rework_per_interruption: s.
        saves_per_year: per 8760 x duty hours.
        pool_duty: share of the time this job (and the others told of) use the pool.
        host_memory_share: bytes staged over host memory free.
        cost_per_year: price of everything that waits, dollars.
        idle_cost_per_year: dollars.
        timeouts_per_year: saves killed by a time-out.
        missing: per field left None, the facts it needs.
    """

    configuration: Configuration | None = None
    interval: Floats | None = None
    shares: Shares | None = None
    waits: Waits | None = None
    best: Best | None = None
    ceiling: Floats | None = None
    no_checkpoint: Floats | None = None
    interruptions_per_year: Floats | None = None
    rework_per_interruption: Floats | None = None
    saves_per_year: Floats | None = None
    pool_duty: Floats | None = None
    host_memory_share: Floats | None = None
    cost_per_year: Floats | None = None
    idle_cost_per_year: Floats | None = None
    timeouts_per_year: Floats | None = None
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


STATE = ("state_total", "state_per_node", "parameters")
"""The alternatives of the state: knowing one is enough."""


def missing_basics(sc: Scenario) -> tuple[str, ...]:
    """Facts without which nothing can be computed: the state and the nodes."""
    out: list[str] = []
    if all(sc.number(name) is None for name in STATE):
        out.append(STATE[0])
    if sc.number("nodes") is None:
        out.append("nodes")
    return tuple(out)


def missing_interval(sc: Scenario) -> tuple[str, ...]:
    """Facts without which the present interval is unknown."""
    if sc.number("interval") is not None:
        return ()
    if sc.number("interval_steps") is not None:
        return () if sc.number("step_time") is not None else ("step_time",)
    return ("interval",)


def estimate(sc: Scenario, *, with_best: bool = True) -> Estimate:
    """Evaluate one calibrated scenario, or many with the same choices at once.

    Args:
        sc: numbers may be arrays of one common shape; choices are shared.
        with_best: also search the best interval (the slowest part).

    Returns:
        The estimate; nothing is invented for what is unknown.
    """
    basics = missing_basics(sc)
    c = configure(sc)
    if basics or c is None:
        return Estimate(missing={"goodput": basics + missing_interval(sc)})
    year = year_seconds(sc) * floats(sc.require("duty"))
    missing: dict[str, tuple[str, ...]] = {}
    cost = cost_per_year(sc)
    length = sc.number("job_length")
    free = sc.number("host_memory_free")
    held = c.sizes.held * floats(sc.require("host_copies"))
    base = Estimate(
        configuration=c,
        interruptions_per_year=c.rates.total * year,
        no_checkpoint=without_checkpoints(floats(length), c.rates.total, c.rates.hard_restart)
        if length is not None
        else None,
        host_memory_share=held / floats(free) if free is not None else None,
        cost_per_year=cost,
    )
    if length is None:
        missing["no_checkpoint_goodput"] = ("job_length",)
    if free is None:
        missing["host_memory_share"] = ("host_memory_free",)
    tau = work_interval(sc, c.pattern)
    if c.pattern is None:
        missing["goodput"] = ("pool_write", *missing_interval(sc))
        return _with(base, interval=tau, missing=missing)
    if bool(np.any(c.every < 1)):
        # No copy ever reaches the pool: a hard failure loses all work, so nothing is steady.
        # What the hard interruptions alone leave of the job is then its ceiling.
        missing["goodput"] = ("pool_every",)
        if length is None:
            return _with(base, interval=tau, missing=missing)
        top = without_checkpoints(floats(length), c.rates.hard, c.rates.hard_restart)
        return _with(base, interval=tau, no_checkpoint=top, ceiling=top, missing=missing)
    best = best_of(sc, c.pattern, sc.constant("flat_band")) if with_best else None
    if tau is None:
        missing["goodput"] = missing_interval(sc)
        return _with(base, best=best, missing=missing)
    return _steady(sc, base, c, tau, best, missing, year)


def _steady(
    sc: Scenario,
    base: Estimate,
    c: Configuration,
    tau: Floats,
    best: Best | None,
    missing: Mapping[str, tuple[str, ...]],
    year: Floats,
) -> Estimate:
    assert c.pattern is not None  # noqa: S101 - narrowed by the caller
    found = shares_at(sc, c, tau)
    w = waits(c.pattern, tau)
    between = c.pattern.every * w.segment + w.pool_stall
    busy = c.pool_lag if c.pool_lag is not None and not c.stalls_on_pool else None
    if busy is None and c.usual is not None:
        busy = c.usual.mean
    others = sc.number("pool_other_duty")
    duty = (
        None
        if busy is None
        else busy / between + (floats(0.0) if others is None else floats(others))
    )
    failures = c.rates.soft + c.rates.hard
    saves = found.goodput / tau * year
    return _with(
        base,
        interval=tau,
        shares=found,
        waits=w,
        best=best,
        ceiling=1 - found.restart,
        rework_per_interruption=np.where(
            failures > 0, found.rework / np.where(failures > 0, failures, 1.0), 0.0
        ),
        saves_per_year=saves,
        pool_duty=duty,
        idle_cost_per_year=None
        if base.cost_per_year is None
        else idle_cost(found.goodput, base.cost_per_year),
        timeouts_per_year=None if c.kill is None else c.kill * saves / c.pattern.every,
        missing=missing,
    )


def _with(base: Estimate, **fields: object) -> Estimate:
    from dataclasses import replace

    return replace(base, **fields)  # type: ignore[arg-type]  # fields are those of Estimate
