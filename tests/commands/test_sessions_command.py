"""The list of saved sessions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands.support import inside


@pytest.fixture
def folder(home: Path, ticket: Path) -> Path:
    """The sessions folder with one good file, one bad and one of a newer version."""
    place = home / "data" / "sessions"
    place.mkdir(parents=True)
    ticket.rename(place / "ticket.toml")
    (place / "bad.toml").write_text('schema_version = 1\n[session]\nid = "b"\ncolour = "red"\n')
    (place / "newer.toml").write_text("schema_version = 7\n")
    return place


@pytest.mark.usefixtures("folder")
def test_the_list_with_fault_lines_at_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "sessions")
    lines = ran.out.rstrip("\n").split("\n")
    assert (ran.code, ran.err) == (0, "")
    assert lines[0].split() == ["name", "changed", "answers", "title"]
    assert lines[1] == r"ticket  2026-11-29 10:00  14       A job\twith a title"
    assert lines[2].startswith("bad ")
    assert 'bad.toml:4:1: there is no key "colour" here' in lines[2]
    assert lines[3].startswith("newer ")
    assert "upgrade ckpt-advisor" in lines[3]


def test_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(inside(capsys, "sessions", "--format", "json").out)["sessions"]
    assert [Path(row["path"]) for row in rows] == [
        folder / f"{name}.toml" for name in ("ticket", "bad", "newer")
    ]
    assert rows[0] == {
        "path": str(folder / "ticket.toml"),
        "id": "ticket",
        "title": "A job\twith a title",
        "tags": [],
        "created": "2026-11-29T10:00:00+00:00",
        "updated": "2026-11-29T10:00:00+00:00",
        "answers": 14,
        "newer": False,
        "fault": None,
    }
    assert [row["newer"] for row in rows] == [False, False, True]
    assert "colour" in rows[1]["fault"]


def test_none_yet(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "sessions")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == f"there is no saved session in {home / 'data' / 'sessions'}\n"
    ran = inside(capsys, "sessions", "--format", "json", "--quiet")
    assert (json.loads(ran.out)["sessions"], ran.err) == ([], "")


def test_a_file_in_the_place_of_the_folder(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "data").mkdir()
    (home / "data" / "sessions").touch()
    ran = inside(capsys, "sessions")
    assert ran.code == 2
    assert "not a folder" in ran.err
