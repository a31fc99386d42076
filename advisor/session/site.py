"""The site file: facts that never change between interviews, such as the pool and the prices.

It holds the same ``[answers.FACT]`` tables as a session. Its answers fill in what a session does
not say, and never replace what it says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.facts.answers import Answer
from advisor.facts.toml_text import TomlDocument, load_toml
from advisor.session.document import Session, session_from
from advisor.session.migrate import SCHEMA_VERSION

if TYPE_CHECKING:
    from advisor.facts.catalogue import Catalogue

_ALLOWED = ("schema_version", "answers")


def read_site(path: Path, catalogue: Catalogue) -> dict[str, Answer]:
    """The answers of a site file, by fact, marked as coming from it.

    Raises:
        TomlFault: the file cannot be read, or something in it is wrong, with its place.
    """
    document = load_toml(path)
    for key in document.data:
        if key not in _ALLOWED:
            hint = "a site file holds [answers.FACT] tables, each with a value"
            raise document.fault((key,), f'there is no key "{key}" here', hint)
    # A site file is a session without a name; a version is checked where it states one.
    data = {"schema_version": SCHEMA_VERSION, "session": {"id": "site"}, **document.data}
    session = session_from(TomlDocument(document.path, document.text, data), catalogue)
    return {name: replace(answer, origin="site") for name, answer in session.answers.items()}


def with_site(session: Session, site: Mapping[str, Answer], catalogue: Catalogue) -> Session:
    """The session with the site's answers to questions that it does not answer itself.

    A question is answered by "?" too, and by any of its alternatives: a site's failure rate per
    node stays out where the session has one of the job.
    """
    answered = {catalogue.facts[name].group or name for name in session.answers}
    added = {
        name: answer
        for name, answer in site.items()
        if name not in session.answers and (catalogue.facts[name].group or name) not in answered
    }
    return replace(session, answers={**session.answers, **added}) if added else session
