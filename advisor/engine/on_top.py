"""What is judged on top of the plan: a faster restart, and hardware last."""

from __future__ import annotations

import numpy as np

from advisor.engine.advice import Step
from advisor.engine.choices import goodput_of
from advisor.engine.knowledge import Knowledge
from advisor.engine.levers import LEVERS, Settings, retimed
from advisor.engine.message import money, points
from advisor.engine.pack import Pack, Rule
from advisor.engine.situation import Situation, number
from advisor.engine.thresholds import Margin, gain_flips
from advisor.facts.display import format_value
from advisor.facts.scenario import Scenario
from advisor.model.job import floats
from advisor.model.money import cost_per_year
from advisor.model.normal import Floats

PROBE = 2.0
"""How much faster a pool is looked at where no upgrade was asked about: a figure to hold beside
a price."""


def rule_of(pack: Pack, lever: str) -> Rule | None:
    """The first rule that offers a lever, or None where a site has none."""
    return next((rule for rule in pack.rules.values() if rule.lever == lever), None)


def _gain(then: Floats | None, now: Floats | None) -> Floats | None:
    return None if then is None or now is None else then - now


def _step(
    after: Situation,
    rule: Rule,
    lever: str,
    title: str,
    settings: Settings,
    gain: Margin,
    margin: Margin,
) -> Step | None:
    """A change judged on top of the plan, with where it stops paying.

    Args:
        after: the job with the plan.
        rule: the rule that speaks for it.
        lever: its id.
        title: what to do.
        settings: what changes.
        gain: goodput it adds to a job.
        margin: above 0 while it pays.
    """
    now, added = number(goodput_of(after.scenario)), number(gain(after.scenario))
    if now is None or added is None:
        return None
    cost = number(after.estimate.cost_per_year)
    flips, none = gain_flips(margin, after.scenario, rule.flip)
    plain = {n: v if isinstance(v, str) else number(v) for n, v in settings.items()}
    return Step(
        order=1,
        rule=rule.id,
        lever=lever,
        title=title,
        effort=rule.effort,
        settings=plain,
        goodput_before=now,
        goodput_gain=added,
        saves_per_year=None if cost is None else added * cost,
        thresholds=flips,
        no_flips=none,
    )


def further_steps(after: Situation, knowledge: Knowledge) -> tuple[Step, ...]:
    """What a faster restart is worth once the plan is in; empty where it is fast already."""
    sc, lever = after.scenario, LEVERS["faster_restart"]
    rule = rule_of(knowledge.pack, lever.id)
    if rule is None or after.estimate.configuration is None:
        return ()
    goal = sc.constant("faster_restart_time")
    now = number(after.estimate.configuration.rates.hard_restart)
    if now is None or now <= goal:
        return ()
    settings, least = lever.change(sc), sc.constant("least_gain")

    def gain(job: Scenario) -> Floats | None:
        return _gain(goodput_of(lever.apply(job, settings)), goodput_of(job))

    def margin(job: Scenario) -> Floats | None:
        added = gain(job)
        return None if added is None else added - least

    faster, slower = format_value(goal, "duration"), format_value(now, "duration")
    title = f"Restart in {faster} instead of {slower}"
    step = _step(after, rule, lever.id, title, settings, gain, margin)
    return () if step is None or step.goodput_gain < least else (step,)


def purchase_steps(after: Situation, knowledge: Knowledge) -> tuple[Step, ...]:
    """Hardware on top of the plan: the upgrade asked about, else a pool twice as fast."""
    sc = after.scenario
    rule, rate = rule_of(knowledge.pack, "purchase"), number(sc.number("pool_write"))
    if rule is None or not rate:
        return ()
    wished = number(sc.number("upgrade_write"))
    target = rate * PROBE if wished is None else wished
    least = sc.constant("least_gain")

    def gain(job: Scenario) -> Floats | None:
        present = floats(job.require("pool_write"))
        factor = target / present
        faster = retimed(job, float(factor) if factor.ndim == 0 else factor)
        return _gain(goodput_of(faster), goodput_of(job))

    def margin(job: Scenario) -> Floats | None:
        added, yearly = gain(job), _yearly(job)
        cost = cost_per_year(job)
        if added is None or yearly is None or cost is None:
            return None if added is None else added - least
        return np.asarray(added * cost - yearly)

    bought, there = format_value(target, "rate"), format_value(rate, "rate")
    title = f"A pool of {bought} instead of {there}"
    step = _step(after, rule, "purchase", title, {"pool_write": target}, gain, margin)
    return () if step is None else (_judged(step, sc, asked=wished is not None),)


def _yearly(sc: Scenario) -> Floats | None:
    price, years = sc.number("upgrade_price"), sc.number("upgrade_years")
    return None if price is None or years is None else floats(price) / floats(years)


def _judged(step: Step, sc: Scenario, *, asked: bool) -> Step:
    """The step with its verdict: a year's gain against a year's price, or a figure for later."""
    from dataclasses import replace

    gain, saves = step.goodput_gain, step.saves_per_year
    worth = points(gain) + ("" if saves is None else f", {money(saves)} a year")
    if gain < 0:
        words = f"Do not buy: it would cost {points(-gain)} of what is there."
        return replace(step, verdict=words)
    if gain < sc.constant("least_gain"):
        words = f"Do not buy: it adds {points(gain)} after the plan."
        return replace(step, verdict=words)
    yearly = number(_yearly(sc))
    if yearly is not None and saves is not None:
        pays = saves > yearly
        verb = "Pays" if pays else "Do not buy"
        words = f"{verb}: it adds {worth}, against {money(yearly)} a year."
        return replace(step, verdict=words, pays=pays)
    kind = "The upgrade asked about" if asked else "A figure to hold beside a price"
    return replace(step, verdict=f"{kind}: it adds {worth}.")
