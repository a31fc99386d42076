"""A job that needs no periodic save: the one step that says so, and the job after it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from advisor.engine.advice import Loss, SaveFigures, Step, View
from advisor.engine.findings import advised
from advisor.engine.lines_in_words import without_lines
from advisor.engine.pack import Pack
from advisor.engine.situation import Situation, number
from advisor.engine.thresholds import gain_flips
from advisor.facts.scenario import Scenario
from advisor.model.configuration import configure
from advisor.model.job import floats
from advisor.model.lost_work import ceiling, without_checkpoints
from advisor.model.normal import Floats
from advisor.model.optimum import best_goodput

RULE = "CKI06"
"""The rule that finds such jobs."""


def _margin(sc: Scenario) -> Floats | None:
    """Above 0 while no periodic save is as good as the best interval."""
    c, length = configure(sc), sc.number("job_length")
    if c is None or c.pattern is None or length is None:
        return None
    free = without_checkpoints(floats(length), c.rates.total, c.rates.hard_restart)
    return np.asarray(free - best_goodput(c.pattern) + sc.constant("least_gain"))


def save_at_the_end(s: Situation, before: View, pack: Pack) -> tuple[View, tuple[Step, ...]]:
    """The job without periodic saves; the final save is not counted, the job needs it anyway.

    Args:
        s: the job as it is.
        before: its figures.
        pack: the rules.

    Returns:
        The figures after, and one step; no step where it would gain nothing.
    """
    free, now, length = (
        before.no_checkpoint_goodput,
        before.goodput,
        s.scenario.number("job_length"),
    )
    rule = pack.rules.get(RULE)
    if free is None or now is None or length is None or rule is None:
        return before, ()
    if free - now <= s.scenario.constant("least_gain"):
        return before, ()
    c = s.estimate.configuration
    if c is None:
        return before, ()
    # Without a copy every interruption is a hard one.
    restart = 1 - float(ceiling(c.rates.total, c.rates.hard_restart))
    cost = before.cost_per_year
    flips, none = gain_flips(_margin, s.scenario, rule.flip)
    step = Step(
        order=1,
        rule=rule.id,
        lever="longer_interval",
        title="Save at the end only",
        effort=rule.effort,
        settings={"interval": number(length), "interval_steps": None},
        goodput_before=now,
        goodput_gain=free - now,
        saves_per_year=None if cost is None else (free - now) * cost,
        thresholds=flips,
        no_flips=none,
        in_words=without_lines(s, " ".join(advised(rule, s, pack))),
        notes=("The final save is not counted: the job needs it either way.",),
    )
    after = replace(
        before,
        interval=number(length),
        ceiling=1 - restart,
        best_interval=number(length),
        best_goodput=free,
        flat_band=None,
        clock=None,
        best_together=None,
        best_pool_every=None,
        simulated_goodput=None,
        curve=None,
        tail=None,
        goodput=free,
        goodput_p10=None,
        goodput_p90=None,
        loss=Loss(0.0, 0.0, restart, max(0.0, 1 - free - restart)),
        save=SaveFigures(bytes_total=before.save.bytes_total),
        required_pool_write=None,
        required_pool_write_p99=None,
        required_because=(),
        pool_duty=0.0,
        rework_per_interruption=None,
        idle_cost_per_year=None if cost is None else (1 - free) * cost,
    )
    return after, (step,)
