"""``ckpt-advisor replay``: recompute saved sessions and compare with what was advised."""

from __future__ import annotations

import argparse

from advisor.commands.faults import UsageFault, told
from advisor.commands.options import NO_SITE, add_common, add_format, add_jobs
from advisor.commands.output import complain, emit

SUMMARY = "recompute saved sessions, compare with what was advised"

_NOTES = """\
figures count as the same within 1e-6 of their value, the best interval and its
band within 1e-4. a session without advice is new, which is no difference.

--against tries rules of yours before they are put in place: it says what they
would change of today's verdicts, plans and findings, and touches no file.

exit codes:
  0 all are the same or new, or were rewritten by --update
  1 one differs, or would with --against
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
    parser.add_argument(
        "--against",
        metavar="DIR",
        action="append",
        default=[],
        help="compare the rules in place with the same and this folder on top; may be repeated",
    )
    add_jobs(parser)
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
    if arguments.against:
        return _against(arguments)
    from advisor.commands.inputs import knowledge_of
    from advisor.commands.over_files import over_files
    from advisor.commands.replay_rows import ReplayTask, outcome
    from advisor.commands.replay_table import render_json, render_text
    from advisor.commands.session_files import session_files

    paths = session_files(arguments.paths)
    folders = knowledge_of(arguments).folders[1:]
    rows = over_files(ReplayTask(folders, arguments.update), paths, arguments)
    for row in rows:
        if row.fault:
            complain(told(row.fault))
    as_json = arguments.format == "json"
    emit(render_json(rows) if as_json else render_text(rows, differences=arguments.diff))
    return outcome(rows)


def _against(arguments: argparse.Namespace) -> int:
    """What other rules would change."""
    from advisor.commands.against import AgainstTask, outcome
    from advisor.commands.against_table import render_json, render_text
    from advisor.commands.inputs import knowledge_of, knowledge_on_top
    from advisor.commands.over_files import over_files
    from advisor.commands.session_files import session_files

    if arguments.update:
        raise UsageFault(
            "ckpt-advisor replay: --against changes no file, --update does", "leave one of them out"
        )
    paths = session_files(arguments.paths)
    now = knowledge_of(arguments)
    then = knowledge_on_top(arguments, arguments.against)
    task = AgainstTask(now.folders[1:], then.folders[1:])
    rows = over_files(task, paths, arguments)
    for row in rows:
        if row.fault:
            complain(row.fault)
    render = render_json if arguments.format == "json" else render_text
    emit(render(rows, now.id, then.id))
    return outcome(rows)
