"""The fixtures of the built-in rules, read as those of a site are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from advisor.engine.knowledge import load_knowledge
from advisor.engine.rule_fixtures import (
    Fixture,
    PlainSession,
    fixture_answers,
    fixture_paths,
    fixture_situation,
    read_fixture,
)
from advisor.engine.situation import Situation
from advisor.facts.answers import Answer

__all__ = ["FOLDER", "PlainSession", "all_fixtures", "answers", "situation"]

FOLDER = Path(__file__).parent

answers = fixture_answers


@lru_cache(maxsize=1)
def all_fixtures() -> tuple[Fixture, ...]:
    return tuple(read_fixture(path) for path in fixture_paths(FOLDER))


def situation(given: Mapping[str, Answer]) -> Situation:
    return fixture_situation(given, load_knowledge())
