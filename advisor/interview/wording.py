"""How a question is put to a person: its name, its text, how it can be answered."""

from __future__ import annotations

from advisor.facts.answers import UNKNOWN_TEXT
from advisor.interview.flow import Question
from advisor.interview.grammar import FORMS


def label(question: Question) -> str:
    """Short name: the topic's for the five, the fact's for follow-ups."""
    return question.topic.title if question.required else question.specs[0].label


def prompt(question: Question) -> str:
    """What is asked: the topic's question for the five, the fact's for follow-ups."""
    return question.topic.question if question.required else question.specs[0].question


def hint(question: Question) -> str:
    """Examples that can be typed as they stand, or the choices; without the ?."""
    main = question.specs[0]
    if main.kind == "choice":
        return ", ".join(main.choices)
    forms = FORMS.get(question.id, main.hint) if len(question.specs) > 1 else main.hint
    return forms.removesuffix(f", {UNKNOWN_TEXT}")


def alternatives(question: Question) -> tuple[str, ...]:
    """Names of what can be answered instead of the first fact."""
    return tuple(spec.label for spec in question.specs[1:])


def why(question: Question) -> str:
    """Why it matters, in a sentence."""
    return question.specs[0].why


def find(question: Question, signs: tuple[str, ...] = ()) -> tuple[str, ...]:
    """How to find out, one line each; for alternatives each behind its name.

    Args:
        question: what is asked.
        signs: what the framework in use shows, see ``mode_signs``; comes last.
    """
    if len(question.specs) == 1:
        return (*_lines(question.specs[0].find), *signs)
    return tuple(
        f"{spec.label}: {line}" if place == 0 else line
        for spec in question.specs
        for place, line in enumerate(_lines(spec.find))
    )


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line for line in text.strip().splitlines() if line.strip())
