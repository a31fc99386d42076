"""What a limit rules out is named with what is needed, what is there, and how much is lacking.

Each figure is worked out beside its job; unknown facts make a condition, never a refusal.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.engine.advise import present
from advisor.engine.conditions import LimitState, check_limits, excess
from advisor.engine.knowledge import load_knowledge
from advisor.engine.levers import LEVERS
from advisor.engine.plan import Offer, search
from advisor.facts.answers import Answer
from tests.engine.sessions import advice
from tests.ticket_job import TICKET

DRIVES = {
    **TICKET, "nvme": "present", "nvme_write": "5 GB/s", "host_memory_free": "1 GB",
    "local_survives": "node_reboot", "interval_decided_by": "policy",
}  # fmt: skip
"""12 TB on 128 nodes, 93.75 GB a node, asynchronous saves out for lack of memory."""


def states(**answers: str) -> dict[str, LimitState]:
    now = present({k: Answer(v, "measured") for k, v in answers.items()}, load_knowledge())
    found = check_limits(now.situation.scenario, load_knowledge().pack, now.situation.framework)
    return {s.limit.id: s for s in found}


def test_host_memory() -> None:
    # 93.75 GB staged may be 80 % of what is free: 117.2 GB, 17.2 GB more than 100 GB.
    found = advice(**{**TICKET, "host_memory_free": "100 GB"})
    assert found.refused == (
        "Asynchronous saves are ruled out: a save stages 93.8 GB per node, and over 80 % of the "
        "host memory free is refused. That needs 117 GB of free host memory a node, 100 GB is "
        "free: 17.2 GB too little.",
    )


def test_space_on_the_drives() -> None:
    # The new and the old copy: 187.5 GB.
    orbax = {"framework": "orbax", "framework_version": "0.12.4"}
    found = advice(**{**DRIVES, **orbax, "nvme_free": "150 GB"})
    assert (
        "Node-local copies do not fit: the new one is written before the old one goes, redundancy "
        "included. That needs 188 GB on the drives of a node, 150 GB is free: 37.5 GB too little."
    ) in found.refused


def test_time_of_a_background_save() -> None:
    # 12 TB at 100 GB/s: 120 s, one in a hundred 180 s.
    asynchronous = {**TICKET, "mode": "async", "drain_timeout": "2 min", "save_variation": "1.5"}
    assert states(**asynchronous)["drain_time_out"].text == (
        "Asynchronous saves are ruled out: one save in a hundred outlasts the limit of its process "
        "group. That needs 3 min in the background, 2 min is the limit: 60 s too little."
    )


def test_space_in_the_pool() -> None:
    # 5 copies of 12 TB against 0.85 of 60 TB on Lustre, 51 TB.
    pool = {**TICKET, "keep": "5", "pool_free": "60 TB", "pool_kind": "lustre"}
    assert states(**pool)["pool_space"].text == (
        "The copies that are kept do not fit the pool: 5 of 12 TB. That needs 60 TB in the pool, "
        "51 TB is free and usable: 9 TB too little."
    )
    for gone in ("keep", "pool_free"):
        unknown = {k: v for k, v in pool.items() if k != gone}
        assert states(**unknown)["pool_space"].ok


def test_a_shorter_interval_that_fills_the_pool_is_ruled_out() -> None:
    # A run of 10 h that deletes nothing: every 2.5 h 4 copies, 48 TB; the best interval leaves 13
    # or more, and 0.9 of 100 TB take 7.
    run = {
        **TICKET, "interval": "150 min", "job_length": "10 h", "pool_free": "100 TB",
        "host_memory_free": "1 GB", "nvme": "none", "job_mtbf": "4 h", "pool_kind": "vast",
    }  # fmt: skip
    free = advice(**{**run, "pool_free": "1 PB"})
    assert [step.lever for step in free.plan] == ["shorter_interval"]
    tight = advice(**run)
    assert tight.plan == ()
    (why,) = [text for text in tight.refused if "pool" in text]
    assert why.startswith("The copies that are kept do not fit the pool: ")
    assert " in the pool, 90 TB is free and usable: " in why
    assert why.endswith(" too little.")


@pytest.mark.parametrize(
    ("gone", "lever", "words"),
    [
        ("host_memory_free", "async_on", "host memory: a save stages 93.8 GB per node"),
        ("nvme_free", "local_staging", "node-local space: the new and the old copy take 188 GB"),
    ],
)
def test_what_is_unknown_stays_a_condition(gone: str, lever: str, words: str) -> None:
    facts = {**DRIVES, "nvme_free": "1 TB"} if gone == "nvme_free" else {**TICKET}
    job = {k: v for k, v in facts.items() if k != gone}
    now = present({k: Answer(v, "measured") for k, v in job.items()}, load_knowledge())
    sc, pack = now.situation.scenario, load_knowledge().pack
    found = check_limits(LEVERS[lever].apply(sc), pack, now.situation.framework)
    (open_one,) = [s for s in found if s.unknown]
    assert open_one.text.startswith(words)
    assert not [s for s in found if s.broken]


def test_figures_that_print_alike_get_more_digits() -> None:
    # 93.75 GB / 0.8 = 117.1875 GB against 117.18 GB.
    found = advice(**{**TICKET, "host_memory_free": "117180 MB"})
    assert "needs 117.188 GB of free host memory a node, 117.18 GB is free" in found.refused[0]
    assert found.refused[0].endswith(": 7.5 MB too little.")


def test_what_is_broken_now_may_stay_but_not_get_worse() -> None:
    small = {**DRIVES, "nvme": "used", "nvme_free": "100 GB"}
    now = present({k: Answer(v, "measured") for k, v in small.items()}, load_knowledge())
    sc, pack, known = now.situation.scenario, load_knowledge().pack, now.situation.framework
    before = check_limits(sc, pack, known)
    assert excess(before, before) == []
    (worse,) = excess(check_limits(LEVERS["peer_copy"].apply(sc), pack, known), before)
    # Two copies of 93.75 GB now, four with a partner: 375 GB.
    assert worse.short == pytest.approx(275e9)
    lever = LEVERS["peer_copy"]
    offer = Offer(pack.rules["CKP01"], lever, lever.change(sc))
    found = search(sc, [offer], pack, known, interval_free=False)
    assert "needs 375 GB on the drives of a node, 100 GB is free: 275 GB" in found.refused[lever.id]


def test_two_changes_that_fit_only_one_without_the_other_are_both_named() -> None:
    # 40 TB are usable. Two copies of 12 TB; three, 36 TB, fit, and two of 15 TB do; three of 15 do
    # not.
    job = {**TICKET, "keep": "2", "pool_free": "40 TB", "pool_kind": "gpfs"}
    now = present({k: Answer(v, "measured") for k, v in job.items()}, load_knowledge())
    sc, pack, known = now.situation.scenario, load_knowledge().pack, now.situation.framework
    rule, plain = pack.rules["CKA01"], LEVERS["async_on"]
    offers = [
        Offer(rule, replace(plain, id="three", title="Keep three"), {"keep": 3.0}),
        Offer(rule, replace(plain, id="more", title="Save more"), {"state_total": 15e12}),
    ]
    refused = search(sc, offers, pack, known, interval_free=False).refused
    assert refused == {
        "three+more": 'Not together: "Keep three" and "Save more". The copies that are kept do not '
        "fit the pool: 3 of 15 TB. That needs 45 TB in the pool, 40 TB is free and usable: 5 TB "
        "too little."
    }
