"""What a replay compares is the same whether or not the rest of the advice is computed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.engine.advice import Advice, View
from advisor.engine.advise import SessionLike, advise
from advisor.engine.knowledge import load_knowledge
from advisor.session.record import advice_record
from tests.benchmarks.many_sessions import some_sessions
from tests.cases.cases import all_cases
from tests.engine.sessions import job

JOBS: list[SessionLike] = [
    *some_sessions(40, seed=3),
    *(job(**case.answers) for case in all_cases()[::6]),
]


def _exact(view: View) -> View:
    """A view without what comes from samples, simulated runs and the search for the best k."""
    return replace(
        view,
        goodput_p10=None,
        goodput_p90=None,
        simulated_goodput=None,
        best_together=None,
        best_pool_every=None,
    )


def _steps(advice: Advice) -> list[tuple[object, ...]]:
    return [
        (s.order, s.key, s.title, s.effort, s.settings, s.goodput_gain, s.saves_per_year)
        for s in advice.plan
    ]


@pytest.mark.parametrize("session", JOBS, ids=lambda session: session.id)
def test_a_part_of_the_advice_is_that_of_the_whole(session: SessionLike) -> None:
    knowledge = load_knowledge()
    whole, part = advise(session, knowledge), advise(session, knowledge, whole=False)
    assert advice_record(part) == advice_record(whole)
    assert _exact(part.before) == _exact(whole.before)
    assert _exact(part.after) == _exact(whole.after)
    assert _steps(part) == _steps(whole)
    assert [(f.rule, f.state, f.severity, f.missing, f.superseded_by) for f in part.findings] == [
        (f.rule, f.state, f.severity, f.missing, f.superseded_by) for f in whole.findings
    ]
    assert part.missing_required == whole.missing_required
    assert part.facts == whole.facts
