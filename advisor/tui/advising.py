"""The advice on the screen and as a ticket; both are computed in a worker."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.interview.wording import label
from advisor.tui.accepting import accept_readable
from advisor.tui.last import Last, remember
from advisor.tui.screens.results import ResultsScreen

if TYPE_CHECKING:
    from advisor.engine.advice import Advice
    from advisor.session.editing import Editing
    from advisor.tui.base import InterviewApp


async def show_results(app: InterviewApp) -> None:
    """Open the results; they fill in when the advice is there."""
    notice = _notice(app)
    screen = ResultsScreen(app.session_title)
    await app.push_screen(screen)
    advice = await _advice(app)
    if isinstance(advice, str):
        screen.show_problem(advice)
        return
    from advisor.tui.results_pages import pages

    screen.show(advice, pages(advice), notice)


async def export_ticket(app: InterviewApp) -> None:
    """Ask where the ticket goes while it is rendered."""
    notice = _notice(app)
    if notice:
        app.notify(notice, markup=False, severity="warning")
    from advisor.tui.screens.export import ExportScreen

    _, editing = await app.ready()
    # At once, so that Esc behind F4 closes it and is not lost on the screen below.
    screen = ExportScreen(editing.path.with_suffix(".md"))
    await app.push_screen(screen)
    advice = await _advice(app)
    if isinstance(advice, str):
        screen.show_problem(advice)
        return
    screen.show(await asyncio.to_thread(_ticket, advice))


def _ticket(advice: Advice) -> str:
    from advisor.report import markdown
    from advisor.report.build import build_report

    return markdown.render(build_report(advice))


def _notice(app: InterviewApp) -> str:
    """Accept what can be read, and name what cannot."""
    accepted = accept_readable(app)
    app.interview.open_question(app.desk.current, focus=False)
    unread = [label(question) for question in app.desk.unread()]
    said = []
    if accepted:
        names = ", ".join(label(question) for question in accepted)
        said.append(f"Accepted as typed: {names}.")
    if unread:
        said.append(f"Not understood and not counted: {', '.join(unread)}.")
    return " ".join(said)


async def _advice(app: InterviewApp) -> Advice | str:
    """The advice on what is accepted, noted in the session; or why there is none."""
    from advisor.engine.advise import advise
    from advisor.engine.framework_types import FrameworkError
    from advisor.facts.resolve import AnswerError

    knowledge, editing = await app.ready()
    session = editing.session
    try:
        advice = await asyncio.to_thread(advise, session, knowledge, app.now().date())
    except AnswerError as error:
        spec = app.desk.catalogue.facts.get(error.name)
        name = error.name if spec is None else spec.label
        return f"No results: {name}: {error.message} {error.hint}".rstrip()
    except FrameworkError as error:
        return f"No results: {error}"
    done = app.desk.five_done()
    if session.answers:
        app.keeper.submit(lambda e: _record(e, advice, done))
    return advice


def _record(editing: Editing, advice: Advice, done: bool) -> None:
    """Note in the session what was advised, so that a replay can compare."""
    from advisor.session.record import advice_record

    record = advice_record(advice)
    if editing.session.advice != record:
        editing.session = replace(editing.session, advice=record)
        editing.save()
    remember(Last(Path(editing.path), done))
