"""The estimate in the background: one at a time, the newest wins."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping

from advisor.facts.answers import Answer
from advisor.interview.panel import Live
from advisor.tui.estimator import Estimator


async def test_requests_made_meanwhile_are_reduced_to_the_newest() -> None:
    computed: list[str] = []
    shown: list[Live] = []

    def compute(answers: Mapping[str, Answer]) -> Live:
        computed.append(answers["nodes"].value)
        time.sleep(0.05)
        return Live(needs=(answers["nodes"].value,))

    estimator = Estimator(shown.append)
    task = asyncio.create_task(estimator.run(compute))
    estimator.request({"nodes": Answer("1")})
    await asyncio.sleep(0.01)  # the first one is being computed
    for count in range(2, 50):
        estimator.request({"nodes": Answer(str(count))})
    await asyncio.wait_for(estimator.settled(), 5)
    task.cancel()
    assert computed == ["1", "49"]
    assert [live.needs for live in shown] == [("1",), ("49",)]


async def test_the_loop_is_free_while_an_estimate_is_computed() -> None:
    def compute(_: Mapping[str, Answer]) -> Live:
        time.sleep(0.3)
        return Live()

    estimator = Estimator(lambda _: None)
    task = asyncio.create_task(estimator.run(compute))
    estimator.request({})
    start = time.monotonic()
    await asyncio.sleep(0.01)
    assert time.monotonic() - start < 0.2
    await asyncio.wait_for(estimator.settled(), 5)
    task.cancel()
