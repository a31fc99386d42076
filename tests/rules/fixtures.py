"""Reads the fixtures of the rules: facts as typed, and what one rule must say about them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from advisor.engine.advice import Finding
from advisor.engine.advise import present
from advisor.engine.conditions import Values
from advisor.engine.expression import ComparisonTrace
from advisor.engine.findings import findings, outcomes
from advisor.engine.knowledge import load_knowledge
from advisor.engine.situation import Situation
from advisor.engine.waivers import Waiver
from advisor.facts.answers import CERTAINTIES, Answer, Certainty

FOLDER = Path(__file__).parent

KINDS = ("hit", "clear", "unknown", "edge")


@dataclass(frozen=True)
class Fixture:
    path: Path
    facts: Mapping[str, str]
    sources: Mapping[str, str]
    expect: Mapping[str, Any]
    edge_fact: str = ""
    edge_states: Mapping[str, str] = field(default_factory=dict)

    @property
    def rule(self) -> str:
        return self.path.parent.name

    @property
    def kind(self) -> str:
        return self.path.name.split(".")[0]

    @property
    def name(self) -> str:
        return f"{self.rule}/{self.path.stem}"


@dataclass(frozen=True)
class PlainSession:
    """The least that an advice takes."""

    answers: Mapping[str, Answer]
    id: str = "fixture"
    title: str = "Fixture"
    tags: tuple[str, ...] = ()
    updated: datetime | None = None
    waivers: Mapping[str, Waiver] = field(default_factory=dict)


@lru_cache(maxsize=1)
def all_fixtures() -> tuple[Fixture, ...]:
    return tuple(_read(path) for path in sorted(FOLDER.glob("*/*.toml")))


def _read(path: Path) -> Fixture:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    edge = data.get("edge", {})
    known = {"facts", "sources", "expect"} | ({"edge"} if edge else set())
    assert not set(data) - known, f"{path}: unknown tables {set(data) - known}"
    return Fixture(
        path=path,
        facts=data["facts"],
        sources=data.get("sources", {}),
        expect=data.get("expect", {}),
        edge_fact=edge.get("fact", ""),
        edge_states=edge.get("states", {}),
    )


def answers(facts: Mapping[str, str], sources: Mapping[str, str]) -> dict[str, Answer]:
    certainty: dict[str, Certainty] = {word: word for word in CERTAINTIES}
    return {
        name: Answer(text, certainty[sources.get(name, "measured")]) for name, text in facts.items()
    }


def situation(given: Mapping[str, Answer]) -> Situation:
    return present(given, load_knowledge()).situation


def finding_of(rule: str, given: Mapping[str, Answer]) -> Finding:
    pack, now = load_knowledge().pack, situation(given)
    found = [o for o in outcomes(now, pack) if o.rule.id == rule]
    return findings(found, now, pack, {}, None)[0]


def traces(fixture: Fixture, given: Mapping[str, Answer]) -> list[ComparisonTrace]:
    pack = load_knowledge().pack
    return pack.rules[fixture.rule].when.trace(Values(situation(given), pack))
