"""``ckpt-advisor [interview] [FILE.toml] [--plain]``: the interview, new or resumed."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from advisor.commands.faults import UsageFault
from advisor.commands.options import add_common, rule_folders, without_color
from advisor.commands.output import is_terminal

if TYPE_CHECKING:
    from pathlib import Path

SUMMARY = "interview about one job, on the screen; a file is resumed"

PLAIN_VARIABLE = "CKPT_ADVISOR_PLAIN"
"""Environment variable: anything in it asks for line prompts, as ``--plain`` does."""


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``interview``."""
    parser.add_argument("file", nargs="?", metavar="FILE.toml", help="the session, new or old")
    parser.add_argument(
        "--plain", action="store_true", help="line by line, for screen readers and scripts"
    )
    add_common(parser)


def run(arguments: argparse.Namespace) -> int:
    """Hold the interview.

    Returns:
        The exit code: 0, 4 for a session that is open elsewhere, 128 + n after a signal.

    Raises:
        UsageFault: there is no terminal.
    """
    from pathlib import Path

    path = Path(arguments.file) if arguments.file else None
    rules = rule_folders(arguments)
    if arguments.plain:
        return _plain(path, arguments)
    if not (is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        raise _no_terminal(arguments.file)
    if os.environ.get(PLAIN_VARIABLE) or os.environ.get("TERM") == "dumb":
        return _plain(path, arguments)
    from advisor.tui.app import run_interview

    site = Path(arguments.site) if arguments.site else None
    return run_interview(
        path, rules=rules, site=site, no_color=without_color(arguments), quiet=arguments.quiet
    )


def _plain(path: Path | None, arguments: argparse.Namespace) -> int:
    from datetime import UTC, datetime

    from advisor.commands.inputs import knowledge_of, site_answers
    from advisor.commands.plain import run_plain

    knowledge = knowledge_of(arguments)

    return run_plain(
        path,
        stdin=sys.stdin,
        stdout=sys.stdout,
        now=lambda: datetime.now(UTC),
        knowledge_loader=lambda: knowledge,
        site=site_answers(arguments, knowledge.catalogue),
    )


def _no_terminal(file: str | None) -> UsageFault:
    example = '--set state="12 TB" --set nodes=128 --set interval="15 min" --set mode=sync'
    headless = f"ckpt-advisor advise {file}" if file else f"ckpt-advisor advise {example}"
    return UsageFault(
        "ckpt-advisor: the interview needs a terminal",
        f"without one: {headless}\n    line by line: ckpt-advisor interview --plain",
    )
