"""Where a verdict flips: the nearest value of a fact, below and above, that changes it.

Settings are held, waits recomputed. A whole sweep is one vectorised evaluation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from advisor.engine.advice import NoFlip, Threshold
from advisor.engine.conditions import check_limits
from advisor.engine.levers import held_extra
from advisor.engine.pack import Limit, Pack
from advisor.engine.situation import FrameworkFacts, number
from advisor.facts.catalogue import FactSpec
from advisor.facts.scenario import Number, Scenario, Value
from advisor.model.calibrate import calibrate
from advisor.model.failures import rates, restart_time
from advisor.model.job import sizes
from advisor.model.normal import Floats

POINTS = 81
"""Points of a sweep, as the model has it: a flip narrower than a 40th of a decade is not sought."""

DECADES = 2.0
"""How far a sweep goes to each side of the present value."""

_ROUNDS = 3
"""Refinements of a bracket by POINTS each: 7 digits from a sweep of four decades."""

_LIMIT_STEPS = 24
"""Bisections of a limit: 2 decades to 6 digits."""

_MEASURED = ("measured_save", "measured_stall")
"""Facts that are the measured-over-modelled ratio itself."""

Margin = Callable[[Scenario], "Floats | None"]
"""A margin over a scenario whose one fact is an array: above 0 the verdict holds."""


def present_value(sc: Scenario, fact: str) -> float | None:
    """The value a fact has or stands for now: the MTBF behind a count, the total of a share."""
    if fact == "state_total":
        size = sizes(sc)
        return None if size is None else number(size.total)
    if fact == "job_mtbf":
        found = rates(sc, None, None)
        return None if found is None else 1 / float(found.total)
    if fact == "restart_time":
        size = sizes(sc)
        return number(restart_time(sc, None if size is None else size.total))
    return number(sc.number(fact))


def varied(sc: Scenario, fact: str, values: Number) -> Scenario:
    """The same job with one fact at other values, its alternatives following.

    Args:
        sc: a calibrated scenario; the calibration is held unless a measurement itself varies.
        fact: a numeric fact.
        values: any shape, in the unit of its kind.
    """
    change: dict[str, Value | None] = {fact: values}
    if fact == "state_total":
        now = present_value(sc, fact)
        change["parameters"] = None
        for share in ("state_per_node", "state_held_per_node"):
            each = sc.given.get(share)
            if now and each is not None and not isinstance(each, str):
                change[share] = each * (values / now)
    elif fact == "job_mtbf":
        change |= {"interruptions": None, "observed_for": None, "node_mtbf": None}
    elif fact == "restart_time":
        change |= {"detect_time": None, "init_time": None}
    out = sc.changed(change)
    if fact == "pool_write":
        rate = sc.number(fact)
        return out if rate is None else out.calibrated(held_extra(sc, values / rate))
    return calibrate(out) if fact in _MEASURED else out


@dataclass(frozen=True, slots=True)
class SweepRange:
    """The points of a sweep: logarithmic, or linear for ratios."""

    points: Floats
    now: int
    """Index of the present value."""

    logarithmic: bool


def sweep_range(spec: FactSpec, now: float) -> SweepRange:
    """Points to both sides of a value, in the unit of the fact; its own limits end them."""
    low = 0.0 if spec.minimum is None else spec.minimum
    high = np.inf if spec.maximum is None else spec.maximum
    half = POINTS // 2
    if spec.kind == "ratio" and high <= 1:
        below = np.linspace(low, now, half + 1)
        above = np.linspace(now, high, half + 1)
        return SweepRange(np.concatenate([below, above[1:]]), half, False)
    start = max(now / 10**DECADES, low, 1e-12)
    end = min(now * 10**DECADES, high)
    below = np.geomspace(min(start, now), now, half + 1)
    above = np.geomspace(now, max(end, now), half + 1)
    return SweepRange(np.concatenate([below, above[1:]]), half, True)


def _margins(margin: Margin, sc: Scenario, fact: str, points: Floats) -> Floats | None:
    out = margin(varied(sc, fact, points))
    return None if out is None else np.broadcast_to(out, points.shape)


def _refine(
    margin: Margin, sc: Scenario, fact: str, inside: float, outside: float, log: bool
) -> float:
    """The flip between a point where the verdict is as now and one where it is not."""
    for _ in range(_ROUNDS):
        space = np.geomspace if log and inside > 0 and outside > 0 else np.linspace
        points = np.asarray(space(inside, outside, POINTS), dtype=np.float64)
        values = _margins(margin, sc, fact, points)
        if values is None:
            break
        same = (values > 0) == (values[0] > 0)
        first = int(np.argmin(same)) if not same.all() else POINTS - 1
        inside, outside = float(points[max(first - 1, 0)]), float(points[first])
    return outside


def gain_flips(
    margin: Margin, sc: Scenario, facts: Sequence[str]
) -> tuple[tuple[Threshold, ...], tuple[NoFlip, ...]]:
    """For each fact the nearest flip below and above, or the range in which there is none.

    Args:
        margin: above 0 while the verdict holds.
        sc: the job as it is, calibrated.
        facts: numeric facts to look at; unknown ones are passed over.
    """
    flips: list[Threshold] = []
    none: list[NoFlip] = []
    for fact in facts:
        spec, now = sc.catalogue.facts[fact], present_value(sc, fact)
        if now is None or now <= 0:
            continue
        sweep = sweep_range(spec, now)
        values = _margins(margin, sc, fact, sweep.points)
        if values is None:
            continue
        holds = values > 0
        found = False
        changed = holds != holds[sweep.now]
        below, above = np.nonzero(changed[: sweep.now])[0], np.nonzero(changed[sweep.now :])[0]
        sides = []
        if below.size:
            sides.append(("below", int(below[-1]), int(below[-1]) + 1))
        if above.size:
            at = int(above[0]) + sweep.now
            sides.append(("above", at, at - 1))
        for direction, outer, inner in sides:
            at_value = _refine(
                margin,
                sc,
                fact,
                float(sweep.points[inner]),
                float(sweep.points[outer]),
                sweep.logarithmic,
            )
            flips.append(
                Threshold(
                    fact,
                    spec.label,
                    now,
                    at_value,
                    spec.kind,
                    "below" if direction == "below" else "above",
                    "gain",
                )
            )
            found = True
        if not found:
            none.append(
                NoFlip(fact, spec.label, float(sweep.points[0]), float(sweep.points[-1]), spec.kind)
            )
    return tuple(flips), tuple(none)


Planned = Callable[[Scenario], Scenario]
"""Applies a plan, or a part of it, to a job."""


def limit_flips(
    planned: Planned, less: Planned, sc: Scenario, pack: Pack, framework: FrameworkFacts
) -> tuple[Threshold, ...]:
    """Where a limit that one step of the plan must keep would be broken.

    Args:
        planned: applies the whole plan to a job.
        less: applies the plan without the step; a limit it would break too is not the step's.
        sc: the job as it is.
        pack: the limits, with the facts to look at.
        framework: what is known of the framework.
    """

    def broken(plan: Planned, limit: Limit, fact: str, value: float) -> bool:
        job = plan(varied(sc, fact, value))
        return check_limits(job, pack, framework, only=limit.id)[0].broken

    kept = [s.limit for s in check_limits(planned(sc), pack, framework) if s.ok]
    flips: list[Threshold] = []
    for limit in kept:
        for fact in limit.flip:
            spec, now = sc.catalogue.facts[fact], present_value(sc, fact)
            if now is None or now <= 0:
                continue
            sweep = sweep_range(spec, now)
            ends: tuple[tuple[Literal["below", "above"], float], ...] = (
                ("below", float(sweep.points[0])),
                ("above", float(sweep.points[-1])),
            )
            for direction, end in ends:
                if not broken(planned, limit, fact, end) or broken(less, limit, fact, end):
                    continue
                ok, bad = now, end
                for _ in range(_LIMIT_STEPS):
                    middle = float(np.sqrt(ok * bad)) if sweep.logarithmic else (ok + bad) / 2
                    if broken(planned, limit, fact, middle):
                        bad = middle
                    else:
                        ok = middle
                flips.append(Threshold(fact, spec.label, now, bad, spec.kind, direction, "limit"))
    return tuple(flips)
