"""The help on the mode names the log lines of the framework in use."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.engine.knowledge import load_knowledge
from advisor.facts.answers import Answer
from advisor.interview.flow import Checklist
from advisor.interview.signs import mode_signs
from advisor.interview.wording import find
from tests.engine.test_framework_file import SMALL, write

KNOWLEDGE = load_knowledge()
MODE = Checklist(KNOWLEDGE.catalogue).question("mode")


def named(framework: str) -> dict[str, Answer]:
    return {"framework": Answer(framework, "measured")}


@pytest.mark.parametrize("name", ["maxtext", "MaxText"])
def test_a_known_framework_shows_how_its_saves_look(name: str) -> None:
    # rules/frameworks/maxtext.toml, read in the source of Orbax.
    signs = mode_signs(MODE, named(name), KNOWLEDGE)
    assert signs == (
        'MaxText. Background save: "Started an asynchronous checkpoint save for step N". '
        'Blocking save: "Saved a checkpoint at step N."',
    )
    assert find(MODE, signs) == (*find(MODE), *signs)


@pytest.mark.parametrize("answer", ["in-house", "?", "scr"])
def test_nothing_is_shown_where_nothing_is_known(answer: str) -> None:
    assert mode_signs(MODE, named(answer), KNOWLEDGE) == ()
    assert mode_signs(MODE, {}, KNOWLEDGE) == ()
    assert mode_signs(MODE, named("maxtext"), None) == ()


def test_other_questions_have_no_use_for_it() -> None:
    pool = Checklist(KNOWLEDGE.catalogue).question("pool_write")
    assert mode_signs(pool, named("maxtext"), KNOWLEDGE) == ()


def test_a_faulty_file_is_no_reason_to_fail(tmp_path: Path) -> None:
    write(tmp_path / "frameworks", SMALL.replace('"opt_in"', '"optin"'))
    assert mode_signs(MODE, named("mine"), load_knowledge((tmp_path,))) == ()
