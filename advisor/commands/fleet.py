"""``ckpt-advisor fleet``: all sessions of a folder as one table, ranked."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, get_args

from advisor.commands.exit_codes import BAD_USE, FINE
from advisor.commands.options import add_common, add_jobs
from advisor.commands.output import emit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.engine.advice import KnowledgeId
    from advisor.session.fleet import FleetRow

SUMMARY = "all sessions of a folder in one table, ranked by dollars idle a year"

FORMATS = ("text", "md", "json")
"""What ``--format`` takes."""

WIDTH = 100
"""Columns of the text: seven figures a row do not fit into those of a mail."""

_NOTES = """\
--by idle      most dollars that wait or work twice first (default)
--by saving    most dollars that changes of configuration would give back first
--by evidence  the oldest answers first, with how many of them were measured

exit codes:
  0 fine; sessions without enough facts are listed with what they lack
  2 a file cannot be read; the others are still shown"""


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``fleet``."""
    parser.epilog = _NOTES
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="session files, or folders of them"
    )
    parser.add_argument(
        "--by",
        choices=("idle", "saving", "evidence"),
        default="idle",
        help="what comes first: idle, saving or evidence",
    )
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="text",
        help="text for people (default), md for tickets, json for scripts",
    )
    add_jobs(parser)
    add_common(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the table.

    Returns:
        0; 2 where a file cannot be read.

    Raises:
        Exception: one of ``known_faults``.
    """
    from datetime import date

    from advisor.commands.fleet_rows import FleetTask
    from advisor.commands.inputs import knowledge_of, site_answers
    from advisor.commands.over_files import over_files
    from advisor.commands.session_files import session_files

    paths = session_files(arguments.paths)
    knowledge = knowledge_of(arguments)
    site = site_answers(arguments, knowledge.catalogue)
    task = FleetTask(knowledge.folders[1:], site, date.today())
    rows = over_files(task, paths, arguments)
    emit(rendered(rows, arguments.by, arguments.format, knowledge.id))
    return BAD_USE if any(row.fault for row in rows) else FINE


def rendered(rows: Sequence[FleetRow], by: str, form: str, knowledge: KnowledgeId) -> str:
    """The fleet in one of ``FORMATS``."""
    from advisor.session.fleet import View

    view: View = next(one for one in get_args(View) if one == by)
    if form == "json":
        from advisor.report import fleet_json

        return fleet_json.render(rows, view, knowledge)
    from advisor.report import markdown, text
    from advisor.report.fleet import fleet_report

    document = fleet_report(rows, view)
    return markdown.render(document) if form == "md" else text.render(document, WIDTH)
