"""From a situation with arrays to the plain figures of an advice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from advisor.engine.advice import BestTogether, ClockIntervals, Loss, SaveFigures, View
from advisor.engine.curves import goodput_curve, save_tail
from advisor.engine.situation import Situation, number
from advisor.engine.uncertainty import Range
from advisor.model.configuration import Configuration
from advisor.model.payload import is_chain, is_compressed
from advisor.model.simulate import simulate
from advisor.model.tiers import best_tiers
from advisor.model.validity import closed_form_holds
from advisor.model.waits import period


def view(s: Situation, *, tiers: bool = True) -> View:
    """One configuration in figures; what is unknown is None and named in ``missing``.

    Args:
        s: the configuration, evaluated.
        tiers: False leaves out the best interval and k of two tiers together, a long search.
    """
    e, sc, c = s.estimate, s.scenario, s.estimate.configuration
    missing = dict(e.missing)
    pause = number(sc.number("acceptable_pause"))
    total = None if c is None else number(c.sizes.total)
    required, p99 = s.required, s.required_p99
    never = c is not None and bool(np.any(c.every < 1))
    needed = required is not None and bool(required.because) and not never
    if pause is None:
        missing["simple_required_pool_write_Bps"] = ("acceptable_pause",)
    best = e.best
    both = _together(s) if tiers else None
    shares = e.shares
    return View(
        writers=sc.word("writers"),
        path=None if c is None else c.path,
        payload=_payload(s),
        redundancy=sc.word("redundancy") if sc.word("nvme") == "used" else "none",
        interval=number(e.interval),
        pool_every=None if c is None else number(c.every),
        goodput=None if shares is None else number(shares.goodput),
        ceiling=number(e.ceiling),
        no_checkpoint_goodput=number(e.no_checkpoint),
        best_interval=None if best is None else number(best.interval),
        best_pool_every=_best_every(s, both) if tiers else None,
        best_goodput=None if best is None else number(best.goodput),
        flat_band=None if best is None else (float(best.band_low), float(best.band_high)),
        best_together=both,
        clock=_clock(s),
        loss=None
        if shares is None
        else Loss(
            float(shares.stall), float(shares.drain), float(shares.restart), float(shares.rework)
        ),
        save=SaveFigures() if c is None else _save(s, c),
        required_pool_write=number(required.rate) if needed and required is not None else None,
        required_pool_write_p99=number(p99.rate)
        if needed and p99 is not None and p99.because
        else None,
        simple_required_pool_write=total / pause if pause and total is not None else None,
        required_because=() if required is None else required.because,
        required_feasible=required is None or required.feasible,
        required_short={} if required is None else required.short,
        required_as_measured=() if required is None else required.as_measured,
        interruptions_per_year=number(e.interruptions_per_year),
        rework_per_interruption=number(e.rework_per_interruption),
        pool_duty=number(e.pool_duty),
        host_memory_share=number(e.host_memory_share),
        idle_cost_per_year=number(e.idle_cost_per_year),
        cost_per_year=number(e.cost_per_year),
        no_interval_helps=no_interval_helps(s),
        curve=goodput_curve(s),
        tail=save_tail(s),
        missing=missing,
    )


def no_interval_helps(s: Situation) -> bool:
    """Whether even the best interval keeps no more than the width of the flat band.

    Every interval is then within the band, and "as good as the best" says nothing.
    """
    best = s.estimate.best
    return best is not None and float(best.goodput) <= s.scenario.constant("flat_band")


def _best_every(s: Situation, both: BestTogether | None) -> float | None:
    """The k of the best of both tiers together, 1 for one tier."""
    if s.estimate.best is None:
        return None
    return 1.0 if both is None else both.pool_every


def _together(s: Situation) -> BestTogether | None:
    """Best interval and k together, None without two tiers."""
    c = s.estimate.configuration
    if c is None or c.pattern is None or s.estimate.best is None or not c.path.startswith("local"):
        return None
    found = best_tiers(c.pattern, s.scenario.constant("flat_band"))
    best = found.best
    return BestTogether(
        interval=float(best.interval),
        pool_every=float(found.every),
        goodput=float(best.goodput),
        flat_band=(float(best.band_low), float(best.band_high)),
    )


def with_range(figures: View, found: Range | None) -> View:
    """The same figures with the 10 and 90 % points of the goodput over the samples."""
    if found is None or figures.goodput is None:
        return figures
    return replace(figures, goodput_p10=found.p10, goodput_p90=found.p90)


def _clock(s: Situation) -> ClockIntervals | None:
    """Intervals by the clock: the work between saves with the stall and the drag in it."""
    c, best = s.estimate.configuration, s.estimate.best
    if s.scenario.word("interval_basis") != "clock" or s.scenario.number("interval") is None:
        return None
    if c is None or c.pattern is None or best is None:
        return None
    ends = [float(period(c.pattern, v)) for v in (best.interval, best.band_low, best.band_high)]
    return ClockIntervals(number(s.scenario.number("interval")), ends[0], (ends[1], ends[2]))


SIMULATED_MTBFS = 200.0
"""Length of a simulated run in times between interruptions: the ends then do not count."""

REPLICAS = 500
"""Simulated runs: the mean is then known to a few hundredths of a point, in about 0.1 s."""

MOST_INTERRUPTIONS = 1000.0
"""Interruptions of one run at the most, where they come faster than patterns."""

MOST_SAVES = 20_000.0
"""Saves of one run at the most, where they come far faster than interruptions: half a second."""

LEAST_INTERRUPTIONS = 20.0
"""Interruptions that a run must have for its mean to say anything."""


def with_simulation(figures: View, s: Situation) -> View:
    """The same figures with the simulated goodput beside them where the closed form is off."""
    c, tau = s.estimate.configuration, number(s.estimate.interval)
    if figures.goodput is None or c is None or c.pattern is None or tau is None:
        return figures
    if bool(np.all(closed_form_holds(c.pattern, tau))):
        return figures
    between = float(period(c.pattern, tau))
    pattern_time = between * float(c.every)
    # A save that a time-out kills interrupts too.
    kills = 0.0 if c.kill is None else float(c.kill) / pattern_time
    gap = 1 / (float(c.rates.soft + c.rates.hard) + kills)
    length = min(SIMULATED_MTBFS * max(gap, pattern_time), MOST_INTERRUPTIONS * gap)
    length = min(length, MOST_SAVES * between)
    if length < LEAST_INTERRUPTIONS * gap:
        return figures
    found = simulate(c.pattern, tau, until=length, replicas=REPLICAS)
    return replace(figures, simulated_goodput=(max(found.low, 0.0), min(found.high, 1.0)))


def _payload(s: Situation) -> str:
    kinds = []
    if is_chain(s.scenario):
        kinds.append("incremental")
    if is_compressed(s.scenario):
        kinds.append("compressed")
    return "_".join(kinds) or "as_is"


def _save(s: Situation, c: Configuration) -> SaveFigures:
    e, sc = s.estimate, s.scenario
    w = e.waits
    names = ("measured_save", "measured_stall", "rank_times")
    measured = any(sc.is_given(name) for name in names)
    mean = None if c.pool is None else number(c.pool.mean)
    wait = (
        None
        if w is None
        else float(np.asarray(w.local_wait)) + float(np.asarray(w.pool_wait)) / float(c.every)
        if float(c.every) >= 1
        else None
    )
    return SaveFigures(
        bytes_total=number(c.sizes.total),
        path_rate=float(c.sizes.total) / mean if mean else None,
        nominal=None if c.pool is None else number(c.pool.nominal),
        barrier_p50=None if c.pool is None else number(c.pool.p50),
        barrier_mean=mean,
        barrier_p99=None if c.pool is None else number(c.pool.p99),
        stall=number(c.stall),
        pool_lag=number(c.pool_lag),
        local_lag=number(c.local_lag),
        wait=wait,
        measured_over_modelled=number(sc.calibration.save)
        if measured and c.pool is not None and not sc.calibration.implied
        else None,
        timeout_probability=number(c.kill),
        timeouts_per_year=number(e.timeouts_per_year),
    )
