"""``--set FACT=VALUE``: one fact as it is typed in the interview."""

from __future__ import annotations

from advisor.commands.faults import UsageFault
from advisor.facts.answers import UNKNOWN_TEXT, Answer
from advisor.facts.catalogue import Catalogue
from advisor.facts.resolve import AnswerError, read_answer
from advisor.facts.toml_fault import suggest, suggest_choice


def setting(text: str, catalogue: Catalogue) -> dict[str, Answer]:
    """The answers that one setting gives, by fact.

    The name is a fact, or a question with alternative answers (state, interval, failures,
    restart): ``interval=440 steps @ 4.1 s`` gives two facts.

    Args:
        text: ``FACT=VALUE``.
        catalogue: the declared facts.

    Raises:
        UsageFault: no such fact, or a value that it does not admit.
    """
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name:
        raise UsageFault(f'--set "{text}": write FACT=VALUE', 'for example --set nodes="128"')
    groups = {spec.group for spec in catalogue.facts.values()} - {""}
    if name not in catalogue.facts and name not in groups:
        hint = suggest(name, [*catalogue.facts, *groups])
        raise UsageFault(f'--set {name}: there is no fact "{name}"', hint)
    try:
        if name in groups:
            return _alternatives(name, value, catalogue)
        unknown = value == UNKNOWN_TEXT
        answer = Answer(value, "unknown" if unknown else "estimated")
        read_answer(catalogue.facts[name], answer)
    except AnswerError as error:
        near = (
            suggest_choice(value, catalogue.facts[name].choices) if name in catalogue.facts else ""
        )
        raise UsageFault(
            f"--set {name}: {error.message}", f"{near} {error.hint}".strip()
        ) from error
    return {name: answer}


def _alternatives(name: str, value: str, catalogue: Catalogue) -> dict[str, Answer]:
    from advisor.interview.flow import Checklist
    from advisor.interview.meaning import interpret

    return dict(interpret(Checklist(catalogue).question(name), value, None).answers)
