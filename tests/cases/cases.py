"""Reads the published cases and turns their inputs into the answers of a session."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from advisor.engine.advice import Advice
from advisor.engine.advise import advise
from advisor.engine.knowledge import load_knowledge
from advisor.facts.answers import Answer
from advisor.model.tails import ratio_from_slowest_over_median
from tests.engine.sessions import Job

FOLDER = Path(__file__).parent

HOURS_PER_YEAR = 8760
"""As the catalogue has it."""


@lru_cache(maxsize=8)
def table(name: str) -> Mapping[str, Any]:
    """One of the tables of this folder."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Case:
    id: str
    source: str
    about: str
    expect: tuple[str, ...]
    inputs: Mapping[str, Any]
    answers: Mapping[str, str] = field(default_factory=dict)


@lru_cache(maxsize=1)
def all_cases() -> tuple[Case, ...]:
    out = []
    for name in ("runs", "guidance", "issues"):
        for case_id, entry in table(name).items():
            expect = tuple(entry["expect"])
            out.append(Case(id=case_id, **{**entry, "expect": expect}))
    return tuple(out)


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _converted(rule: Mapping[str, Any], value: float, inputs: Mapping[str, Any]) -> float | None:
    """The number as the fact wants it; None where what it is converted with was not published."""
    factor = rule.get("times")
    if isinstance(factor, int):
        return value * factor
    name = next((rule[k] for k in _OPERATIONS if k in rule), None)
    if name is None:
        return 1 / value if "one_over" in rule else value
    published = inputs.get(name, inputs.get(rule.get("otherwise", "")))
    if published is None:
        return None
    other = float(published)
    if "over" in rule:
        return value / other
    if "times" in rule:
        return value * other
    if "rate_of" in rule:
        return other / value
    if "lost_of" in rule:
        return 1 - value / other
    if "yearly_over" in rule:
        return value / other * HOURS_PER_YEAR
    usual = inputs.get(rule["usual"])
    if usual is None:
        return None
    return float(ratio_from_slowest_over_median((value + usual) / usual, other))


_OPERATIONS = ("over", "times", "rate_of", "lost_of", "yearly_over", "slowest_of")


def _number(value: float) -> str:
    return f"{round(value):d}" if value == round(value) else f"{value:.6g}"


def facts_of(case: Case) -> dict[str, str]:
    """The answers of a case as typed; everything it does not give stays out."""
    catalogue, out = load_knowledge().catalogue, {}
    for name, rule in table("inputs").items():
        fact, value = rule["fact"], case.inputs.get(name)
        if fact in out or not isinstance(value, int | float):
            continue
        number = _converted(rule, value, case.inputs)
        if number is None or (catalogue.facts[fact].whole and number != round(number)):
            continue
        unit = rule.get("unit", "")
        text = f"{_number(number)} {unit}" if len(unit) > 1 and unit[0] != "/" else None
        text = text or f"{_number(number)}{unit}"
        high = case.inputs.get(rule.get("up_to", ""))
        out[fact] = text if high is None else f"{_number(number)}-{_number(high)} {unit}"
    for names, words in table("words").items():
        key = "/".join(_word(case.inputs.get(name)) for name in names.split("/"))
        out |= words.get(key, {})
    if "framework" in case.inputs and "framework" not in out:
        out["framework"] = case.inputs["framework"]
    return {**out, **case.answers}


@lru_cache(maxsize=128)
def advised(case_id: str) -> Advice:
    """The advice on a case."""
    case = next(c for c in all_cases() if c.id == case_id)
    answers = {name: Answer(text, "measured") for name, text in facts_of(case).items()}
    return advise(Job(answers, id=case_id, title=case.about), load_knowledge())


def leads_to(advice: Advice, code: str) -> bool:
    """Whether the advice says what a published piece of advice says."""
    wanted = table("expected")[code]
    if wanted.get("calm"):
        loud = [f.rule for f in advice.hits() if f.severity != "note"]
        return not advice.plan and not loud
    steps = (*advice.plan, *advice.further, *advice.purchases)
    rules = {f.rule for f in advice.hits()} | {step.rule for step in steps}
    levers = {step.lever for step in steps}
    return bool(rules & set(wanted["rules"]) or levers & set(wanted.get("levers", ())))
