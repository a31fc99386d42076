"""Ranges, chances and the worth of measuring."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.engine.advise import advise, present
from advisor.engine.knowledge import load_knowledge
from advisor.engine.levers import LEVERS
from advisor.engine.samples import (
    Spread,
    at_end,
    draw,
    sampled,
    spread_of,
    spreads,
    uniforms,
)
from advisor.engine.uncertainty import SAMPLES
from advisor.facts.answers import Answer
from tests.engine.sessions import Job, advice
from tests.ticket_job import TICKET


def found(**answers: Answer) -> dict[str, Spread]:
    now = present(answers, load_knowledge())
    return {s.name: s for s in spreads(now.facts, now.raw)}


def test_widths_by_how_sure_an_answer_is() -> None:
    # Measured 10 %, a single storage measurement 30 %, estimated x/1.5, guessed x/3.
    for source, name, text, low, high in (
        ("measured", "job_mtbf", "10 h", 9 * 3600, 11 * 3600),
        ("measured", "pool_write", "100 GB/s", 70e9, 130e9),
        ("estimated", "job_mtbf", "10 h", 10 * 3600 / 1.5, 15 * 3600),
        ("guessed", "job_mtbf", "10 h", 10 * 3600 / 3, 30 * 3600),
        ("estimated", "job_mtbf", "5-20 h", 5 * 3600, 20 * 3600),
    ):
        spread = found(**{name: Answer(text, source)})[name]  # type: ignore[arg-type]
        assert (spread.low, spread.high) == pytest.approx((low, high)), (source, text)


def test_settings_and_counts_are_exact() -> None:
    names = found(nodes=Answer("128", "guessed"), interval=Answer("15 min", "guessed"))
    assert "nodes" not in names
    assert "interval" not in names


def test_a_failure_rate_nobody_counted_is_as_wide_as_published() -> None:
    # 0.4 to 3.0 per 1,000 accelerator-days around 1.0: 128 x 8 = 1,024, M = 84,375 s.
    spread = found(nodes=Answer("128", "measured"))["job_mtbf"]
    assert spread.best == pytest.approx(84375)
    assert (spread.low, spread.high) == pytest.approx((84375 / 3, 84375 / 0.4))


def test_a_data_sheet_is_as_wide_as_what_saves_get_of_it() -> None:
    spread = found(
        pool_write=Answer("400 GB/s", "measured"),
        pool_write_basis=Answer("data_sheet", "measured"),
    )["pool_write"]
    assert (spread.low, spread.high) == pytest.approx((400e9 * 0.40 / 0.45, 400e9 * 0.52 / 0.45))


def test_draws_cover_the_range_evenly_and_peak_at_the_best() -> None:
    spec = load_knowledge().catalogue.facts["job_mtbf"]
    spread = Spread("job_mtbf", "job_mtbf", 1e3, 1e4, 1e5)
    u = (np.arange(10000) + 0.5) / 10000
    values = draw(spread, u, spec)
    assert values.min() == pytest.approx(1e3, rel=0.05)
    assert values.max() == pytest.approx(1e5, rel=0.05)
    # Symmetric in the logarithm: the median is the best value.
    assert np.median(values) == pytest.approx(1e4, rel=1e-3)


def test_ratios_over_one_vary_in_their_excess_and_shares_in_the_logit() -> None:
    facts = load_knowledge().catalogue.facts
    u = np.linspace(0.001, 0.999, 999)
    tail = draw(Spread("tail_ratio", "tail_ratio", 1.2, 2.0, 7.4), u, facts["tail_ratio"])
    assert tail.min() >= 1.2
    assert tail.max() <= 7.4
    slow = Spread("drain_slowdown", "drain_slowdown", 0.1, 0.3, 0.55)
    share = draw(slow, u, facts["drain_slowdown"])
    assert share.min() >= 0.1
    assert share.max() <= 0.55


def test_the_same_session_always_gives_the_same_samples() -> None:
    now = present({"nodes": Answer("128", "measured")}, load_knowledge())
    ranges = spreads(now.facts, now.raw)
    first, second = uniforms(ranges, 64), uniforms(ranges, 64)
    assert first.keys() == second.keys()
    for name, values in first.items():
        np.testing.assert_array_equal(values, second[name])


def test_a_hypercube_has_one_value_in_every_slice() -> None:
    now = present({"nodes": Answer("128", "measured")}, load_knowledge())
    spread = spread_of(now.facts.facts["restart_time"], now.raw)
    assert spread is not None
    job = sampled(now.raw, (spread,), uniforms((spread,), 100))
    values = np.sort(np.asarray(job.number("restart_time")))
    spec = load_knowledge().catalogue.facts["restart_time"]
    edges = draw(spread, np.arange(101) / 100, spec)
    assert ((values >= edges[:-1] - 1e-9) & (values <= edges[1:] + 1e-9)).all()


def test_the_illustration_pays_in_99_of_100_samples() -> None:
    advised = advice(**TICKET)
    chance = advised.plan[0].chance_it_pays
    assert chance is not None
    assert chance >= 0.99
    before, after = advised.before, advised.after
    assert before.goodput_p10 is not None
    assert before.goodput_p90 is not None
    assert before.goodput is not None
    assert before.goodput_p10 < before.goodput < before.goodput_p90
    assert after.goodput_p10 is not None
    assert after.goodput_p10 > before.goodput_p90


def test_the_slow_down_while_draining_is_to_be_measured_first() -> None:
    # The illustration, worked out apart, puts it first at $46k a year; it does not say on which
    # grid of intervals, so only the order of magnitude can be held.
    first = advice(**TICKET).unknowns[0]
    assert first.fact == "drain_slowdown"
    assert first.worth_per_year is not None
    assert 10e3 < first.worth_per_year < 100e3


def test_a_doubtful_change_has_a_chance_between() -> None:
    # Where the drain slows training by about what the stall costs, the samples disagree.
    answers = {k: Answer(v, "measured") for k, v in TICKET.items()}
    answers["drain_slowdown"] = Answer("0.6-0.99", "guessed")
    answers["pool_write"] = Answer("100 GB/s", "guessed")
    answers["interval_decided_by"] = Answer("policy", "measured")
    advised = advise(Job(answers), load_knowledge())
    if advised.plan:
        chance = advised.plan[0].chance_it_pays
        assert chance is not None
        assert 0.3 < chance < 1.0


def test_facts_that_are_measured_are_not_among_the_unknowns() -> None:
    names = {u.fact for u in advice(**TICKET).unknowns}
    assert not names & set(TICKET)


def test_measuring_what_plays_no_part_is_worth_nothing() -> None:
    names = {u.fact for u in advice(**{**TICKET, "nvme": "none"}).unknowns}
    assert "nvme_write" not in names
    assert SAMPLES >= 4096


PEERS = {
    "nodes": "100", "state_per_node": "60 GB", "pool_write": "100 GB/s", "mode": "sync",
    "nvme": "used", "nvme_write": "5 GB/s", "interval": "60 min", "job_mtbf": "10 h",
    "interval_decided_by": "policy", "restart_time": "30 min", "local_restart_time": "0 s",
    "local_survives": "node_reboot", "accelerators_per_node": "0",
}  # fmt: skip
"""Node-local saves of which half of the interruptions leave a copy; a partner copy pays."""


def test_the_share_that_peer_copies_survive_has_its_own_range_after_the_change() -> None:
    # Published: 10 to 75 % without a copy elsewhere (0.5 assumed), 60 to 95 % with one (0.85).
    now = present({k: Answer(v, "measured") for k, v in PEERS.items()}, load_knowledge())
    found = spreads(now.facts, now.raw)
    places = uniforms(found, 1000)
    job = sampled(now.raw, found, places)
    alone = np.asarray(job.number("survivable_share"))
    paired = np.asarray(LEVERS["peer_copy"].apply(job).number("survivable_share"))
    for values, low, best, high in ((alone, 0.1, 0.5, 0.75), (paired, 0.6, 0.85, 0.95)):
        assert low <= values.min() < low + 0.05
        assert high - 0.05 < values.max() <= high
        assert (values < best).mean() == pytest.approx(
            np.log(best / (1 - best) * (1 - low) / low)
            / np.log(high / (1 - high) * (1 - low) / low),
            abs=0.01,
        )  # triangular in the logit: the share below the peak is its place between the ends
    # A job that loses few nodes before the change loses few after it.
    assert (np.argsort(alone) == np.argsort(paired)).all()


def test_a_typed_share_stays_as_typed_through_a_peer_copy() -> None:
    answers = {k: Answer(v, "measured") for k, v in PEERS.items()}
    answers["survivable_share"] = Answer("0.7", "measured")
    now = present(answers, load_knowledge())
    found = spreads(now.facts, now.raw)
    job = sampled(now.raw, found, uniforms(found, 100))
    before = np.asarray(job.number("survivable_share"))
    after = np.asarray(LEVERS["peer_copy"].apply(job).number("survivable_share"))
    np.testing.assert_array_equal(before, after)


def test_the_share_is_among_the_unknowns_with_what_the_plan_makes_of_it() -> None:
    advised = advice(**PEERS)
    assert "peer_copy" in [step.lever for step in advised.plan]
    (share,) = [u for u in advised.unknowns if u.fact == "survivable_share"]
    assert share.planned == "85 % (60 % to 95 %)"
    # Hard failures are 0.4 to 0.05 of one in 10 h, each at 30 min of restart: over 1.5 points.
    assert share.swing is not None
    assert share.swing > 0.35 / 10 * 0.5 * 0.8


def test_the_end_of_an_assumed_range_follows_the_choice() -> None:
    now = present({k: Answer(v, "measured") for k, v in PEERS.items()}, load_knowledge())
    spread = next(s for s in spreads(now.facts, now.raw) if s.name == "survivable_share")
    for high, alone, paired in ((False, 0.1, 0.6), (True, 0.75, 0.95)):
        job = at_end(now.raw, spread, high=high)
        assert job.number("survivable_share") == pytest.approx(alone)
        after = LEVERS["peer_copy"].apply(job)
        assert after.number("survivable_share") == pytest.approx(paired)


def test_samples_of_an_assumed_restart_do_not_replace_its_phases() -> None:
    # Detection and start are given, so the assumed 15 min (5 to 60) play no part.
    phases = {"detect_time": "60 s", "init_time": "60 s"}
    answers = {k: v for k, v in TICKET.items() if k != "restart_time"} | phases
    advised = advice(**answers)
    assert "restart_time" not in {u.fact for u in advised.unknowns}
    before = advised.before
    assert before.loss is not None
    assert before.goodput_p10 is not None
    assert before.goodput_p90 is not None
    assert before.goodput is not None
    # Two minutes in 10 h cost 0.33 %; a restart of 5 min or more would cost over 0.8 %.
    assert before.loss.restart == pytest.approx(1 / 300, rel=0.1)
    assert before.goodput_p10 < before.goodput < before.goodput_p90


def test_times_of_ranks_are_as_uncertain_as_a_measured_save() -> None:
    times = {"rank_times": Answer("100 s, 100 s", "measured")}
    job = {k: Answer(v, "measured") for k, v in TICKET.items() if k != "pool_write"}
    now = present({**job, **times}, load_knowledge())
    spread = next(s for s in spreads(now.facts, now.raw) if s.asked == "rank_times")
    assert spread.name == "measured_save"
    assert (spread.low, spread.best, spread.high) == pytest.approx((70, 100, 130))
    typed = present({**job, **times, "measured_save": Answer("90 s", "measured")}, load_knowledge())
    assert "rank_times" not in {s.asked for s in spreads(typed.facts, typed.raw)}
