"""The watchdog behind a signal, in a child process: what hangs is ended, what ends is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from advisor.session.atomic import WAIT
from advisor.tui import signals

PROGRAM = """
import asyncio, os, sys, time
from advisor.tui import signals

signals.LONGEST = float(sys.argv[2])
number = int(sys.argv[1])

def hangs(code):
    print("left", code, flush=True)
    time.sleep(60)  # as reading a terminal that is gone may

def ends(code):
    print("left", code, flush=True)
    loop.stop()

async def main():
    signals.install({"hangs": hangs, "ends": ends}[sys.argv[3]])
    os.kill(os.getpid(), number)
    await asyncio.sleep(60)

loop = asyncio.new_event_loop()
try:
    loop.run_until_complete(main())
except RuntimeError:
    sys.exit(7)  # stopped before main was done
"""
"""Sends itself a signal: number, limit of the watchdog in seconds, and how leaving goes."""

SHORT = 0.5
"""Seconds of a limit that is waited for."""

MOST = 30.0
"""Seconds for a child process to start and end on a busy machine; half of what it would hang."""


def run(number: int, limit: float, how: str) -> tuple[int, str, float]:
    """Exit code, output and seconds of one run."""
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(number), str(limit), how],
        capture_output=True,
        text=True,
        timeout=MOST,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
        check=False,
    )
    return done.returncode, done.stdout, time.monotonic() - begun


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_a_process_that_hangs_behind_a_signal_is_ended_with_its_code(
    number: int, code: int
) -> None:
    ended, said, took = run(number, SHORT, "hangs")
    assert said == f"left {code}\n"
    assert ended == code
    assert took >= SHORT


def test_a_process_that_ends_by_itself_keeps_its_own_code_and_does_not_wait() -> None:
    ended, said, took = run(signal.SIGTERM, MOST * 2, "ends")
    assert said == "left 143\n"
    assert ended == 7
    assert took < MOST


def test_the_limit_leaves_time_to_save() -> None:
    # A save takes about 10 ms, behind a wait for another saver in the same folder.
    assert signals.LONGEST > 2 * WAIT
