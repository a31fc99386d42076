"""``ckpt-advisor replay``: recompute saved sessions and compare with what was advised."""

from __future__ import annotations

import argparse

from advisor.commands.faults import told
from advisor.commands.options import NO_SITE, add_common, add_format
from advisor.commands.output import complain, emit

SUMMARY = "recompute saved sessions, compare with what was advised"

_NOTES = """\
figures count as the same within 1e-6 of their value, the best interval and its
band within 1e-4. a session without advice is new, which is no difference.

exit codes:
  0 all are the same or new, or were rewritten by --update
  1 one differs
  2 one cannot be read or rewritten; the others still run"""


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``replay``."""
    parser.epilog = _NOTES
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="session files, or folders of them"
    )
    parser.add_argument(
        "--update", action="store_true", help="store the advice of today; differences are then fine"
    )
    parser.add_argument("--diff", action="store_true", help="show every figure that differs")
    add_format(parser)
    add_common(parser, site=NO_SITE)


def run(arguments: argparse.Namespace) -> int:
    """Replay and print the table.

    Returns:
        0; 1 where a session differs and was not updated; 2 where one cannot be read or rewritten;
        4 where one to be rewritten is open elsewhere.

    Raises:
        Exception: one of ``known_faults``.
    """
    from advisor.commands.inputs import knowledge_of
    from advisor.commands.progress import Progress
    from advisor.commands.replay_rows import Row, outcome, replay_rows
    from advisor.commands.replay_table import render_json, render_text
    from advisor.commands.session_files import session_files

    paths = session_files(arguments.paths)
    knowledge = knowledge_of(arguments)
    rows: list[Row] = []
    with Progress(len(paths), quiet=arguments.quiet) as progress:
        for row in replay_rows(paths, knowledge, update=arguments.update):
            rows.append(row)
            progress.at(len(rows))
    for row in rows:
        if row.fault:
            complain(told(row.fault))
    as_json = arguments.format == "json"
    emit(render_json(rows) if as_json else render_text(rows, differences=arguments.diff))
    return outcome(rows)
