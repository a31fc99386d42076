"""Rules and limits evaluated in one situation: values by name, outcomes, missing facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from advisor.engine.computed import COMPUTED
from advisor.engine.expression import Value
from advisor.engine.message import render
from advisor.engine.pack import Limit, Pack
from advisor.engine.situation import FrameworkFacts, Situation, number
from advisor.facts.scenario import Scenario
from advisor.model.calibrate import measured_barrier
from advisor.model.estimate import estimate


class Values(Mapping[str, Value]):
    """Everything a condition may name, looked up when it is asked for."""

    def __init__(self, situation: Situation, pack: Pack) -> None:
        self._situation = situation
        self._pack = pack
        self._seen: dict[str, Value] = {}

    def __getitem__(self, name: str) -> Value:
        if name not in self._seen:
            self._seen[name] = self._look(name)
        return self._seen[name]

    def _look(self, name: str) -> Value:
        sc = self._situation.scenario
        if name in COMPUTED:
            return COMPUTED[name].get(self._situation)
        if name in self._pack.thresholds:
            return self._pack.thresholds[name].value
        if name in sc.catalogue.facts:
            value = sc.value(name)
            return value if isinstance(value, str) else number(value)
        return sc.constant(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._pack.names)

    def __len__(self) -> int:
        return len(self._pack.names)


def facts_behind(names: Sequence[str] | frozenset[str], sc: Scenario) -> tuple[str, ...]:
    """The declared facts to ask for, given names that are unknown.

    A computed value stands for the facts it needs; those known already are left out. Where all of
    them are known, the value does not exist because no copy ever reaches the pool, and the fact
    that says so is named.
    """
    out: list[str] = []
    for name in sorted(names):
        needs = COMPUTED[name].needed(sc) if name in COMPUTED else (name,)
        for fact in needs:
            if fact not in out and fact in sc.catalogue.facts and not _known(sc, fact):
                out.append(fact)
    if names and not out and number(sc.number("pool_every")) == 0:
        return ("pool_every",)
    return tuple(out)


_ALTERNATIVES: Mapping[str, tuple[str, ...]] = {
    "state_total": ("state_total", "state_per_node", "parameters"),
    "interval": ("interval", "interval_steps"),
}
"""Facts that any of these stands in for."""


def _known(sc: Scenario, fact: str) -> bool:
    if fact == "pool_write" and sc.calibration.implied:
        return False  # it stands in for a rate that nobody gave
    if fact == "measured_save":
        return measured_barrier(sc) is not None
    return any(sc.value(name) is not None for name in _ALTERNATIVES.get(fact, (fact,)))


@dataclass(frozen=True, slots=True)
class LimitState:
    """One limit in one situation."""

    limit: Limit
    ok: bool | None
    text: str

    @property
    def broken(self) -> bool:
        """Whether it is certainly not kept."""
        return self.ok is False

    @property
    def unknown(self) -> bool:
        """Whether a fact it needs is unknown."""
        return self.ok is None


def check_limits(
    sc: Scenario, pack: Pack, framework: FrameworkFacts, *, only: str = ""
) -> list[LimitState]:
    """Every limit for one scenario: kept, broken, or unknown (then it is a condition).

    Args:
        sc: the scenario.
        pack: the limits.
        framework: what is known of the framework.
        only: id of the one limit to look at; all where it is empty.
    """
    situation = Situation(sc, estimate(sc, with_best=False), None, None, framework)
    values = Values(situation, pack)
    out = []
    for limit in pack.limits.values():
        if only and limit.id != only:
            continue
        outcome = limit.ok.evaluate(values)
        ok = None if outcome.value is None else bool(outcome.value)
        template = limit.condition if ok is None else limit.message
        text = "" if ok else render(template, pack.names, values, choice_labels(sc))
        out.append(LimitState(limit, ok, text))
    return out


def choice_labels(sc: Scenario) -> dict[str, Mapping[str, str]]:
    """For each choice fact, member to label."""
    return {n: s.choices for n, s in sc.catalogue.facts.items() if s.kind == "choice"}
