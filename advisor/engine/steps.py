"""The plan worded: each step with its gain, lines, checks, conditions and thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from advisor.engine.advice import NoFlip, Step, Threshold
from advisor.engine.conditions import check_limits
from advisor.engine.knowledge import Knowledge
from advisor.engine.levers import LEVERS, Settings, retimed
from advisor.engine.lines import checks, config_lines
from advisor.engine.message import money, points
from advisor.engine.pack import Rule
from advisor.engine.plan import Choice, Part, Search, applied, goodput_of, without
from advisor.engine.situation import Situation, evaluate, number
from advisor.engine.thresholds import gain_flips, limit_flips
from advisor.facts.display import format_value
from advisor.facts.scenario import Scenario
from advisor.model.normal import Floats

_INTERVAL_RULES = {"longer_interval": "CKI01", "shorter_interval": "CKI02"}
"""Rule that speaks for each direction of a retuned interval."""

_NO_FRAMEWORK = "the framework supports it: none was named, so there are no lines to paste"
"""Condition of a change that needs the framework, while nobody said which it is."""


def _plain(settings: Settings) -> dict[str, float | str | None]:
    return {
        name: value if isinstance(value, str) else number(value) for name, value in settings.items()
    }


def _interval_lever(base: Situation, after: Situation) -> str:
    before, then = number(base.estimate.interval) or 0.0, number(after.estimate.interval) or 0.0
    return "longer_interval" if then > before else "shorter_interval"


def plan_steps(
    base: Situation,
    found: Search,
    parts: Sequence[Part],
    chances: Sequence[float],
    knowledge: Knowledge,
) -> tuple[Situation, tuple[Step, ...]]:
    """The job with the plan, and its steps in order.

    Args:
        base: the job as it is.
        found: the plan.
        parts: its steps, in order.
        chances: per step the chance it pays; may be empty.
        knowledge: rules and frameworks.

    Returns:
        The situation after the plan (the present one where there is none), and the steps; empty
        means keep.
    """
    choice = found.choice
    if choice is None or (not choice.offers and choice.interval is None):
        return base, ()
    after = evaluate(choice.scenario, base.framework)
    cost = number(base.estimate.cost_per_year)
    steps = [
        _step(number_of, part, base, after, choice, knowledge, cost)
        for number_of, part in enumerate(parts, 1)
    ]
    known = zip(steps, chances, strict=True) if chances else ((s, None) for s in steps)
    return after, tuple(replace(step, chance_it_pays=number(chance)) for step, chance in known)


def _step(
    order: int,
    part: Part,
    base: Situation,
    after: Situation,
    choice: Choice,
    knowledge: Knowledge,
    cost: float | None,
) -> Step:
    pack = knowledge.pack
    if part.offer is None:
        lever_id = _interval_lever(base, after)
        rule = pack.rules[_INTERVAL_RULES[lever_id]]
        settings: Settings = choice.interval or {}
        title = interval_title(base, after)
    else:
        rule, lever_id = part.offer.rule, part.offer.lever.id
        settings, title = part.offer.settings, part.offer.lever.title
    flips, none = _flips(part, choice, base, rule)
    rest, interval = without(choice, base.scenario, part)
    conditions: tuple[str, ...] = ()
    if part.offer is not None:
        flips += limit_flips(
            lambda sc: applied(sc, choice.offers, choice.interval),
            lambda sc: applied(sc, rest, interval),
            base.scenario,
            pack,
            base.framework,
        )
        others = check_limits(applied(base.scenario, rest, interval), pack, base.framework)
        there = {s.text for s in others if s.unknown}
        conditions = tuple(text for text in choice.conditions if text not in there)
        if base.framework.framework is None:
            conditions += (_NO_FRAMEWORK,)
    return Step(
        order=order,
        rule=rule.id,
        lever=lever_id,
        title=title,
        effort=rule.effort,
        settings=_plain(settings),
        goodput_before=part.goodput_before,
        goodput_gain=part.gain,
        saves_per_year=None if cost is None else part.gain * cost,
        thresholds=flips,
        no_flips=none,
        conditions=conditions,
        config=config_lines(lever_id, base, after),
        checks=checks(lever_id, base, after),
    )


def _flips(
    part: Part, choice: Choice, base: Situation, rule: Rule
) -> tuple[tuple[Threshold, ...], tuple[NoFlip, ...]]:
    offers, interval = without(choice, base.scenario, part)
    least = base.scenario.constant("least_gain")

    def margin(sc: Scenario) -> Floats | None:
        full = goodput_of(applied(sc, choice.offers, choice.interval))
        less = goodput_of(applied(sc, offers, interval))
        return None if full is None or less is None else full - less - least

    return gain_flips(margin, base.scenario, rule.flip)


def interval_title(base: Situation, after: Situation) -> str:
    """What to set the interval to, in the job's own unit."""
    sc = after.scenario
    steps = number(sc.number("interval_steps")) if sc.number("interval") is None else None
    tau = number(after.estimate.interval)
    if tau is None:
        return "Set the interval"
    text = format_value(tau, "duration")
    if steps is not None:
        return f"Save every {steps:,.0f} steps ({text})"
    if sc.word("interval_basis") == "clock":
        clock = number(sc.number("interval"))
        return f"Save every {format_value(clock or tau, 'duration')} by the clock"
    return f"Save every {text}"


def _on_top(
    after: Situation, changed: Scenario, rule: Rule, lever_id: str, title: str, settings: Settings
) -> Step | None:
    """A change judged on top of the plan."""
    now, then = number(goodput_of(after.scenario)), number(goodput_of(changed))
    if now is None or then is None:
        return None
    cost = number(after.estimate.cost_per_year)
    return Step(
        order=1,
        rule=rule.id,
        lever=lever_id,
        title=title,
        effort=rule.effort,
        settings=_plain(settings),
        goodput_before=now,
        goodput_gain=then - now,
        saves_per_year=None if cost is None else (then - now) * cost,
    )


def further_steps(after: Situation, knowledge: Knowledge) -> tuple[Step, ...]:
    """What a faster restart is worth once the plan is in; empty where it is fast already."""
    sc, rule = after.scenario, knowledge.pack.rules.get("CKR01")
    lever = LEVERS["faster_restart"]
    if rule is None or after.estimate.configuration is None:
        return ()
    goal = sc.constant("faster_restart_time")
    now = number(after.estimate.configuration.rates.hard_restart)
    if now is None or now <= goal:
        return ()
    settings = lever.change(sc)
    title = (
        f"Restart in {format_value(goal, 'duration')} instead of {format_value(now, 'duration')}"
    )
    step = _on_top(after, lever.apply(sc, settings), rule, lever.id, title, settings)
    if step is None or step.goodput_gain < sc.constant("least_gain"):
        return ()
    return (step,)


def purchase_steps(after: Situation, knowledge: Knowledge) -> tuple[Step, ...]:
    """Hardware on top of the plan: the upgrade asked about, else a pool twice as fast."""
    sc, rule = after.scenario, knowledge.pack.rules.get("CKH01")
    rate = number(sc.number("pool_write"))
    if rule is None or rate is None:
        return ()
    wished = number(sc.number("upgrade_write"))
    factor = 2.0 if wished is None else wished / rate
    settings: Settings = {"pool_write": rate * factor}
    title = (
        f"A pool of {format_value(rate * factor, 'rate')} instead of {format_value(rate, 'rate')}"
    )
    step = _on_top(after, retimed(sc, factor), rule, "purchase", title, settings)
    if step is None:
        return ()
    return (replace(step, verdict=purchase_verdict(step, sc, asked=wished is not None)),)


def purchase_verdict(step: Step, sc: Scenario, *, asked: bool) -> str:
    """Whether to buy: the yearly gain against the yearly price, or a figure to hold beside one."""
    gain, saves = step.goodput_gain, step.saves_per_year
    worth = points(gain) + ("" if saves is None else f", {money(saves)} a year")
    if gain < sc.constant("least_gain"):
        return f"Do not buy: it adds {points(max(gain, 0.0))} after the plan."
    price, years = number(sc.number("upgrade_price")), number(sc.number("upgrade_years"))
    if price is not None and years and saves is not None:
        yearly = price / years
        verb = "Pays" if saves > yearly else "Do not buy"
        return f"{verb}: it adds {worth}, against {money(yearly)} a year."
    kind = "The upgrade asked about" if asked else "A figure to hold beside a price"
    return f"{kind}: it adds {worth}."
