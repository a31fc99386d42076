"""Every rule against its fixtures: facts as typed, and the outcome worked out by hand.

The figures in the messages are derived in a comment at the top of each fixture. The checks are
those of ``rules check``; that they find what they look for is tested in ``test_check``.
"""

from __future__ import annotations

import re

import pytest

from advisor.commands.rules_check import rule_documents
from advisor.engine.knowledge import load_knowledge
from advisor.engine.rule_fixtures import Fixture, fixture_faults
from advisor.engine.rule_lint import lint_fixtures, lint_rule
from advisor.facts.folders import builtin_rules
from tests.rules.fixtures import FOLDER, all_fixtures

KNOWN = load_knowledge()
RULES = sorted(KNOWN.pack.rules)
DOCUMENTS = dict(rule_documents((builtin_rules(),)))


def of(rule: str) -> list[Fixture]:
    return [fixture for fixture in all_fixtures() if fixture.rule == rule]


@pytest.mark.parametrize("fixture", all_fixtures(), ids=[f.name for f in all_fixtures()])
def test_the_rule_says_what_was_worked_out(fixture: Fixture) -> None:
    found = fixture_faults(fixture, KNOWN.pack.rules[fixture.rule], KNOWN)
    assert [fault.render() for fault in found] == []


@pytest.mark.parametrize("rule", RULES)
def test_its_words_are_complete(rule: str) -> None:
    found = lint_rule(KNOWN.pack.rules[rule], DOCUMENTS[rule], KNOWN)
    assert [fault.render() for fault in found] == []


@pytest.mark.parametrize("rule", RULES)
def test_every_outcome_and_every_comparison_is_tried(rule: str) -> None:
    found = lint_fixtures(KNOWN.pack.rules[rule], of(rule), DOCUMENTS[rule], KNOWN)
    assert [fault.render() for fault in found] == []


@pytest.mark.parametrize("rule", RULES)
def test_its_messages_are_sentences_with_a_figure(rule: str) -> None:
    hits = [fixture for fixture in of(rule) if fixture.kind == "hit"]
    assert hits
    for fixture in hits:
        message = fixture.expect["message"]
        assert re.search(r"\d", message), message
        assert message.endswith("."), message


def test_every_rule_that_changes_the_job_has_a_gain() -> None:
    advice_only = {"keep", "raise_timeout"}
    on_top = {"faster_restart", "purchase"}
    scored = {r.id for r in KNOWN.pack.rules.values() if r.lever} - {
        r.id for r in KNOWN.pack.rules.values() if r.lever in advice_only | on_top
    }
    # CKA05 switches on what CKA01 does; the plan names the first rule that offers a change.
    assert {f.rule for f in all_fixtures() if "goodput_gain" in f.expect} == scored - {"CKA05"}


def test_every_folder_belongs_to_a_rule() -> None:
    folders = {p.name for p in FOLDER.iterdir() if p.is_dir() and p.name != "__pycache__"}
    assert folders == set(RULES)
