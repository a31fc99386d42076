"""The interview: one question at a time, the estimate always in sight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Static

from advisor.facts.catalogue import Topic
from advisor.interview.flow import Question, answered
from advisor.interview.panel import Live
from advisor.interview.wording import label
from advisor.tui.accepting import accept_current
from advisor.tui.actions import footer
from advisor.tui.desk import Desk, Reading
from advisor.tui.literal import literal
from advisor.tui.screens.first import WELCOME
from advisor.tui.typed import typed
from advisor.tui.widgets.choice_row import ChoiceRow
from advisor.tui.widgets.hanging import Hanging
from advisor.tui.widgets.key_line import KeyLine
from advisor.tui.widgets.live_panel import LivePanel
from advisor.tui.widgets.question_card import CERTAINTIES, QuestionCard
from advisor.tui.widgets.steps import SmallNotice, Step, StepLine, TitleLine
from advisor.tui.widgets.topics import TopicLine, TopicSummary

if TYPE_CHECKING:
    from advisor.tui.base import InterviewApp

FIVE_DONE = "All five answered: F2 shows the results. Enter goes on with details."
"""What to do once the five are there."""

MOST = 3
"""Sentences that need attention shown at once, the most pressing first."""


class InterviewScreen(Screen[None]):
    """Shows a desk, and tells the application what the person did."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "app.previous", "Back", show=False),
        Binding("pagedown", "app.following", "Forward", show=False),
        Binding("up", "scroll_card(-1)", "Scroll up", show=False),
        Binding("down", "scroll_card(1)", "Scroll down", show=False),
    ]
    AUTO_FOCUS = "#value"

    def __init__(self, desk: Desk) -> None:
        super().__init__(id="interview")
        self.desk = desk
        self._live: Live | None = None
        self._says = ""

    @property
    def is_up(self) -> bool:
        """Whether there is something to show things on; at the end news can still come in."""
        return bool(self.query(LivePanel))

    @property
    def advisor(self) -> InterviewApp:
        """The application, by its own type."""
        return self.app  # type: ignore[return-value]  # this screen belongs to no other

    def compose(self) -> ComposeResult:
        """Title, steps, question, attention, estimate, keys."""
        yield TitleLine("ckpt-advisor", id="title")
        yield StepLine()
        yield SmallNotice()
        with Container(id="body"):
            with Vertical(id="left"):
                for topic in self.desk.topics():
                    yield TopicSummary(topic.number, topic.title)
                yield QuestionCard()
                yield TopicSummary(0, "")
            yield LivePanel()
            yield Hanging(id="attention")
        yield Static("", id="banner", markup=False)
        yield KeyLine(footer())

    def on_mount(self) -> None:
        """Show the first question."""
        self.open_question(self.desk.current)

    # -- showing

    def open_question(self, question: Question, focus: bool = True) -> None:
        """Show a question and what stands in its fields."""
        self.desk.judged = True
        self._says = ""  # it was about the question before
        card = self.query_one(QuestionCard)
        card.show(question, self.desk.draft(question), self.advisor.signs())
        above = self.query_one(f"#topic-{question.topic.number}", TopicSummary)
        left = self.query_one("#left")
        left.move_child(card, after=above)
        left.move_child(self.query_one("#topic-0"), after=card)
        if focus:
            card.focus_value()
        self.refresh_desk()
        self.call_after_refresh(card.scroll_visible, animate=False, top=True)

    def refresh_desk(self) -> None:
        """Show the marks, the answers and how the open question is read."""
        desk = self.desk
        self.query_one(StepLine).show(
            tuple(Step(topic.number, topic.title, mark) for topic, mark in desk.marks())
        )
        path = desk.path()
        here = [question.id for question in path].index(desk.current.id)
        for topic in desk.topics():
            above = path if topic.id != desk.current.topic.id else path[:here]
            self._show_topic(topic.number, above, topic)
        self._show_topic(0, path[here + 1 :], desk.current.topic)
        reading = desk.read(desk.current)
        if reading.error is not None and not desk.judged:
            reading = Reading()
        self.query_one(QuestionCard).show_reading(reading, self._note_on(reading))
        self._show_title()
        self._show_live()

    def show_live(self, live: Live) -> None:
        """Show another estimate, and what needs attention."""
        self._live = live
        if not self.is_up:
            return
        self._show_live()
        self.query_one("#attention", Hanging).show([("! ", line) for line in live.attention[:MOST]])

    def _show_live(self) -> None:
        desk = self.desk
        kept = tuple((label(one), answered(one, desk.answers)) for one in desk.unread())
        self.query_one(LivePanel).show(self._live, kept)

    def show_saving(self) -> None:
        """Show whether everything accepted is on the disk."""
        if not self.is_up:
            return
        self._show_title()
        banner = self.query_one("#banner", Static)
        text = self.advisor.keeper.banner
        banner.update(Content(f" ! {literal(text)}"))
        banner.display = bool(text)

    def say(self, text: str) -> None:
        """Show a sentence under the question until something is typed or another one is open."""
        self._says = text
        self.refresh_desk()

    def take_fields(self) -> None:
        """Note what stands in the fields: a key can be faster than the news of the one before."""
        card = self.query_one(QuestionCard)
        if card.question is not None and card.question.id == self.desk.current.id:
            draft = card.news()
            if draft is not None:
                self.desk.edit(self.desk.current, draft)

    # -- what the person does

    @on(QuestionCard.Edited)
    def edited(self, event: QuestionCard.Edited) -> None:
        """Keep the draft, and let the estimate follow it."""
        if event.question.id != self.desk.current.id:
            # It was on its way while another question was opened, which took it along.
            return
        self._says = ""
        self.desk.edit(event.question, event.draft)
        self.refresh_desk()
        self.advisor.drafted()

    @on(QuestionCard.Accepted)
    def accepted(self) -> None:
        """Enter."""
        accept_current(self.advisor)
        # Behind the change of focus, which is on the same queue.
        self.advisor.call_later(self.advisor.let_keys_in)

    @property
    def in_field(self) -> bool:
        """Whether Enter would accept the open question."""
        return isinstance(self.focused, Input | ChoiceRow)

    def action_topic(self, number: int) -> None:
        """A click on a step."""
        self.take_fields()
        self.desk.open_topic(number)
        self.open_question(self.desk.current)

    def action_question(self, name: str) -> None:
        """A click on an answer."""
        self.take_fields()
        self.desk.current = self.desk.checklist.question(name)
        self.open_question(self.desk.current)

    def action_scroll_card(self, by: int) -> None:
        """Arrows scroll a question that is longer than the window."""
        self.query_one("#left").scroll_relative(y=by, animate=False)

    # -- parts

    def _note_on(self, reading: Reading) -> str:
        if reading.error is not None:
            return ""
        if self._says:
            return self._says
        if not self.desk.answers and not self.desk.drafts:
            return WELCOME
        return FIVE_DONE if self.desk.five_done() and not self.desk.drafts else ""

    def _show_topic(self, number: int, questions: Sequence[Question], topic: Topic) -> None:
        """Show the answers of a topic above the open question, or, as number 0, those below."""
        lines = [
            self._topic_line(q)
            for q in questions
            if q.topic.id == topic.id and self.desk.touched(q)
        ]
        is_open = topic.id == self.desk.current.topic.id
        self.query_one(f"#topic-{number}", TopicSummary).show(lines, is_open)

    def _topic_line(self, question: Question) -> TopicLine:
        desk = self.desk
        draft = desk.drafts.get(question.id)
        given = next((s for s in question.specs if s.name in desk.answers), question.specs[0])
        name = "Answer" if question.required else given.label
        if draft is not None:
            mark = "!" if desk.read(question).error else "~"
            return TopicLine(question.id, mark, name, draft.text)
        mark = desk.answer_mark([question])
        answer = desk.answers[given.name]
        text = _shown(question, desk)
        parts = [text] if answer.is_unknown else [text, dict(CERTAINTIES)[answer.source]]
        return TopicLine(question.id, mark, name, "   ".join([*parts, answer.note]).rstrip())

    def _show_title(self) -> None:
        known = self.desk.checklist.known_required(self.desk.answers)
        saved = self.advisor.keeper.saved_text
        right = "  ".join(part for part in (saved, f"{known} of 5 known") if part)
        self.query_one("#title", TitleLine).show(
            f"ckpt-advisor  {self.advisor.session_title}", right
        )


def _shown(question: Question, desk: Desk) -> str:
    """An accepted answer for people: the label of a choice, else the text."""
    if not answered(question, desk.answers):
        return ""
    text = typed(question, desk.answers)
    if text == "?":
        return "don't know"
    return question.specs[0].choices.get(text, text)
