"""The command line from the inside and from the outside, and the job most tests ask about."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from advisor import cli
from tests.ticket_job import TICKET

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str


def settings(**changes: str) -> list[str]:
    """The example as ``--set`` arguments, with some facts changed ("" leaves one out)."""
    facts = {**TICKET, **changes}
    return [word for name, value in facts.items() if value for word in ("--set", f"{name}={value}")]


def inside(capsys: pytest.CaptureFixture[str], *words: str | Path) -> Ran:
    """Run the command line in this process."""
    code = cli.run([str(word) for word in words])
    out, err = capsys.readouterr()
    return Ran(code, out, err)


def outside(*words: str | Path, **environment: str) -> Ran:
    """Run the command in a process of its own, without a terminal."""
    done = subprocess.run(
        [sys.executable, "-m", "advisor", *map(str, words)],
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
