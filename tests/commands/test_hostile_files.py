"""Session files that are wrong in every way: one message with its place, exit 2, no traceback."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.commands.support import inside
from tests.unprivileged import unprivileged

HEAD = 'schema_version = 1\n[session]\nid = "x"\n'

FAULTS = {
    "empty": (b"", "this is not a session file: it has no schema_version"),
    "no version": (b'[session]\nid = "x"\n', "it has no schema_version"),
    "newer": (b"schema_version = 2\n", ":1:18: schema_version: written by a newer ckpt-advisor"),
    "binary": (b"\x7fELF\x00\x01", "this is not a text file"),
    "latin": (b"schema_version = 1\n# \xe9\n", ":2:3: the byte 0xe9 is not UTF-8"),
    "huge": (b"#" * 2_000_001, "this file is 2 MB"),
    "no toml": (b"schema_version = 1\nnodes: 3\n", ":2:"),
    "twice": (f"{HEAD}[session]\n".encode(), "this is already set on line 2"),
    "unknown key": (f'{HEAD}colour = "red"\n'.encode(), ":4:1: session.colour: there is no key"),
    "unknown fact": (
        f'{HEAD}[answers.nodse]\nvalue = "3"\n'.encode(),
        ':4:10: answers.nodse: there is no fact "nodse"',
    ),
    "wrong unit": (
        f'{HEAD}[answers.pool_write]\nvalue = "18 GB"\n'.encode(),
        ":5:9: answers.pool_write.value: ",
    ),
    "a number": (f"{HEAD}[answers.nodes]\nvalue = 3\n".encode(), 'in quotes: value = "3"'),
    "out of limits": (f'{HEAD}[answers.nodes]\nvalue = "0"\n'.encode(), ":5:9: answers.nodes"),
    "escape codes": (
        f'{HEAD}[answers.mode]\nvalue = "\\u001b[2J"\n'.encode(),
        ":5:9: answers.mode.value: ",
    ),
    "deep": (b"schema_version = 1\nx = " + b"[" * 5000 + b"]" * 5000, "nested more than"),
}
"""By what is wrong: the bytes, and a part of the message."""

COMMANDS = (["advise"], ["export"], ["replay"], ["replay", "--update"])


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("name", FAULTS)
def test_a_bad_file(
    name: str, command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, said = FAULTS[name]
    path = tmp_path / "bad.toml"
    path.write_bytes(data)
    ran = inside(capsys, command[0], path, *command[1:])
    assert ran.code == 2
    # A place in the file stands first, as editors read it; else the program does.
    has_place = re.match(rf"{re.escape(str(path))}:\d+:\d+: ", ran.err) is not None
    assert ran.err.startswith(f"{path}:" if has_place else f"ckpt-advisor: {path}: ")
    assert has_place == (name != "huge")
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert "\x1b" not in ran.err + ran.out
    assert path.read_bytes() == data


def test_what_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "loop.toml").symlink_to(tmp_path / "loop.toml")
    (tmp_path / "folder.toml").mkdir()
    expected = {
        "pipe.toml": "this is not a file but a pipe",
        "loop.toml": "this file cannot be read",
        "folder.toml": "this is a folder, not a file",
        "nothere.toml": "there is no such file",
        "pipe.tml": 'did you mean "pipe.toml"?',
    }
    for name, said in expected.items():
        ran = inside(capsys, "advise", tmp_path / name)
        assert (ran.code, ran.out) == (2, "")
        assert said in ran.err


def test_a_file_of_somebody_else(ticket: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ticket.chmod(0)
    with unprivileged():
        ran = inside(capsys, "advise", ticket)
    assert ran.code == 2
    assert "you may not read this file" in ran.err


def test_several_faults_are_told_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(f'{HEAD}[answers.nodes]\nvalue = "x"\n[answers.mode]\nvalue = "y"\n')
    err = inside(capsys, "advise", path).err
    assert f"{path}:5:9: " in err
    assert f"{path}:7:9: " in err


def test_contradicting_answers_are_advice_not_a_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """12 TB and 70 billion parameters of 14 bytes (0.98 TB) cannot both be the state."""
    path = tmp_path / "a.toml"
    path.write_text(
        f'{HEAD}[answers.state_total]\nvalue = "12 TB"\n[answers.parameters]\nvalue = "70B"\n'
        '[answers.nodes]\nvalue = "128"\n'
    )
    ran = inside(capsys, "export", path, "--format", "text")
    assert (ran.code, ran.err) == (0, "")
    assert "12 TB" in ran.out
    assert "980 GB" in ran.out
