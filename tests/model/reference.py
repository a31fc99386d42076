"""The reference answers beside this file, by model."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

RTOL = 5.1e-6
"""Relative tolerance: the answers are printed with six digits."""

with (Path(__file__).parent / "reference_answers.toml").open("rb") as _file:
    _ALL: dict[str, dict[str, Any]] = tomllib.load(_file)

ELSEWHERE = {
    "cooperative_shared_pool": "several jobs on one pool",
    "peer_memory_recovery_probability": "peer copies that survive m lost nodes",
    "incremental_chain_optimum": "incremental chains",
    "one_shot_increment_size": "incremental chains",
    "compression_break_even": "compression",
    "series_mtbf": "components with different failure rates",
    "peer_replication_time": "peer copies",
}
"""Models of the reference that the product does not have yet, and what they are for."""


def cases(model: str) -> list[Any]:
    """(id, inputs, outputs) of one model, for parametrize."""
    import pytest

    return [
        pytest.param(case["inputs"], case["outputs"], id=name) for name, case in _ALL[model].items()
    ]


def models() -> set[str]:
    """Every model in the file."""
    return set(_ALL)
