"""The reference answers beside this file, by model."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

RTOL = 5.1e-6
"""Relative tolerance: the answers are printed with six digits."""

with (Path(__file__).parent / "reference_answers.toml").open("rb") as _file:
    _ALL: dict[str, dict[str, Any]] = tomllib.load(_file)


def close(ours: object, theirs: float) -> bool:
    """Whether one of our figures, a number or an array of one, is the printed answer."""
    return math.isclose(float(np.asarray(ours)), theirs, rel_tol=RTOL)


def cases(model: str) -> list[Any]:
    """(id, inputs, outputs) of one model, for parametrize."""
    import pytest

    return [
        pytest.param(case["inputs"], case["outputs"], id=name) for name, case in _ALL[model].items()
    ]


def models() -> set[str]:
    """Every model in the file."""
    return set(_ALL)
