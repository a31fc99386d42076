"""Which question comes next: a pure function of what is known, so nothing stores a cursor.

Going back, editing, resuming and replaying are the same thing: the answers change, and the list of
questions is read off them again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from advisor.facts.answers import Answer
from advisor.facts.catalogue import Catalogue, FactSpec, Topic
from advisor.facts.resolve import AnswerError, read_answer
from advisor.facts.scenario import Scenario
from advisor.facts.scenario import Value as Given

if TYPE_CHECKING:
    from advisor.engine.expression import Expression, Value


@dataclass(frozen=True, slots=True)
class Question:
    """One question of the interview.

    Attributes:
        id: the name of its fact, or of the group whose members are alternative answers to it.
        topic: the topic it belongs to.
        specs: its fact, or the alternatives in order; the first is what a bare value means.
        required: one of the five.
        number: 1 to 5 for the five, 0 for follow-ups.
        follows: id of the required question of its topic, or "".
        companions: facts that an alternative needs beside it (the time of a step), in order.
    """

    id: str
    topic: Topic
    specs: tuple[FactSpec, ...]
    required: bool
    number: int
    follows: str
    companions: tuple[FactSpec, ...] = ()


class Checklist:
    """All questions of a catalogue, with the conditions under which follow-ups are asked.

    Args:
        catalogue: the declared facts; topics are asked in the order of their numbers.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._all = tuple(_questions(catalogue))
        # The five, then what moves the result most, then the rest in the order of the topics.
        self._walk = sorted(self._all, key=_walking_place)
        self._step = {question.id: i for i, question in enumerate(self._walk)}
        self._place = {spec.name: i for i, q in enumerate(self._all) for spec in q.specs}
        self._place.update((question.id, i) for i, question in enumerate(self._all))

    @cached_property
    def _asked(self) -> dict[str, Expression]:
        """The conditions of the follow-ups; the first question does without them.

        Raises:
            ExpressionError: one that cannot be read; loading the knowledge names its place.
        """
        from advisor.engine.asking import asking_conditions

        conditions = asking_conditions(self._catalogue)
        return {
            question.id: conditions[question.specs[0].name]
            for question in self._all
            if question.specs[0].name in conditions and not question.required
        }

    def every(self) -> tuple[Question, ...]:
        """All questions there are, in the order of asking."""
        return self._all

    def questions(self, answers: Mapping[str, Answer]) -> tuple[Question, ...]:
        """Everything to show for these answers, in the order of asking.

        Per topic its required question, then the follow-ups whose condition holds; a condition
        that rests on something unknown does not. What was answered stays.
        """
        values = self._values(answers)
        return tuple(q for q in self._all if answered(q, answers) or self._holds(q, values))

    def required(self) -> tuple[Question, ...]:
        """The five, in order."""
        return tuple(question for question in self._all if question.required)

    def question(self, name: str) -> Question:
        """The question with this id, or the one that asks for this fact.

        Raises:
            KeyError: there is none.
        """
        return self._all[self._place[name]]

    def pressing(self, answers: Mapping[str, Answer], after: str | None = None) -> Question | None:
        """What a result cannot do without: the first of the five that is open, or what it needs.

        A number of steps needs the time of one; such a companion is left out while it is ``after``
        itself. None where the five are complete.
        """
        for question in self.required():
            if not answered(question, answers):
                return question
            needed = self._needed(question, answers)
            if needed is not None and needed.id != after:
                return needed
        return None

    def next_question(
        self, answers: Mapping[str, Answer], after: str | None = None
    ) -> Question | None:
        """What to ask now.

        What ``pressing`` says; then the next open follow-up behind ``after``: first those that move
        the result most, then the others in the order of the topics, going on from the top at the
        end.

        Args:
            answers: what is known; "don't know" counts as answered.
            after: id of the question just answered or skipped; a skipped follow-up is not asked
                again at once. None starts at the top.

        Returns:
            The question, or None when nothing (but ``after`` itself) is left.

        Raises:
            KeyError: ``after`` is no question.
        """
        pressing = self.pressing(answers, after)
        if pressing is not None:
            return pressing
        shown = {question.id for question in self.questions(answers)}
        start = -1 if after is None else self._step[self.question(after).id]
        for question in (*self._walk[start + 1 :], *self._walk[: max(start, 0)]):
            if question.id in shown and not answered(question, answers):
                return question
        return None

    def known_required(self, answers: Mapping[str, Answer]) -> int:
        """How many of the five have an answer that says something: "3 of 5 known"."""
        return sum(self._known(question, answers) for question in self.required())

    def _known(self, question: Question, answers: Mapping[str, Answer]) -> bool:
        return any(
            all(self._value(name, answers) is not None for name in (spec.name, *spec.needs))
            for spec in question.specs
        )

    def _needed(self, question: Question, answers: Mapping[str, Answer]) -> Question | None:
        """The question for what an alternative still lacks, where no other one is complete."""
        if self._known(question, answers):
            return None
        for spec in question.specs:
            if self._value(spec.name, answers) is not None:
                for name in spec.needs:
                    if name not in answers:
                        return self.question(name)
        return None

    def _holds(self, question: Question, values: Mapping[str, Value]) -> bool:
        condition = self._asked.get(question.id)
        return condition is None or condition.evaluate(values).value is True

    def _values(self, answers: Mapping[str, Answer]) -> dict[str, Value]:
        """Values of the facts that conditions name; an answer that cannot be read is unknown.

        What the five assume counts only once somebody was asked: until then nothing follows from
        it.
        """
        given: dict[str, Given] = {}
        for name in answers:
            value = self._value(name, answers)
            if value is not None:
                given[name] = value
        scenario = Scenario(self._catalogue, given)
        names = frozenset[str]().union(*(condition.names for condition in self._asked.values()))
        facts = self._catalogue.facts
        return {
            name: _plain(scenario.value(name))
            for name in names
            if name in answers or not facts[name].required
        }

    def _value(self, name: str, answers: Mapping[str, Answer]) -> Value:
        spec, answer = self._catalogue.facts.get(name), answers.get(name)
        if spec is None or answer is None:
            return None
        try:
            value = read_answer(spec, answer)
        except AnswerError:
            return None
        return value if isinstance(value, str | None) else value.value


def _walking_place(question: Question) -> tuple[int, int]:
    early = min((spec.early for spec in question.specs if spec.early), default=0)
    return (0, 0) if question.required else (1, early) if early else (2, 0)


def answered(question: Question, answers: Mapping[str, Answer]) -> bool:
    """Whether somebody answered it; "don't know" is an answer."""
    return any(spec.name in answers for spec in question.specs)


def _questions(catalogue: Catalogue) -> Iterator[Question]:
    number = 0
    for topic in sorted(catalogue.topics.values(), key=lambda topic: topic.number):
        groups: dict[str, list[FactSpec]] = {}
        for spec in catalogue.topic_facts(topic.id):
            groups.setdefault(spec.group or spec.name, []).append(spec)
        first = [name for name, specs in groups.items() if any(s.required for s in specs)]
        for name in (*first, *(name for name in groups if name not in first)):
            required = name in first
            number += required
            specs = groups[name]
            needs = dict.fromkeys(need for spec in specs for need in spec.needs)
            yield Question(
                id=name,
                topic=topic,
                specs=tuple(specs),
                required=required,
                number=number if required else 0,
                follows=first[0] if first and not required else "",
                companions=tuple(catalogue.facts[need] for need in needs),
            )


def _plain(value: Given | None) -> Value:
    return value if isinstance(value, str | None) else float(value)
