"""An advice written by hand with the figures of the example ticket; no rule changes it."""

from __future__ import annotations

from advisor.engine.advice import (
    Advice,
    ConfigText,
    Finding,
    KnowledgeId,
    Loss,
    NoFlip,
    SaveFigures,
    SessionId,
    Step,
    Threshold,
    Unknown,
    Verdict,
    View,
)
from advisor.facts.answers import Answer
from advisor.facts.catalogue_file import load_catalogue
from advisor.facts.folders import CATALOGUE_FILE, builtin_rules
from advisor.facts.resolve import resolve
from tests.ticket_job import TICKET

BEFORE = View(
    interval=900.0,
    goodput=0.847,
    best_interval=2880.0,
    best_goodput=0.897,
    flat_band=(2400.0, 3420.0),
    loss=Loss(stall=0.115, drain=0.0, restart=0.025, rework=0.014),
    save=SaveFigures(stall=120.0, barrier_p50=120.0, barrier_p99=180.0, pool_lag=0.0),
    required_pool_write=200e9,
    simple_required_pool_write=200e9,
    idle_cost_per_year=4.12e6,
)
AFTER = View(
    interval=900.0,
    goodput=0.941,
    best_interval=1140.0,
    best_goodput=0.942,
    flat_band=(900.0, 1500.0),
    loss=Loss(stall=0.007, drain=0.013, restart=0.025, rework=0.015),
    save=SaveFigures(stall=6.0, barrier_p99=180.0, pool_lag=120.0),
    required_pool_write=27e9,
    simple_required_pool_write=200e9,
    idle_cost_per_year=1.59e6,
)
STEP = Step(
    order=1,
    rule="CKA01",
    lever="async_on",
    title="Save asynchronously",
    effort="configuration",
    settings={"mode": "async"},
    goodput_before=0.847,
    goodput_gain=0.094,
    saves_per_year=2.53e6,
    chance_it_pays=0.99,
    thresholds=(
        Threshold("drain_slowdown", "Slow-down", 0.1, 0.9, "ratio", "above", "gain"),
        Threshold("host_memory_free", "Free host memory", 1e12, 117e9, "size", "below", "limit"),
    ),
    no_flips=(NoFlip("nodes", "Nodes in the job", 1.0, 1e6, "count"),),
    conditions=("The drain ends before the next save begins.",),
    config=(
        ConfigText(
            "Megatron-LM",
            ">=0.16,<0.17",
            "--async-save --use-persistent-ckpt-worker --ckpt-format torch_dist",
            notes=("--async-save alone is switched off with only a warning: both are needed.",),
            undo="remove the flags.",
        ),
    ),
    checks=("save-checkpoint drops from about 122,000 ms to about 6,000 ms.",),
)
RESTART = Step(1, "CKR01", "faster_restart", "Restart in 5 min", "version", {}, 0.941, 0.016, 430e3)
PURCHASE = Step(
    1,
    "CKH01",
    "purchase",
    "A pool of 200 GB/s",
    "money",
    {},
    0.941,
    0.008,
    210e3,
    verdict="No reason to buy.",
)
FINDINGS = (
    Finding("CKI01", "The interval is short", "hit", "warning", "15 min is a habit.", order=2),
    Finding("CKV02", "The save may be lost", "hit", "error", "One save is kept.", order=1),
    Finding("CKV03", "Space", "unknown", "warning", missing=("pool_free",)),
)
"""A warning before an error, as rules may come; and one that cannot be decided."""


def ticket_advice() -> Advice:
    """The example ticket as an advice, with an error and an open question added."""
    catalogue = load_catalogue([builtin_rules() / CATALOGUE_FILE])
    answers = {name: Answer(text, "measured") for name, text in TICKET.items()}
    return Advice(
        session=SessionId("llama-b", ""),
        knowledge=KnowledgeId("2026.11", "1a2b"),
        facts=resolve(answers, catalogue).facts,
        contradictions=(),
        before=BEFORE,
        after=AFTER,
        findings=FINDINGS,
        plan=(STEP,),
        refused=("Compression: dense optimiser state does not compress.",),
        further=(RESTART,),
        purchases=(PURCHASE,),
        verdict=Verdict("longer", "15 min is too short: 40 to 57 min is right."),
        unknowns=(Unknown("drain_slowdown", "Slow-down", "10%", 46e3, 0.002, 0.03, "Measure."),),
        headline="Checkpoints cost this job 15.3 % of its compute, $4.12M a year.",
    )
