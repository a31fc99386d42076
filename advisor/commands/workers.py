"""Work over many files on all cores: processes that start clean, and end with the one that asked.

No semaphores and no shared memory, which login nodes of clusters often lack: each worker has one
pipe, and ends when its other end closes, whatever became of the process that held it.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from advisor.session.errors import StoreError

R_co = TypeVar("R_co", covariant=True)
R = TypeVar("R")

LEAST = 24
"""Files that are worth a worker: it takes about 0.3 s to start, a file about 10 ms."""

CHUNK = 8
"""Files a worker gets at once at most: 0.1 s of work, so that all of them end together."""


class Task(Protocol[R_co]):
    """What is done with each file; plain data, since it is sent to the workers."""

    def begin(self) -> Callable[[Path], R_co]:
        """Read what every file needs, and return what is done with one file."""
        ...


def cores() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_over(
    task: Task[R], paths: Sequence[Path], jobs: int
) -> Generator[tuple[int, R], None, None]:
    """The outcome of every file as it comes, with the place of the file in ``paths``.

    Args:
        task: what to do.
        paths: the files.
        jobs: most processes; few files are not spread, since a process takes time to start.

    Raises:
        StoreError: a worker was ended from outside.
    """
    count = min(jobs, len(paths) // LEAST)
    if count < 2:
        do = task.begin()
        yield from ((at, do(path)) for at, path in enumerate(paths))
        return
    with _Workers(task, count) as workers:
        yield from workers.over(paths)


class _Workers(Generic[R]):
    """Some processes that wait for files; none is left behind when the block ends."""

    def __init__(self, task: Task[R], count: int) -> None:
        self._task = task
        self._count = count
        self._processes: list[BaseProcess] = []
        self._pipes: list[Connection] = []

    def __enter__(self) -> _Workers[R]:
        context = multiprocessing.get_context("spawn")
        # Its own start would undo the mask below.
        resource_tracker.ensure_running()
        # Ctrl-C reaches every process of a terminal. The workers inherit that it is held back;
        # here it counts again once they are in the list, so that none is forgotten.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            for _ in range(self._count):
                ours, theirs = context.Pipe()
                process = context.Process(target=_serve, args=(theirs, self._task), daemon=True)
                process.start()
                theirs.close()
                self._processes.append(process)
                self._pipes.append(ours)
        except BaseException:
            self._end()
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def over(self, paths: Sequence[Path]) -> Iterator[tuple[int, R]]:
        """The outcomes as they come."""
        size = max(1, min(CHUNK, len(paths) // (4 * self._count)))
        chunks = iter([range(at, min(at + size, len(paths))) for at in range(0, len(paths), size)])
        busy: dict[Connection, range] = {}

        def give(pipe: Connection) -> None:
            chunk = next(chunks, None)
            if chunk is not None:
                busy[pipe] = chunk
                pipe.send([paths[at] for at in chunk])

        try:
            for pipe in self._pipes:
                give(pipe)
            while busy:
                ready = wait(list(busy))
                for pipe in [one for one in self._pipes if one in ready]:
                    found: list[R] = pipe.recv()
                    done = busy.pop(pipe)
                    give(pipe)
                    yield from zip(done, found, strict=True)
        except (EOFError, ConnectionError):
            hint = "run it again, with --jobs 1 if memory is short"
            raise StoreError("a worker process", "it was ended from outside", hint) from None

    def _end(self) -> None:
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()


def _serve(pipe: Any, task: Task[Any]) -> None:
    """The life of a worker: files in, outcomes out, until nobody is left who asks."""
    from advisor.commands.signals import end_on_signals

    end_on_signals()
    with contextlib.suppress(EOFError, ConnectionError):
        do = task.begin()
        while True:
            pipe.send([do(path) for path in pipe.recv()])
