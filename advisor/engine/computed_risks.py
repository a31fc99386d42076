"""Values computed about what can go wrong: space, time-outs, notices, evidence, framework."""

from __future__ import annotations

from math import ceil

from advisor.engine.computed_job import (
    STATE,
    Get,
    all_needs,
    measured,
    period,
    save_bytes,
    save_needs,
    size,
    stall,
    value,
    writers_rate,
)
from advisor.engine.framework_words import marked
from advisor.engine.situation import Situation, number
from advisor.facts.scenario import Scenario
from advisor.model.configuration import path_of
from advisor.model.job import writers_measured
from advisor.model.payload import payload
from advisor.model.save_time import redundancy_bytes


def drains(sc: Scenario) -> bool:
    """Whether the pool copy is made in the background."""
    return path_of(sc) not in ("pool", "local_with_save")


def limit_name(sc: Scenario) -> str:
    """The time-out that counts for a save to the pool."""
    return "drain_timeout" if drains(sc) else "collective_timeout"


def timeout_needs(sc: Scenario) -> tuple[str, ...]:
    """Facts behind the number of saves that outlast their time-out."""
    return (*all_needs(sc), limit_name(sc))


def notice_needs(sc: Scenario) -> tuple[str, ...]:
    """Facts behind the time an emergency save needs."""
    return (*save_needs(sc), "mode")


def flags_needs(sc: Scenario) -> tuple[str, ...]:
    """Facts behind whether the flags work in this version."""
    return ("framework", "framework_settings")


def usable_share(s: Situation) -> float:
    """Fill level from which this kind of pool is as good as full."""
    kind = s.scenario.word("pool_kind") or "other"
    name = "usable_object" if kind.startswith("object") else f"usable_{kind}"
    constants = s.scenario.catalogue.constants
    return constants[name if name in constants else "usable_other"].value


def usable_free(s: Situation) -> float | None:
    """Free space up to the level at which this kind of pool is as good as full."""
    free = number(s.scenario.number("pool_free"))
    return None if free is None else free * usable_share(s)


def fill_saves(s: Situation) -> float | None:
    """Whole saves that fit into the usable free space."""
    free, total = usable_free(s), save_bytes(s)
    return None if free is None or total is None else float(int(free / total))


def fill_time(s: Situation) -> float | None:
    """Time until the pool is as good as full."""
    saves, wall = fill_saves(s), period(s)
    return None if saves is None or wall is None else saves * wall


def copies_kept(s: Situation) -> float | None:
    """Copies the run leaves: those kept, or every save of the run where no number is known."""
    sc = s.scenario
    keep, length = number(sc.number("keep")), number(sc.number("job_length"))
    tau = number(s.estimate.interval)
    written = None if length is None or not tau else float(ceil(length / tau))
    known = [count for count in (keep, written) if count is not None]
    return min(known) if known else None


def copies_needs(sc: Scenario) -> tuple[str, ...]:
    """What decides the copies kept: how many are kept, once the state is known."""
    return (*STATE, "keep")


def retained(s: Situation) -> float | None:
    """Bytes of all copies that are left."""
    kept, total = copies_kept(s), save_bytes(s)
    return None if kept is None or total is None else kept * total


def kept_span(s: Situation) -> float | None:
    """Age of the oldest copy, in work: copies kept times the interval."""
    keep, tau = number(s.scenario.number("keep")), number(s.estimate.interval)
    return None if keep is None or tau is None else keep * tau


def size_ratio(s: Situation) -> float | None:
    """Size on disk over the size computed."""
    disk, total = number(s.scenario.number("size_on_disk")), save_bytes(s)
    if disk is None or total is None:
        return None
    return number(disk / (total * payload(s.scenario).left))


def page_cache_share(s: Situation) -> float | None:
    """Measured rate over what the links or 1.2 times the pool can move."""
    taken, total = measured(s), save_bytes(s)
    limits = [limit for limit in (writers_rate(s), _rated_pool(s)) if limit is not None]
    c = s.estimate.configuration
    if not taken or total is None or not limits or c is None:
        return None
    return total * float(c.payload.mean * c.payload.left) / taken / min(limits)


def _rated_pool(s: Situation) -> float | None:
    """The pool's rate as typed, with the margin that measurement noise needs."""
    rate = number(s.scenario.number("pool_write"))
    return None if rate is None else rate * s.scenario.constant("page_cache_factor")


def timeout_probability(s: Situation) -> float | None:
    """Chance that a save outlasts its time-out."""
    if _no_limit(s):
        return 0.0
    c = s.estimate.configuration
    return None if c is None else number(c.kill)


def timeouts_per_year(s: Situation) -> float | None:
    """Saves a year that outlast their time-out; none where the framework sets no limit."""
    return 0.0 if _no_limit(s) else number(s.estimate.timeouts_per_year)


def _no_limit(s: Situation) -> bool:
    """Whether the framework file says that nothing limits a background save."""
    found = s.framework.capability("async")
    return (
        drains(s.scenario)
        and s.scenario.number("drain_timeout") is None
        and found is not None
        and found.status != "none"
    )


def timeout_limit(s: Situation) -> float | None:
    """Time-out that counts for a save."""
    return number(s.scenario.number(limit_name(s.scenario)))


def timeout_bound(s: Situation) -> str:
    """How the number of time-outs is meant.

    A rate with the slowest writer inside says nothing of the spread, and in a sharded synchronous
    save the fast writers wait only for the spread.
    """
    sc = s.scenario
    sharded = sc.word("writers") != "one" and not drains(sc)
    return "at most" if sharded and not writers_measured(sc) else "on average"


def failover_time(s: Situation) -> float | None:
    """Fail-over time of a pool whose kind is known."""
    sc = s.scenario
    given = sc.is_given("pool_failover") or sc.word("pool_kind") is not None
    return number(sc.number("pool_failover")) if given else None


def notice_needed(s: Situation) -> float | None:
    """Notice that a step and a whole save to the pool need, with a factor of safety."""
    c, sc = s.estimate.configuration, s.scenario
    if c is None or c.pool is None:
        return None
    step = number(sc.number("step_time")) or 0.0
    save = (number(c.pool.mean) or 0.0) + (number(c.overhead) or 0.0)
    return sc.constant("notice_factor") * (step + save)


def notice_state(s: Situation) -> str:
    """Why an announced interruption still loses work."""
    unused = s.scenario.word("notice_handled") != "yes"
    return "nothing is done with it" if unused else "it comes too late for a save"


def local_copies(s: Situation) -> float | None:
    """Node-local bytes a node needs: a new copy is written before the old one goes."""
    fullest = value(s, size("fullest"))
    if fullest is None:
        return None
    return number(s.scenario.constant("copies_on_hand") * fullest * redundancy_bytes(s.scenario))


def status(capability: str) -> Get:
    """What the framework in use has of a capability."""
    return lambda s: s.framework.status(capability)


def native(capability: str) -> Get:
    """Whether this framework version has a capability of its own; None while none is named."""

    def get(s: Situation) -> str | None:
        if s.scenario.word("framework") is None:
            return None
        return "no" if s.framework.status(capability) in ("none", "external") else "yes"

    return get


def alternative(capability: str) -> Get:
    """The nearest thing to a capability that the version has not; None where nothing is known."""

    def get(s: Situation) -> str | None:
        found = s.framework.capability(capability)
        return None if found is None else marked(found.alternative or found.what, found.read)

    return get


def framework_title(s: Situation) -> str | None:
    """Name of the framework."""
    f = s.framework.framework
    return None if f is None else f.title


def stall_over_mtbf(s: Situation) -> float | None:
    """Stall over the time between interruptions."""
    c, blocked = s.estimate.configuration, stall(s)
    rate = None if c is None else number(c.rates.soft + c.rates.hard)
    return None if rate is None or blocked is None else blocked * rate
