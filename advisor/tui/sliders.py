"""Facts that can be moved to see what would happen; plain values, no screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import log10

from advisor.engine.advise import present
from advisor.engine.knowledge import Knowledge
from advisor.engine.situation import number
from advisor.engine.thresholds import present_value
from advisor.facts.answers import Answer
from advisor.facts.catalogue import NUMERIC_KINDS, FactSpec
from advisor.facts.display import format_value
from advisor.facts.resolve import Facts

STEPS = 10
"""Steps of a decade: one press moves a value by a quarter, ten by ten."""

SHARE_STEPS = 20
"""Steps of a share from 0 to 1."""

DECADES = 2.0
"""How far a slider goes to each side of where it began."""

FIRST = (
    *("interval", "pool_write", "job_mtbf", "state_total", "restart_time", "nodes"),
    *("nvme_write", "acceptable_pause", "drain_slowdown", "tail_ratio", "accelerator_hour"),
)
"""What people ask about first; the rest follows in the order of the interview."""


@dataclass(frozen=True, slots=True)
class Slider:
    """One fact and how far it was moved.

    Attributes:
        spec: the fact.
        began: its value in the answers, or what it stands for.
        steps: from there, up or down.
    """

    spec: FactSpec
    began: float
    steps: int = 0

    @property
    def is_share(self) -> bool:
        """Whether it moves evenly between 0 and 1."""
        return (
            self.spec.kind == "ratio" and self.spec.maximum is not None and self.spec.maximum <= 1
        )

    @property
    def value(self) -> float:
        """Where it stands, in the unit of its kind, within the limits of the fact."""
        if self.steps == 0:
            return self.began
        if self.is_share:
            out = self.began + self.steps / SHARE_STEPS
        else:
            out = self.began * 10 ** (self.steps / STEPS)
        low, high = self.spec.minimum, self.spec.maximum
        out = max(out, low) if low is not None else out
        out = min(out, high) if high is not None else out
        return float(max(round(out), 1)) if self.spec.whole else out

    def moved(self, by: int) -> Slider:
        """The nearest place at least so many steps on where the value is another one."""
        most = SHARE_STEPS if self.is_share else round(DECADES * STEPS)
        steps, sign = self.steps + by, 1 if by > 0 else -1
        while abs(steps) <= most:
            new = replace(self, steps=steps)
            # A small count is the same for several steps.
            if new.value != self.value or steps == 0:
                return new
            steps += sign
        end = replace(self, steps=sign * most)
        return end if end.value != self.value else self

    @property
    def place(self) -> float:
        """Where it stands on its way, from 0 to 1."""
        if self.is_share:
            return self.value
        if self.began <= 0 or self.value <= 0:
            return 0.5
        return min(max(0.5 + log10(self.value / self.began) / (2 * DECADES), 0.0), 1.0)

    @property
    def text(self) -> str:
        """Its value for people, and as it would be typed."""
        return format_value(self.value, self.spec.kind)


def bar(place: float, width: int) -> str:
    """A slider as text: ``<-----o----->`` with signs of line drawing."""
    inner = max(width - 2, 1)
    at = round(place * (inner - 1))
    return "◂" + "━" * at + "●" + "━" * (inner - 1 - at) + "▸"


def sliders(answers: Mapping[str, Answer], knowledge: Knowledge) -> tuple[Slider, ...]:
    """Every numeric fact with a value, those asked about most first.

    Raises:
        AnswerError: an answer that cannot be read.
    """
    now = present(answers, knowledge)
    sc = now.situation.scenario
    found: dict[str, Slider] = {}
    for name in dict.fromkeys((*FIRST, *knowledge.catalogue.facts)):
        spec = knowledge.catalogue.facts.get(name)
        if spec is None or spec.kind not in NUMERIC_KINDS or not _moves(name, now.facts):
            continue
        value = present_value(sc, name)
        if name == "interval":
            # Also where it was given in steps.
            value = number(now.situation.estimate.interval)
        if value is not None and value > 0:
            found[name] = Slider(spec, value)
    return tuple(found.values())


def _moves(name: str, facts: Facts) -> bool:
    """Whether a fact has a say: one of several alternatives only where it is the one in force."""
    return name in FIRST or facts.facts[name].value is not None


def moved_answers(
    answers: Mapping[str, Answer], moved: tuple[Slider, ...], knowledge: Knowledge
) -> dict[str, Answer]:
    """The answers with every slider that was moved in place of what it replaces."""
    out = dict(answers)
    for slider in moved:
        if slider.steps == 0:
            continue
        spec = slider.spec
        if spec.group:
            for name, other in knowledge.catalogue.facts.items():
                if other.group == spec.group:
                    out.pop(name, None)
        out[spec.name] = Answer(slider.text, "guessed", note="what if")
    return out
