"""How a draft becomes an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.interview.flow import Question
from advisor.interview.meaning import Meaning
from advisor.tui.desk import Reading
from advisor.tui.last import Last, remember

if TYPE_CHECKING:
    from advisor.tui.base import InterviewApp


def accept_draft(app: InterviewApp, question: Question, reading: Reading) -> None:
    """Take a draft over into the answers at once, and save it in the background.

    Args:
        app: the application.
        question: whose draft it is.
        reading: a meaning; an emptied field takes the answer back.
    """
    names = tuple(spec.name for spec in question.specs)
    meaning = reading.meaning or Meaning(answers={}, clears=names, echo="")
    desk = app.desk
    desk.drafts.pop(question.id, None)
    app.settled_draft(question)
    kept = {name: one for name, one in desk.answers.items() if name not in meaning.clears}
    desk.answers = {**kept, **meaning.answers}
    app.keeper.submit(lambda editing: editing.accept(meaning))
    editing = app.keeper.editing
    if editing is not None:
        path = editing.path
        app.keeper.submit(lambda _: remember(Last(path, done=False)))


def accept_readable(app: InterviewApp) -> tuple[Question, ...]:
    """Accept every draft that can be read, as somebody asking for results expects."""
    app.interview.take_fields()
    app.desk.judged = True
    questions = app.desk.readable()
    for question in questions:
        accept_draft(app, question, app.desk.read(question))
    return questions


def accept_current(app: InterviewApp) -> None:
    """Accept what stands in the fields, save it, and open what is to be asked next."""
    desk, screen = app.desk, app.interview
    if app.keeper.editing is None:
        app.enter_waits = True
        return
    screen.take_fields()
    question = desk.current
    reading = desk.read(question)
    if reading.error is not None:
        desk.judged = True
        screen.refresh_desk()
        return
    if question.id in desk.drafts:
        accept_draft(app, question, reading)
    if not desk.touched(question):
        if question.required:
            screen.say("Type an answer, or ? for don't know.")
            return
        desk.passed.add(question.id)
    more = desk.go_on()
    screen.open_question(desk.current)
    if not more:
        screen.say("Nothing is left to ask. F2 shows the results.")
    app.estimator.request(desk.typed_answers())
