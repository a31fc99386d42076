from __future__ import annotations

import pytest

from advisor.engine.knowledge import Knowledge, load_knowledge
from advisor.facts.catalogue import Catalogue
from advisor.interview.flow import Checklist


@pytest.fixture(scope="session")
def knowledge() -> Knowledge:
    return load_knowledge()


@pytest.fixture(scope="session")
def catalogue(knowledge: Knowledge) -> Catalogue:
    return knowledge.catalogue


@pytest.fixture(scope="session")
def checklist(catalogue: Catalogue) -> Checklist:
    return Checklist(catalogue)
