"""The rows of a fleet, file by file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from advisor.engine.advise import advise
from advisor.engine.framework_types import FrameworkError
from advisor.engine.knowledge import Knowledge, load_knowledge
from advisor.facts.answers import Answer
from advisor.facts.resolve import AnswerError
from advisor.facts.toml_fault import TomlFault
from advisor.session.fleet import FleetRow, fleet_row
from advisor.session.site import with_site
from advisor.session.store import load


@dataclass(frozen=True, slots=True)
class FleetTask:
    """A fleet to compute.

    Attributes:
        folders: rules over the built-in ones.
        site: facts of the site, for what a session does not say.
        today: the day waivers are judged at.
    """

    folders: tuple[Path, ...]
    site: Mapping[str, Answer]
    today: date

    def begin(self) -> Callable[[Path], FleetRow]:
        """Load the rules; what is done with one file."""
        knowledge = load_knowledge(self.folders)
        return lambda path: self._row(path, knowledge)

    def _row(self, path: Path, knowledge: Knowledge) -> FleetRow:
        try:
            session = load(path, knowledge.catalogue)[0]
        except TomlFault as fault:
            place = f"line {fault.line}: " if fault.line else ""
            return FleetRow(path, path.stem, fault=f"{place}{fault.message}")
        session = with_site(session, self.site, knowledge.catalogue)
        try:
            advice = advise(session, knowledge, self.today, whole=False)
        except (AnswerError, FrameworkError) as error:
            return FleetRow(path, session.id, session.title, fault=str(error))
        return fleet_row(path, session, advice)
