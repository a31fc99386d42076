"""What holds for all rules together: nothing contradicts, and what is asked for decides."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.engine.advise import advise
from advisor.engine.findings import outcomes
from advisor.engine.knowledge import load_knowledge
from tests.rules.fixtures import PlainSession, answers, situation
from tests.rules.test_any_job import CHOICES, FACTS, NUMBERS

KNOWN = load_knowledge()

MOST_ROUNDS = 8
"""Times in turn that answering what a rule asks for may bring up another question."""

ODD = ("longer_interval", "shorter_interval")
"""Changes of which a plan has one at most."""


def text_for(fact: str) -> str:
    """Something a person could answer; for facts nobody listed, by their kind."""
    known = {**CHOICES, **NUMBERS}
    if fact in known:
        return known[fact][0]
    spec = KNOWN.catalogue.facts[fact]
    typical = {
        "size": "1 TB",
        "rate": "10 GB/s",
        "duration": "10 min",
        "count": "4",
        "ratio": "0.5",
        "money": "$1000",
        "money_per_year": "$1000",
        "money_per_hour": "$3",
        "per_year": "4",
        "per_second": "100",
        "text": "x",
        "choice": next(iter(spec.choices), ""),
    }
    return typical[spec.kind]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.fixed_dictionaries(FACTS))
def test_an_unknown_rule_is_decided_by_what_it_asks_for(facts: dict[str, str | None]) -> None:
    typed = {k: v for k, v in facts.items() if v is not None}
    first = situation(answers(typed, {}))
    for undecided in (o.rule for o in outcomes(first, KNOWN.pack) if o.value is None):
        told, asked = dict(typed), set[str]()
        for _ in range(MOST_ROUNDS):
            (found,) = outcomes(situation(answers(told, {})), KNOWN.pack, [undecided])
            if found.value is not None:
                break
            new = [fact for fact in found.missing if fact not in asked]
            if not new:
                break
            asked |= set(new)
            told |= {fact: text_for(fact) for fact in new}
        # Nothing in a job whose copies never reach the pool has a time to do so.
        never = told.get("pool_every") == "0"
        assert found.value is not None or never, (undecided.id, found.missing, asked)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.fixed_dictionaries(FACTS))
def test_no_two_changes_of_a_plan_contradict(facts: dict[str, str | None]) -> None:
    typed = {k: v for k, v in facts.items() if v is not None}
    advice = advise(PlainSession(answers(typed, {})), KNOWN)
    levers = [step.lever for step in advice.plan]
    assert len(set(levers)) == len(levers)
    assert not set(ODD) <= set(levers)
    settled: dict[str, object] = {}
    for step in advice.plan:
        for fact, value in step.settings.items():
            assert settled.get(fact, value) == value, (fact, settled[fact], value)
            settled[fact] = value
    if advice.verdict.interval == "keep" and not levers:
        assert not {f.lever for f in advice.hits()} & set(ODD)
    if typed.get("interval_decided_by") == "policy":
        assert not set(ODD) & set(levers)
