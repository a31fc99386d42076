"""The live estimate: what the answers so far come to, in lines for the panel beside the interview.

Built on the same door as the advice (``present`` and ``view``), without the plan, so that it keeps
up with typing. NumPy is imported on the first call only: the first screen does without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from advisor.facts.answers import Answer
from advisor.facts.resolve import AnswerError, read_answer
from advisor.facts.toml_text import suggest
from advisor.interview.flow import Checklist, answered
from advisor.interview.panel import Live, LiveLine
from advisor.interview.wording import label

if TYPE_CHECKING:
    from advisor.engine.advice import View
    from advisor.engine.advise import Present
    from advisor.engine.knowledge import Knowledge
    from advisor.facts.resolve import Facts


__all__ = ["Live", "LiveLine", "live"]


def live(
    answers: Mapping[str, Answer], knowledge: Knowledge, checklist: Checklist | None = None
) -> Live:
    """The live estimate; an answer that cannot be read is left out and named.

    Args:
        answers: by fact, as many as there are.
        knowledge: facts, rules and frameworks.
        checklist: the questions of the same catalogue; made where none is given (3 ms).
    """
    from advisor.engine.view import view as figures
    from advisor.interview.attention import serious
    from advisor.interview.live_lines import assumed_line, figure_lines

    checklist = checklist or Checklist(knowledge.catalogue)
    readable, unread = _readable(answers, knowledge)
    now, trouble = _present(readable, knowledge)
    view = figures(now.situation)
    lines = figure_lines(now, view)
    rest = assumed_line(now, checklist.questions(readable)) if view.goodput is not None else None
    return Live(
        lines=(*lines, rest) if rest else lines,
        needs=_needs(readable, checklist, now.facts, view),
        attention=(*unread, *trouble, *serious(now, view, knowledge)),
        view=view if lines else None,
    )


def _readable(
    answers: Mapping[str, Answer], knowledge: Knowledge
) -> tuple[dict[str, Answer], list[str]]:
    """The answers that can be used, and a sentence about each that cannot."""
    good: dict[str, Answer] = {}
    bad: list[str] = []
    for name, answer in answers.items():
        spec = knowledge.catalogue.facts.get(name)
        if spec is None:
            near = suggest(name, knowledge.catalogue.facts)
            bad.append(
                f'There is no fact "{name}": {near}' if near else f'There is no fact "{name}".'
            )
            continue
        try:
            read_answer(spec, answer)
        except AnswerError as error:
            bad.append(f"{spec.label}: {error.message} {error.hint}".rstrip())
        else:
            good[name] = answer
    return good, bad


def _present(answers: Mapping[str, Answer], knowledge: Knowledge) -> tuple[Present, list[str]]:
    """The job as it is; a framework file with a fault is left out and named."""
    from advisor.engine.advise import present
    from advisor.engine.framework_types import FrameworkError

    trouble = []
    named = answers.get("framework")
    if named is not None and not named.is_unknown:
        known = knowledge.frameworks()
        if not knowledge.framework_id(named.value):
            near = (
                suggest(named.value, known) or f"{len(known)} are: ckpt-advisor rules frameworks."
            )
            trouble.append(f'Nothing is known about the framework "{named.value}": {near}')
    try:
        now = present(answers, knowledge)
        version = now.situation.framework.version
        typed = answers.get("framework_version")
        if version is not None and version.assumed and typed is not None and not typed.is_unknown:
            trouble.append(version.sentence)
        return now, trouble
    except FrameworkError as error:
        without = {name: answer for name, answer in answers.items() if name != "framework"}
        return present(without, knowledge), [*trouble, str(error)]


def _needs(
    answers: Mapping[str, Answer], checklist: Checklist, facts: Facts, view: View
) -> tuple[str, ...]:
    """What a goodput still needs: the five first, then what they do not cover."""
    if view.goodput is not None:
        return ()
    missing = [name for name in view.missing.get("goodput", ()) if facts.facts[name].value is None]
    names = [label(q) for q in checklist.required() if not answered(q, answers)]
    for fact in missing:
        question = checklist.question(fact)
        names.append(label(question))
    return tuple(dict.fromkeys(names))
