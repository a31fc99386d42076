"""What the interview screen works on: answers, typed drafts, and the question that is open.

Plain Python, no screen: going forward and back, reading drafts and marking steps are decided here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from advisor.facts.answers import UNKNOWN_TEXT, Answer, Certainty
from advisor.facts.catalogue import Catalogue, Topic
from advisor.facts.resolve import AnswerError
from advisor.interview.flow import Checklist, Question, answered
from advisor.interview.meaning import Meaning, interpret
from advisor.tui.typed import typed

Mark = Literal["✓", "?", "▸", "·", "!", "~"]
"""State of a step: answered, don't know, open now, not answered, not understood, not accepted."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What stands in the fields of a question.

    Attributes:
        text: the value as typed, or the chosen member.
        certainty: what the person chose; None leaves it to the text.
        note: the note.
    """

    text: str = ""
    certainty: Certainty | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a draft means: a meaning, or what is wrong with it; neither for an empty field."""

    meaning: Meaning | None = None
    error: AnswerError | None = None


@dataclass
class Desk:
    """The state of one interview.

    Attributes:
        catalogue: the declared facts.
        checklist: which question comes next.
        answers: what was accepted, as the session holds it.
        drafts: what was typed and not accepted, by question.
        passed: follow-ups that were skipped in this sitting.
        current: the question that is open.
        judged: whether what is wrong with its draft is shown; not while it is being typed.
    """

    catalogue: Catalogue
    checklist: Checklist
    answers: Mapping[str, Answer] = field(default_factory=dict)
    drafts: dict[str, Draft] = field(default_factory=dict)
    passed: set[str] = field(default_factory=set)
    judged: bool = True

    def __post_init__(self) -> None:
        self.current = self.checklist.required()[0]
        # The path for these answers, this question and these drafts: each key asks for it twice.
        self._walk: tuple[Mapping[str, Answer], object, tuple[Question, ...]] | None = None

    def use(self, answers: Mapping[str, Answer]) -> None:
        """Take over the answers of a session that was just opened, and what to ask first."""
        self.answers = answers
        self.drafts.clear()
        self.passed.clear()
        self.current = self.checklist.next_question(answers) or self.checklist.required()[0]

    # -- what the fields show and mean

    def stored(self, question: Question) -> Draft:
        """The accepted answer of a question as it would be typed; empty where there is none."""
        given = [self.answers[s.name] for s in question.specs if s.name in self.answers]
        if not given:
            return Draft()
        certainty = "unknown" if given[0].is_unknown else given[0].source
        return Draft(typed(question, self.answers), certainty, given[0].note)

    def draft(self, question: Question) -> Draft:
        """What the fields of a question show."""
        return self.drafts.get(question.id) or self.stored(question)

    def edit(self, question: Question, draft: Draft) -> None:
        """Note what stands in the fields now."""
        if question.id == self.current.id:
            self.judged = False
        if draft == self.stored(question):
            self.drafts.pop(question.id, None)
        else:
            self.drafts[question.id] = draft

    def read(self, question: Question) -> Reading:
        """What the fields of a question mean."""
        draft = self.draft(question)
        text = UNKNOWN_TEXT if draft.certainty == "unknown" else draft.text.strip()
        if not text:
            return Reading()
        try:
            meaning = interpret(
                question, text, draft.certainty, draft.note.strip(), known=self.answers
            )
            return Reading(meaning=meaning)
        except AnswerError as error:
            return Reading(error=error)

    def typed_answers(self) -> dict[str, Answer]:
        """The accepted answers with every draft that can be read counted as one."""
        answers = dict(self.answers)
        for name in self.drafts:
            meaning = self.read(self.checklist.question(name)).meaning
            if meaning is not None:
                for gone in meaning.clears:
                    answers.pop(gone, None)
                answers.update(meaning.answers)
        return answers

    def unread(self) -> tuple[Question, ...]:
        """Questions with a draft that cannot be read, one that is being typed left out."""
        questions = (self.checklist.question(name) for name in self.drafts)
        return tuple(question for question in questions if self._is_wrong(question))

    def _is_wrong(self, question: Question) -> bool:
        shown = self.judged or question.id != self.current.id
        return shown and question.id in self.drafts and self.read(question).error is not None

    def readable(self) -> tuple[Question, ...]:
        """Questions with a draft that could be accepted as it stands."""
        questions = (self.checklist.question(name) for name in self.drafts)
        return tuple(question for question in questions if self.read(question).meaning)

    # -- which question is open

    def path(self) -> tuple[Question, ...]:
        """The questions that back and forward walk through.

        While one of the five is open: the five and what was touched; then everything that is asked.
        """
        state = (self.current.id, tuple(self.drafts))
        if self._walk is None or self._walk[0] is not self.answers or self._walk[1] != state:
            self._walk = (self.answers, state, self._path())
        return self._walk[2]

    def _path(self) -> tuple[Question, ...]:
        told = self._told_with_another()
        if self.five_done():
            shown = {question.id for question in self.checklist.questions(self.answers)}
        else:
            shown = {q.id for q in self.checklist.every() if q.required or self.touched(q)}
        shown |= {self.current.id} | set(self.drafts)
        return tuple(q for q in self.checklist.every() if q.id in shown and q.id not in told)

    def _told_with_another(self) -> set[str]:
        """Questions whose answer another one shows: the time of a step in "440 steps @ 4.1 s"."""
        told = {
            need
            for question in self.checklist.every()
            for spec in question.specs
            if spec.name in self.answers
            for need in spec.needs
            if need in self.answers
        }
        return told - {self.current.id} - set(self.drafts)

    def touched(self, question: Question) -> bool:
        """Whether a question has an answer or a draft."""
        return question.id in self.drafts or answered(question, self.answers)

    def five_done(self) -> bool:
        """Whether each of the five has an answer, "don't know" included."""
        return all(answered(question, self.answers) for question in self.checklist.required())

    def step(self, by: int) -> bool:
        """Open the question before or after; false at the end of the path."""
        path = self.path()
        place = next(i for i, question in enumerate(path) if question.id == self.current.id) + by
        if not 0 <= place < len(path):
            return False
        self.current = path[place]
        return True

    def go_on(self) -> bool:
        """Open what is to be asked next; false where nothing is left."""
        seen: set[str] = set()
        after = self.current.id
        while True:
            following = self.checklist.next_question(self.answers, after)
            if following is None or following.id in seen:
                return False
            if following.required or following.id not in self.passed:
                self.current = following
                return True
            seen.add(following.id)
            after = following.id

    def open_topic(self, number: int) -> None:
        """Open the first question of a topic."""
        questions = self.checklist.questions(self.answers)
        self.current = next((q for q in questions if q.topic.number == number), self.current)

    # -- the steps

    def topics(self) -> tuple[Topic, ...]:
        """The topics in the order of asking."""
        return tuple(sorted(self.catalogue.topics.values(), key=lambda topic: topic.number))

    def marks(self) -> tuple[tuple[Topic, Mark], ...]:
        """The topics with their states."""
        path = self.path()
        return tuple((topic, self._mark(topic, path)) for topic in self.topics())

    def _mark(self, topic: Topic, path: tuple[Question, ...]) -> Mark:
        """What needs attention hides what is open, and that what is done."""
        here = [question for question in path if question.topic.id == topic.id]
        if any(self._is_wrong(question) for question in here):
            return "!"
        if topic.id == self.current.topic.id:
            return "▸"
        if any(q.id in self.drafts for q in here):
            return "~"
        return self.answer_mark([q for q in here if q.required] or here)

    def answer_mark(self, questions: list[Question]) -> Mark:
        """Whether questions have an answer, and whether it is "don't know"."""
        names = [spec.name for question in questions for spec in question.specs]
        given = [self.answers[name] for name in names if name in self.answers]
        if not given:
            return "·"
        return "?" if all(answer.is_unknown for answer in given) else "✓"
