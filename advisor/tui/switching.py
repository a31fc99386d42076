"""Another session: the list of the saved ones, a new one, another name for this one."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.engine.message import percent
from advisor.facts.toml_fault import TomlFault
from advisor.session.errors import StoreError
from advisor.session.places import sessions_folder
from advisor.session.store import SessionSummary, list_sessions, save
from advisor.tui.accepting import accept_readable
from advisor.tui.literal import short_path
from advisor.tui.screens.ask import AskTextScreen
from advisor.tui.screens.sessions import NEW, SessionRow, SessionsScreen
from advisor.tui.start import offer_recovery, open_session

if TYPE_CHECKING:
    from advisor.facts.answers import Answer
    from advisor.session.editing import Editing
    from advisor.tui.base import InterviewApp


async def browse_sessions(app: InterviewApp) -> None:
    """Show the list; open what was chosen."""
    try:
        folder = sessions_folder(create=False)
    except StoreError as error:
        app.notify(str(error), markup=False, severity="warning")
        return
    accept_readable(app)
    # At once, so that Esc behind F3 closes it and is not lost on the interview.
    screen = SessionsScreen(short_path(folder))
    chosen = app.push_screen(screen, wait_for_dismiss=True)
    await app.keeper.settled()
    try:
        summaries = await asyncio.to_thread(list_sessions, folder)
    except StoreError as error:
        screen.show_problem(str(error))
    else:
        screen.show(tuple(_row(app, one) for one in summaries))
    path = await chosen
    if path is None:
        return
    await _open(app, None if path == NEW else path)


async def try_what_if(app: InterviewApp) -> None:
    """Move facts and see; what is saved is a session of its own."""
    from advisor.facts.resolve import AnswerError
    from advisor.tui.screens.what_if import WhatIfScreen
    from advisor.tui.sliders import sliders

    accept_readable(app)
    knowledge, editing = await app.ready()
    answers = editing.session.answers
    try:
        found = await asyncio.to_thread(sliders, answers, knowledge)
    except AnswerError as error:
        app.notify(f"{error.message} {error.hint}".rstrip(), markup=False, severity="warning")
        return
    if not found:
        app.notify("There is nothing to move yet: no answer is a number.", markup=False)
        return
    screen = WhatIfScreen(app.session_title, answers, found, knowledge)
    moved = await app.push_screen(screen, wait_for_dismiss=True)
    if moved is not None:
        await _save_variant(app, editing, moved)


async def _save_variant(app: InterviewApp, editing: Editing, answers: dict[str, Answer]) -> None:
    """Save moved answers beside the session, under a name nobody has."""
    base, count = editing.path, 2
    path = base.with_stem(f"{base.stem}-what-if")
    while os.path.lexists(path):
        path, count = base.with_stem(f"{base.stem}-what-if-{count}"), count + 1
    session = replace(
        editing.session,
        id=path.stem,
        title=f"{editing.session.title or editing.session.id}, what if",
        answers=answers,
        advice=None,
        created=app.now(),
        updated=app.now(),
    )
    try:
        await asyncio.to_thread(save, session, path, expected_digest=None)
    except StoreError as error:
        app.notify(f"Not saved: {error}", markup=False, severity="warning", timeout=10)
        return
    listed = path.parent == sessions_folder(create=False)
    app.notify(f"Saved as {short_path(path)}{'; F3 opens it' if listed else ''}.", markup=False)


async def rename_session(app: InterviewApp) -> None:
    """Ask for the title of the session, and save it."""
    editing = app.keeper.editing
    if editing is None:
        return
    text = "The name of the job, as lists and tickets show it."
    title = await app.push_screen_wait(
        AskTextScreen("Name this session", text, editing.session.title)
    )
    if title is not None:
        app.keeper.submit(lambda e: _rename(e, title))


def _rename(editing: Editing, title: str) -> None:
    editing.session = replace(editing.session, title=title)
    if editing.session.answers:
        editing.save()


async def _open(app: InterviewApp, path: Path | None) -> None:
    try:
        editing = await open_session(app, path)
    except (TomlFault, StoreError) as error:
        app.notify(f"Not opened: {error}", markup=False, severity="warning", timeout=10)
        return
    while app.screen is not app.interview:
        app.pop_screen()
    await offer_recovery(app, editing)


def _row(app: InterviewApp, summary: SessionSummary) -> SessionRow:
    editing = app.keeper.editing
    is_open = editing is not None and editing.path.resolve() == summary.path.resolve()
    session = summary.session
    if session is None:
        reason = "needs a newer ckpt-advisor" if summary.is_newer else "cannot be read"
        return SessionRow(summary.path, summary.path.stem, fault=reason)
    advice = session.advice or {}
    shares = [advice[key] for key in ("goodput", "after_goodput") if key in advice]
    return SessionRow(
        summary.path,
        session.title or session.id,
        saved=session.updated.astimezone() if session.updated else None,
        known=f"{app.desk.checklist.known_required(session.answers)} of 5",
        goodput=" → ".join(percent(share) for share in shares if isinstance(share, float)),
        is_open=is_open,
    )
