"""Why a rule hits: the flips found are where the rule really changes its mind."""

from __future__ import annotations

import pytest

from advisor.engine.advise import present
from advisor.engine.explain import explain
from advisor.engine.knowledge import load_knowledge
from advisor.facts.answers import Answer
from tests.ticket_job import TICKET


def answers(**changes: str) -> dict[str, Answer]:
    return {n: Answer(v, "measured") for n, v in {**TICKET, **changes}.items() if v}


def state(rule: str, **changes: str) -> str:
    known = load_knowledge()
    now = present(answers(**changes), known).situation
    return explain(known.pack.rules[rule], now, known.pack).finding.state


@pytest.mark.parametrize("rule", ["CKI01", "CKA01", "CKB02", "CKV02", "CKT01", "CKD01"])
def test_each_flip_is_one(rule: str) -> None:
    known = load_knowledge()
    now = present(answers(), known).situation
    found = explain(known.pack.rules[rule], now, known.pack)
    units = {"duration": "s", "rate": "B/s", "size": "B"}
    for flip in found.flips:
        if flip.kind not in units:
            continue
        for at, step in ((flip.below, 0.999), (flip.above, 1.001)):
            if at is None:
                continue
            # One 1,000th beyond the flip the outcome is another one, as far before it the same.
            beyond, before = at * step, at / step
            said = [
                state(rule, **{flip.fact: f"{value:.9g} {units[flip.kind]}"})
                for value in (beyond, before)
            ]
            assert (said[0] == "hit") != (said[1] == "hit"), (flip.fact, at, said)
            assert (said[1] == "hit") == (found.finding.state == "hit")


def test_a_job_far_from_any_edge_says_how_far_was_looked() -> None:
    known = load_knowledge()
    now = present(answers(keep="1"), known).situation
    found = explain(known.pack.rules["CKV02"], now, known.pack)
    assert found.finding.state == "hit"
    (keep,) = [flip for flip in found.flips if flip.fact == "keep"]
    assert keep.below is None
    assert keep.above == pytest.approx(2, rel=1e-6)


def test_what_is_unknown_has_no_flips_but_the_facts_to_ask() -> None:
    known = load_knowledge()
    now = present({"nodes": Answer("128")}, known).situation
    found = explain(known.pack.rules["CKI01"], now, known.pack)
    assert found.finding.state == "unknown"
    assert found.flips == ()
    assert {"state_total", "interval"} <= set(found.finding.missing)
    assert [trace.outcome for trace in found.comparisons] == [None, True]
