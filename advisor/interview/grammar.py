"""Which fact a typed text gives, where a question has alternatives.

Only the form is looked at here ("440 steps @ 4.1 s", "48 GB/node", "12 in 30 d"); whether the parts
are quantities within their limits is for ``read_answer`` to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from advisor.facts.catalogue import FactSpec
from advisor.facts.quantity import QuantityError, parse, parse_steps
from advisor.facts.resolve import AnswerError
from advisor.interview.flow import Question

Parts = Sequence[tuple[str, str]]
"""Pairs of a fact's name and the text that is stored for it."""

_PARAMETERS = re.compile(r"(?P<count>.+?)\s*(?:params?|parameters?)", re.IGNORECASE)
_PER_NODE = re.compile(r"(?P<value>.+?)\s*(?:/|\bper\s+)\s*nodes?", re.IGNORECASE)
_TOTAL = re.compile(
    r"(?P<value>.+?)\s+(?:in\s+all|(?:in\s+)?total|(?:for|over)\s+all\s+nodes)", re.IGNORECASE
)
_EVERY = re.compile(r"every\s+", re.IGNORECASE)
_STEPS = re.compile(r"(?P<count>.+?)\s*steps?", re.IGNORECASE)
_STEPS_OF = re.compile(r"\s*(?:steps?\s*(?:@|at\b|x|×|\*)|@|x|×|\*|\bat\b)\s*")
_STOPS = r"(?:interruptions?|failures?|restarts?|stops?|times?|crash(?:es)?)"
_COUNTED = re.compile(
    rf"(?P<count>\S+?)\s*{_STOPS}?\s+(?:in|over|within)\s+(?:the\s+)?(?:(?:last|past)\s+)?(?P<period>.+)",
    re.IGNORECASE,
)
_STOPS_ALONE = re.compile(rf"(?P<count>.+?)\s*{_STOPS}", re.IGNORECASE)
_SUM = re.compile(r"(?P<detect>[^+]+?)\s*\+\s*(?P<start>[^+]+)")

_STEP = "step_time"
"""The question for the time of one step, which many answer with the whole interval."""


def split_answer(question: Question, text: str) -> list[tuple[FactSpec, str]]:
    """The facts a text gives, each with the text to store.

    Args:
        question: what was asked.
        text: what was typed, trimmed and not empty.

    Raises:
        AnswerError: the text has two readings.
    """
    if question.id == _STEP:
        return [(question.specs[0], _time_of_a_step(text))]
    reader = _GROUPS.get(question.id) if len(question.specs) > 1 else None
    if reader is None:
        return [(_first_that_reads(question, text), text)]
    specs = {spec.name: spec for spec in (*question.specs, *question.companions)}
    return [(specs[name], typed) for name, typed in reader(text) if name in specs]


def _first_that_reads(question: Question, text: str) -> FactSpec:
    """The alternative whose kind the text is; the first where it is none of them."""
    for spec in question.specs:
        if spec.is_number and _is(text, spec):
            return spec
    return question.specs[0]


def _is(text: str, spec: FactSpec) -> bool:
    try:
        parse(text, spec.kind, per=spec.per)
    except QuantityError:
        return False
    return True


def _is_count(text: str) -> bool:
    try:
        return parse(text, "count").value is not None
    except QuantityError:
        return False


def _state(text: str) -> Parts:
    parameters = _PARAMETERS.fullmatch(text)
    if parameters:
        return [("parameters", parameters["count"])]
    if _PER_NODE.fullmatch(text):
        return [("state_per_node", text)]
    if _is_count(text):
        what = "could be bytes or parameters" if text.endswith("B") else "has no unit"
        hint = "Write 2.3 TB in all, 48 GB/node, or 70B parameters."
        raise AnswerError("state_total", f"{text} {what}.", hint)
    total = _TOTAL.fullmatch(text)
    return [("state_total", total["value"] if total else text)]


def _interval(text: str) -> Parts:
    every = _EVERY.match(text)
    text = text[every.end() :] if every else text
    if _of_steps(text):
        count, time = _STEPS_OF.split(text, maxsplit=1)
        return [("interval_steps", count), ("step_time", time)]
    steps = _STEPS.fullmatch(text)
    if steps:
        return [("interval_steps", steps["count"])]
    if _is_count(text):
        hint = f"Write {text} steps, {text} min or {text} h."
        raise AnswerError("interval", f"{text} has no unit.", hint)
    return [("interval", text)]


def _of_steps(text: str) -> bool:
    try:
        return parse_steps(text) is not None
    except QuantityError as error:
        raise AnswerError("interval_steps", error.message, error.hint) from error


def _time_of_a_step(text: str) -> str:
    """The time alone of "500 steps @ 3.2 s": the question asks for no more."""
    try:
        if parse_steps(text) is None:
            return text
    except QuantityError as error:
        raise AnswerError(_STEP, error.message, error.hint) from error
    return _STEPS_OF.split(text, maxsplit=1)[1]


def _failures(text: str) -> Parts:
    counted = _COUNTED.fullmatch(text)
    if counted:
        return [("interruptions", counted["count"]), ("observed_for", counted["period"])]
    every = _EVERY.match(text)
    text = text[every.end() :] if every else text
    node = _PER_NODE.fullmatch(text)
    if node:
        return [("node_mtbf", node["value"])]
    if _is_count(text):
        return [("interruptions", text)]
    alone = _STOPS_ALONE.fullmatch(text)
    if alone and _is_count(alone["count"]):
        return [("interruptions", alone["count"])]
    return [("job_mtbf", text)]


def _restart(text: str) -> Parts:
    parts = _SUM.fullmatch(text)
    if parts:
        return [("detect_time", parts["detect"]), ("init_time", parts["start"])]
    return [("restart_time", text)]


_GROUPS: Mapping[str, Callable[[str], Parts]] = {
    "state": _state,
    "interval": _interval,
    "failures": _failures,
    "restart": _restart,
}
"""The groups of alternatives whose members have forms of their own, as ``resolve`` knows them."""

FORMS: Mapping[str, str] = {
    "state": "2.3 TB in all, 48 GB/node, 70B parameters, ~2 TB, 2-3 TB",
    "interval": "30 min, 1h30m, 440 steps @ 4.1 s, 500 steps",
    "failures": "12 in 30 d, 10 h, 3 years/node",
    "restart": "15 min, 5-20 min, 10 min + 5 min",
    "slow_writers": "41 s; 43 s; 62 s, 2x, 1.5-3",
}
"""How each of them can be typed, for hints."""
