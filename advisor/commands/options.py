"""The options every command has."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

WITH_VALUE = ("--rules", "--site")
"""Common options that take a value: the word after them is no command."""

NO_SITE = "accepted; this command uses no site facts"
"""Help of ``--site`` where a result must not depend on the machine."""

SITE = "facts that never change between interviews (default: site.toml of the config folder)"
"""Help of ``--site``."""


def add_common(parser: argparse.ArgumentParser, *, site: str = SITE, inner: bool = False) -> None:
    """Give a parser the common options.

    Args:
        parser: the parser of a command.
        site: the help of ``--site``.
        inner: the parser is of a sub-command whose command has these options too, so an option
            that is not given must not hide the one given before the sub-command.
    """

    def default(value: object) -> object:
        return argparse.SUPPRESS if inner else value

    group = parser.add_argument_group("common options")
    group.add_argument(
        "--rules",
        metavar="DIR",
        action="append",
        default=default([]),
        help="a folder of your own rules, over the built-in ones and those of the config folder; "
        "may be repeated",
    )
    group.add_argument("--site", metavar="FILE", default=default(None), help=site)
    group.add_argument(
        "--no-color", action="store_true", default=default(False), help="no colour, as NO_COLOR=1"
    )
    group.add_argument(
        "-q", "--quiet", action="store_true", default=default(False), help="no progress, no remarks"
    )


def add_format(parser: argparse.ArgumentParser) -> None:
    """Give a parser ``--format text|json``."""
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="text for people (default), json for scripts",
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Give a parser ``--jobs N``."""
    parser.add_argument(
        "-j",
        "--jobs",
        metavar="N",
        type=_positive,
        default=None,
        help="processes at the same time (default: one for each core, as far as it pays)",
    )


def _positive(text: str) -> int:
    """A whole number of at least 1; argparse words the fault."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return number


def without_color(arguments: argparse.Namespace) -> bool:
    """Whether no colour is wanted: ``--no-color``, or NO_COLOR set to anything (no-color.org)."""
    return bool(arguments.no_color) or bool(os.environ.get("NO_COLOR"))


def rule_folders(arguments: argparse.Namespace, more: Sequence[str] = ()) -> tuple[Path, ...]:
    """The person's own folder of rules, where there is one, those of ``--rules``, and more.

    Raises:
        StoreError: one is not a folder, or holds no rules.
    """
    from pathlib import Path

    from advisor.session.errors import StoreError, store_error

    named = (*arguments.rules, *more)
    folders = (*_usual_folder(), *(Path(text) for text in named))
    for folder in folders:
        try:
            names = os.listdir(folder)
            for inner in {"frameworks", "storage"}.intersection(names):
                names += os.listdir(folder / inner)
        except NotADirectoryError:
            raise StoreError(folder, "this is a file, not a folder", "name its folder") from None
        except (OSError, ValueError) as error:
            found = store_error(folder, error)
            raise StoreError(folder, found.message, "name a folder of rules") from error
        if not any(name.endswith(".toml") for name in names):
            raise StoreError(folder, "there are no rules here", "rules are files named *.toml")
    return folders


def _usual_folder() -> tuple[Path, ...]:
    """``rules`` in the config folder, if it is there; without a home folder there is none."""
    from advisor.session.errors import StoreError
    from advisor.session.places import rules_folder

    try:
        folder = rules_folder()
    except StoreError:
        return ()
    return (folder,) if os.path.lexists(folder) else ()
