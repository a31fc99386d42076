"""Every rule against its fixtures: facts as typed, and the outcome worked out by hand.

The figures in the messages are derived in a comment at the top of each fixture.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest

from advisor.engine.advise import advise
from advisor.engine.expression import Comparison
from advisor.engine.expression_comparisons import NumberComparison
from advisor.engine.knowledge import load_knowledge
from tests.rules.fixtures import (
    FOLDER,
    KINDS,
    Fixture,
    PlainSession,
    all_fixtures,
    answers,
    finding_of,
    traces,
)

RULES = sorted(load_knowledge().pack.rules)

CASES = [f for f in all_fixtures() if f.kind != "edge"]
EDGES = [f for f in all_fixtures() if f.kind == "edge"]

_ZERO = re.compile(r"> ('\$?0( s)?'|0)$")
"""A comparison that only asks for the value to be there; nothing decides at an edge."""


def has_edge(comparison: Comparison) -> bool:
    return isinstance(comparison, NumberComparison) and not _ZERO.search(comparison.text)


@pytest.mark.parametrize("fixture", CASES, ids=[f.name for f in CASES])
def test_the_rule_says_what_was_worked_out(fixture: Fixture) -> None:
    found = finding_of(fixture.rule, answers(fixture.facts, fixture.sources))
    expect = fixture.expect
    assert expect["state"] == fixture.kind
    assert (found.state, found.missing) == (expect["state"], tuple(expect.get("missing", ())))
    if found.state == "hit":
        assert found.message == expect["message"]
        assert found.severity == expect["severity"]
    else:
        assert found.message == ""
        assert not expect.keys() & {"message", "severity"}


@pytest.mark.parametrize("fixture", EDGES, ids=[f.name for f in EDGES])
def test_the_rule_changes_its_mind_at_the_edge(fixture: Fixture) -> None:
    assert len(fixture.edge_states) >= 3, "the edge itself and one step to each side"
    assert len(set(fixture.edge_states.values())) == 2, "the outcome must change"
    for text, state in fixture.edge_states.items():
        given = answers({**fixture.facts, fixture.edge_fact: text}, fixture.sources)
        assert finding_of(fixture.rule, given).state == state, f"{fixture.edge_fact} = {text}"


GAINS = [f for f in CASES if "goodput_gain" in f.expect]


@pytest.mark.parametrize("fixture", GAINS, ids=[f.name for f in GAINS])
def test_the_plan_gains_what_was_worked_out(fixture: Fixture) -> None:
    session = PlainSession(answers(fixture.facts, fixture.sources))
    steps = {step.rule: step for step in advise(session, load_knowledge()).plan}
    gain = steps[fixture.rule].goodput_gain
    assert gain == pytest.approx(fixture.expect["goodput_gain"], abs=fixture.expect["tolerance"])


def test_every_rule_that_changes_the_job_has_a_gain() -> None:
    advice_only = {"keep", "raise_timeout"}
    on_top = {"faster_restart", "purchase"}
    rules = load_knowledge().pack.rules.values()
    scored = {r.id for r in rules if r.lever and r.lever not in advice_only | on_top}
    # CKA05 switches on what CKA01 does; the plan names the first rule that offers a change.
    assert {f.rule for f in GAINS} == scored - {"CKA05"}


def test_every_folder_belongs_to_a_rule() -> None:
    folders = {p.name for p in FOLDER.iterdir() if p.is_dir() and p.name != "__pycache__"}
    assert folders == set(RULES)


def test_every_fixture_is_named_after_its_outcome() -> None:
    for fixture in all_fixtures():
        assert fixture.kind in KINDS, fixture.name
        assert bool(fixture.edge_fact) == (fixture.kind == "edge"), fixture.name


@pytest.mark.parametrize("rule_id", RULES)
class TestEveryRule:
    def test_has_a_hit_a_clear_and_an_unknown(self, rule_id: str) -> None:
        kinds = Counter(f.kind for f in all_fixtures() if f.rule == rule_id)
        assert not {"hit", "clear", "unknown"} - set(kinds)

    def test_has_an_edge_where_a_number_decides(self, rule_id: str) -> None:
        rule = load_knowledge().pack.rules[rule_id]
        if any(has_edge(comparison) for comparison in rule.when.comparisons):
            assert any(f.kind == "edge" for f in all_fixtures() if f.rule == rule_id)

    def test_no_comparison_is_idle(self, rule_id: str) -> None:
        """Each comparison alone decides at least one fixture, or it could as well be left out."""
        decided: set[int] = set()
        for fixture in (f for f in all_fixtures() if f.rule == rule_id):
            for text in fixture.edge_states or [""]:
                facts = {**fixture.facts, fixture.edge_fact: text} if text else fixture.facts
                found = traces(fixture, answers(facts, fixture.sources))
                decided |= {i for i, trace in enumerate(found) if trace.decisive}
        every = load_knowledge().pack.rules[rule_id].when.comparisons
        assert [c.text for i, c in enumerate(every) if i not in decided] == []

    def test_its_messages_are_sentences_with_a_figure(self, rule_id: str) -> None:
        for fixture in (f for f in CASES if f.rule == rule_id and f.kind == "hit"):
            message = fixture.expect["message"]
            assert re.search(r"\d", message), message
            assert message.endswith("."), message
            assert "!" not in message

    def test_its_advice_is_sentences(self, rule_id: str) -> None:
        rule = load_knowledge().pack.rules[rule_id]
        for text in rule.remedy:
            assert text.endswith("."), text
            assert "!" not in text

    def test_says_what_why_and_when_not(self, rule_id: str) -> None:
        doc = load_knowledge().pack.rules[rule_id].doc
        for start in ("What: ", "Why: ", "When it does not apply: "):
            line = next((line for line in doc.splitlines() if line.startswith(start)), "")
            assert len(line) > len(start) + 10, f"{start} is missing"
            assert line.endswith("."), line

    def test_names_a_source(self, rule_id: str) -> None:
        sources = load_knowledge().pack.rules[rule_id].sources
        assert sources
        for source in sources:
            assert re.fullmatch(r".{6,}, .{4,}", source), source
