"""The application: what a key does, what the palette offers, and how it is started."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.app import SystemCommand
from textual.binding import BindingType
from textual.screen import ModalScreen, Screen

from advisor.tui.actions import ACTIONS, bindings
from advisor.tui.base import BAD_FILE_CODE, InterviewApp
from advisor.tui.literal import literal, short_path


class AdvisorApp(InterviewApp):
    """The interview on the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings()]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys of the interview do nothing on other screens."""
        return self._is_allowed(action, self.screen)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette: everything that makes sense on this screen."""
        for one in ACTIONS:
            if self._is_allowed(one.id, screen) and one.id != "palette":
                title = f"{one.title} ({one.shown})" if one.shown else one.title
                yield SystemCommand(title, one.help, getattr(self, f"action_{one.id}"))
        yield SystemCommand("Change the theme", "Other colours.", self.action_change_theme)

    def _is_allowed(self, action: str, screen: Screen[object]) -> bool:
        ours = {one.id for one in ACTIONS}
        if action not in ours or action == "quit":
            return True
        if not self.is_built:
            return False
        if screen is self.interview:
            return True
        if isinstance(screen, ModalScreen):
            return False
        return action in {"sessions", "export", "keys", "palette", "rename", "what_if"}

    def action_accept(self) -> None:
        """Accept what stands in the fields, save it, and go on."""
        from advisor.tui.accepting import accept_current

        accept_current(self)

    def action_previous(self) -> None:
        """The question before; what stands in the fields stays there."""
        self.interview.take_fields()
        if self.desk.step(-1):
            self.interview.open_question(self.desk.current)

    def action_following(self) -> None:
        """The next question; what stands in the fields stays there."""
        self.interview.take_fields()
        if self.desk.step(1):
            self.interview.open_question(self.desk.current)

    def action_dont_know(self) -> None:
        """Record that nobody knows, and go on."""
        from advisor.tui.accepting import accept_current

        self.interview.take_fields()
        desk = self.desk
        desk.edit(desk.current, replace(desk.draft(desk.current), certainty="unknown"))
        accept_current(self)

    def action_undo(self) -> None:
        """Take the last answer back."""
        self.interview.take_fields()
        self.keeper.submit(lambda e: e.undo(), partial(self._changed_back, none="take back"))

    def action_redo(self) -> None:
        """Give it again."""
        self.keeper.submit(lambda e: e.redo(), partial(self._changed_back, none="give again"))

    def _changed_back(self, names: tuple[str, ...], none: str) -> None:
        """Open the question whose answer was taken back or given again."""
        if not names:
            self.notify(f"Nothing to {none}.", markup=False)
            return
        desk = self.desk
        for name in names:
            question = desk.checklist.question(name)
            desk.drafts.pop(question.id, None)
            self.settled_draft(question)
        desk.current = desk.checklist.question(names[0])
        self.interview.open_question(desk.current)
        self.estimator.request(desk.typed_answers())

    def action_results(self) -> None:
        """Compute and show the advice."""
        from advisor.tui.advising import show_results

        self.background(partial(show_results, self), group="results", exclusive=True)

    def action_export(self) -> None:
        """Write and copy the ticket."""
        from advisor.tui.advising import export_ticket

        self.background(partial(export_ticket, self), group="export", exclusive=True)

    def action_sessions(self) -> None:
        """List the saved sessions."""
        from advisor.tui.switching import browse_sessions

        self.background(partial(browse_sessions, self), group="sessions", exclusive=True)

    def action_what_if(self) -> None:
        """Move facts and see what they come to."""
        from advisor.tui.switching import try_what_if

        self.background(partial(try_what_if, self), group="what-if", exclusive=True)

    def action_rename(self) -> None:
        """Give the session a title."""
        from advisor.tui.switching import rename_session

        self.background(partial(rename_session, self), group="ask")

    def action_keys(self) -> None:
        """All keys, and help on the open question."""
        from advisor.tui.screens.keys import KeysScreen

        self.push_screen(KeysScreen(self.desk.current, self.signs()))

    def action_palette(self) -> None:
        """Everything by typing."""
        self.action_command_palette()


def run_interview(
    path: Path | None,
    *,
    rules: tuple[Path, ...] = (),
    site: Path | None = None,
    no_color: bool = False,
    quiet: bool = False,
) -> int:
    """Hold the interview on the terminal.

    Args:
        path: the session file; None for a new session, or to go on with the last one.
        rules: folders of a site's own rules.
        site: the file of site facts; None for the usual one.
        no_color: show greys only.
        quiet: do not say where the session was saved.

    Returns:
        The exit code: 0; 2 for a file or rules that cannot be used or saved; 4 for a session open
        elsewhere; 70 for a fault of ours; 128 + n after signal n.
    """
    if no_color:
        os.environ["NO_COLOR"] = "1"
    app = AdvisorApp(path, rules=rules, site=site)
    app.run()
    app.keep_draft()
    editing = app.keeper.editing
    app.keeper.finish()
    code = app.return_code or 0
    if editing is not None and editing.banner and not app.farewell:
        back = " They are offered when you open it again." if editing.kept else ""
        where = short_path(editing.path)
        app.farewell = f"ckpt-advisor: {where} lacks answers: {editing.banner}.{back}"
        code = code or BAD_FILE_CODE
    if app.farewell:
        _say(app.farewell)
    elif editing is not None and not quiet:
        is_there = os.path.lexists(editing.path)
        saved, none = f"Saved in {short_path(editing.path)}.", "Nothing was answered or saved."
        _say(saved if is_there else none)
    return code


def _say(text: str) -> None:
    """Write to stderr, behind the screen; after a hang-up there may be nobody to read it."""
    with contextlib.suppress(OSError):
        print("\n".join(literal(line) for line in text.splitlines()), file=sys.stderr)
