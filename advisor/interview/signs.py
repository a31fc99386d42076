"""How the framework in use shows whether a save blocks: help for the question about the mode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from advisor.facts.answers import Answer
from advisor.interview.flow import Question

if TYPE_CHECKING:
    from advisor.engine.knowledge import Knowledge

_MODE = "mode"
"""The question that log lines answer."""


def mode_signs(
    question: Question, answers: Mapping[str, Answer], knowledge: Knowledge | None
) -> tuple[str, ...]:
    """How the framework named tells a blocking save from one in the background, in a line.

    Args:
        question: the one that is put; only that about the mode gets a line.
        answers: by fact; the framework may be among them.
        knowledge: None while it is still being read.

    Returns:
        One line, or none where nothing is known. A framework file with a fault gives none: the
        estimate names the fault.
    """
    named = answers.get("framework")
    if question.id != _MODE or knowledge is None or named is None or named.is_unknown:
        return ()
    from advisor.engine.framework_types import FrameworkError
    from advisor.engine.framework_used import save_signs

    framework_id = knowledge.framework_id(named.value)
    if not framework_id:
        return ()
    try:
        framework = knowledge.framework(framework_id)
    except FrameworkError:
        return ()
    signs = save_signs(framework)
    return (f"{framework.title}. {signs}",) if signs else ()
