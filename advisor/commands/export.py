"""``ckpt-advisor export``: the ticket of one session."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from advisor.commands.advise import add_set
from advisor.commands.exit_codes import FINE
from advisor.commands.faults import UsageFault
from advisor.commands.options import add_common
from advisor.commands.output import complain, emit, write_output

if TYPE_CHECKING:
    from pathlib import Path

    from advisor.engine.advice import Advice

SUMMARY = "the ticket: headline, changes with lines to paste, thresholds, what it rests on"

FORMATS = ("md", "text", "json")
"""What ``--format`` takes."""


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``export``."""
    parser.add_argument("session", metavar="SESSION", help="a session file, or its name")
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="md",
        help="md for tickets (default), text for mail, json for scripts",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write here instead of to stdout; replaced if there"
    )
    parser.add_argument(
        "--redact",
        action="store_true",
        help="without names, hosts, paths and notes; the texts of your own rules stay",
    )
    add_set(parser)
    add_common(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print or write the ticket.

    Raises:
        Exception: one of ``known_faults``.
    """
    from datetime import date
    from pathlib import Path

    from advisor.commands.inputs import find_session, job, knowledge_of
    from advisor.engine.advise import advise
    from advisor.session.redact import redacted, without_names

    to_file = arguments.output not in (None, "-")
    if to_file and _same_file(find_session(arguments.session), Path(arguments.output)):
        raise UsageFault(
            f"ckpt-advisor export: {arguments.output} is the session itself", "name another file"
        )
    knowledge = knowledge_of(arguments)
    session = job(arguments, knowledge)
    if arguments.redact:
        session = without_names(session, knowledge)
    advice = advise(session, knowledge, date.today())
    text = rendered(redacted(advice) if arguments.redact else advice, arguments.format)
    if not to_file:
        emit(text)
        return FINE
    write_output(Path(arguments.output), text if text.endswith("\n") else f"{text}\n")
    if not arguments.quiet:
        complain(f"written to {arguments.output}")
    return FINE


def rendered(advice: Advice, form: str) -> str:
    """The ticket in one of ``FORMATS``."""
    if form == "json":
        from advisor.report import json_export

        return json_export.render(advice)
    from advisor.report import markdown, text
    from advisor.report.build import build_report

    document = build_report(advice)
    return markdown.render(document) if form == "md" else text.render(document)


def _same_file(a: Path, b: Path) -> bool:
    return os.path.realpath(a) == os.path.realpath(b)
