"""``ckpt-advisor export``: the ticket of one session."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast, get_args

from advisor.commands.advise import add_set
from advisor.commands.exit_codes import FINE
from advisor.commands.faults import UsageFault
from advisor.commands.options import add_common
from advisor.commands.output import complain, emit, write_output
from advisor.report.lengths import JIRA_LIMIT, SLACK_LIMIT, Length

if TYPE_CHECKING:
    from pathlib import Path

    from advisor.engine.advice import Advice

SUMMARY = "the ticket: headline, changes with lines to paste, thresholds, what it rests on"


@dataclass(frozen=True, slots=True)
class Format:
    """One form of the ticket.

    Attributes:
        module: name of the module of ``advisor.report`` whose ``render`` prints it.
        about: what it is for, for the help.
        limit: most characters its target takes; None where there is no limit to keep.
        length: taken unless ``--length`` says otherwise.
        whole: printed from the whole advice instead of the report; such a form has one length.
    """

    module: str
    about: str
    limit: int | None = None
    length: Length = "full"
    whole: bool = False


FORMATS: Mapping[str, Format] = {
    "md": Format("markdown", "for tickets of GitHub, GitLab and the like (default)"),
    "jira": Format("jira", "wiki markup of Jira Server and Data Center", JIRA_LIMIT),
    "adf": Format("adf", "JSON for Jira Cloud and Confluence Cloud", JIRA_LIMIT),
    "slack": Format("slack", "the text of a message", SLACK_LIMIT, length="summary"),
    "text": Format("text", "for mail"),
    "json": Format("json_export", "for scripts", whole=True),
}
"""What ``--format`` takes."""


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``export``."""
    parser.add_argument("session", metavar="SESSION", help="a session file, or its name")
    parser.add_argument(
        "--format",
        choices=tuple(FORMATS),
        default="md",
        help="; ".join(f"{name}: {form.about}" for name, form in FORMATS.items()),
    )
    parser.add_argument(
        "--length",
        choices=get_args(Length),
        help="the whole ticket or its short form (default: full, for slack summary)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write here instead of to stdout; replaced if there"
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

    to_file = arguments.output not in (None, "-")
    if to_file and _same_file(find_session(arguments.session), Path(arguments.output)):
        raise UsageFault(
            f"ckpt-advisor export: {arguments.output} is the session itself", "name another file"
        )
    knowledge = knowledge_of(arguments)
    form = FORMATS[arguments.format]
    if form.whole and arguments.length is not None:
        raise UsageFault(
            f"ckpt-advisor export: {arguments.format} has one length", "leave --length out"
        )
    advice = advise(job(arguments, knowledge), knowledge, date.today())
    text = rendered(advice, form, arguments.length or form.length)
    if not to_file:
        emit(text)
        return FINE
    write_output(Path(arguments.output), text if text.endswith("\n") else f"{text}\n")
    if not arguments.quiet:
        complain(f"written to {arguments.output}")
    return FINE


def rendered(advice: Advice, form: Format, length: Length) -> str:
    """The ticket in one form and length, cut to what its target takes.

    Raises:
        UsageFault: not even what is never cut fits.
    """
    from importlib import import_module

    from advisor.report.build import build_report
    from advisor.report.shorten import TooLongError

    render = import_module(f"advisor.report.{form.module}").render
    if form.whole:
        return cast(str, render(advice))
    try:
        return cast(str, render(build_report(advice, length=length), limit=form.limit))
    except TooLongError as error:
        raise UsageFault(f"ckpt-advisor export: {error}", "--format text has no limit") from error


def _same_file(a: Path, b: Path) -> bool:
    return os.path.realpath(a) == os.path.realpath(b)
