"""``ckpt-advisor completion``: a script that completes our commands and options in a shell."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from advisor.commands.exit_codes import FINE
from advisor.commands.options import NO_SITE, add_common
from advisor.commands.output import emit

SUMMARY = "print the script that completes commands and options in a shell"

SHELLS = ("bash", "zsh", "fish", "tcsh")
"""Shells a script can be printed for."""

_FILES = ("SESSION", "PATH", "FILE", "FILE.toml")
"""Placeholders of what is a file."""

_FOLDERS = ("DIR",)
"""Placeholders of what is a folder."""

_NOTES = """\
where the script goes:
  bash  ckpt-advisor completion bash \\
            > ~/.local/share/bash-completion/completions/ckpt-advisor
  zsh   ckpt-advisor completion zsh > ~/.zfunc/_ckpt-advisor
        (with fpath+=~/.zfunc before compinit in ~/.zshrc)
  fish  ckpt-advisor completion fish \\
            > ~/.config/fish/completions/ckpt-advisor.fish
  tcsh  ckpt-advisor completion tcsh > ~/.ckpt-advisor.tcsh
        (with source ~/.ckpt-advisor.tcsh in ~/.tcshrc)"""


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``completion``."""
    parser.epilog = _NOTES
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))
    add_common(parser, site=NO_SITE)


def run(arguments: argparse.Namespace) -> int:
    """Print the script; ``arguments.every`` gives the parser of all commands.

    Raises:
        StoreError: stdout cannot be written.
    """
    import shtab

    parser: argparse.ArgumentParser = arguments.every()
    for action in _actions(parser):
        if action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # the way shtab is told
        elif action.metavar in _FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    emit(shtab.complete(parser, arguments.shell))
    return FINE


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Every argument of a parser and of those inside it."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from _actions(inner)
