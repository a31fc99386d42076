from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from advisor.facts.answers import Answer
from advisor.facts.catalogue import Catalogue, FactSpec
from advisor.session.document import Session, Waiver
from advisor.session.store import save


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Our own folders, away from those of whoever runs the tests."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("CKPT_ADVISOR_HOME", str(folder))
    return folder


@pytest.fixture
def catalogue() -> Catalogue:
    """Four facts, one of each way of being checked."""
    texts = ("t", "Label", "question", "why", "find")
    facts = [
        FactSpec("nodes", *texts, kind="count", minimum=1, maximum=1e6, whole=True),
        FactSpec("state_total", *texts, kind="size", minimum=1e3, maximum=1e18),
        FactSpec("mode", *texts, kind="choice", choices={"sync": "S", "async": "A"}),
        FactSpec("framework_settings", *texts, kind="text"),
    ]
    return Catalogue({}, {spec.name: spec for spec in facts}, {})


@pytest.fixture
def session() -> Session:
    return Session(
        id="bloom-176b",
        title="BLOOM 176B on Jean Zay",
        created=datetime(2026, 11, 29, 10, 0, tzinfo=UTC),
        updated=datetime(2026, 11, 29, 10, 40, tzinfo=UTC),
        tags=("published",),
        answers={
            "state_total": Answer("2300 GB", "measured", note="du of the last checkpoint"),
            "mode": Answer("sync", "measured"),
            "nodes": Answer("?", "unknown"),
        },
        waivers={"CKA01": Waiver("no host memory until the upgrade", date(2027, 1, 31))},
        advice={"goodput": 0.9863, "plan": {"CKA01-async": {"order": 1}}},
    )


@pytest.fixture
def saved(tmp_path: Path, session: Session) -> tuple[Path, str]:
    """A saved session: its file and its digest."""
    path = tmp_path / "a.toml"
    return path, save(session, path, expected_digest=None)
