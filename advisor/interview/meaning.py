"""What a typed answer means: which facts it gives, which it replaces, and how it was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from advisor.facts.answers import UNKNOWN_TEXT, Answer, Certainty
from advisor.facts.catalogue import FactSpec
from advisor.facts.quantity import Quantity
from advisor.facts.resolve import AnswerError, read_answer
from advisor.interview.choices import pick
from advisor.interview.echo import echo
from advisor.interview.flow import Question
from advisor.interview.grammar import split_answer


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one typed answer says.

    Attributes:
        answers: by fact, in the order in which they were typed.
        clears: alternatives of the same question that it takes the place of.
        echo: how it was read, for the person to see: "= 1,800 s"; "" where the text says it all.
        vague: the text itself says how sure it is: "?", "~15 GB" or a range.
    """

    answers: Mapping[str, Answer]
    clears: tuple[str, ...]
    echo: str
    vague: bool = False


def interpret(
    question: Question,
    text: str,
    certainty: Certainty | None,
    note: str = "",
    said_by: str = "",
    *,
    known: Mapping[str, Answer] | None = None,
) -> Meaning:
    """Read a typed answer.

    Args:
        question: what was asked.
        text: what was typed; "?" for "don't know".
        certainty: what the person chose; None takes estimated. "unknown" is as good as "?".
        note: free text, kept with the first fact.
        said_by: who said it.
        known: other answers, only for a fuller echo ("48 nodes x 48 GB = 2.3 TB").

    Raises:
        AnswerError: it cannot be used; message and hint say what to type instead.
    """
    text = text.strip()
    main = question.specs[0]
    _check_signs(main, text + note + said_by)
    if text == UNKNOWN_TEXT or certainty == "unknown":
        unknown = Answer(UNKNOWN_TEXT, "unknown", note=note, said_by=said_by)
        others = _others(question, (main.name,))
        return Meaning({main.name: unknown}, others, "= don't know", vague=True)
    if not text:
        raise AnswerError(main.name, "Nothing was typed.", "Type a value, or ? for don't know.")
    answers: dict[str, Answer] = {}
    readings: dict[str, Quantity | str | None] = {}
    for spec, typed in split_answer(question, text):
        value = pick(spec, typed) if spec.kind == "choice" else typed
        answer = Answer(
            value, certainty or "estimated", note="" if answers else note, said_by=said_by
        )
        readings[spec.name] = _read(spec, answer)
        answers[spec.name] = answer
    said = echo(question, text, answers, readings, known or {})
    vague = any(_is_vague(reading) for reading in readings.values())
    return Meaning(answers, _others(question, tuple(answers)), said, vague)


def _read(spec: FactSpec, answer: Answer) -> Quantity | str | None:
    """What an answer says; examples alone are made a sentence where the limits refuse it."""
    try:
        return read_answer(spec, answer)
    except AnswerError as error:
        if error.hint and error.hint == spec.hint:
            hint = f"Write it like {spec.hint.removesuffix(', ?')}."
            raise AnswerError(spec.name, error.message, hint) from error
        raise


def _is_vague(reading: Quantity | str | None) -> bool:
    return isinstance(reading, Quantity) and (reading.approx or reading.low is not None)


def _others(question: Question, given: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(spec.name for spec in question.specs if spec.name not in given)


def _check_signs(spec: FactSpec, text: str) -> None:
    """Refuse what no file can hold: half a character, as terminals in another encoding send it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        hint = "Type it again in plain letters."
        raise AnswerError(spec.name, "It has a character that cannot be read.", hint) from None
