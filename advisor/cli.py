"""The command line: which command is meant, its arguments, signals, faults and exit codes.

Only argparse and small modules are imported here, so that ``--help`` and ``--version`` answer in
about 20 ms; each command imports what it needs when it runs.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from types import FrameType
from typing import NoReturn, Protocol

import advisor
from advisor.commands import advise, export, interview, replay, rules, sessions
from advisor.commands.exit_codes import FINE, SIGNAL
from advisor.commands.faults import UsageFault, exit_code, known_faults
from advisor.commands.options import WITH_VALUE
from advisor.commands.output import complain, tolerant

PROGRAM = "ckpt-advisor"
"""The name of the command, also under ``python -m advisor``."""

_VERSION = ("--version", "-v")
_HELP = ("--help", "-h")

_ENDINGS = """\
exit codes:
  0 fine; 1 a finding at or above --fail-on, or a replay that differs; 2 bad use, file or rules;
  3 too few facts; 4 the session is open elsewhere; 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP

ckpt-advisor alone starts an interview; ckpt-advisor FILE.toml resumes one."""


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
    "sessions": sessions,
    "rules": rules,
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
    _end_on_signals()
    try:
        return _dispatch(words)
    except known_faults() as fault:
        complain(str(fault))
        return exit_code(fault)
    except SystemExit as end:
        # argparse after --help, or a signal.
        return end.code if isinstance(end.code, int) else FINE
    except KeyboardInterrupt:
        return SIGNAL + signal.SIGINT


def arranged(words: Sequence[str]) -> list[str]:
    """The arguments with the command first.

    Options may stand before the command; without a command, or with a file in its place, the
    interview is meant.

    Raises:
        UsageFault: the first word is neither a command nor looks like a file.
    """
    at = 0
    while at < len(words):
        word = words[at]
        if word in _VERSION or (word in _HELP and not _names_command(words)):
            return [word]
        if word == "--" or not word.startswith("-"):
            break
        at += 2 if word in WITH_VALUE else 1
    if at < len(words) and words[at] != "--":
        if words[at] in COMMANDS:
            return [words[at], *words[:at], *words[at + 1 :]]
        _refuse_unless_file(words[at])
    return ["interview", *words]


def build(command: str | None = None) -> argparse.ArgumentParser:
    """The parser; only the arguments of ``command`` are declared, those of all where it is None."""
    parser = _Parser(
        prog=PROGRAM,
        description="Find out in five questions what a job's checkpoints cost, and which "
        "configuration changes help before anybody buys storage.",
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
    arguments = arranged(words)
    namespace = build(arguments[0]).parse_args(arguments)
    return COMMANDS[namespace.command].run(namespace)


def _names_command(words: Sequence[str]) -> bool:
    return any(word in COMMANDS for word in words)


def _refuse_unless_file(word: str) -> None:
    if "." in word or os.sep in word or os.path.exists(word):
        return
    from advisor.facts.toml_fault import suggest

    hint = suggest(word, COMMANDS) or f"see {PROGRAM} --help; a session is a file named *.toml"
    raise UsageFault(f'{PROGRAM}: there is no command "{word}"', hint)


def _end_on_signals() -> None:
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # Under nohup the hang-up stays ignored.
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    # A second signal must not stop the clean-up that the first one started.
    signal.signal(number, signal.SIG_IGN)
    raise SystemExit(SIGNAL + number)
