"""``ckpt-advisor advise``: one-shot advice from a session file, from ``--set``, or from both."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from advisor.commands.exit_codes import FINE, HIT, TOO_FEW
from advisor.commands.options import add_common, add_format
from advisor.commands.output import complain, emit

if TYPE_CHECKING:
    from advisor.engine.advice import Advice

SUMMARY = "advice about one session, or about facts given with --set"

_EXAMPLE = """\
facts are written as in the interview, and replace those of the file:
  ckpt-advisor advise job.toml --set interval="30 min"
  ckpt-advisor advise --set state="12 TB" --set nodes=128 --set mode=sync \\
      --set interval="440 steps @ 4.1 s" --set nvme=present \\
      --set pool_write="~90 GB/s"
"~90 GB/s" is about 90, "80-100 GB/s" a range, "?" not known.

exit codes:
  1 a finding at or above --fail-on
  3 --fail-on is asked, but there are too few facts for a goodput"""

_SEVERITIES = ("note", "warning", "error")


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``advise``."""
    parser.epilog = _EXAMPLE
    parser.add_argument("session", nargs="?", metavar="SESSION", help="a session file, or its name")
    add_set(parser)
    add_format(parser)
    parser.add_argument(
        "--fail-on",
        choices=_SEVERITIES,
        metavar="SEVERITY",
        help="end with 1 if a finding is at least this bad: note, warning or error",
    )
    add_common(parser)


def add_set(parser: argparse.ArgumentParser) -> None:
    """Give a parser ``--set FACT=VALUE``."""
    parser.add_argument(
        "--set",
        metavar="FACT=VALUE",
        action="append",
        default=[],
        dest="facts",
        help="one fact, instead of what the file says; may be repeated",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the advice.

    Returns:
        0; 1 where a finding is at or above ``--fail-on``; 3 where ``--fail-on`` cannot be judged.

    Raises:
        Exception: one of ``known_faults``.
    """
    from datetime import date

    from advisor.commands.inputs import job, knowledge_of
    from advisor.engine.advise import advise

    knowledge = knowledge_of(arguments)
    advice = advise(job(arguments, knowledge), knowledge, date.today())
    emit(_rendered(advice, arguments.format))
    return judged(advice, arguments.fail_on)


def judged(advice: Advice, severity: str | None) -> int:
    """The exit code for one advice under ``--fail-on``; a hit counts even where facts lack."""
    from advisor.engine.advice import SEVERITIES

    if severity is None:
        return FINE
    bad = SEVERITIES[SEVERITIES.index(severity) :]
    hits = [finding for finding in advice.hits() if finding.severity in bad]
    for finding in hits:
        complain(f"{finding.severity}: {finding.rule}: {finding.title}")
    if hits:
        return HIT
    gated = bool(advice.missing_required) or advice.before.goodput is None
    return TOO_FEW if gated else FINE


def _rendered(advice: Advice, form: str) -> str:
    if form == "json":
        from advisor.report.json_export import render

        return render(advice)
    from advisor.report import text
    from advisor.report.build import build_report

    return text.render(build_report(advice, length="summary"))
