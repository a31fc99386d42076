"""Work spread over processes: every outcome once and in its place, and no process left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from advisor.commands.workers import LEAST, run_over
from advisor.session.errors import StoreError
from tests.commands.support import ROOT

MANY = [Path(f"{number}.toml") for number in range(3 * LEAST + 5)]


@dataclass(frozen=True)
class Names:
    """Name and process of each file; one of a name is taken as the end of its worker."""

    fatal: str = ""

    def begin(self) -> Callable[[Path], tuple[str, int]]:
        return self.one

    def one(self, path: Path) -> tuple[str, int]:
        if path.name == self.fatal:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.001)
        return path.stem, os.getpid()


def test_every_file_once_and_in_its_place() -> None:
    found = dict(run_over(Names(), MANY, 3))
    assert [found[at][0] for at in range(len(MANY))] == [path.stem for path in MANY]
    processes = {process for _, process in found.values()}
    assert os.getpid() not in processes
    assert 2 <= len(processes) <= 3


@pytest.mark.parametrize(("files", "jobs"), [(1, 8), (2 * LEAST - 1, 8), (len(MANY), 1)])
def test_few_files_start_no_process(files: int, jobs: int) -> None:
    found = list(run_over(Names(), MANY[:files], jobs))
    assert [at for at, _ in found] == list(range(files))
    assert {process for _, (_, process) in found} == {os.getpid()}


def test_a_worker_ended_from_outside_is_told() -> None:
    with pytest.raises(StoreError, match="it was ended from outside; run it again, with --jobs 1"):
        list(run_over(Names(fatal="7.toml"), MANY, 2))
    assert _children(os.getpid()) == []


def test_an_early_end_leaves_no_process() -> None:
    outcomes = run_over(Names(), MANY, 2)
    next(outcomes)
    assert len(_children(os.getpid())) == 2
    outcomes.close()
    assert _children(os.getpid()) == []


@pytest.fixture
def spread_replay(few: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A replay with two workers, at work; a group of its own, as a shell gives each command."""
    text = few.read_text()
    for number in range(3000):
        few.with_name(f"{number}.toml").write_text(text)
    words = [sys.executable, "-m", "advisor", "replay", "--jobs", "2", str(few.parent)]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, start_new_session=True
    ) as process:
        yield process
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize("everyone", [True, False], ids=["a terminal", "the parent alone"])
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_ends_all(
    number: signal.Signals, code: int, everyone: bool, spread_replay: subprocess.Popen[bytes]
) -> None:
    _wait_for_workers(spread_replay)
    (os.killpg if everyone else os.kill)(spread_replay.pid, number)
    out, err = spread_replay.communicate(timeout=30)
    assert (spread_replay.returncode, out, err) == (code, b"", b"")
    assert _left(spread_replay.pid) == []


def test_workers_end_with_a_parent_that_was_killed(
    spread_replay: subprocess.Popen[bytes],
) -> None:
    _wait_for_workers(spread_replay)
    spread_replay.kill()
    spread_replay.wait()
    assert _left(spread_replay.pid) == []


def _wait_for_workers(process: subprocess.Popen[bytes]) -> None:
    """Until two workers have loaded NumPy."""
    end = time.monotonic() + 40
    while time.monotonic() < end and process.poll() is None:
        if len([one for one in _children(process.pid) if "numpy" in _read(one, "maps")]) == 2:
            return
        time.sleep(0.02)
    pytest.fail("no workers were started")


def _children(parent: int) -> list[int]:
    """Workers of a process; the helper that Python keeps for them is none."""
    return [
        one for one in _processes() if _field(one, 1) == parent and "--multiproc" in _command(one)
    ]


def _left(group: int) -> list[int]:
    """Processes of a group that are there after a while: the kernel needs moments to end one."""
    end = time.monotonic() + 20
    while _group(group) and time.monotonic() < end:
        time.sleep(0.05)
    return _group(group)


def _group(group: int) -> list[int]:
    return [one for one in _processes() if _field(one, 2) == group and one != group]


def _processes() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _field(process: int, place: int) -> int | None:
    """A field of /proc/PID/stat after the name: 1 the parent, 2 the group; None for a dead one."""
    fields = _read(process, "stat").rpartition(")")[2].split()
    return int(fields[place]) if fields and fields[0] != "Z" else None


def _command(process: int) -> str:
    return _read(process, "cmdline").replace("\0", " ")


def _read(process: int, name: str) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/{name}").read_text()
    return ""
