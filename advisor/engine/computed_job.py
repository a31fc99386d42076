"""Values computed for the job as it is: sizes, rates, times, shares and the interval."""

from __future__ import annotations

from collections.abc import Callable
from math import isinf, sqrt

from advisor.engine.situation import Situation, number
from advisor.facts.scenario import Scenario
from advisor.model.calibrate import measured_barrier
from advisor.model.configuration import path_of
from advisor.model.failures import interruption_rate
from advisor.model.job import accelerators, has_stream_limit, pool_rate, total_bytes
from advisor.model.payload import given_interval

Get = Callable[[Situation], "float | str | None"]
"""How a computed value is read from a situation."""

STATE = ("state_total", "nodes")
"""Facts behind every size."""


def save_needs(sc: Scenario) -> tuple[str, ...]:
    """Facts behind the time of a save: one stream per node needs no rate of the pool."""
    return STATE if has_stream_limit(sc) else (*STATE, "pool_write")


def tier_needs(sc: Scenario) -> tuple[str, ...]:
    """Facts behind the best of two tiers."""
    return (*save_needs(sc), "mode", "nvme")


def all_needs(sc: Scenario) -> tuple[str, ...]:
    """Facts behind the goodput."""
    return (*save_needs(sc), "interval", "mode", "nvme")


def cost_needs(sc: Scenario) -> tuple[str, ...]:
    """Facts behind a price of lost time: of accelerators, or of nodes without any."""
    waiting = number(accelerators(sc))
    return (*all_needs(sc), "node_hour" if waiting == 0 else "accelerator_hour")


def share(name: str) -> Get:
    """One of the shares of the time."""

    def get(s: Situation) -> float | None:
        found = s.estimate.shares
        return None if found is None else number(getattr(found, name))

    return get


def figure(name: str) -> Get:
    """One field of the estimate."""

    def get(s: Situation) -> float | None:
        return number(getattr(s.estimate, name))

    return get


def best(name: str) -> Get:
    """One field of the best interval."""

    def get(s: Situation) -> float | None:
        found = s.estimate.best
        return None if found is None else number(getattr(found, name))

    return get


def pool(name: str) -> Get:
    """One time of a save to the pool."""

    def get(s: Situation) -> float | None:
        c = s.estimate.configuration
        return None if c is None or c.pool is None else number(getattr(c.pool, name))

    return get


def size(name: str) -> Get:
    """One size or count of a save."""

    def get(s: Situation) -> float | None:
        c = s.estimate.configuration
        return None if c is None else number(getattr(c.sizes, name))

    return get


def save_bytes(s: Situation) -> float | None:
    """Bytes of one save, also while the nodes are unknown."""
    return number(total_bytes(s.scenario))


def value(s: Situation, get: Get) -> float | None:
    """A computed number, None where it is unknown or not a number."""
    found = get(s)
    return found if isinstance(found, float) else None


def staged(s: Situation) -> float | None:
    """Bytes of host memory that saves in flight take on a node."""
    held, copies = value(s, size("held")), number(s.scenario.number("host_copies"))
    return None if held is None or copies is None else held * copies


def stall(s: Situation) -> float | None:
    """Stall of a save with the wait for the local copy before it.

    A stall that was measured stands on its own while the rest of the job is unknown.
    """
    c, w = s.estimate.configuration, s.estimate.waits
    if c is None or c.stall is None:
        return _measured_stall(s.scenario)
    wait = 0.0 if w is None else number(w.local_wait) or 0.0
    return (number(c.stall) or 0.0) + wait


def _measured_stall(sc: Scenario) -> float | None:
    """Stall as measured, or the whole measured save of a job that waits for the pool."""
    seen = sc.number("measured_stall")
    if seen is None and path_of(sc) == "pool":
        seen = sc.number("measured_save")
    return number(seen)


def rated_stall(s: Situation) -> float | None:
    """Mean synchronous save to the pool at the rates given, overhead included."""
    c = s.estimate.configuration
    mean = modelled_mean(s)
    return None if c is None or mean is None else mean + (number(c.overhead) or 0.0)


def async_stall(s: Situation) -> float | None:
    """Stall an asynchronous save would leave: the copy to host memory, and the plan before it."""
    held, rate = value(s, size("held")), number(s.scenario.number("snapshot_rate"))
    if held is None or not rate:
        return None
    plans = s.scenario.word("plans_before_return") == "yes"
    return held / rate + (number(s.scenario.number("save_overhead")) or 0.0 if plans else 0.0)


def drain(s: Situation) -> float | None:
    """Time until the pool copy is complete."""
    c = s.estimate.configuration
    return None if c is None else number(c.pool_lag)


def slowdown(s: Situation) -> float | None:
    """Share of training speed lost while a copy drains, the shared network included."""
    c = s.estimate.configuration
    return None if c is None else number(c.slowdown)


def drain_cost(s: Situation) -> float | None:
    """Training lost to one drain: share of speed lost times its length."""
    slower, lasts = slowdown(s), drain(s)
    return None if slower is None or lasts is None else slower * lasts


def wait(s: Situation) -> float | None:
    """Wait of a save for the copy before it."""
    w = s.estimate.waits
    return None if w is None else max(number(w.local_wait) or 0.0, number(w.pool_wait) or 0.0)


def period(s: Situation) -> float | None:
    """Wall time from save to save."""
    e = s.estimate
    if e.waits is None or e.configuration is None:
        return None
    every = number(e.configuration.every) or 1.0
    return (number(e.waits.segment) or 0.0) + (number(e.waits.pool_stall) or 0.0) / every


def modelled_mean(s: Situation) -> float | None:
    """Mean save to the pool by the model alone, whatever was measured."""
    c, ratio = s.estimate.configuration, number(s.scenario.calibration.save)
    mean = None if c is None or c.usual is None else number(c.usual.mean)
    return None if mean is None or not ratio else mean / ratio


def measured(s: Situation) -> float | None:
    """Measured time of a save to the pool: typed, or a synchronous stall less its overhead."""
    return number(measured_barrier(s.scenario))


def modelled(s: Situation) -> float | None:
    """What the model says for the save that was measured."""
    taken, ratio = measured(s), measured_over_modelled(s)
    if taken is None or ratio is None:
        return modelled_mean(s)
    return taken / ratio if ratio > 0 else None


def measured_over_modelled(s: Situation) -> float | None:
    """Measured save over the modelled one; only where the pool's save was measured."""
    implied = s.scenario.calibration.implied
    if implied or measured(s) is None or value(s, pool("mean")) is None:
        return None
    return number(s.scenario.calibration.save)


def interval_now(s: Situation) -> float | None:
    """Useful work between saves; as given while the rest of the job is unknown."""
    found = number(s.estimate.interval)
    return number(given_interval(s.scenario)) if found is None else found


def mtbf(s: Situation) -> float | None:
    """Time between unannounced interruptions; between all of them while the state is unknown."""
    c, found = s.estimate.configuration, interruption_rate(s.scenario)
    if c is not None:
        rate = number(c.rates.soft + c.rates.hard)
    else:
        rate = None if found is None else number(found[0])
    return None if not rate else 1 / rate


def first_order_interval(s: Situation) -> float | None:
    """Young's interval for the stall: sqrt(2 s M) (CACM 17(9), 1974)."""
    stalled, between = stall(s), mtbf(s)
    return None if stalled is None or between is None else sqrt(2 * stalled * between)


def first_order_excess(s: Situation) -> float | None:
    """Compute lost at the present interval over that at Young's: s/tau + tau/2M, to first order."""
    stalled, now, between = stall(s), interval_now(s), mtbf(s)
    if stalled is None or not now or between is None:
        return None
    return stalled / now + now / (2 * between) - sqrt(2 * stalled / between)


def first_order_needs(sc: Scenario) -> tuple[str, ...]:
    """Facts behind Young's interval: how often, then how long."""
    return ("nodes",) if interruption_rate(sc) is None else save_needs(sc)


def delivered(s: Situation) -> float | None:
    """Rate the pool delivers to this job."""
    return number(pool_rate(s.scenario))


def path_rate(s: Situation) -> float | None:
    """Rate at which the bytes of a save get through pool and links, tail left out."""
    c = s.estimate.configuration
    if c is None or c.pool is None:
        return None
    data = (number(c.pool.nominal) or 0.0) - (number(c.sizes.creates) or 0.0)
    total = number(c.sizes.total)
    return None if total is None or data <= 0 else total / data


def writers_rate(s: Situation) -> float | None:
    """Rate at which the writing nodes together can send; None where nothing limits them."""
    c = s.estimate.configuration
    limit = None if c is None else number(c.sizes.writing * c.sizes.node_limit)
    return None if limit is None or isinf(limit) else limit


def crossover(s: Situation) -> float | None:
    """Nodes from which the drives together beat the pool: pool rate over drive rate of a node."""
    rate, drive = delivered(s), number(s.scenario.number("nvme_write"))
    return None if rate is None or not drive else rate / drive


def required(s: Situation) -> float | None:
    """Rate the configuration needs from the pool."""
    r = s.required
    return None if r is None or not r.feasible or not r.because else number(r.rate)


def plain_required(s: Situation) -> float | None:
    """Bytes of a save over the pause that is accepted."""
    pause, total = number(s.scenario.number("acceptable_pause")), save_bytes(s)
    return None if not pause or total is None else total / pause


def interval_cost(s: Situation) -> float | None:
    """Goodput lost against the best interval."""
    top, now = value(s, best("goodput")), value(s, share("goodput"))
    return None if top is None or now is None else top - now


def interval_cost_per_year(s: Situation) -> float | None:
    """The same in dollars a year."""
    lost, price = interval_cost(s), number(s.estimate.cost_per_year)
    return None if lost is None or price is None else lost * price


def waiting(s: Situation) -> float | None:
    """Accelerators that wait while the job waits."""
    return number(accelerators(s.scenario))
