"""Values computed from the times of single ranks."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.engine.computed_job import STATE, size
from advisor.engine.computed_types import Computed, time_value
from advisor.engine.situation import Situation


def _count(s: Situation) -> float | None:
    times = s.scenario.times("rank_times")
    return None if times is None else float(len(times))


def _slowest(s: Situation) -> float | None:
    times = s.scenario.times("rank_times")
    return None if times is None else max(times)


RANKS: Mapping[str, Computed] = {
    "timed_ranks": Computed("count", "Ranks whose save was timed.", ("rank_times",), _count),
    "slowest_rank": time_value("Slowest of the times per rank.", ("rank_times",), _slowest),
    "slow_writers": Computed(
        "count", "Writers that can be slow each on its own.", STATE, size("slow")
    ),
}
"""Everything about times of ranks that a condition or a message may name."""
