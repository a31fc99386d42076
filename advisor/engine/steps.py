"""The plan worded: each step with its gain, lines, checks, conditions and thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from advisor.engine.advice import NoFlip, Step, Threshold
from advisor.engine.conditions import check_limits
from advisor.engine.findings import advised
from advisor.engine.knowledge import Knowledge
from advisor.engine.levers import Settings
from advisor.engine.lines import checks, config_lines, signs
from advisor.engine.lines_in_words import in_words
from advisor.engine.message import money, points
from advisor.engine.on_top import rule_of
from advisor.engine.pack import Rule
from advisor.engine.plan import (
    Choice,
    Offer,
    Part,
    Search,
    applied,
    effort_name,
    goodput_of,
    rent_of_part,
    without,
)
from advisor.engine.situation import Situation, evaluate, number
from advisor.engine.thresholds import gain_flips, limit_flips
from advisor.engine.tiering import title as tiering_title
from advisor.facts.display import format_value
from advisor.facts.scenario import Scenario
from advisor.model.normal import Floats

_NO_FRAMEWORK = "the framework supports it: none was named, so there are no lines to paste"
"""Condition of a change that needs the framework, while nobody said which it is."""

_NO_FILE = "{} supports it: nothing is known about it here, so there are no lines to paste"
"""Condition of a change in a framework without a file."""

_MODE_UNKNOWN = "saves are synchronous today: nobody knew, and it is taken as the dearer case"
"""Condition of turning asynchronous saves on while nobody said what runs now."""


_SPARES_COME_BACK = "a spare that was used is replaced as a lost node is now"
"""Condition of spares: their number rests on it."""

_STAYS = "the allocation outlives a lost node, and nothing cleans its drives before the restart"
"""Condition of a restart inside the allocation, where today's ends it."""

_SENDING = "the framework can load on one replica and send the state on; the sending is not counted"
"""Condition of one reader for all replicas."""


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
    *,
    swept: bool = True,
) -> tuple[Situation, tuple[Step, ...]]:
    """The job with the plan, and its steps in order.

    Args:
        base: the job as it is.
        found: the plan.
        parts: its steps, in order.
        chances: per step the chance it pays; may be empty.
        knowledge: rules and frameworks.
        swept: False leaves out thresholds, conditions, lines and checks: most of the work.

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
        _step(number_of, part, base, after, choice, knowledge, cost, swept=swept)
        for number_of, part in enumerate(parts, 1)
    ]
    steps = [replace(s, notes=_together(n, parts) + s.notes) for n, s in enumerate(steps)]
    known = zip(steps, chances, strict=True) if chances else ((s, None) for s in steps)
    return after, tuple(replace(step, chance_it_pays=number(chance)) for step, chance in known)


def _together(place: int, parts: Sequence[Part]) -> tuple[str, ...]:
    """The note of a step that only pays with others."""
    group = parts[place].group
    others = [str(n + 1) for n, p in enumerate(parts) if p.group == group and n != place]
    if not others:
        return ()
    word = "change" if len(others) == 1 else "changes"
    return (f"Only together with {word} {' and '.join(others)}: the gain is that of all of them.",)


def _step(
    order: int,
    part: Part,
    base: Situation,
    after: Situation,
    choice: Choice,
    knowledge: Knowledge,
    cost: float | None,
    *,
    swept: bool,
) -> Step:
    pack = knowledge.pack
    if part.offer is None:
        lever_id = _interval_lever(base, after)
        rule = rule_of(pack, lever_id) or next(iter(pack.rules.values()))
        settings: Settings = choice.interval or {}
        title = interval_title(base, after)
    else:
        rule, lever_id = part.offer.rule, part.offer.lever.id
        settings, title = part.offer.settings, part.offer.lever.title
        if lever_id == "tiering":
            title = tiering_title(settings.get("pool_every"))
        if lever_id == "spares":
            title = _spares_title(settings)
    rent = rent_of_part(choice, base.scenario, part)
    plain = Step(
        order=order,
        rule=rule.id,
        lever=lever_id,
        title=title,
        effort=effort_name(rule, base.scenario),
        settings=_plain(settings),
        goodput_before=part.goodput_before,
        goodput_gain=part.gain,
        saves_per_year=None if cost is None else (part.gain - rent) * cost,
    )
    if not swept:
        return plain
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
        if base.framework.framework is None and part.offer.lever.id != "spares":
            named = base.framework.named
            conditions += (_NO_FILE.format(named) if named else _NO_FRAMEWORK,)
        conditions += _of_restart(part.offer)
        if part.offer.lever.id == "async_on" and not base.scenario.is_given("mode"):
            conditions += (_MODE_UNKNOWN,)
    # What an interval rule advises is about the job as it is, not with the other changes.
    remedy = () if part.offer is None else advised(rule, base, pack)
    return replace(
        plain,
        thresholds=flips,
        no_flips=none,
        conditions=conditions,
        config=config_lines(lever_id, base, after),
        in_words=in_words(lever_id, base, after, remedy),
        checks=checks(lever_id, base, after),
        notes=_rent_note(rent, cost),
        signs=signs(lever_id, base),
    )


def _spares_title(settings: Settings) -> str:
    count = number(settings.get("spare_nodes")) or 0.0
    nodes = "spare node" if count == 1 else "spare nodes"
    return f"Keep {count:.0f} {nodes} in the allocation"


def _rent_note(rent: float, cost: float | None) -> tuple[str, ...]:
    """What the nodes kept idle cost; nothing where there are none."""
    if rent <= 0:
        return ()
    price = "" if cost is None else f", {money(rent * cost)} a year, taken off the saving"
    return (f"The spare nodes cost {points(rent)} of what the job costs{price}.",)


def _of_restart(offer: Offer) -> tuple[str, ...]:
    if offer.lever.id == "broadcast_load":
        return (_SENDING,)
    if offer.lever.id != "spares":
        return ()
    return (_SPARES_COME_BACK, _STAYS)


def _flips(
    part: Part, choice: Choice, base: Situation, rule: Rule
) -> tuple[tuple[Threshold, ...], tuple[NoFlip, ...]]:
    offers, interval = without(choice, base.scenario, part)
    # What a step costs each year is its least gain, where it costs anything.
    rent = rent_of_part(choice, base.scenario, part)
    least = rent if rent > 0 else base.scenario.constant("least_gain")

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
