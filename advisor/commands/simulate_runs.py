"""What ``ckpt-advisor simulate`` runs: the job now, and the job after the plan."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from advisor.engine.advice import Advice
from advisor.engine.levers import LEVERS
from advisor.engine.situation import Situation, number
from advisor.facts.scenario import Scenario
from advisor.model.arrivals import Failures
from advisor.model.estimate import estimate
from advisor.model.lost_work import goodput
from advisor.model.pattern import Pattern
from advisor.model.simulate import Simulated, steps
from advisor.model.validity import closed_form_holds, left_out
from advisor.model.waits import period

INTERRUPTIONS = 200
"""Interruptions of one run unless a time is asked for: enough that its two ends do not count."""

PATTERNS = 20
"""Saves to the pool that one run lasts at least, for jobs that hardly fail or hardly save."""

MOST_INTERRUPTIONS = 20_000
"""Interruptions of one run at most, for jobs that fail long before a pool save: nothing is left."""

CLUSTER_GAP = 600.0
"""Mean time to the second failure of a cluster, s: a node that comes back and fails again."""


@dataclass(frozen=True, slots=True)
class Order:
    """What was asked for.

    Attributes:
        replicas: runs side by side.
        seconds: of each run; None for ``INTERRUPTIONS`` of them.
        seed: of the random numbers.
        shape: of the Weibull gaps, 1 for Poisson.
        cluster: chance that a failure is followed by another one soon.
    """

    replicas: int
    seconds: float | None
    seed: int
    shape: float
    cluster: float


@dataclass(slots=True)
class Case:
    """One configuration: what is compared, and what came out.

    Attributes:
        name: "now" or "after the plan".
        pattern: what is simulated, without the terms that are left out.
        interval: work between two saves, s.
        closed: the closed form of that pattern.
        whole: the closed form with every term.
        without: the terms left out, for people.
        until: simulated seconds per run.
        result: None until the first runs are complete.
        took: seconds of computing.
    """

    name: str
    pattern: Pattern
    interval: float
    closed: float
    whole: float
    without: tuple[str, ...]
    until: float
    failures: Failures
    result: Simulated | None = None
    took: float = 0.0
    estimated: float = 0.0
    holds: bool = True


@dataclass(frozen=True, slots=True)
class Cases:
    """The configurations, and why one of them is not there."""

    cases: tuple[Case, ...]
    remark: str = ""
    missing: tuple[str, ...] = field(default=())


def cases_of(advice: Advice, now: Situation, order: Order) -> Cases:
    """What to simulate for a job and its plan.

    Args:
        advice: of the job.
        now: the job as it is.
        order: what was asked for.
    """
    first = _case("now", now.scenario, order)
    if first is None:
        return Cases((), missing=tuple(dict.fromkeys(advice.before.missing.get("goodput", ()))))
    if not advice.plan:
        return Cases((first,), "There is no plan: nothing better is within reach by 0.1 point.")
    if advice.verdict.interval == "none":
        return Cases((first,), "The plan saves at the end only: there is nothing to simulate.")
    sc = now.scenario
    for step in advice.plan:
        lever = LEVERS[step.lever]
        tunes = lever.slot == "interval"
        sc = sc.changed(step.settings) if tunes else lever.apply(sc, step.settings)
    second = _case("after the plan", sc, order)
    return Cases((first,) if second is None else (first, second))


def _case(name: str, sc: Scenario, order: Order) -> Case | None:
    e = estimate(sc, with_best=False)
    if e.configuration is None or e.configuration.pattern is None or e.shares is None:
        return None
    interval = number(e.interval)
    if interval is None:
        return None
    whole, p, without = e.configuration.pattern, e.configuration.pattern, []
    if float(p.announced_rate) > 0:
        p = p.changed(announced_rate=0.0)
        without.append("announced stops")
    if float(p.unusable) > 0:
        p = p.changed(unusable=0.0)
        without.append("unusable copies")
    # Saves that a time-out kills are interruptions too.
    rate = float(p.soft_rate + p.hard_rate + p.kill / period(p, interval))
    mtbf = 1 / rate if rate > 0 else 0.0
    length = float(np.asarray(p.every * period(p, interval)))
    gap = min(CLUSTER_GAP, mtbf / 10) if rate > 0 else CLUSTER_GAP
    return Case(
        name=name,
        pattern=p,
        interval=interval,
        closed=float(goodput(p, interval)),
        whole=float(goodput(whole, interval)),
        without=tuple(without),
        until=order.seconds or _usual_length(mtbf, length),
        failures=Failures(order.shape, order.cluster, gap),
        estimated=float(left_out(p, interval)),
        holds=bool(closed_form_holds(p, interval)),
    )


def _usual_length(mtbf: float, pattern_length: float) -> float:
    enough = max(INTERRUPTIONS * mtbf, PATTERNS * pattern_length)
    return min(enough, MOST_INTERRUPTIONS * mtbf) if mtbf > 0 else enough


def run_cases(cases: tuple[Case, ...], order: Order, tell: Callable[[int], None]) -> Iterator[Case]:
    """Simulate one after the other, updating each in place as runs complete.

    Args:
        cases: what to simulate.
        order: what was asked for.
        tell: gets how many runs are done over all, for a progress bar.
    """
    for at, case in enumerate(cases):
        begun = time.perf_counter()
        for progress in steps(
            case.pattern,
            case.interval,
            until=case.until,
            replicas=order.replicas,
            seed=order.seed,
            failures=case.failures,
        ):
            case.result = progress.result
            case.took = time.perf_counter() - begun
            tell(at * order.replicas + int(progress.share * order.replicas))
        yield case
