"""What happens after the first paint: which session, what a crash left behind, the model."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.facts.catalogue_file import load_catalogue
from advisor.facts.folders import CATALOGUE_FILE, builtin_rules
from advisor.facts.toml_fault import TomlFault
from advisor.interview.flow import Checklist
from advisor.session.errors import SessionLocked, StoreError
from advisor.tui.desk import Desk, Draft
from advisor.tui.last import last_session
from advisor.tui.literal import short_path
from advisor.tui.screens.ask import AskScreen, AskTextScreen, Option

if TYPE_CHECKING:
    from advisor.engine.knowledge import Knowledge
    from advisor.facts.answers import Answer
    from advisor.session.editing import Editing
    from advisor.tui.base import InterviewApp


def read_questions(rules: tuple[Path, ...]) -> Desk:
    """The questions, ours and a site's, and nothing answered.

    Raises:
        TomlFault: the declarations of a site's rules are faulty.
    """
    folders = (builtin_rules(), *rules)
    files = [f / CATALOGUE_FILE for f in folders if (f / CATALOGUE_FILE).is_file()]
    catalogue = load_catalogue(files)
    return Desk(catalogue, Checklist(catalogue))


async def start(app: InterviewApp) -> None:
    """Open the session that was asked for, and offer what a crash left behind."""
    try:
        editing = await _first(app)
    except (TomlFault, StoreError) as error:
        app.give_up(error)
        return
    await offer_recovery(app, editing)


async def load_model(app: InterviewApp) -> None:
    """Load NumPy, the rules and the model; the estimate begins when they are there."""
    try:
        knowledge = await asyncio.to_thread(_load, app.rules)
    except TomlFault as error:
        app.give_up(error)
        return
    app.model_ready(knowledge)


async def open_session(app: InterviewApp, path: Path | None) -> Editing:
    """Open a session in a thread and show it.

    Raises:
        TomlFault: it is not a session that can be edited.
        StoreError: it is open elsewhere, or there is no folder for it.
    """
    editing = await asyncio.to_thread(_open, app, path)
    show_session(app, editing)
    return editing


def show_session(app: InterviewApp, editing: Editing) -> None:
    """Go on with a session that was opened: its answers, its drafts, its first open question."""
    app.interview.take_fields()
    typed = dict(app.desk.drafts) if app.keeper.editing is None else {}
    app.keeper.use(editing)
    app.desk.use(editing.session.answers)
    for name, text in editing.drafts.items():
        if name in app.desk.catalogue.facts:
            question = app.desk.checklist.question(name)
            app.desk.edit(question, Draft(text))
    app.desk.drafts.update(typed)
    if typed:
        app.desk.current = app.desk.checklist.question(next(iter(typed)))
        app.interview.refresh_desk()
    else:
        app.interview.open_question(app.desk.current)
    app.session_ready()
    app.estimator.request(app.desk.typed_answers())


async def offer_recovery(app: InterviewApp, editing: Editing) -> None:
    """Offer what a killed run left behind; nothing is taken over unasked."""
    found = editing.recovery
    if found is None:
        return
    facts = app.desk.catalogue.facts
    labels = [
        facts[name].label if name in facts else name
        for name in dict.fromkeys(change.name for change in found.changes)
    ]
    when = found.changes[-1].when.astimezone()
    text = f"{len(labels)} answers of {when:%d %b %H:%M} did not reach the file: "
    text += ", ".join(labels) + "."
    if not found.base_matches:
        text += "\nSomebody saved the file since then; they may contradict what it says now."
    options = (
        Option("enter", "Take them over"),
        Option("d", "Drop them"),
        Option("escape", "Decide later"),
    )
    text += app.forget_keys()
    key = await app.push_screen_wait(AskScreen("A run was cut off", text, options))
    if key == "enter":
        app.keeper.submit(lambda e: e.recover(), lambda names: _reopen(app))
    elif key == "d":
        app.keeper.submit(lambda e: e.discard())


async def settle_conflict(app: InterviewApp) -> None:
    """Somebody else saved the session: reload it, or go on under another name."""
    editing = app.keeper.editing
    if editing is None or editing.conflict is None:
        return
    text = f"{short_path(editing.path)}: {editing.conflict.message}. Your answers are kept here."
    options = (
        Option("r", "Reload, yours on top"),
        Option("s", "Save under another name"),
        Option("escape", "Later"),
    )
    key = await app.push_screen_wait(AskScreen("The file has changed", text, options))
    if key == "r":
        try:
            await asyncio.to_thread(editing.reload)
        except TomlFault as error:
            app.notify(f"Not reloaded: {error}", markup=False, severity="error", timeout=10)
            return
        _reopen(app)
    elif key == "s":
        await save_elsewhere(app, editing)


async def save_elsewhere(app: InterviewApp, editing: Editing) -> None:
    """Ask for another name until one works or the person gives up."""
    value = short_path(editing.path.with_stem(f"{editing.path.stem}-2"))
    text = "The session goes on in this file."
    while True:
        typed = await app.push_screen_wait(AskTextScreen("Save under another name", text, value))
        if typed is None:
            return
        try:
            await asyncio.to_thread(editing.save_as, Path(typed).expanduser())
        except (StoreError, TomlFault) as error:
            text, value = f"Not saved: {error}", typed
        else:
            app.interview.show_saving()
            return


async def _first(app: InterviewApp) -> Editing:
    """The session of the command line, else the last one if the person wants it, else a new one."""
    if app.wanted is not None:
        return await open_session(app, app.wanted)
    last = await asyncio.to_thread(last_session)
    if last is not None and not last.done:
        editing = await _offer_last(app, last.path)
        if editing is not None:
            return editing
    return await open_session(app, None)


async def _offer_last(app: InterviewApp, path: Path) -> Editing | None:
    """Open the last session if the person wants to go on with it."""
    try:
        editing = await asyncio.to_thread(_open, app, path)
    except SessionLocked:
        return None
    except (TomlFault, StoreError) as error:
        app.notify(f"The last session cannot be opened: {error}", markup=False, timeout=10)
        return None
    session = editing.session
    known = app.desk.checklist.known_required(session.answers)
    saved = f", saved {session.updated.astimezone():%d %b %H:%M}" if session.updated else ""
    text = f"{session.title or session.id}{saved}, {known} of 5 known."
    options = (Option("enter", "Go on with it"), Option("n", "Begin a new one"))
    text += app.forget_keys()
    key = await app.push_screen_wait(AskScreen("Your last session", text, options))
    if key == "enter":
        show_session(app, editing)
        return editing
    editing.close()
    return None


def _reopen(app: InterviewApp) -> None:
    """Show the answers anew after they changed by more than one."""
    editing = app.keeper.editing
    if editing is None:
        return
    app.desk.use(editing.session.answers)
    app.interview.open_question(app.desk.current)
    app.interview.show_saving()
    app.estimator.request(app.desk.typed_answers())


def _open(app: InterviewApp, path: Path | None) -> Editing:
    from advisor.session.editing import Editing

    catalogue = app.desk.catalogue
    return Editing.open(path, catalogue=catalogue, now=app.now, site=_site(app))


def _site(app: InterviewApp) -> Mapping[str, Answer]:
    """The site's facts; without a home folder there are none."""
    from advisor.session.places import site_file
    from advisor.session.site import read_site

    if app.site is not None:
        return read_site(app.site, app.desk.catalogue)
    try:
        usual = site_file()
    except StoreError:
        return {}
    return read_site(usual, app.desk.catalogue) if os.path.lexists(usual) else {}


def _load(rules: tuple[Path, ...]) -> Knowledge:
    from advisor.engine.knowledge import load_knowledge

    return load_knowledge(rules)
