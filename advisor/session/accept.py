"""The one step by which an answer enters a session, on the screen and line by line alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from advisor.facts.answers import Answer
from advisor.session.document import Session
from advisor.session.journal import Change


def accept(
    session: Session, answers: Mapping[str, Answer], clears: Sequence[str], now: datetime
) -> Session:
    """The session with answers given.

    A changed answer keeps its place and new ones go to the end, in the order given. Advice that was
    given for other values goes, since a replay compares it with what these values come to.

    Args:
        session: as it is.
        answers: by fact.
        clears: alternatives they take the place of.
        now: the moment, with its time zone.

    Returns:
        The same session where nothing changes, so that it is not saved again.
    """
    after = session
    for name in clears:
        after = after.without_answer(name, now)
    for name, answer in answers.items():
        if after.answers.get(name) != answer:
            after = after.with_answer(name, answer, now)
    if after.advice is not None and _said(after) != _said(session):
        after = replace(after, advice=None)
    return after


def changes(before: Session, after: Session, now: datetime) -> tuple[Change, ...]:
    """What makes one session out of another: answers taken back, then those given."""
    gone = (Change(now, name, None) for name in before.answers if name not in after.answers)
    given = (
        Change(now, name, answer)
        for name, answer in after.answers.items()
        if before.answers.get(name) != answer
    )
    return (*gone, *given)


def _said(session: Session) -> dict[str, tuple[str, str]]:
    """What an advice depends on: values and how sure they are; a note changes nothing."""
    return {name: (answer.value, answer.source) for name, answer in session.answers.items()}
