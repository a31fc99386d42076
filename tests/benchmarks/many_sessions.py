"""A folder of varied sessions with their advice stored: as a large centre has after years."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from advisor.engine.advise import advise
from advisor.engine.knowledge import Knowledge
from advisor.facts.answers import Answer, Certainty
from advisor.session.document import Session
from advisor.session.record import advice_record
from advisor.session.replay import with_record
from advisor.session.store import save

FRAMEWORKS = ("megatron-lm", "pytorch-dcp", "deepspeed", "hf-trainer", "orbax", "lammps", "nemo2")
"""Frameworks with facts, of each kind: asynchronous, synchronous, simulation."""

POOLS = ("lustre", "gpfs", "nfs", "object_s3", "weka", "vast", "beegfs")
"""Kinds of pools that have tables of their own."""

SEED = 7
"""The same sessions at every run."""


def some_answers(rng: random.Random) -> dict[str, str]:
    """The answers of one job as typed: the five questions, and a random part of the details."""
    nodes = rng.choice((1, 8, 16, 64, 128, 512, 2048, 4096))
    answers = {"nodes": str(nodes)}
    per_node = rng.choice((2, 20, 90, 250))
    answers |= rng.choice(
        (
            {"state_total": f"{nodes * per_node} GB"},
            {"state_per_node": f"{per_node} GB"},
            {"parameters": f"{nodes * per_node / 14:.3g}B"},
        )
    )
    answers |= rng.choice(
        (
            {"interval": f"{rng.choice((5, 15, 30, 60, 240))} min"},
            {"interval": f"{rng.choice((1, 2, 4))} h", "interval_basis": "clock"},
            {"interval_steps": str(rng.choice((50, 200, 1000))), "step_time": "6.5 s"},
        )
    )
    answers["mode"] = rng.choice(("sync", "sync", "async", "?"))
    answers["nvme"] = rng.choice(("none", "present", "used", "?"))
    if answers["nvme"] == "used":
        answers |= {"pool_every": rng.choice(("1", "4", "10")), "redundancy": "partner"}
    details = {
        "framework": rng.choice(FRAMEWORKS),
        "pool_kind": rng.choice(POOLS),
        "pool_write": f"{max(1, nodes * rng.choice((0.1, 0.5, 2))):g} GB/s",
        "job_mtbf": f"{rng.choice((5, 10, 48, 300))} h",
        "restart_time": f"{rng.choice((4, 10, 25))} min",
        "accelerator_hour": f"${rng.choice((1.5, 3, 6))}/h",
        "acceptable_pause": f"{rng.choice((30, 60, 300))} s",
        "host_memory_free": f"{rng.choice((100, 400, 1000))} GB",
        "pool_share": rng.choice(("50%", "100%")),
        "interval_decided_by": rng.choice(("habit", "policy", "framework_default")),
        "collective_timeout": "10 min",
        "keep": str(rng.choice((2, 5, 50))),
        "wall_limit": f"{rng.choice((24, 100))} h",
        "measured_stall": f"{rng.choice((3, 40, 200))} s",
        "nvme_write": "6 GB/s",
        "spare_nodes": "2",
        "job_length": f"{rng.choice((2, 60))} d",
        "changed_fraction": "0.4",
    }
    kept = rng.sample(sorted(details), rng.randrange(2, len(details)))
    return answers | {name: details[name] for name in kept}


def some_sessions(count: int, *, seed: int = SEED) -> Sequence[Session]:
    """Sessions of different jobs, days and certainty, without an advice."""
    rng = random.Random(seed)
    day = datetime(2024, 1, 1, 9, 0, tzinfo=UTC)
    sources: tuple[Certainty, ...] = ("measured", "estimated", "guessed")
    out = []
    for number in range(count):
        answers = {
            name: Answer(value, "unknown" if value == "?" else rng.choice(sources))
            for name, value in some_answers(rng).items()
        }
        when = day + timedelta(days=rng.randrange(900))
        name = f"job-{number:04d}"
        out.append(Session(name, f"Job {number}", when, when, ("made-up",), answers))
    return out


def write_sessions(folder: Path, count: int, knowledge: Knowledge, *, stored: bool = True) -> None:
    """Write that many sessions into a folder, each with the advice of today where ``stored``."""
    folder.mkdir(parents=True, exist_ok=True)
    for made in some_sessions(count):
        record = advice_record(advise(made, knowledge)) if stored else None
        session = made if record is None else with_record(made, record)
        save(session, folder / f"{session.id}.toml", expected_digest=None)
