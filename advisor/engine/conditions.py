"""Rules and limits evaluated in one situation: values by name, outcomes, missing facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from advisor.engine.computed import COMPUTED
from advisor.engine.expression import Expression, Value
from advisor.engine.message import render
from advisor.engine.pack import Limit, Pack
from advisor.engine.situation import FrameworkFacts, Situation, number
from advisor.facts.display import format_value
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
        for need in needs:
            steps = need == "interval" and sc.value("interval_steps") is not None
            fact = "step_time" if steps and sc.value("step_time") is None else need
            if fact not in out and fact in sc.catalogue.facts and not _known(sc, fact):
                out.append(fact)
    if names and not out and number(sc.number("pool_every")) == 0:
        return ("pool_every",)
    return tuple(out)


_ALTERNATIVES: Mapping[str, tuple[str, ...]] = {
    "state_total": ("state_total", "state_per_node", "parameters"),
}
"""Facts that any of these stands in for."""


def _known(sc: Scenario, fact: str) -> bool:
    if fact == "pool_write" and sc.calibration.implied:
        return False  # it stands in for a rate that nobody gave
    if fact == "measured_save":
        return measured_barrier(sc) is not None
    if fact == "interval" and sc.value("interval") is None:
        # A number of steps says nothing without the time of one.
        return sc.value("interval_steps") is not None and sc.value("step_time") is not None
    return any(sc.value(name) is not None for name in _ALTERNATIVES.get(fact, (fact,)))


@dataclass(frozen=True, slots=True)
class LimitState:
    """One limit in one situation.

    Attributes:
        limit: the limit.
        ok: whether it is kept; None where a fact it needs is unknown.
        short: how much is lacking where it is broken, in the unit of the limit; else 0.
        text: why a change is ruled out and by how much, or the condition; "" where it is kept.
    """

    limit: Limit
    ok: bool | None
    short: float
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
    labels = choice_labels(sc)
    return [
        _limit_state(limit, values, pack, labels)
        for limit in pack.limits.values()
        if not only or limit.id == only
    ]


def _limit_state(
    limit: Limit, values: Values, pack: Pack, labels: Mapping[str, Mapping[str, str]]
) -> LimitState:
    counts = True if limit.when is None else limit.when.evaluate(values).value
    needs, has = (_figure(part, values) for part in (limit.needs, limit.has))
    fits = None if needs is None or has is None else needs <= has
    if counts is False or fits is True:
        return LimitState(limit, True, 0.0, "")
    if needs is None or has is None or counts is None:
        return LimitState(limit, None, 0.0, render(limit.condition, pack.names, values, labels))
    why = render(limit.message, pack.names, values, labels)
    return LimitState(limit, False, needs - has, f"{why} {_lacking(limit, needs, has)}")


def _figure(expression: Expression, values: Values) -> float | None:
    found = expression.evaluate(values).value
    return None if found is None else float(found)


def _lacking(limit: Limit, needs: float, has: float) -> str:
    """What is needed, what is there, and the difference, with as many digits as tell them apart."""
    kind = limit.needs.kind
    assert kind is not None  # noqa: S101 - checked when the pack was loaded
    for digits in (3, 4, 6):
        one, other = (format_value(value, kind, digits=digits) for value in (needs, has))
        if one != other:
            break
    short = format_value(needs - has, kind)
    return f"That needs {one} {limit.of}, {other} {limit.there}: {short} too little."


def excess(states: Sequence[LimitState], before: Sequence[LimitState]) -> list[LimitState]:
    """The limits that are broken, and not broken as far without the change.

    Args:
        states: limits with the change.
        before: the same limits without it.
    """
    there = {state.limit.id: state.short for state in before if state.broken}
    slack = 1 + 1e-9
    return [s for s in states if s.broken and s.short > there.get(s.limit.id, 0.0) * slack]


def choice_labels(sc: Scenario) -> dict[str, Mapping[str, str]]:
    """For each choice fact, member to label."""
    return {n: s.choices for n, s in sc.catalogue.facts.items() if s.kind == "choice"}
