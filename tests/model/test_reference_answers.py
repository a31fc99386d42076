"""The model against answers computed by others (closed forms, quadrature, Markov chains)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from advisor.model.burst import data_time, two_phase_time
from advisor.model.estimate import estimate
from advisor.model.failures import interruption_rate
from advisor.model.job import sizes
from advisor.model.lost_work import goodput, shares
from advisor.model.money import cost_per_year, idle_cost
from advisor.model.optimum import best_interval, closed_form_interval, stall_for_goal
from advisor.model.pattern import Pattern, pattern
from advisor.model.save_time import redundancy_bytes
from advisor.model.tails import exceeds, slowest_mean, slowest_quantile
from advisor.model.waits import period
from tests.model.jobs import job
from tests.model.reference import cases, close, models

Case = dict[str, Any]


def one_tier(inputs: Case) -> Pattern:
    return pattern(stall=inputs["delta_s"], hard_rate=1 / inputs["M_s"], hard_restart=inputs["R_s"])


def test_every_reference_model_is_tested() -> None:
    here = {
        "single_level", "single_level_breakdown", "job_mtbf", "multilevel", "async_exact",
        "burst_bandwidth", "burst_time_two_phase", "max_of_N_lognormal",
        "job_timeout_probability", "idle_cost_sync", "checkpoint_bytes", "annual_idle_cost",
        "delta_max_for_target_efficiency", "pool_bandwidth_for_target_efficiency",
        "extra_lost_work_unusable_checkpoint", "scr_storage_factor",
        "checkpoint_pause_fraction", "scenario", "two_tier_formula",
        # in test_payload.py and test_sharing.py
        "incremental_chain_optimum", "one_shot_increment_size", "compression_break_even",
        "cooperative_shared_pool", "series_mtbf",
        # in test_peers.py
        "peer_memory_recovery_probability", "peer_replication_time",
    }  # fmt: skip
    assert here == models()


@pytest.mark.parametrize(("inputs", "outputs"), cases("single_level"))
def test_one_synchronous_tier(inputs: Case, outputs: Case) -> None:
    p = one_tier(inputs)
    best = best_interval(p, 0.001)
    assert close(closed_form_interval(p.stall, 0, 0, inputs["M_s"]), outputs["exact_tau"])
    # The search looks at a flat top: the interval agrees to 1e-6 only, the goodput fully.
    assert best.interval == pytest.approx(outputs["exact_tau"], rel=1e-5)
    printed = outputs["eff_exact_opt"] if "eff_exact_opt" in outputs else outputs["E"]
    assert close(best.goodput, printed)
    for key, tau in (("eff_at_young", "young_tau"), ("eff_at_daly_higher", "daly_higher_tau")):
        if key in outputs:
            assert close(goodput(p, outputs[tau]), outputs[key])


@pytest.mark.parametrize(("inputs", "outputs"), cases("single_level_breakdown"))
def test_loss_shares(inputs: Case, outputs: Case) -> None:
    found = shares(one_tier(inputs), inputs["tau_s"])
    assert close(found.goodput, outputs["useful"])
    assert close(found.stall, outputs["checkpoint"])
    assert close(found.restart, outputs["restart"])
    assert close(found.rework, outputs["rework"])
    wall = inputs["tau_s"] / float(found.goodput)
    assert close(wall, outputs["wall_per_period"])


@pytest.mark.parametrize(("inputs", "outputs"), cases("async_exact"))
def test_one_asynchronous_tier(inputs: Case, outputs: Case) -> None:
    stall, lag, slow = inputs["t_block_s"], inputs["t_drain_s"], inputs["sigma"]
    p = pattern(
        stall=stall, pool_lag=lag, pool_slowdown=slow,
        hard_rate=1 / inputs["M_s"], hard_restart=inputs["R_s"],
    )  # fmt: skip
    work = inputs["P_s"] - stall - slow * lag
    assert close(goodput(p, work), outputs["E_exact"])
    best = closed_form_interval(stall, lag, slow, inputs["M_s"])
    assert close(period(p, best), outputs["P_opt"])
    assert close(goodput(p, best), outputs["E_exact_at_opt"])
    assert close(stall + slow * lag, outputs["delta_eff"])
    constrained = bool(np.isclose(best, (1 - slow) * lag))
    assert constrained is outputs["P_opt_constrained_by_drain"]


@pytest.mark.parametrize(("inputs", "outputs"), cases("two_tier_formula"))
@pytest.mark.parametrize("survives", [True, False])
def test_two_tiers_with_lagging_copies(inputs: Case, outputs: Case, survives: bool) -> None:
    p = pattern(
        stall=inputs["stall_s"], pool_stall=inputs["b_s"], every=inputs["k"],
        local_lag=inputs["d1_s"], pool_lag=inputs["d2_s"],
        local_slowdown=inputs["sigma1"], pool_slowdown=inputs["sigma2"],
        soft_rate=inputs["lam_soft_per_s"], hard_rate=inputs["lam_hard_per_s"],
        soft_restart=inputs["R_soft_s"], hard_restart=inputs["R_hard_s"],
        drain_survives=float(survives),
    )  # fmt: skip
    ends = "survives" if survives else "restarts"
    ours, stored = float(goodput(p, inputs["tau_s"])), outputs[f"goodput_drain_{ends}"]
    if f"simulated_drain_{ends}" not in outputs:
        # These answers are printed with nine digits.
        assert ours == pytest.approx(stored, rel=1e-8)
        return
    # With soft failures and lagging copies the stored answer is an approximation: the simulation
    # beside it is not.
    simulated, error = outputs[f"simulated_drain_{ends}"], outputs[f"error_drain_{ends}"]
    assert abs(stored - simulated) > 2.5 * error
    assert abs(ours - simulated) < 2 * error


def _levels(inputs: Case, every: float) -> Pattern:
    extra = inputs["C_s"][1] if inputs["nested_cost"] else inputs["C_s"][1] - inputs["C_s"][0]
    return pattern(
        stall=inputs["C_s"][0], pool_stall=extra, every=every,
        soft_rate=inputs["lambda_per_s"][0], hard_rate=inputs["lambda_per_s"][1],
        soft_restart=inputs["R_s"][0], hard_restart=inputs["R_s"][1],
    )  # fmt: skip


@pytest.mark.parametrize(("inputs", "outputs"), cases("multilevel"))
def test_two_synchronous_tiers_are_the_markov_chain(inputs: Case, outputs: Case) -> None:
    if "segments_inside" in inputs:
        p = _levels(inputs, inputs["segments_inside"][0])
        tau = inputs["work_per_segment_s"]
        assert close(goodput(p, tau), outputs["E_exact"])
        pattern_time = inputs["segments_inside"][0] * tau / outputs["E_exact"]
        assert pattern_time == pytest.approx(outputs["exact_pattern_time"], rel=2e-5)
    else:
        count = outputs["exact_best_counts"][0]
        p = _levels(inputs, count)
        assert close(goodput(p, outputs["exact_best_w"]), outputs["E_exact_best"])
        # The interval is the best for that count, and no neighbouring count is better.
        assert best_interval(p, 0.001).interval == pytest.approx(outputs["exact_best_w"], rel=1e-4)
        for other in (count - 1, count + 1):
            assert best_interval(_levels(inputs, other), 0.001).goodput < outputs["E_exact_best"]
        whole = inputs["C_s"][0] + inputs["C_s"][1]
        pool = pattern(
            stall=whole if not inputs["nested_cost"] else inputs["C_s"][1],
            hard_rate=sum(inputs["lambda_per_s"]), hard_restart=inputs["R_s"][1],
        )  # fmt: skip
        assert close(best_interval(pool, 0.001).goodput, outputs["single_level_pool_only_E"])


@pytest.mark.parametrize(("inputs", "outputs"), cases("job_mtbf"))
def test_mtbf_of_a_job_from_the_rate_of_nodes(inputs: Case, outputs: Case) -> None:
    node_days = 1000 / inputs["failures_per_1000_node_days"]
    sc = job(nodes=str(inputs["nodes"]), state_total="1 TB", node_mtbf=f"{node_days * 86400!r} s")
    found = interruption_rate(sc)
    assert found is not None
    assert close(1 / found[0] / 3600, outputs["M_hours"])
    assert not found[1]


@pytest.mark.parametrize(("inputs", "outputs"), cases("burst_bandwidth"))
def test_rate_for_a_pause(inputs: Case, outputs: Case) -> None:
    total = inputs["nodes"] * inputs["state_bytes"]
    needed = outputs["pool_GBps"] * 1e9
    assert close(data_time(total, inputs["state_bytes"], needed, np.inf), inputs["pause_s"])
    each = outputs["node_GBps"] * 1e9
    assert close(data_time(0.0, inputs["state_bytes"], np.inf, each), inputs["pause_s"])


@pytest.mark.parametrize(("inputs", "outputs"), cases("burst_time_two_phase"))
def test_burst_into_a_buffered_pool(inputs: Case, outputs: Case) -> None:
    total = inputs["nodes"] * inputs["state_bytes"]
    arriving = inputs["nodes"] * inputs["node_Bps"]
    if inputs["pool_fast_Bps"]:
        arriving = min(arriving, inputs["pool_fast_Bps"])
    data = two_phase_time(total, arriving, inputs["pool_sustained_Bps"], inputs["burst_area_bytes"])
    assert close(data, outputs["data_s"])
    assert close(data + inputs["files"] / inputs["creates_per_s"], outputs["total_s"])


@pytest.mark.parametrize(("inputs", "outputs"), cases("max_of_N_lognormal"))
def test_slowest_of_n(inputs: Case, outputs: Case) -> None:
    ratio, n = inputs["p99_s"] / inputs["p50_s"], inputs["N"]
    assert close(inputs["p50_s"] * slowest_mean(ratio, n), outputs["E_max"])
    assert close(inputs["p50_s"] * slowest_quantile(0.5, ratio, n), outputs["median_max"])
    assert close(inputs["p50_s"] * slowest_quantile(0.99, ratio, n), outputs["p99_max"])


@pytest.mark.parametrize(("inputs", "outputs"), cases("job_timeout_probability"))
def test_chance_of_a_time_out(inputs: Case, outputs: Case) -> None:
    ratio, limit = inputs["p99_s"] / inputs["p50_s"], inputs["timeout_s"]
    assert close(exceeds(inputs["p50_s"], ratio, limit), outputs["p_rank"])
    save = exceeds(inputs["p50_s"], ratio, limit, inputs["N"])
    assert close(save, outputs["p_checkpoint"])
    year = float(save) * inputs["checkpoints_per_year"]
    assert close(year, outputs["expected_per_year"])


@pytest.mark.parametrize(("inputs", "outputs"), cases("idle_cost_sync"))
def test_price_of_the_pauses_of_a_month(inputs: Case, outputs: Case) -> None:
    pause = data_time(inputs["size_GB"], 0.0, inputs["write_GBps"], np.inf)
    assert close(pause, outputs["write_s"])
    hours = float(pause) * inputs["checkpoints_per_month"] / 3600
    assert close(hours * inputs["gpus"] * inputs["usd_per_gpu_h"], outputs["idle_usd_month"])


@pytest.mark.parametrize(("inputs", "outputs"), cases("checkpoint_bytes"))
def test_bytes_from_parameters(inputs: Case, outputs: Case) -> None:
    for each in (2, 8, 10, 12, 14, 16):
        sc = job(nodes="8", parameters=str(inputs["params"]), bytes_per_parameter=str(each))
        size = sizes(sc)
        assert size is not None
        assert close(size.total / 1e12, outputs[f"{each}B_TB"])


@pytest.mark.parametrize(("inputs", "outputs"), cases("annual_idle_cost"))
def test_idle_cost_of_a_year(inputs: Case, outputs: Case) -> None:
    sc = job(
        nodes=str(inputs["accelerators"] // 8), state_total="1 TB",
        accelerator_hour=f"${inputs['usd_per_hour']}/h", duty=str(inputs["duty"]),
    )  # fmt: skip
    cost = cost_per_year(sc)
    assert cost is not None
    assert close(idle_cost(np.asarray(inputs["E"]), cost), outputs["usd"])


@pytest.mark.parametrize(("inputs", "outputs"), cases("delta_max_for_target_efficiency"))
def test_stall_that_a_goal_leaves_room_for(inputs: Case, outputs: Case) -> None:
    stall, tau = stall_for_goal(inputs["E_target"], 1 / inputs["M_s"], inputs["R_s"])
    assert close(stall, outputs["delta_max_s"])
    assert close(tau, outputs["tau_star_s"])
    p = pattern(stall=stall, hard_rate=1 / inputs["M_s"], hard_restart=inputs["R_s"])
    assert close(goodput(p, tau), outputs["E_check"])


@pytest.mark.parametrize(("inputs", "outputs"), cases("pool_bandwidth_for_target_efficiency"))
def test_pool_rate_for_a_goal(inputs: Case, outputs: Case) -> None:
    stall, _ = stall_for_goal(inputs["E_target"], 1 / inputs["M_s"], inputs["R_s"])
    assert close(stall, outputs["delta_max_s"])
    rate = inputs["nodes"] * inputs["state_bytes"] / float(stall)
    assert close(rate / 1e9, outputs["pool_GBps"])


@pytest.mark.parametrize(("inputs", "outputs"), cases("extra_lost_work_unusable_checkpoint"))
def test_unusable_newest_copy(inputs: Case, outputs: Case) -> None:
    rate = 1e-5
    base = pattern(stall=0.0, hard_rate=rate, hard_restart=0.0)
    bad = base.changed(unusable=inputs["p_unusable"])
    # Each failure costs P p/(1-p) more: 1/goodput grows by that share of the failures.
    ratio = float(goodput(base, inputs["P_s"]) / goodput(bad, inputs["P_s"]))
    assert (ratio - 1) / rate == pytest.approx(outputs["extra_s"], rel=1e-5)


@pytest.mark.parametrize(("inputs", "outputs"), cases("scr_storage_factor"))
def test_bytes_of_the_redundancy_schemes(inputs: Case, outputs: Case) -> None:
    names = {"single": "none", "partner": "partner", "xor": "xor", "rs": "rs"}
    sc = job(
        nodes="64", state_total="1 TB", nvme="used", redundancy=names[inputs["scheme"]],
        redundancy_group=str(inputs["set_size"]),
    )  # fmt: skip
    assert close(redundancy_bytes(sc), outputs["bytes_factor"])


@pytest.mark.parametrize(("inputs", "outputs"), cases("checkpoint_pause_fraction"))
def test_share_of_the_pauses(inputs: Case, outputs: Case) -> None:
    for when in ("before", "after"):
        pause, every = inputs[f"pause_{when}_s"], inputs[f"every_{when}_s"]
        p = pattern(stall=pause, hard_rate=0.0, hard_restart=0.0)
        found = shares(p, every - pause)
        assert close(found.stall, outputs[when])


@pytest.mark.parametrize(("inputs", "outputs"), cases("scenario"))
def test_whole_jobs_from_facts_to_dollars(inputs: Case, outputs: Case) -> None:
    facts = {
        "nodes": str(inputs["nodes"]),
        "state_per_node": f"{inputs['state_bytes']!r} B",
        "accelerators_per_node": str(inputs["acc_per_node"]),
        "node_link": f"{inputs['node_Bps']!r} B/s",
        "pool_write": f"{inputs['pool_Bps']!r} B/s",
        "pool_write_basis": "per_writer",
        "tail_of": "nodes",
        "tail_ratio": str(inputs["p99_over_p50"]),
        "files_per_node": str(inputs["files_per_node"]),
        "pool_creates": str(inputs["creates_per_s"]),
        "job_mtbf": f"{inputs['M_s']!r} s",
        "restart_time": f"{inputs['R_s']!r} s",
        "drain_slowdown": str(inputs["sigma"]),
        "snapshot_rate": f"{inputs['state_bytes'] / inputs['t_block_s']!r} B/s",
        "accelerator_hour": f"${inputs['usd_per_acc_h']}/h",
        "interval": f"{outputs['tau_star_s']!r} s",
    }
    now = estimate(job(mode="sync", **facts))
    assert now.configuration is not None
    assert now.configuration.pool is not None
    assert now.best is not None
    c = now.configuration
    assert close(c.sizes.creates, outputs["meta_s"])
    assert close(c.pool.nominal - c.sizes.creates, outputs["data_s"])  # type: ignore[union-attr]
    assert close(c.tail.mean, outputs["kappa"])
    assert close(c.stall, outputs["delta_sync_s"])
    assert close(now.best.goodput, outputs["E_sync"])
    assert close(now.idle_cost_per_year, outputs["cost_sync_usd"])

    later = estimate(job(mode="async", **facts))
    assert later.configuration is not None
    assert later.best is not None
    s, d = later.configuration.stall, later.configuration.pool_lag
    assert s is not None
    assert d is not None
    assert close(s + inputs["sigma"] * d, outputs["async_delta_eff_s"])
    assert close(later.best.goodput, outputs["E_async"])
    assert later.cost_per_year is not None
    assert close(idle_cost(later.best.goodput, later.cost_per_year), outputs["cost_async_usd"])
