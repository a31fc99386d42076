"""What pydantic and the catalogue say about a session file, in words for whoever wrote the file."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, time
from typing import TYPE_CHECKING, Any

from advisor.facts.toml_fault import suggest, suggest_choice
from advisor.facts.toml_text import TomlDocument, TomlFault

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from advisor.facts.answers import Answer
    from advisor.facts.catalogue import Catalogue

MOST = 20
"""Faults shown at once; more than a screen of them helps nobody."""

_MISSING = {
    "session": 'add a table [session] with id = "NAME"',
    "id": 'add id = "NAME"',
    "value": 'add value = "18 GB" with your number, or value = "?" for don\'t know',
    "reason": 'say why: reason = "no host memory until the upgrade"',
}
"""What to add, by the key that is missing."""


def first_of(faults: list[TomlFault]) -> TomlFault:
    """The first fault in the order of the file, carrying the others."""
    ordered = sorted(faults, key=lambda fault: (fault.line, fault.column))[:MOST]
    ordered[0].more = tuple(ordered[1:])
    return ordered[0]


def schema_fault(document: TomlDocument, error: ErrorDetails) -> TomlFault:
    """One error of pydantic at its line and column, saying what to write instead."""
    place, value = error["loc"], error["input"]
    name = str(place[-1])
    match error["type"]:
        case "missing":
            return document.fault(place, "this is missing", _MISSING.get(name, ""))
        case "extra_forbidden":
            return _unknown_key(document, place)
        case "string_type":
            return document.fault(place, *_not_a_text(name, value), at_value=True)
        case "literal_error":
            choices = error["ctx"]["expected"].replace("'", "")
            hint = suggest(value, choices.replace(" or ", ", ").split(", "))
            return document.fault(place, f"this must be {choices}", hint, at_value=True)
        case "string_pattern_mismatch":
            return document.fault(place, "this is empty", "write something here", at_value=True)
        case "datetime_type":
            hint = "write a day and a time without quotes, like 2026-11-29T10:00:00Z"
            return document.fault(place, "this must be a date with a time", hint, at_value=True)
        case "date_type":
            hint = "write a day without quotes, like 2027-01-31"
            return document.fault(place, "this must be a date", hint, at_value=True)
        case "tuple_type":
            hint = f'write {name} = ["a", "b"]'
            return document.fault(place, "this must be a list of texts", hint, at_value=True)
        case "model_type" | "dict_type":
            return document.fault(place, "this must be a table", _as_table(place, value))
    return document.fault(place, error["msg"], at_value=True)


def answer_faults(
    document: TomlDocument, answers: Mapping[str, Answer], catalogue: Catalogue
) -> list[TomlFault]:
    """Answers to facts that do not exist, and values that the catalogue does not admit."""
    from advisor.facts.resolve import AnswerError, read_answer

    faults = []
    for name, answer in answers.items():
        spec = catalogue.facts.get(name)
        if spec is None:
            hint = suggest(name, catalogue.facts)
            faults.append(document.fault(("answers", name), f'there is no fact "{name}"', hint))
            continue
        try:
            read_answer(spec, answer)
        except AnswerError as error:
            near = suggest_choice(answer.value, spec.choices)
            hint = f"{near} {error.hint}".strip()
            place = ("answers", name, "value")
            faults.append(document.fault(place, error.message, hint, at_value=True))
    return faults


def _unknown_key(document: TomlDocument, place: tuple[str | int, ...]) -> TomlFault:
    from advisor.session.schema import known_keys

    known = known_keys(place[:-1])
    hint = suggest(str(place[-1]), known) or f"known here: {', '.join(known)}"
    return document.fault(place, f'there is no key "{place[-1]}" here', hint)


def _not_a_text(name: str, value: Any) -> tuple[str, str]:
    if isinstance(value, list | dict):
        return "this must be a text", f'write {name} = "…"'
    if isinstance(value, bool):
        typed = str(value).lower()
    else:
        typed = value.isoformat() if isinstance(value, date | time) else str(value)
    return f'put the value in quotes: {name} = "{typed}"', ""


def _as_table(place: tuple[str | int, ...], value: Any) -> str:
    table = ".".join(str(part) for part in place)
    if len(place) == 2 and place[0] == "answers" and not isinstance(value, list | dict):
        return f'write [{table}] on a line of its own, then value = "{value}" below it'
    return f"write [{table}] on a line of its own, then its keys below it"
