"""The command as a process: pipes that close, disks that are full, signals, no home folder."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.commands.support import ROOT, outside

COMMAND = [sys.executable, "-m", "advisor"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["rules", "list"], 0),
        (["--help"], 0),
        (["advise", "FEW", "--fail-on", "error"], 3),
    ],
)
def test_a_reader_that_goes_away(words: list[str], code: int, few: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as stdout:
        done = subprocess.run(
            [*COMMAND, *(str(few) if word == "FEW" else word for word in words)],
            stdout=stdout,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            check=False,
        )
    assert (done.returncode, done.stderr) == (code, b"")


def test_a_full_disk_behind_stdout() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "rules"], stdout=full, stderr=subprocess.PIPE, cwd=ROOT, check=False
        )
    assert done.returncode == 2
    said = "the output: the disk is full; free some space and save again"
    assert done.stderr.decode() == f"ckpt-advisor: {said}\n"


def test_closed_streams() -> None:
    line = f"exec {' '.join(COMMAND)} rules show CKA99 >&- 2>&-"
    done = subprocess.run(["sh", "-c", line], cwd=ROOT, check=False, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")


def test_an_encoding_without_the_letters(ticket: Path) -> None:
    ticket.write_text(ticket.read_text().replace("A job", "Jürgen’s job"))
    ran = outside("export", ticket, "--format", "text", PYTHONIOENCODING="ascii")
    assert (ran.code, ran.err) == (0, "")
    assert "84.7 %" in ran.out
    assert r"J\xfcrgen\u2019s job" in ran.out


def test_a_path_that_is_not_unicode(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/\xff\x1b.toml"
    done = subprocess.run(
        [*map(os.fsencode, COMMAND), b"advise", name], capture_output=True, cwd=ROOT, check=False
    )
    assert done.returncode == 2
    assert b"there is no such file" in done.stderr
    assert b"\x1b" not in done.stderr


def test_without_a_home_folder() -> None:
    nowhere = {"HOME": "", "CKPT_ADVISOR_HOME": "", "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": ""}
    ran = outside("advise", "--set", "nodes=3", **nowhere)
    assert (ran.code, ran.err) == (0, "")
    ran = outside("sessions", **nowhere)
    assert (ran.code, ran.out) == (2, "")
    assert "there is no home folder" in ran.err
    assert "Traceback" not in ran.err


@pytest.fixture
def long_replay(ticket: Path) -> list[str]:
    """A replay of many seconds."""
    for number in range(200):
        shutil.copy(ticket, ticket.with_name(f"{number}.toml"))
    return [*COMMAND, "replay", str(ticket.parent)]


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_signals(number: signal.Signals, code: int, long_replay: list[str]) -> None:
    process = subprocess.Popen(
        long_replay, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    )
    _wait_for(process, "numpy")
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (code, b"", b"")


def test_a_hang_up_stays_ignored_under_nohup(ticket: Path) -> None:
    words = ["nohup", *COMMAND, "replay", str(ticket)]
    process = subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    _wait_for(process, "numpy")
    process.send_signal(signal.SIGHUP)
    out = process.communicate(timeout=30)[0]
    assert process.returncode == 0
    assert out.endswith(b"1 new\n")


def _wait_for(process: subprocess.Popen[bytes], library: str) -> None:
    """Wait until a library is loaded; signals have been set up long before."""
    end = time.monotonic() + 20
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError):
            if library in Path(f"/proc/{process.pid}/maps").read_text():
                return
        time.sleep(0.01)
    pytest.fail(f"{library} was not loaded")
