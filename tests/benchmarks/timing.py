"""Interleaved timings of processes, terminals and functions."""

from __future__ import annotations

import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Sequence
from fcntl import ioctl
from statistics import median

PAINT_LIMIT = 20.0
"""Seconds after which a screen that never showed its marker is a failure."""


def process_seconds(command: Sequence[str]) -> float:
    """Wall time of one process, output thrown away."""
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - start


def interleaved(
    trials: dict[str, Callable[[], float]], rounds: int, *, warm: int = 1
) -> dict[str, list[float]]:
    """Each trial once per round, so that a busy moment hits all alike."""
    found: dict[str, list[float]] = {name: [] for name in trials}
    for turn in range(rounds + warm):
        for name, trial in trials.items():
            seconds = trial()
            if turn >= warm:
                found[name].append(seconds)
    return found


def typical(values: Sequence[float]) -> float:
    """Median, the figure that is printed."""
    return median(values)


def paint_seconds(command: Sequence[str], marker: bytes, env: dict[str, str]) -> float:
    """From starting a program in a pseudo-terminal of 80x24 to its marker on the screen.

    Args:
        command: what to start.
        marker: bytes that only the painted screen writes.
        env: its environment.

    Raises:
        TimeoutError: the marker never came.
    """
    start = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(command[0], list(command), env)  # noqa: S606 - the child becomes the program
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    seen = b""
    try:
        while marker not in seen:
            left = PAINT_LIMIT - (time.perf_counter() - start)
            ready, _, _ = select.select([terminal], [], [], max(left, 0))
            if not ready:
                raise TimeoutError(f"{command}: no {marker!r} on the screen")
            seen = (seen + os.read(terminal, 65536))[-200_000:]
        return time.perf_counter() - start
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(terminal)


def python(*arguments: str) -> list[str]:
    """A command of this interpreter."""
    return [sys.executable, *arguments]
