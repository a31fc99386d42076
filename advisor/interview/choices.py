"""A choice as people type it: its name, its label, the beginning of either, or its number."""

from __future__ import annotations

from advisor.facts.answers import UNKNOWN_TEXT
from advisor.facts.catalogue import FactSpec
from advisor.facts.resolve import AnswerError


def pick(spec: FactSpec, text: str) -> str:
    """The member of a choice that a text means.

    Args:
        spec: a fact that is a choice.
        text: a member, its label, an unambiguous beginning of one, or its number from 1.

    Raises:
        AnswerError: it means none of them, or more than one.
    """
    members = tuple(spec.choices)
    if text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= len(members):
        return members[int(text[:9]) - 1]
    typed = _folded(text)
    names = {member: (_folded(member), _folded(spec.choices[member])) for member in members}
    for found in (
        [member for member in members if typed in names[member]],
        [member for member in members if any(name.startswith(typed) for name in names[member])],
    ):
        if len(found) == 1:
            return found[0]
        if found:
            hint = f"Write {' or '.join(found)}."
            raise AnswerError(spec.name, f'"{text}" fits more than one choice.', hint)
    hint = f"Write one of {', '.join(members)}, or {UNKNOWN_TEXT} for don't know."
    raise AnswerError(spec.name, f'"{text}" is not one of the choices.', hint)


def _folded(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").replace("-", " ").split())
