"""An error that rests on a guessed answer is a warning that names the guess."""

from __future__ import annotations

import pytest

from advisor.engine.advice import Finding
from advisor.engine.advise import advise
from advisor.engine.knowledge import load_knowledge
from advisor.facts.answers import Answer, Certainty
from advisor.interview.live import live
from tests.engine.sessions import Job

SLOW = {
    "state_total": "6 TB",
    "nodes": "100",
    "pool_write": "100 GB/s",
    "save_variation": "1",
    "mode": "sync",
    "nvme": "none",
    "interval": "60 min",
    "job_mtbf": "10 h",
    "measured_save": "240 s",
}
"""60 s of bytes, four times that measured: CKB01."""


def answers(pool: Certainty) -> dict[str, Answer]:
    sources: dict[str, Certainty] = {"pool_write": pool}
    return {name: Answer(text, sources.get(name, "measured")) for name, text in SLOW.items()}


def slow_save(pool: Certainty) -> Finding:
    return advise(Job(answers(pool)), load_knowledge()).finding("CKB01")


@pytest.mark.parametrize("pool", ["measured", "estimated"])
def test_a_rate_somebody_knows_makes_it_an_error(pool: Certainty) -> None:
    found = slow_save(pool)
    assert (found.state, found.severity) == ("hit", "error")
    assert "guess" not in found.message


def test_a_guessed_rate_makes_it_a_warning_that_names_the_guess() -> None:
    found = slow_save("guessed")
    assert (found.state, found.severity) == ("hit", "warning")
    assert found.message.endswith(
        'A warning only, as it rests on a guess: "Pool write rate" (100 GB/s).'
    )


def test_assumed_values_leave_an_error_an_error() -> None:
    """CKX01 always rests on assumed tails; that is no reason to whisper."""
    given = answers("measured") | {"collective_timeout": Answer("30 s", "measured")}
    found = advise(Job(given), load_knowledge()).finding("CKX01")
    assert (found.state, found.severity) == ("hit", "error")


def test_the_panel_names_the_guess_too() -> None:
    said = [
        line for line in live(answers("guessed"), load_knowledge()).attention if "CKB01" in line
    ]
    assert len(said) == 1
    assert 'rests on a guess: "Pool write rate"' in said[0]


def test_the_order_of_the_ticket_follows_the_severity() -> None:
    advice = advise(Job(answers("guessed")), load_knowledge())
    ranks = [(f.order, {"error": 0, "warning": 1, "note": 2}[f.severity]) for f in advice.findings]
    assert ranks == sorted(ranks)
