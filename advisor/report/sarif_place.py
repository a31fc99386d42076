"""Where in a session file a finding points: the line of the answer most concerned."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from advisor.engine.advice import Finding
from advisor.engine.computed import COMPUTED
from advisor.engine.pack import Rule
from advisor.facts.catalogue import Catalogue
from advisor.facts.toml_text import TomlDocument

SOURCE_ROOT = "%SRCROOT%"
"""The base of a relative address: the folder the command ran in, for a checkout its root."""


def address(path: Path) -> dict[str, Any]:
    """The ``artifactLocation`` of a file: relative to the working folder where it lies in it."""
    whole = Path(os.path.abspath(path))
    try:
        inside = whole.relative_to(Path.cwd())
    except ValueError:
        return {"uri": whole.as_uri()}
    return {"uri": quote(os.fsencode(inside.as_posix())), "uriBaseId": SOURCE_ROOT}


def line_of(found: Finding, rule: Rule | None, document: TomlDocument, facts: Catalogue) -> int:
    """The line (from 1) of the answer a finding is most about.

    That is the first of these that the file answers: what would decide it, what is shown with it,
    what its thresholds are solved for, what its condition names. Else the line of ``[session]``.

    Args:
        found: the finding.
        rule: its rule, None where no pack has it any more.
        document: the session file.
        facts: the declared facts.
    """
    answers = document.data.get("answers", {})
    for name in _names(found, rule):
        for fact in _stands_for(name, facts):
            if fact in answers:
                return document.position(("answers", fact, "value"))[0]
    return document.position(("session",))[0]


def waiver_line(rule: str, document: TomlDocument) -> int:
    """The line (from 1) of a waiver."""
    return document.position(("waivers", rule))[0]


def _names(found: Finding, rule: Rule | None) -> Iterator[str]:
    yield from found.missing
    yield from found.evidence
    if rule is not None:
        yield from rule.flip
        yield from sorted(rule.when.names)


def _stands_for(name: str, facts: Catalogue) -> Sequence[str]:
    """The facts a name may be answered as: itself or the alternatives to it.

    A computed value that needs one fact of its own kind is that fact, as the interval in force is
    the interval.
    """
    if name in COMPUTED:
        needs = COMPUTED[name].needs
        if callable(needs) or len(needs) != 1:
            return ()
        (fact,) = needs
        same = fact in facts.facts and facts.facts[fact].kind == COMPUTED[name].kind
        return _stands_for(fact, facts) if same else ()
    if name not in facts.facts:
        return ()
    group = facts.facts[name].group
    others = [f.name for f in facts.facts.values() if group and f.group == group]
    return (name, *(other for other in others if other != name))


def location(artifact: dict[str, Any], line: int) -> dict[str, Any]:
    """A ``location`` with its line; GitHub shows nothing without one."""
    region = {"startLine": line}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}
