"""One task over many files, with a bar on the terminal while it takes long."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from advisor.commands.progress import Progress
from advisor.commands.workers import Task, cores, run_over

R = TypeVar("R")


def over_files(task: Task[R], paths: Sequence[Path], arguments: argparse.Namespace) -> list[R]:
    """The outcome of every file, in the order of the files.

    Args:
        task: what to do with each.
        paths: the files.
        arguments: of a command with ``--jobs`` and ``--quiet``.

    Raises:
        StoreError: a worker was ended from outside.
    """
    found: dict[int, R] = {}
    with (
        Progress(len(paths), quiet=arguments.quiet) as progress,
        closing(run_over(task, paths, arguments.jobs or cores())) as outcomes,
    ):
        for at, outcome in outcomes:
            found[at] = outcome
            progress.at(len(found))
    return [found[at] for at in range(len(paths))]
