"""The formula over a million jobs, the whole advice, one replay, the estimate behind one key."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from advisor.commands.replay_rows import replay_row
from advisor.engine.advise import advise, present
from advisor.engine.knowledge import load_knowledge
from advisor.model.lost_work import goodput
from advisor.model.pattern import pattern
from tests.benchmarks.many_sessions import write_sessions
from tests.benchmarks.timing import interleaved, typical
from tests.engine.sessions import job
from tests.ticket_job import TICKET


def _timed(work: Callable[[], object]) -> Callable[[], float]:
    def run() -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return run


JOBS = 1_000_000
"""Jobs of the formula's benchmark."""

EXPONENTIALS = 2
"""Exponentials a job takes in the formula of one tier: e^(R/M) and e^(P/M) - 1."""


def formula() -> tuple[float, float]:
    """Seconds of the goodput formula over a million jobs, and of as many exp calls alone."""
    rng = np.random.default_rng(1)
    p = pattern(
        stall=rng.uniform(1, 300, JOBS),
        hard_rate=1 / rng.uniform(3600, 1e6, JOBS),
        hard_restart=rng.uniform(60, 3600, JOBS),
    )
    tau, x = rng.uniform(300, 7200, JOBS), rng.uniform(-1, 0, JOBS)

    def exponentials() -> None:
        for _ in range(EXPONENTIALS):
            np.exp(x)

    found = interleaved({"ours": _timed(lambda: goodput(p, tau)), "exp": _timed(exponentials)}, 15)
    return typical(found["ours"]), typical(found["exp"])


def whole_advice() -> float:
    """Seconds of one advice with its 4,096 samples, knowledge loaded."""
    knowledge, session = load_knowledge(), job(**TICKET)
    return typical(interleaved({"a": _timed(lambda: advise(session, knowledge))}, 15)["a"])


REPLAYED = 100
"""Varied sessions of the replay's benchmark."""


def one_replay() -> float:
    """Mean processor seconds of reading and replaying one of many varied sessions.

    Processor time, since a replay of a thousand uses every core.
    """
    knowledge = load_knowledge()
    with tempfile.TemporaryDirectory() as folder:
        write_sessions(Path(folder), REPLAYED, knowledge)
        paths = sorted(Path(folder).iterdir())

        def run() -> float:
            start = time.process_time()
            for path in paths:
                replay_row(path, knowledge, update=False)
            return (time.process_time() - start) / len(paths)

        return typical(interleaved({"a": run}, 3)["a"])


def live_panel() -> list[float]:
    """Seconds from a changed answer to the estimate of the live panel."""
    knowledge, answers = load_knowledge(), job(**TICKET).answers
    return interleaved({"a": _timed(lambda: present(answers, knowledge))}, 50)["a"]
