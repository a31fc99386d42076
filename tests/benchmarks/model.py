"""The whole advice, and the estimate behind one key."""

from __future__ import annotations

import time
from collections.abc import Callable

from advisor.engine.advise import advise, present
from advisor.engine.knowledge import load_knowledge
from tests.benchmarks.timing import interleaved, typical
from tests.engine.sessions import TICKET, job

def _timed(work: Callable[[], object]) -> Callable[[], float]:
    def run() -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return run


def whole_advice() -> float:
    """Seconds of one advice with its 4,096 samples, knowledge loaded."""
    knowledge, session = load_knowledge(), job(**TICKET)
    return typical(interleaved({"a": _timed(lambda: advise(session, knowledge))}, 15)["a"])


def live_panel() -> list[float]:
    """Seconds from a changed answer to the estimate of the live panel."""
    knowledge, answers = load_knowledge(), job(**TICKET).answers
    return interleaved({"a": _timed(lambda: present(answers, knowledge))}, 50)["a"]
