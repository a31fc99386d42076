"""Files that earlier versions wrote: they load, say the same, and are replayed.

``old/NAME.COMMIT.toml`` is a published session as it stood at that commit of this repository. A
file is added when the format or what is written into it changes, and never edited.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.engine.knowledge import load_knowledge
from advisor.session.document import read_session, render_session
from advisor.session.replay import replay
from advisor.session.store import load, save

OLD = sorted((Path(__file__).parent / "old").glob("*.toml"))


def test_there_are_old_files() -> None:
    assert len({path.name.split(".")[-2] for path in OLD}) >= 3


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
class TestOldFile:
    def test_every_answer_is_read(self, path: Path) -> None:
        text = path.read_text()
        session = read_session(path, load_knowledge().catalogue)
        assert [*session.answers] == re.findall(r"^\[answers\.(\w+)\]$", text, re.MULTILINE)
        said = tomllib.loads(text)["answers"]
        for name, answer in session.answers.items():
            assert (answer.value, answer.note) == (said[name]["value"], said[name].get("note", ""))

    def test_it_survives_being_written_again(self, path: Path, tmp_path: Path) -> None:
        session = read_session(path)
        again = tmp_path / "again.toml"
        again.write_text(render_session(session))
        assert read_session(again) == session

    def test_it_is_replayed_and_a_difference_explained(self, path: Path) -> None:
        session, knowledge = read_session(path), load_knowledge()
        found = replay(session, knowledge)
        if session.advice is None:
            assert found.state == "new"
            return
        assert found.state in ("same", "differs")
        if found.state == "differs":
            assert found.why
            assert "same answers, rules and version" not in found.why[0]

    def test_the_advice_of_today_keeps_what_was_written_by_hand(
        self, path: Path, tmp_path: Path
    ) -> None:
        copy = tmp_path / "copy.toml"
        copy.write_bytes(path.read_bytes())
        session, digest = load(copy)
        record = replay(session, load_knowledge()).record
        save(replace(session, advice=record), copy, expected_digest=digest)
        before = path.read_text().partition("[advice]")[0].rstrip("\n")
        assert copy.read_text().startswith(before)
        assert replay(read_session(copy), load_knowledge()).state == "same"
