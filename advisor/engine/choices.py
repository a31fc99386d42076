"""What a plan can choose from: offers, each combination of them, and what each gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from advisor.engine.levers import Lever, Settings
from advisor.engine.pack import Rule
from advisor.engine.rounding import round_within
from advisor.engine.situation import number
from advisor.engine.tiering import held, together
from advisor.facts.scenario import Scenario
from advisor.model.best import best_of, depends_on_interval
from advisor.model.configuration import configure, work_interval
from advisor.model.optimum import best_interval
from advisor.model.pattern import Pattern
from advisor.model.short_jobs import goodput_at
from advisor.model.spares import spares_share
from advisor.model.tiers import stacked
from advisor.model.waits import period


@dataclass(frozen=True, slots=True)
class Offer:
    """A change some rule offers for this job."""

    rule: Rule
    lever: Lever
    settings: Settings


@dataclass(frozen=True, slots=True)
class Choice:
    """One plan: offers in force, the interval, and what they give.

    Attributes:
        offers: changes taken, in the order they are applied.
        interval: settings of a retuned interval; None keeps it.
        scenario: with everything applied.
        goodput: of that scenario.
        effort: sum of the weights.
        rent: price of nodes it keeps idle, over that of everything that waits.
        conditions: limits whose facts are unknown.
    """

    offers: tuple[Offer, ...]
    interval: Settings | None
    scenario: Scenario
    goodput: float
    effort: float
    conditions: tuple[str, ...] = ()
    rent: float = 0.0


def applied(sc: Scenario, offers: Sequence[Offer], interval: Settings | None) -> Scenario:
    """A scenario with the settings of some offers, and of the interval, held."""
    for offer in offers:
        sc = offer.lever.apply(sc, offer.settings)
    return sc if interval is None else sc.changed(interval)


def goodput_of(sc: Scenario) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None:
    """Goodput of a scenario at its interval; None while something is unknown; arrays welcome."""
    c = configure(sc)
    if c is None or c.pattern is None or bool(np.any(c.every < 1)):
        return None
    tau = work_interval(sc, c.pattern)
    return None if tau is None else goodput_at(sc, c, tau)


def ids_of(offers: Sequence[Offer]) -> tuple[str, ...]:
    """The levers of some offers, in their order."""
    return tuple(o.lever.id for o in offers)


def effort_name(rule: Rule, sc: Scenario) -> str:
    """What a rule's change takes; drives that are in use already only take configuration."""
    if rule.effort == "hardware_present" and sc.word("nvme") == "used":
        return "configuration"
    return rule.effort


def effort_of(rule: Rule, sc: Scenario) -> float:
    """Weight of a rule's change: configuration 1, version change 3, hardware present 5."""
    name = f"effort_{effort_name(rule, sc)}"
    return sc.constant(name) if name in sc.catalogue.constants else 0.0


def rent_of(sc: Scenario, base: Scenario) -> float:
    """Price of the spare nodes a change adds, over that of everything that waits."""
    then, now = (number(spares_share(job)) for job in (sc, base))
    return 0.0 if then is None or now is None else then - now


def longest_interval(sc: Scenario) -> float:
    """The longest interval that leaves a save before the wall limit, s; infinite without one.

    Without a save before the limit the work since the last periodic one is lost each time: two
    intervals then have to fit.
    """
    wall = number(sc.number("wall_limit"))
    if wall is None:
        return float("inf")
    return wall if sc.word("exit_timer") == "yes" else wall / 2


def retune(sc: Scenario, p: Pattern, best: float, low: float, high: float) -> Settings:
    """Settings of the interval at a round value inside the band, in the unit the job uses.

    Args:
        sc: the scenario the interval is for.
        p: its pattern.
        best: best interval, s of work.
        low: lower end of the flat band, s.
        high: upper end, s.
    """
    longest = longest_interval(sc)
    best, low, high = (min(v, longest) for v in (best, low, high))
    step = number(sc.number("step_time"))
    if sc.number("interval") is None and step:
        steps = round_within(best / step, low / step, high / step, steps=True)
        return {"interval_steps": steps}
    if sc.word("interval_basis") == "clock":
        ends = [float(period(p, tau)) for tau in (best, low, high)]
        return {"interval": round_within(ends[0], ends[1], ends[2], steps=False)}
    return {"interval": round_within(best, low, high, steps=False)}


@dataclass(frozen=True, slots=True)
class Option:
    """Offers that keep the limits, applied to the job at its present interval."""

    offers: tuple[Offer, ...]
    scenario: Scenario
    conditions: tuple[str, ...]

    def tuned(self, base: Scenario, settings: Settings) -> Option:
        """The same with some settings of its two tiers at other values."""
        offers = tuple(
            replace(o, settings={**o.settings, **_news(o.settings, settings, self.scenario)})
            if o.lever.id == _TIERS
            else o
            for o in self.offers
        )
        return Option(offers, applied(base, offers, None), self.conditions)

    @property
    def has_tiers(self) -> bool:
        """Whether one of the offers sets how often a save goes to the pool."""
        return _TIERS in ids_of(self.offers)


_TIERS = "tiering"
"""The lever whose settings depend on the other changes and on the interval."""


def _news(old: Settings, new: Settings, sc: Scenario) -> Settings:
    """Those of the new settings that change something, or that the old ones held."""
    return {n: v for n, v in new.items() if n in old or sc.value(n) != v}


def _with_tiers(options: Sequence[Option], base: Scenario, *, interval_free: bool) -> list[Option]:
    """Every option with the k that suits the rest of it."""
    several = [o.scenario for o in options if o.has_tiers]
    found = iter(together(several)) if interval_free else iter(())
    out = []
    for option in options:
        if not option.has_tiers:
            out.append(option)
            continue
        best = next(found, None) if interval_free else None
        settings = held(option.scenario) if best is None else best[0]
        out.append(option.tuned(base, settings))
    return out


def choices_of(options: Sequence[Option], base: Scenario, *, interval_free: bool) -> list[Choice]:
    """Each option at the present interval, and at its own best one where it may move."""
    out: list[Choice] = []
    for option in _with_tiers(options, base, interval_free=False):
        kept = number(goodput_of(option.scenario))
        if kept is not None:
            effort = sum(effort_of(o.rule, base) for o in option.offers)
            rent = rent_of(option.scenario, base)
            out.append(
                Choice(option.offers, None, option.scenario, kept, effort, option.conditions, rent)
            )
    if not interval_free:
        return out
    moving: list[tuple[Option, Pattern]] = []
    for option in _with_tiers(options, base, interval_free=True):
        c = configure(option.scenario)
        steady = c is not None and c.pattern is not None and not bool(np.any(c.every < 1))
        if c is not None and c.pattern is not None and steady:
            moving.append((option, c.pattern))
    return out + _retuned(moving, base) if moving else out


def _retuned(moving: Sequence[tuple[Option, Pattern]], base: Scenario) -> list[Choice]:
    band = base.constant("flat_band")
    best = best_interval(stacked([p for _, p in moving]), band)
    out: list[Choice] = []
    for i, (option, p) in enumerate(moving):
        if number(work_interval(base, p)) is None:
            continue
        ends = (float(best.interval[i]), float(best.band_low[i]), float(best.band_high[i]))
        if depends_on_interval(option.scenario):
            own = best_of(option.scenario, p, band)
            ends = (float(own.interval), float(own.band_low), float(own.band_high))
        settings = retune(option.scenario, p, *ends)
        tuned = option.scenario.changed(settings)
        value = number(goodput_of(tuned))
        if value is not None:
            effort = sum(effort_of(o.rule, base) for o in option.offers)
            weight = effort + base.constant("effort_configuration")
            rent = rent_of(tuned, base)
            out.append(
                Choice(option.offers, settings, tuned, value, weight, option.conditions, rent)
            )
    return out
