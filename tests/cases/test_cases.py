"""The published cases: each leads to the advice that was given for it, or is listed with a reason.

A case that is listed and leads there after all fails as well, so that the list stays true.
"""

from __future__ import annotations

import pytest

from advisor.engine.knowledge import load_knowledge
from advisor.engine.levers import LEVERS
from tests.cases.cases import Case, advised, all_cases, facts_of, leads_to, table

CASES = all_cases()
PAIRS = [(case, code) for case in CASES for code in case.expect]
MISSES = [(case, code) for case, code in PAIRS if code in table("misses").get(case.id, {})]


def _names(pairs: list[tuple[Case, str]]) -> list[str]:
    return [f"{case.id}-{code}" for case, code in pairs]


def test_there_are_86_cases_with_105_pieces_of_advice() -> None:
    assert len(CASES) == len({case.id for case in CASES}) == 86
    assert len(PAIRS) == 105


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_case_can_be_advised_on(case: Case) -> None:
    found = advised(case.id)
    assert not [f.rule for f in found.findings if f.state == "error"]
    assert found.headline


@pytest.mark.parametrize(("case", "code"), PAIRS, ids=_names(PAIRS))
def test_a_case_leads_to_the_advice_that_was_given(case: Case, code: str) -> None:
    listed = code in table("misses").get(case.id, {})
    assert leads_to(advised(case.id), code) is not listed


@pytest.mark.parametrize(("case", "code"), MISSES, ids=_names(MISSES))
def test_a_miss_has_the_reason_it_is_listed_with(case: Case, code: str) -> None:
    miss, found, wanted = table("misses")[case.id][code], advised(case.id), table("expected")[code]
    pack = load_knowledge().pack
    assert miss["why"].endswith(".")
    if "in_place" in miss:
        assert {n: found.facts[n].value for n in miss["in_place"]} == miss["in_place"]
        return
    if "clear" in miss:
        assert miss["clear"] in wanted["rules"]
        assert found.finding(miss["clear"]).state == "clear"
        return
    assert miss["rule"] in wanted["rules"]
    rule = found.finding(miss["rule"])
    assert rule.state in ("unknown", "clear")
    for name in miss["lacks"]:
        assert name not in facts_of(case), "the case gives it"
        fact = found.facts[name]
        assumed = fact.source == "default" and fact.value is not None
        asked_for = fact.value is None and name in pack.rules[rule.rule].when.names
        assert name in rule.missing or assumed or asked_for, name


def test_every_miss_belongs_to_a_case_that_expects_it() -> None:
    expected = {(case.id, code) for case, code in PAIRS}
    listed = {(name, code) for name, codes in table("misses").items() for code in codes}
    assert listed <= expected


def test_every_published_input_is_used_or_left_out_for_a_reason() -> None:
    words = {name for names in table("words") for name in names.split("/")}
    used = set(table("inputs")) | words
    unused = [name for group in table("unused").values() for name in group["names"]]
    assert len(unused) == len(set(unused))
    assert not used & set(unused)
    assert used | set(unused) == {name for case in CASES for name in case.inputs}


def test_the_tables_name_what_there_is() -> None:
    pack, catalogue = load_knowledge().pack, load_knowledge().catalogue
    assert {rule["fact"] for rule in table("inputs").values()} <= set(catalogue.facts)
    codes = {code for case in CASES for code in case.expect}
    assert set(table("expected")) == codes
    for wanted in table("expected").values():
        assert set(wanted.get("rules", ())) <= set(pack.rules)
        assert set(wanted.get("levers", ())) <= set(LEVERS)
