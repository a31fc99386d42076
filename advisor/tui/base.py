"""The application without its keys: the open session, the model, start and end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.events import Event, Key, Paste
from textual.screen import Screen
from textual.timer import Timer
from textual.worker import Worker

from advisor.facts.toml_fault import TomlFault
from advisor.session.errors import SessionLocked, StoreError
from advisor.tui import signals
from advisor.tui.actions import QUIT_KEY
from advisor.tui.estimator import Estimator
from advisor.tui.keeper import Keeper
from advisor.tui.key_gate import LINE_END, LONGEST, KeyGate
from advisor.tui.screens.first import FirstScreen
from advisor.tui.theme import THEME

if TYPE_CHECKING:
    from advisor.engine.knowledge import Knowledge
    from advisor.interview.flow import Question
    from advisor.interview.panel import Live
    from advisor.session.editing import Editing
    from advisor.tui.desk import Desk
    from advisor.tui.screens.interview import InterviewScreen

Work = Callable[[], Coroutine[None, None, None]]
"""Something that runs beside the screen."""

STYLES = Path(__file__).with_name("advisor.tcss")
"""The style sheet of all screens but the first; reading it takes longer than painting that one."""

LOCKED_CODE = 4
"""Exit code where another ckpt-advisor has the session open."""

BAD_FILE_CODE = 2
"""Exit code where a file cannot be used."""

DRAFT_WAIT = 0.5
"""Seconds without typing before a draft is written to disk."""


class InterviewApp(App[None]):
    """The session that is open, the model, and the screen that shows both.

    The first screen is painted before anything is imported or read that it does not need.

    Args:
        path: the session; None for a new one, or the last one.
        rules: folders of a site's own rules.
        site: the file of site facts; None for the usual one.
        now: the clock.

    Attributes:
        desk: what the interview works on; there once ``is_built``.
        interview: the screen that shows it; there once ``is_built``.
        is_built: whether the questions are read.
    """

    desk: Desk
    interview: InterviewScreen

    CSS_PATH = Path(__file__).with_name("first.tcss")
    TITLE = "ckpt-advisor"
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - as Textual declares it
        (0, "-tiny"),
        (60, "-narrow"),
        (100, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [  # noqa: RUF012 - as Textual declares it
        (0, "-low"),
        (16, "-short"),
        (22, "-middle"),
        (34, "-tall"),
    ]

    def __init__(
        self,
        path: Path | None = None,
        *,
        rules: tuple[Path, ...] = (),
        site: Path | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        super().__init__()
        self.register_theme(THEME)
        self.theme = THEME.name
        self.wanted = path
        self.rules = rules
        self.site = site
        self.now = now
        self.farewell = ""
        self.knowledge: Knowledge | None = None
        self._model_loaded = asyncio.Event()
        self._session_open = asyncio.Event()
        self.is_built = False
        self.keeper = Keeper(self._kept)
        self.estimator = Estimator(self._estimated)
        self.enter_waits = False
        self._unkept: dict[str, str] = {}
        self._draft_timer: Timer | None = None
        # What is typed before the first question is there waits for it.
        self._gate = KeyGate()
        self._gate.shut()
        self._gate_timer: Timer | None = None
        self._conflict: Exception | None = None

    # -- start and end

    def get_default_screen(self) -> Screen[None]:
        """What needs nothing to be read."""
        return FirstScreen()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """What our style sheet uses and other themes do not have."""
        return {"quiet": "#a8a8a8"}

    def on_mount(self) -> None:
        """Signals; everything heavy comes after the first paint."""
        if not self.is_headless:
            signals.install(self.leave)
        self.call_after_refresh(self.begin)

    async def begin(self) -> None:
        """Read the questions and show the first; then the session and the model, behind it."""
        from advisor.tui.screens.interview import InterviewScreen
        from advisor.tui.start import load_model, read_questions, start

        try:
            self.desk = read_questions(self.rules)
        except TomlFault as error:
            self.give_up(error)
            return
        self.stylesheet.read_all([STYLES])
        self.interview = InterviewScreen(self.desk)
        await self.push_screen(self.interview)
        self.is_built = True
        self._gate_timer = self.set_timer(LONGEST, self.let_keys_in)
        self.background(self.keeper.run, group="keeper")
        self.background(partial(load_model, self), group="start")
        self.background(partial(start, self), group="start")

    def background(self, work: Work, *, group: str, exclusive: bool = False) -> Worker[None]:
        """Run something beside the screen; it does not even begin once the application ends."""
        return self.run_worker(work, group=group, exclusive=exclusive)

    def leave(self, code: int) -> None:
        """End with an exit code; everything accepted is saved or queued already."""
        self.exit(return_code=code)

    def notify(self, message: str, **how: Any) -> None:
        """Show a short notice instead of the one before: a key pressed often would pile them up.

        Args:
            message: the text.
            how: what ``App.notify`` takes.
        """
        self.clear_notifications()
        super().notify(message, **how)

    def give_up(self, error: TomlFault | StoreError) -> None:
        """End because a file cannot be used, and say why."""
        self.farewell = f"ckpt-advisor: {error}"
        self.leave(LOCKED_CODE if isinstance(error, SessionLocked) else BAD_FILE_CODE)

    def _handle_exception(self, error: Exception) -> None:
        """A fault of ours: restore the terminal, report without anybody's data, exit code 70."""
        from advisor.tui.crash import CRASH_CODE, crash_message, write_report

        if self.is_headless:
            super()._handle_exception(error)
            return
        cause = getattr(error, "error", error)
        self.farewell = crash_message(cause, write_report(cause, self.now()))
        self._return_code = CRASH_CODE
        self._close_messages_no_wait()

    # -- what runs in the background

    async def ready(self) -> tuple[Knowledge, Editing]:
        """Wait until the model is loaded and a session open; where that fails the program ends."""
        await self._model_loaded.wait()
        await self._session_open.wait()
        await self.keeper.settled()
        knowledge, editing = self.knowledge, self.keeper.editing
        assert knowledge is not None  # noqa: S101 - set before the event
        assert editing is not None  # noqa: S101 - a session is only ever replaced
        return knowledge, editing

    @property
    def session_title(self) -> str:
        """What people call the open session."""
        editing = self.keeper.editing
        return "" if editing is None else editing.session.title or editing.session.id

    def signs(self) -> tuple[str, ...]:
        """What the framework answered shows of a save, where the open question is about that."""
        from advisor.interview.signs import mode_signs

        return mode_signs(self.desk.current, self.desk.typed_answers(), self.knowledge)

    def model_ready(self, knowledge: Knowledge) -> None:
        """The model is loaded: from now on the estimate follows the typing."""
        from advisor.interview.live import live

        self.knowledge = knowledge
        self._model_loaded.set()
        checklist = self.desk.checklist
        self.background(
            partial(self.estimator.run, lambda answers: live(answers, knowledge, checklist)),
            group="estimator",
        )
        self.drafted()

    def session_ready(self) -> None:
        """A session is open: what was typed before counts now."""
        from advisor.tui.accepting import accept_current

        self._session_open.set()
        self.interview.show_saving()
        if self.enter_waits:
            self.enter_waits = False
            accept_current(self)
        # Behind the change of focus, which is on the same queue.
        self.call_later(self.let_keys_in)

    def drafted(self) -> None:
        """Something was typed: the estimate follows, and the draft is kept."""
        self.estimator.request(self.desk.typed_answers())
        question = self.desk.current
        draft = self.desk.drafts.get(question.id)
        name, text = question.specs[0].name, draft.text if draft else ""
        if self._draft_timer is not None:
            self._draft_timer.stop()
        self._unkept[name] = text
        self._draft_timer = self.set_timer(DRAFT_WAIT, self.keep_draft)

    def keep_draft(self) -> None:
        """Have the newest drafts written to disk."""
        unkept, self._unkept = self._unkept, {}
        for name, text in unkept.items():
            self.keeper.submit(partial(_keep, name=name, text=text))

    def settled_draft(self, question: Question) -> None:
        """A draft became an answer, or was dropped: it must not be written any more."""
        self._unkept.pop(question.specs[0].name, None)

    # -- keys behind an Enter

    async def on_event(self, event: Event) -> None:
        """Hold back what is typed until the question it is meant for is open.

        A dialog keeps the application's keys from it, Textual's own too; quitting works in all.
        """
        if isinstance(event, Key) and event.key == QUIT_KEY and self.screen.is_modal:
            self.leave(0)
            return
        if isinstance(event, Key) and event.key == LINE_END and not event.is_forwarded:
            event = Key("enter", "\r")
        if isinstance(event, Key | Paste) and not event.is_forwarded and self._asks:
            if self._gate.is_shut:
                self._gate.hold(event)
                return
            if isinstance(event, Key) and event.key == "enter" and self.interview.in_field:
                self._gate.shut()
                self._gate_timer = self.set_timer(LONGEST, self.let_keys_in)
        await super().on_event(event)

    @property
    def _asks(self) -> bool:
        """Whether the interview is in front, or about to be; no dialog."""
        return not self.is_built or self.screen is self.interview

    async def let_keys_in(self) -> None:
        """Type what was held back; a further Enter holds back the rest again."""
        if self.enter_waits and self._asks:
            return
        if self._gate_timer is not None:
            self._gate_timer.stop()
        for event in self._gate.open():
            await self.on_event(event)

    def forget_keys(self) -> str:
        """Drop what waits, as a dialog comes first and nobody typed that for it.

        Returns:
            A line for the dialog, "" where nothing was dropped.
        """
        return "\nWhat you typed before this came up is not used." if self._gate.open() else ""

    def _estimated(self, live: Live) -> None:
        self.interview.show_live(live)

    def _kept(self) -> None:
        """A job of the keeper is done."""
        from advisor.tui.start import settle_conflict

        editing = self.keeper.editing
        if editing is None:
            return
        if self.keeper.is_idle:
            self.desk.answers = editing.session.answers
        self.interview.show_saving()
        if editing.conflict is not None and editing.conflict is not self._conflict:
            self._conflict = editing.conflict
            self.background(partial(settle_conflict, self), group="ask")


def _keep(editing: Editing, *, name: str, text: str) -> None:
    editing.draft(name, text)
