"""Putting one question in lines of text, and reading what is typed at it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import TYPE_CHECKING

from advisor.commands.lines import MOST, EndOfInput, Lines
from advisor.commands.spoken import spoken
from advisor.facts.answers import CERTAINTIES, Answer, Certainty
from advisor.facts.display import format_value
from advisor.facts.resolve import AnswerError, resolve
from advisor.interview.flow import Question, answered
from advisor.interview.meaning import Meaning, interpret
from advisor.interview.signs import mode_signs
from advisor.interview.wording import alternatives, find, hint, label, prompt, why
from advisor.tui.typed import typed

if TYPE_CHECKING:
    from advisor.engine.knowledge import Knowledge


class Command(Enum):
    """What can be typed instead of an answer."""

    BACK = auto()
    SKIP = auto()
    LIST = auto()
    QUIT = auto()


_WORDS = {"<": Command.BACK, "list": Command.LIST, "quit": Command.QUIT, "": Command.SKIP}
"""Commands by what is typed for them."""

SURE: tuple[Certainty, ...] = CERTAINTIES[:3]
"""What can be chosen after an answer, by number; "don't know" is typed as the answer."""


class Asker:
    """Asks questions of one catalogue in lines of text."""

    def __init__(self, lines: Lines, knowledge: Knowledge) -> None:
        self._lines = lines
        self._knowledge = knowledge

    def ask(
        self, question: Question, answers: Mapping[str, Answer], *, must: bool, again: bool = False
    ) -> Meaning | Command | str:
        """Put a question until it is answered or something else is wanted.

        Args:
            question: what to ask.
            answers: what is known; the answer of this question is shown and can be kept.
            must: an empty line does not skip it while it has no answer.
            again: it was just put, so only the prompt is written.

        Returns:
            What the answer means, a command, or the text of a note.

        Raises:
            EndOfInput: the input has ended.
        """
        if not again:
            self._put(question, answers)
        shown = typed(question, answers)
        while True:
            text = self._lines.ask(f"{label(question)}{f' [{shown}]' if shown else ''}:")
            word = text.casefold()
            if word == "help":
                self._help(question, answers)
            elif word == "" and must and not shown:
                self._lines.say("Type a value, or ? for don't know.")
            elif word in _WORDS:
                return _WORDS[word]
            elif word == "note" or word.startswith("note "):
                note = text[len("note") :].strip()
                if note:
                    return note
                self._lines.say("Write the note behind it, like: note du of the last save")
            else:
                meaning = self._read(question, text, answers)
                if meaning is not None:
                    return meaning

    def yes(self, question: str, *, usual: bool) -> bool:
        """Ask for yes or no; an empty line takes the usual one.

        Raises:
            EndOfInput: the input has ended, or the person leaves.
        """
        while True:
            text = self._lines.ask(f"{question} yes or no [{'yes' if usual else 'no'}]:").casefold()
            if not text:
                return usual
            if "yes".startswith(text):
                return True
            if "no".startswith(text):
                return False
            if text == "quit":
                raise EndOfInput
            self._lines.say("Type yes or no.")

    def sure(self, usual: Certainty) -> Certainty | None:
        """Ask how sure the last answer is; None to type it again.

        Raises:
            EndOfInput: the input has ended, or the person leaves.
        """
        usual = usual if usual in SURE else "estimated"
        names = ", ".join(f"{number} {name}" for number, name in enumerate(SURE, start=1))
        while True:
            text = self._lines.ask(f"Sure? {names} [{SURE.index(usual) + 1}]:").casefold()
            if not text:
                return usual
            if text == "<":
                return None
            if text == "quit":
                raise EndOfInput
            for number, name in enumerate(SURE, start=1):
                if text == str(number) or name.startswith(text):
                    return name
            self._lines.say("Type 1, 2 or 3, or < to type the answer again.")

    def _put(self, question: Question, answers: Mapping[str, Answer]) -> None:
        """Write the question, how it can be answered, and what is assumed meanwhile."""
        if question.required:
            head = f"Question {question.number} of 5."
        else:
            head = f"More about {question.topic.title}."
        self._lines.say("", f"{head} {prompt(question)}")
        main = question.specs[0]
        if main.kind == "choice":
            for number, (member, text) in enumerate(main.choices.items(), start=1):
                self._lines.say(f"{number} {member}" + (f": {text}" if text != member else ""))
            self._lines.say("Type a name or its number.")
        else:
            self._lines.say(f"Type it like {hint(question)}.")
        if not question.required and alternatives(question):
            self._lines.say(f"Or answer with: {', '.join(alternatives(question))}.")
        assumed = "" if answered(question, answers) else self._assumed(question, answers)
        if assumed:
            self._lines.say(spoken(f"Assumed meanwhile: {assumed}."))

    def _assumed(self, question: Question, answers: Mapping[str, Answer]) -> str:
        """What is taken while a follow-up is open; "" where nothing is."""
        fact = resolve(answers, self._knowledge.catalogue).facts[question.specs[0].name]
        if fact.value is None or question.required:
            return ""
        if isinstance(fact.value, str):
            return fact.spec.choices.get(fact.value, fact.value)
        return format_value(fact.value, fact.spec.kind)

    def _help(self, question: Question, answers: Mapping[str, Answer]) -> None:
        signs = mode_signs(question, answers, self._knowledge)
        how = (f"How to find out: {line}" for line in find(question, signs))
        self._lines.say(why(question), *how)

    def _read(self, question: Question, text: str, answers: Mapping[str, Answer]) -> Meaning | None:
        """What a typed text means, with the note given before; None, and told, where nothing."""
        if len(text) >= MOST - 1:
            self._lines.say(f"That is over {MOST:,} characters long. Type a shorter answer.")
            return None
        before = next((answers[s.name] for s in question.specs if s.name in answers), Answer(""))
        try:
            return interpret(question, text, None, before.note, before.said_by, known=answers)
        except AnswerError as error:
            self._lines.say(f"{error.message} {error.hint}".strip())
            return None
