"""What a command works on: the rules, and one job from a file, ``--set`` and the site file."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from advisor.commands.faults import UsageFault
from advisor.commands.options import rule_folders
from advisor.commands.output import complain
from advisor.commands.settings import setting
from advisor.engine.knowledge import Knowledge, load_knowledge
from advisor.facts.answers import Answer
from advisor.facts.catalogue import Catalogue
from advisor.facts.toml_text import suggest
from advisor.session import places
from advisor.session.document import Session
from advisor.session.errors import StoreError, store_error
from advisor.session.site import read_site, with_site
from advisor.session.store import SUFFIX, load

ALL_RULES = "ckpt-advisor rules list shows all"
"""The hint where no rule is near."""

ALL_FRAMEWORKS = "ckpt-advisor rules frameworks shows all"
"""The hint where no framework is near."""

UNNAMED = "command-line"
"""The id of a job that is given by ``--set`` alone."""


def knowledge_of(arguments: argparse.Namespace) -> Knowledge:
    """The built-in rules with the folders of ``--rules`` on top.

    Raises:
        TomlFault: a faulty file, with its place.
        StoreError: a folder that cannot be used.
    """
    return knowledge_on_top(arguments, ())


def knowledge_on_top(arguments: argparse.Namespace, more: Sequence[str]) -> Knowledge:
    """The same with further folders on top. Raises as ``knowledge_of`` does."""
    folders = rule_folders(arguments, more)
    try:
        return load_knowledge(folders)
    except OSError as error:
        found = store_error(error.filename or "rules", error)
        raise StoreError(found.path, found.message, "name a readable folder") from error


def find_session(name: str) -> Path:
    """The file of a session: a path, or the name of one in the user's sessions folder."""
    path = Path(name)
    if name.endswith(SUFFIX) or os.sep in name or os.path.lexists(path):
        return path
    with contextlib.suppress(StoreError):
        saved = places.sessions_folder(create=False) / f"{name}{SUFFIX}"
        if saved.exists():
            return saved
    return path


def job(arguments: argparse.Namespace, knowledge: Knowledge) -> Session:
    """The job to advise on: the file, then ``--set`` over it, then the site's facts under it.

    Raises:
        UsageFault: neither a file nor facts, or a ``--set`` that cannot be read.
        TomlFault: a faulty file, with its place.
    """
    catalogue = knowledge.catalogue
    if arguments.session is None and not arguments.facts:
        example = '--set state="12 TB" --set nodes=128'
        raise UsageFault(
            "ckpt-advisor advise: there is nothing to advise on",
            f"name a session file, or give facts: ckpt-advisor advise {example}",
        )
    session = Session(UNNAMED)
    if arguments.session is not None:
        session = load(find_session(arguments.session), catalogue)[0]
    session = with_settings(session, arguments.facts, catalogue)
    session = with_site(session, site_answers(arguments, catalogue), catalogue)
    _warn_of_unknown(session, knowledge)
    return session


def _warn_of_unknown(session: Session, knowledge: Knowledge) -> None:
    """Say on stderr what in a session counts for nothing: a framework or a waiver nobody knows."""
    named = session.answers.get("framework")
    known = knowledge.frameworks()
    if named is not None and not named.is_unknown and not knowledge.framework_id(named.value):
        complain(
            f'ckpt-advisor: nothing is known about the framework "{named.value}"; the advice goes '
            f"without its facts and lines\n    {suggest(named.value, known) or ALL_FRAMEWORKS}"
        )
    rules = tuple(knowledge.pack.rules)
    for waived in session.waivers:
        if waived not in rules:
            near = suggest(waived, rules) or ALL_RULES
            complain(f'ckpt-advisor: there is no rule "{waived}" to waive\n    {near}')


def with_settings(session: Session, settings: list[str], catalogue: Catalogue) -> Session:
    """The session with facts of the command line instead of its own.

    A fact that is one of several alternatives replaces the others of the file as well, so that an
    old answer cannot outweigh the new one.

    Raises:
        UsageFault: one of them cannot be read.
    """
    given: dict[str, Answer] = {}
    for text in settings:
        given.update(setting(text, catalogue))
    groups = {catalogue.facts[name].group for name in given} - {""}
    kept = {
        name: answer
        for name, answer in session.answers.items()
        if name not in given and catalogue.facts[name].group not in groups
    }
    return replace(session, answers={**kept, **given})


def site_answers(arguments: argparse.Namespace, catalogue: Catalogue) -> Mapping[str, Answer]:
    """The facts of ``--site``, or of the site file of the config folder where there is one.

    Raises:
        TomlFault: the file is faulty; one that was named must also be there.
    """
    if arguments.site is not None:
        return read_site(Path(arguments.site), catalogue)
    try:
        usual = places.site_file()
    except StoreError:
        # Without a home folder there is no site file either.
        return {}
    return read_site(usual, catalogue) if os.path.lexists(usual) else {}
