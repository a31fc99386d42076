"""The question that is open: its text, its fields, what is wrong with them, and how to find out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from advisor.facts.answers import CERTAINTIES as ANSWER_CERTAINTIES
from advisor.facts.answers import UNKNOWN_TEXT, Certainty
from advisor.interview.flow import Question
from advisor.interview.wording import find, hint, prompt, why
from advisor.tui.desk import Draft, Reading
from advisor.tui.literal import literal
from advisor.tui.widgets.choice_row import INDENT, ChoiceRow
from advisor.tui.widgets.hanging import Hanging

CERTAINTIES = (
    ("measured", "measured"),
    ("estimated", "estimated"),
    ("guessed", "guessed"),
    ("unknown", "don't know"),
)
"""How sure an answer is, as it stands on the screen."""

_CERTAINTY: Mapping[str, Certainty] = {one: one for one in ANSWER_CERTAINTIES}
"""Texts of the row as certainties."""


def _head(text: str) -> str:
    return f"  {text}".ljust(INDENT)


def _label(text: str) -> Static:
    return Static(_head(text), markup=False, classes="label")


class QuestionCard(Vertical):
    """One question with its fields. It shows a draft and reports every change of it."""

    class Edited(Message):
        """Something in the fields was changed by the person."""

        def __init__(self, question: Question, draft: Draft) -> None:
            super().__init__()
            self.question = question
            self.draft = draft

    class Accepted(Message):
        """Enter was pressed in one of the fields."""

    def __init__(self) -> None:
        super().__init__(id="card")
        self._question: Question | None = None
        self._draft = Draft()
        # What the fields held when they were last looked at: control characters are shown escaped.
        self._shown = ("", "")

    def compose(self) -> ComposeResult:
        """The fields, in the order of the Tab key."""
        yield Hanging(id="ask")
        with Horizontal(id="value-row"):
            yield _label("Answer")
            yield Input(id="value", compact=True, select_on_focus=False)
            yield Static("", id="echo", markup=False)
        yield ChoiceRow("Answer", id="choice")
        yield Hanging(id="message")
        yield ChoiceRow("Sure?", id="certainty")
        with Horizontal(id="note-row"):
            yield _label("Note")
            yield Input(
                id="note",
                compact=True,
                select_on_focus=False,
                placeholder="optional; it goes into the ticket",
            )
        yield Hanging(id="help")

    @property
    def is_choice(self) -> bool:
        """Whether the open question is answered by a choice."""
        question = self._question
        return question is not None and question.specs[0].kind == "choice"

    def show(self, question: Question, draft: Draft, signs: tuple[str, ...] = ()) -> None:
        """Show a question and what stands in its fields; the focus goes to the value.

        Args:
            question: what is asked.
            draft: what stands in its fields.
            signs: what the framework in use shows, see ``mode_signs``.
        """
        self._question = question
        self._draft = draft
        spec = question.specs[0]
        self.set_class(self.is_choice, "-choice")
        head = f"{question.number or '+'}  "
        self.query_one("#ask", Hanging).show([(head, prompt(question))])
        finding = [(" " * INDENT, line) for line in find(question, signs)]
        self.query_one("#help", Hanging).show(
            [
                (_head("Try"), "" if self.is_choice else hint(question)),
                (_head("Why"), why(question)),
                (_head("Find out"), finding[0][1]),
                *finding[1:],
            ]
        )
        with self.prevent(Input.Changed):
            value = self.query_one("#value", Input)
            value.placeholder = literal(f"like {spec.hint.split(',')[0]}" if spec.hint else "")
            value.value = "" if self.is_choice else literal(draft.text)
            value.cursor_position = len(value.value)
            note = self.query_one("#note", Input)
            note.value = literal(draft.note)
            note.cursor_position = len(note.value)
        self._shown = (value.value, note.value)
        if self.is_choice:
            chosen = draft.text if draft.text in spec.choices else None
            self.query_one("#choice", ChoiceRow).show(tuple(spec.choices.items()), chosen)
        self.query_one("#certainty", ChoiceRow).show(CERTAINTIES, self._certainty())
        self.show_reading(Reading())

    def focus_value(self) -> None:
        """Put the cursor where the answer goes."""
        self.query_one("#choice" if self.is_choice else "#value").focus()

    def show_reading(self, reading: Reading, message: str = "") -> None:
        """Show how the value was read, or what is wrong with it.

        Args:
            reading: what the draft means.
            message: another sentence to show where nothing is wrong.
        """
        echo = reading.meaning.echo if reading.meaning else ""
        self.query_one("#echo", Static).update(Content(f" {literal(echo)}"), layout=False)
        if reading.error is not None:
            message = f"{reading.error.message} {reading.error.hint}".rstrip()
            self.query_one("#message", Hanging).show([("  ! ", message)])
        else:
            self.query_one("#message", Hanging).show([("  ", message)])
        self.set_class(reading.error is not None, "-wrong")
        self.query_one("#certainty", ChoiceRow).choose(self._certainty())

    @property
    def question(self) -> Question | None:
        """The question that is shown."""
        return self._question

    def news(self) -> Draft | None:
        """What was typed and not reported yet, or None."""
        draft = self.fields()
        return None if draft == self._draft else draft

    def fields(self) -> Draft:
        """What stands in the fields at this moment, messages still on their way included."""
        draft = self._draft
        sure = self.query_one("#certainty", ChoiceRow).chosen
        certainty = draft.certainty
        if sure is not None and sure != self._certainty():
            certainty = _CERTAINTY[sure]
        text = self._text(draft)
        if text is None:
            text = draft.text
        elif certainty == "unknown":
            # A value takes "don't know" back.
            certainty = None
        note = self.query_one("#note", Input).value
        return Draft(text, certainty, draft.note if note == self._shown[1] else note)

    def _text(self, draft: Draft) -> str | None:
        """The value where the person changed it, else None."""
        if self.is_choice:
            chosen = self.query_one("#choice", ChoiceRow).chosen
            same = chosen == draft.text and draft.certainty != "unknown"
            return None if chosen is None or same else chosen
        value = self.query_one("#value", Input).value
        return None if value == self._shown[0] else value

    @on(Input.Changed)
    @on(ChoiceRow.Changed)
    def field_changed(self, event: Message) -> None:
        """Something in the fields was changed."""
        event.stop()
        draft = self.fields()
        if draft != self._draft:
            self._change(draft)

    @on(ChoiceRow.Unknown)
    def unknown_typed(self, event: ChoiceRow.Unknown) -> None:
        """``?`` in a row of choices."""
        event.stop()
        self._change(replace(self.fields(), certainty="unknown"))

    @on(Input.Submitted)
    @on(ChoiceRow.Accepted)
    def accepted(self, event: Message) -> None:
        """Enter in any field accepts the answer."""
        event.stop()
        self.post_message(self.Accepted())

    def _certainty(self) -> str:
        """What the row of certainties marks."""
        if self._draft.text.strip() == UNKNOWN_TEXT:
            return "unknown"
        return self._draft.certainty or "estimated"

    def _change(self, draft: Draft) -> None:
        self._draft = draft
        self._shown = (self.query_one("#value", Input).value, self.query_one("#note", Input).value)
        if self.is_choice and draft.certainty == "unknown":
            self.query_one("#choice", ChoiceRow).choose(None)
        self.query_one("#certainty", ChoiceRow).choose(self._certainty())
        if self._question is not None:
            self.post_message(self.Edited(self._question, draft))
