"""Shell completion: what a shell offers after what was typed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.cli import COMMANDS
from advisor.commands.completion import SHELLS
from tests.commands.support import ROOT, inside


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_is_in_the_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "completion", shell)
    assert (ran.code, ran.err) == (0, "")
    for command in COMMANDS:
        assert command in ran.out


@pytest.fixture
def script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "ckpt-advisor.bash"
    path.write_text(inside(capsys, "completion", "bash").out)
    return path


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash to ask")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("ckpt-advisor fl", {"fleet"}),
        ("ckpt-advisor s", {"simulate", "sessions", "schema"}),
        ("ckpt-advisor replay --ag", {"--against"}),
        ("ckpt-advisor fleet --by ", {"idle", "saving", "evidence"}),
        ("ckpt-advisor completion ", set(SHELLS)),
        ("ckpt-advisor rules expl", {"explain"}),
        ("ckpt-advisor advise jo", {"job.toml"}),
        ("ckpt-advisor replay --against ru", {"rules"}),
    ],
)
def test_what_bash_offers(typed: str, offered: set[str], script: Path, tmp_path: Path) -> None:
    (tmp_path / "job.toml").touch()
    (tmp_path / "rules").mkdir()
    (tmp_path / "rust.txt").touch()
    words = typed.split(" ")
    program = (
        f"source {script}; COMP_WORDS=({' '.join(repr(word) for word in words)});"
        f"COMP_CWORD={len(words) - 1}; COMP_LINE={typed!r}; COMP_POINT={len(typed)};"
        "$(complete -p ckpt-advisor | sed 's/.*-F \\([^ ]*\\).*/\\1/');"
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", program],
        capture_output=True,
        cwd=tmp_path,
        check=True,
        timeout=30,
    )
    found = {line.strip().rstrip("/") for line in done.stdout.decode().split("\n") if line.strip()}
    assert found == offered


def test_no_other_command_imports_the_library() -> None:
    program = (
        "import sys; from advisor.__main__ import main; sys.argv[1:] = ['fleet', 'sessions'];"
        "main(); print('shtab' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, cwd=ROOT, check=True
    )
    assert done.stderr.decode().strip() == "False"


def test_a_shell_there_is_no_script_for(capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "completion", "cmd")
    assert (ran.code, ran.out) == (2, "")
    assert "invalid choice: 'cmd'" in ran.err
