"""A job whose restarts take everything: not the interval, the stall or the pool is to blame."""

from __future__ import annotations

import pytest

from advisor.engine.advice import Advice
from advisor.engine.knowledge import load_knowledge
from advisor.facts.answers import Answer
from advisor.interview.live import live
from advisor.report.build import build_report
from advisor.report.markdown import render
from advisor.tui.results_pages import pages
from tests.engine.sessions import advice

MILLION = {
    "nodes": "1000000",
    "state_total": "70 TB",
    "pool_write": "10 TB/s",
    "interval": "15 min",
    "mode": "sync",
    "nvme": "present",
    "node_mtbf": "1 y",
}
"""One interruption in 31.5 s, a restart of 15 min: e^(-900/31.5) = 4e-13 is left at most."""


@pytest.fixture(scope="module")
def lost() -> Advice:
    return advice(**MILLION)


def test_the_verdict_says_that_no_interval_helps_and_why(lost: Advice) -> None:
    assert lost.before.no_interval_helps
    assert lost.verdict.text == (
        "No interval helps: restarts alone take 100 % of the time at any of them."
    )
    assert "Only a faster restart or fewer interruptions help." in lost.headline
    assert "Keep the configuration" not in lost.headline


def test_neither_the_stall_nor_the_interval_is_named_as_the_cause(lost: Advice) -> None:
    # 7 s of stall in 31.5 s are over the ratio of CKI07.
    states = {finding.rule: finding.state for finding in lost.findings}
    assert states["CKI07"] == "clear"
    assert states["CKI03"] == "clear"
    assert states["CKR01"] == "hit"


def test_the_ticket_and_the_pages_have_no_empty_figures(lost: Advice) -> None:
    ticket = render(build_report(lost)).split("<details>")[0]
    shown = "\n".join(
        f"{page.title} {page.gain} " + " ".join(block.text for block in page.blocks)
        for page in pages(lost)
    )
    for words in (ticket, shown):
        assert "99.9 years" not in words
        assert "0.00 points" not in words
        assert "over under" not in words
        assert "none helps" in words


def test_the_panel_says_it_too() -> None:
    known = {name: Answer(text, "measured") for name, text in MILLION.items()}
    (line,) = [one for one in live(known, load_knowledge()).lines if one.label == "Best interval"]
    assert line.text == "none helps: the best keeps under 0.01 %"
    assert line.note == "restarts alone take 100 %"


def test_a_stall_that_loses_half_is_still_named_where_restarts_do_not(lost: Advice) -> None:
    # 70 TB at 200 GB/s is 350 s in 10 min; restarts of 1 min leave e^-0.1 = 90 %.
    other = {**MILLION, "nodes": "1000", "pool_write": "200 GB/s", "restart_time": "1 min"}
    del other["node_mtbf"]
    found = advice(**other, job_mtbf="10 min")
    states = {finding.rule: finding.state for finding in found.findings}
    assert states["CKI07"] == "hit"
    assert not found.before.no_interval_helps
