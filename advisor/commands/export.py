"""``ckpt-advisor export``: the ticket of one session."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, get_args

from advisor.commands.advise import add_set
from advisor.commands.exit_codes import FINE
from advisor.commands.faults import UsageFault
from advisor.commands.options import add_common
from advisor.commands.output import complain, emit, write_output
from advisor.report.lengths import Length

if TYPE_CHECKING:
    from pathlib import Path

SUMMARY = "the ticket: headline, changes with lines to paste, thresholds, what it rests on"


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``export``."""
    from advisor.report.formats import FORMATS

    parser.add_argument("session", metavar="SESSION", help="a session file, or its name")
    parser.add_argument(
        "--format",
        choices=tuple(FORMATS),
        default=next(iter(FORMATS)),
        help=f"default %(default)s: {_purposes()}",
    )
    parser.add_argument(
        "--length",
        choices=get_args(Length),
        help="the whole ticket or its short form (default: full, for slack summary)",
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
    from advisor.report.formats import FORMATS, Exported
    from advisor.report.shorten import TooLongError
    from advisor.session.redact import redacted, without_names

    path = find_session(arguments.session)
    to_file = arguments.output not in (None, "-")
    if to_file and _same_file(path, Path(arguments.output)):
        raise UsageFault(
            f"ckpt-advisor export: {arguments.output} is the session itself", "name another file"
        )
    knowledge = knowledge_of(arguments)
    form = FORMATS[arguments.format]
    if form.make is not None and arguments.length is not None:
        raise UsageFault(
            f"ckpt-advisor export: {arguments.format} has one length", "leave --length out"
        )
    session = job(arguments, knowledge)
    if arguments.redact:
        session = without_names(session, knowledge)
    advice = advise(session, knowledge, date.today())
    shown = redacted(advice) if arguments.redact else advice
    source = Exported(shown, knowledge, path, arguments.redact)
    try:
        text = form.render(source, arguments.length)
    except TooLongError as error:
        raise UsageFault(f"ckpt-advisor export: {error}", "--format text has no limit") from error
    if not to_file:
        emit(text)
        return FINE
    write_output(Path(arguments.output), text if text.endswith("\n") else f"{text}\n")
    if not arguments.quiet:
        complain(f"written to {arguments.output}")
    return FINE


def _purposes() -> str:
    from advisor.report.formats import FORMATS

    return ", ".join(f"{name} for {form.purpose}" for name, form in FORMATS.items())


def _same_file(a: Path, b: Path) -> bool:
    return os.path.realpath(a) == os.path.realpath(b)
