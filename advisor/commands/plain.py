"""The interview line by line: for screen readers, serial consoles, scripts and TERM=dumb.

The same questions, the same reading of answers and the same saving as on the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from advisor.commands.exit_codes import BAD_USE, FINE, SIGNAL
from advisor.commands.lines import EndOfInput, Lines
from advisor.commands.plain_asking import Asker, Command
from advisor.commands.plain_words import answer_lines, estimate_lines, farewell, greeting, offer
from advisor.commands.spoken import spoken
from advisor.facts.answers import Answer
from advisor.interview.flow import Checklist, Question, answered
from advisor.interview.live import live
from advisor.interview.meaning import Meaning
from advisor.session.editing import Editing

if TYPE_CHECKING:
    from advisor.engine.knowledge import Knowledge
    from advisor.interview.panel import Live

INTERRUPT = 2
"""Number of SIGINT, which Ctrl-C sends."""


def run_plain(
    session_path: Path | None,
    *,
    stdin: TextIO,
    stdout: TextIO,
    now: Callable[[], datetime],
    knowledge_loader: Callable[[], Knowledge],
    site: Mapping[str, Answer] | None = None,
) -> int:
    """Hold the interview in lines of text.

    Args:
        session_path: the session to go on with; None for a new one in the sessions folder.
        stdin: where answers come from; its end leaves, as ``quit`` does.
        stdout: where questions go.
        now: the clock, with its time zone.
        knowledge_loader: loads facts, rules and frameworks.
        site: answers of the site file, taken where the session has none.

    Returns:
        0; 2 where answers could not be saved; 130 after Ctrl-C.

    Raises:
        SessionLocked: the session is open elsewhere.
        TomlFault: the file, or a file of rules, cannot be used.
        StoreError: there is no folder for the session.
    """
    try:
        knowledge = knowledge_loader()
        with Editing.open(session_path, catalogue=knowledge.catalogue, now=now, site=site) as one:
            return PlainInterview(Lines(stdin, stdout), one, knowledge).run()
    except KeyboardInterrupt:
        return SIGNAL + INTERRUPT
    except BrokenPipeError:
        # Whoever read along has left; every answer is saved.
        return FINE


class PlainInterview:
    """One interview on one terminal."""

    def __init__(self, lines: Lines, editing: Editing, knowledge: Knowledge) -> None:
        self._lines = lines
        self._editing = editing
        self._knowledge = knowledge
        self._checklist = Checklist(knowledge.catalogue)
        self._asker = Asker(lines, knowledge)
        self._skipped: set[str] = set()
        self._last = ""
        self._told = ""

    @property
    def _answers(self) -> Mapping[str, Answer]:
        return self._editing.session.answers

    def run(self) -> int:
        """Ask until nothing is left or the person leaves; the exit code."""
        try:
            known = self._checklist.known_required(self._answers)
            self._lines.say(*greeting(known, resumed=bool(self._answers)))
            if self._editing.warning:
                self._lines.say(f"Take care: {self._editing.warning}.")
            self._recover()
            self._required()
            self._follow_ups()
            self._result()
        except EndOfInput:
            self._lines.say("Left the interview.")
        except KeyboardInterrupt:
            self._lines.say("", "Left with Ctrl-C.")
            self._leave()
            raise
        return self._leave()

    def _recover(self) -> None:
        found = self._editing.recovery
        if found is None:
            return
        names = dict.fromkeys(change.name for change in found.changes)
        self._lines.say("", f"The last run ended before all was saved: {self._labels(names)}.")
        if not found.base_matches:
            self._lines.say("Somebody saved the session since, so look at these again.")
        if self._asker.yes("Take these answers over?", usual=True):
            self._editing.recover()
            self._tell_saving()
        else:
            self._editing.discard()

    def _required(self) -> None:
        """Ask until the five are complete."""
        question = self._checklist.pressing(self._answers)
        while question is not None:
            back = self._turn(question, must=True)
            question = back or self._checklist.pressing(self._answers)

    def _follow_ups(self) -> None:
        """Show the estimate, then ask what makes it more exact."""
        self._lines.say("", *estimate_lines(self._live()))
        shown = self._checklist.questions(self._answers)
        count = sum(not answered(question, self._answers) for question in shown)
        if count == 0:
            return
        needs = self._live().needs
        self._lines.say("", *offer(count, needs))
        if not self._asker.yes("Go on with them?", usual=bool(needs)):
            return
        before = self._answers
        question = self._next(None)
        while question is not None:
            back = self._turn(question, must=question.required)
            question = back or self._next(question.id)
        if self._answers != before:
            self._lines.say("", *estimate_lines(self._live()))

    def _next(self, after: str | None) -> Question | None:
        """The next question that was not skipped in this sitting."""
        seen: set[str] = set()
        while True:
            question = self._checklist.next_question(self._answers, after)
            if question is None or question.id in seen:
                return None
            if question.required or question.id not in self._skipped:
                return question
            seen.add(question.id)
            after = question.id

    def _turn(self, question: Question, *, must: bool) -> Question | None:
        """Ask one question; the one to go back to, or None to go on."""
        again = False
        while True:
            reply = self._asker.ask(question, self._answers, must=must, again=again)
            again = True
            match reply:
                case Meaning():
                    if self._accept(question, reply):
                        return None
                    again = False
                case Command.BACK:
                    before = self._before(question)
                    if before is not None:
                        return before
                    self._lines.say("This is the first question.")
                case Command.SKIP:
                    if not answered(question, self._answers):
                        self._skipped.add(question.id)
                    return None
                case Command.LIST:
                    self._lines.say(*answer_lines(self._answers, self._knowledge.catalogue))
                case Command.QUIT:
                    raise EndOfInput
                case str():
                    self._add_note(reply)

    def _before(self, question: Question) -> Question | None:
        """The question before this one, among the five and what was answered or skipped."""
        shown = [
            one
            for one in self._checklist.questions(self._answers)
            if one.required
            or one.id in {*self._skipped, question.id}
            or answered(one, self._answers)
        ]
        place = [one.id for one in shown].index(question.id)
        return shown[place - 1] if place else None

    def _accept(self, question: Question, meaning: Meaning) -> bool:
        """Save an answer, then how sure it is; False where it is to be typed again."""
        if meaning.echo:
            self._lines.say(spoken(f"{meaning.echo.removeprefix('= ')}."))
        before = [self._answers[s.name].source for s in question.specs if s.name in self._answers]
        self._last = next(iter(meaning.answers))
        # Saved before the second prompt: whoever leaves there has answered.
        self._save(meaning)
        if meaning.vague or question.specs[0].kind == "text":
            return True
        certainty = self._asker.sure(before[0] if before else "estimated")
        if certainty is None:
            return False
        sure = {name: replace(one, source=certainty) for name, one in meaning.answers.items()}
        self._save(replace(meaning, answers=sure))
        return True

    def _save(self, meaning: Meaning) -> None:
        self._editing.accept(meaning)
        self._tell_saving()

    def _tell_saving(self) -> None:
        """Say what keeps answers from being saved, once; read the file again if it changed."""
        conflict = self._editing.conflict
        if conflict is not None:
            mine = self._labels(self._editing.reload())
            self._lines.say(f"Take care: {conflict.message}.")
            self._lines.say(f"It was read again, with your answer on top: {mine}.")
        banner = self._editing.banner
        if banner and banner != self._told:
            self._lines.say(f"Take care: {banner}.")
        elif self._told and not banner:
            self._lines.say("Saved again.")
        self._told = banner

    def _add_note(self, text: str) -> None:
        answer = self._answers.get(self._last)
        if answer is None:
            self._lines.say("There is no answer yet to add a note to.")
            return
        self._save(Meaning({self._last: replace(answer, note=text)}, (), ""))
        self._lines.say(f"Noted with {self._labels([self._last])}.")

    def _result(self) -> None:
        from advisor.engine.advise import advise

        advice = advise(self._editing.session, self._knowledge)
        if advice.before.goodput is None:
            needs = ", ".join(self._live().needs)
            self._lines.say("", f"No goodput yet. Still needed: {needs}.")
        else:
            self._lines.say("", spoken(advice.headline))

    def _leave(self) -> int:
        """Say where the answers are and how to go on; the exit code."""
        if not self._editing.banner:
            self._lines.say(*farewell(self._editing.path))
            return FINE
        self._lines.say(f"Take care: {self._editing.banner}.")
        if self._editing.kept:
            self._lines.say("The answers are kept and offered when you open it again.")
        return BAD_USE

    def _live(self) -> Live:
        return live(self._answers, self._knowledge, self._checklist)

    def _labels(self, names: Iterable[str]) -> str:
        facts = self._knowledge.catalogue.facts
        return ", ".join(facts[name].label for name in names if name in facts)
