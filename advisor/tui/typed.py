"""An accepted answer as it would be typed again: the inverse of reading it."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.facts.answers import UNKNOWN_TEXT, Answer
from advisor.interview.flow import Question


def typed(question: Question, answers: Mapping[str, Answer]) -> str:
    """The text that gives a question the answers it has; "" where it has none.

    Of alternatives the first known one in their order of preference is shown, with the words that
    tell them apart: "48 GB/node", "70B parameters", "440 steps @ 4.1 s", "12 in 30 d".
    """
    given = [spec.name for spec in question.specs if spec.name in answers]
    if not given:
        return ""
    known = [name for name in given if not answers[name].is_unknown]
    if not known:
        return answers[given[0]].value
    name = known[0]
    text = answers[name].value.strip()
    return text if len(question.specs) == 1 else _worded(name, text, answers)


def _worded(name: str, text: str, answers: Mapping[str, Answer]) -> str:
    def beside(other: str) -> str:
        answer = answers.get(other)
        return "" if answer is None or answer.is_unknown else answer.value.strip()

    match name:
        case "state_per_node" if "node" not in text:
            return f"{text}/node"
        case "parameters" if "param" not in text:
            return f"{text} parameters"
        case "interval_steps":
            step = beside("step_time")
            return f"{text} steps @ {step}" if step else f"{text} steps"
        case "interruptions":
            period = beside("observed_for")
            return f"{text} in {period}" if period else f"{text} interruptions"
        case "node_mtbf" if "node" not in text:
            return f"{text}/node"
        case "detect_time":
            return f"{text} + {beside('init_time') or UNKNOWN_TEXT}"
    return text
