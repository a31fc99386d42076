"""The command line: which command is meant, its arguments, signals, faults and exit codes.

Only argparse and small modules are imported here, so that ``--help`` and ``--version`` answer in
about 20 ms; each command imports what it needs when it runs.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn, Protocol

import advisor
from advisor.commands import (
    advise,
    completion,
    export,
    fleet,
    interview,
    replay,
    rules,
    schema,
    sessions,
    simulate,
)
from advisor.commands.exit_codes import FINE, SIGNAL
from advisor.commands.faults import UsageFault, exit_code, known_faults, told
from advisor.commands.output import complain, settle, tolerant
from advisor.commands.signals import end_on_signals
from advisor.commands.words import PROGRAM, arranged

_ABOUT = """\
Five questions about a job's checkpoints: what they cost today, and which
configuration changes help before anybody buys storage.

ckpt-advisor alone starts an interview; ckpt-advisor FILE.toml resumes one."""

_ENDINGS = """\
exit codes:
  0 fine
  1 a finding at or above --fail-on, or a replay that differs
  2 bad use, a bad file or bad rules
  3 too few facts for what --fail-on asks
  4 the session is open in another ckpt-advisor
  130 Ctrl-C, 143 SIGTERM, 129 SIGHUP"""


class Command(Protocol):
    """A module of ``advisor.commands``."""

    SUMMARY: str

    def prepare(self, parser: argparse.ArgumentParser) -> None:
        """Declare its arguments."""
        ...

    def run(self, arguments: argparse.Namespace) -> int:
        """Do it and return the exit code."""
        ...


COMMANDS: Mapping[str, Command] = {
    "interview": interview,
    "advise": advise,
    "export": export,
    "replay": replay,
    "fleet": fleet,
    "simulate": simulate,
    "sessions": sessions,
    "rules": rules,
    "schema": schema,
    "completion": completion,
}
"""By name, in the order of the help."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Raise the one message of a bad call."""
        raise UsageFault(f"{self.prog}: {message}", f"see {self.prog} --help")


def run(words: Sequence[str]) -> int:
    """Run one command line.

    Args:
        words: the arguments after the name of the program.

    Returns:
        The exit code.
    """
    tolerant(sys.stdout)
    tolerant(sys.stderr)
    end_on_signals()
    try:
        return _dispatch(words)
    except SystemExit as end:
        # argparse after --help, or a signal.
        return end.code if isinstance(end.code, int) else FINE
    except KeyboardInterrupt:
        return SIGNAL + signal.SIGINT
    except known_faults() as fault:
        complain(told(str(fault)))
        return exit_code(fault)
    finally:
        settle()


def build(command: str | None = None) -> argparse.ArgumentParser:
    """The parser; only the arguments of ``command`` are declared, those of all where it is None."""
    parser = _Parser(
        prog=PROGRAM,
        description=_ABOUT,
        epilog=_ENDINGS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    version = f"{PROGRAM} {advisor.__version__}"
    parser.add_argument("--version", action="version", version=version, help="print the version")
    parser.add_argument(
        "-v", action="version", version=advisor.__version__, help="print the version number alone"
    )
    inner = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, module in COMMANDS.items():
        sub = inner.add_parser(
            name,
            help=module.SUMMARY,
            description=f"{module.SUMMARY[0].upper()}{module.SUMMARY[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        if command in (None, name):
            module.prepare(sub)
    return parser


def _dispatch(words: Sequence[str]) -> int:
    arguments = arranged(words, COMMANDS)
    # The parser of all commands is what completion is made from.
    namespace = build(arguments[0]).parse_args(arguments, argparse.Namespace(every=build))
    return COMMANDS[namespace.command].run(namespace)
