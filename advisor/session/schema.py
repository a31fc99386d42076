"""The session file as strict pydantic models: what may stand in it, and its JSON Schema.

Imported only by the functions that read a file, since pydantic costs a first screen.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from advisor.facts.answers import Certainty, Origin

Filled = Annotated[str, StringConstraints(pattern=r"\S")]
"""A text with something in it."""


class _Table(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class SessionTable(_Table):
    """What the session is."""

    id: Filled = Field(description="Name of the session, unique in its folder.")
    title: str = Field(default="", description="What people call the job.")
    created: datetime | None = Field(default=None, description="When the interview began.")
    updated: datetime | None = Field(
        default=None, description="When an answer last changed; a replay judges waivers at it."
    )
    tags: tuple[str, ...] = Field(default=(), strict=False, description="Words to find it by.")


class AnswerTable(_Table):
    """One answer, under the name of its fact."""

    value: str = Field(description='The answer as typed, such as "18 GB"; "?" for don\'t know.')
    source: Certainty = Field(default="estimated", description="How sure the answer is.")
    note: str = Field(default="", description="Free text, shown with the answer.")
    evidence: str = Field(default="", description="Where it can be checked: a file, its digest.")
    said_by: str = Field(default="", description="Who said it.")
    origin: Origin = Field(
        default="person", alias="from", description="site: filled in from the site file."
    )


class WaiverTable(_Table):
    """A rule that does not apply for now, under the id of the rule."""

    reason: Filled = Field(description="Why it does not apply.")
    until: date | None = Field(default=None, description="Last day on which it is waived.")
    by: str = Field(default="", description="Who decided it.")


class SessionFile(_Table):
    """A session of ckpt-advisor: an interview about one job's checkpoints."""

    schema_version: Literal[1]
    session: SessionTable
    answers: dict[str, AnswerTable] = Field(default={}, description="By the name of the fact.")
    waivers: dict[str, WaiverTable] = Field(default={}, description="By the id of the rule.")
    advice: dict[str, Any] | None = Field(
        default=None, description="What was advised when it was saved; a replay compares with it."
    )


def known_keys(place: tuple[str | int, ...]) -> tuple[str, ...]:
    """The keys that may stand in the table at a place of the file."""
    model: type[BaseModel] = SessionFile
    if place == ("session",):
        model = SessionTable
    elif len(place) == 2 and place[0] == "answers":
        model = AnswerTable
    elif len(place) == 2 and place[0] == "waivers":
        model = WaiverTable
    return tuple(info.alias or name for name, info in model.model_fields.items())
