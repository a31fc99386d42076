"""Every reference answer beside ours: ``python -m tests.model.reference_table``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

Row = tuple[str, float, float]
"""Case, ours, the reference."""


class Recorder:
    """Notes what the tests compare while pytest runs them."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Put the note in front of every module's ``close``."""
        for module in {item.module for item in items if isinstance(item, pytest.Function)}:
            if hasattr(module, "close"):
                module.close = self._noting(module.close)

    def _noting(self, close: Callable[[object, float], bool]) -> Callable[[object, float], bool]:
        def noted(ours: object, theirs: float) -> bool:
            test = os.environ["PYTEST_CURRENT_TEST"].split("::")[-1].split(" ")[0]
            self.rows.append((test, float(np.asarray(ours)), theirs))
            return close(ours, theirs)

        return noted


def error(row: Row) -> float:
    """Relative difference of ours from the reference."""
    _, ours, theirs = row
    return abs(ours - theirs) / abs(theirs) if theirs else abs(ours)


def main() -> int:
    """Run the comparisons and print the table."""
    recorder, folder = Recorder(), Path(__file__).parent
    files = ("reference_answers", "payload", "sharing", "peers")
    paths = [str(folder / f"test_{name}.py") for name in files]
    code = pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *paths], [recorder])
    for row in recorder.rows:
        test, ours, theirs = row
        sys.stdout.write(f"{test:70} {ours:<14.8g} {theirs:<14.8g} {error(row):.1e}\n")
    worst = max(recorder.rows, key=error)
    sys.stdout.write(f"{len(recorder.rows)} figures, worst {error(worst):.1e} in {worst[0]}\n")
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
