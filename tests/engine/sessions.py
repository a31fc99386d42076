"""Sessions for tests of the engine, from typed answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from advisor.engine.advice import Advice
from advisor.engine.advise import advise
from advisor.engine.knowledge import load_knowledge
from advisor.engine.waivers import Waiver
from advisor.facts.answers import Answer


@dataclass
class Job:
    """The least that ``advise`` needs of a session."""

    answers: Mapping[str, Answer]
    id: str = "test"
    title: str = "Test"
    tags: tuple[str, ...] = ()
    updated: datetime | None = None
    waivers: Mapping[str, Waiver] = field(default_factory=dict)


def job(**answers: str) -> Job:
    """A session from typed answers, all measured."""
    return Job({name: Answer(text, "measured") for name, text in answers.items()})


def advice(**answers: str) -> Advice:
    """The advice for typed answers, all measured."""
    return advise(job(**answers), load_knowledge())
