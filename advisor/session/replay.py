"""Recompute a saved session and compare with what was advised when it was saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from advisor.session.differences import IDENTITY, Difference, differences
from advisor.session.document import Session
from advisor.session.record import advice_record

if TYPE_CHECKING:
    from advisor.engine.knowledge import Knowledge

State = Literal["same", "differs", "new", "error"]
"""new: the session was saved without an advice, which is no difference."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """One session recomputed.

    Attributes:
        session_id: which one.
        state: the outcome.
        differences: every key that differs, in the order of the table.
        why: what has changed since, a short phrase each; for an error, what is wrong.
        record: of the advice as computed now; None for an error.
    """

    session_id: str
    state: State
    differences: tuple[Difference, ...] = ()
    why: tuple[str, ...] = ()
    record: Mapping[str, Any] | None = None


def replay(session: Session, knowledge: Knowledge) -> Replayed:
    """Recompute one session; waivers are judged at ``updated``, so no clock matters.

    Only what a record holds is computed. Never raises for what the session holds: that is the state
    "error".
    """
    from advisor.engine.advise import advise
    from advisor.engine.framework_types import FrameworkError
    from advisor.facts.resolve import AnswerError

    try:
        now = advice_record(advise(session, knowledge, whole=False))
    except (AnswerError, FrameworkError) as error:
        return Replayed(session.id, "error", why=(str(error),))
    if session.advice is None:
        return Replayed(session.id, "new", record=now)
    found = differences(session.advice, now)
    if not found:
        return Replayed(session.id, "same", record=now)
    return Replayed(session.id, "differs", found, _why(session.advice, now), now)


def with_record(session: Session, record: Mapping[str, Any]) -> Session:
    """The session with the record of an advice; ``updated`` stays, since no answer changed."""
    return replace(session, advice=record)


def is_current(session: Session, record: Mapping[str, Any]) -> bool:
    """Whether the stored record names the rules, version and answers of the one of today."""
    stored = session.advice or {}
    return all(stored.get(key) == record[key] for key in IDENTITY)


def _why(then: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[str, ...]:
    """What has changed since the record was written, as far as the record tells."""
    told = [key for key in IDENTITY if key in then]
    changed = {key for key in told if then[key] != now[key]}
    why = []
    if "answers_digest" in changed:
        why.append("the answers changed since it was stored")
    if "knowledge_version" in changed:
        why.append(f"rules {then['knowledge_version']} became {now['knowledge_version']}")
    elif "knowledge_digest" in changed:
        why.append("the rules changed, their version did not")
    if "advisor_version" in changed:
        why.append(f"ckpt-advisor {then['advisor_version']} became {now['advisor_version']}")
    if why:
        return tuple(why)
    if len(told) < len(IDENTITY):
        return ("the stored advice does not say what it was computed with",)
    return ("same answers, rules and version: the stored advice, a waiver or the program changed",)
