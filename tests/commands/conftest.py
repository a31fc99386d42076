from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from advisor.facts.answers import Answer
from advisor.session.document import Session
from advisor.session.store import save
from tests.ticket_job import TICKET


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Our own folders, away from those of whoever runs the tests."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("CKPT_ADVISOR_HOME", str(folder))
    monkeypatch.delenv("CKPT_ADVISOR_PLAIN", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return folder


@pytest.fixture
def ticket(tmp_path: Path) -> Path:
    """A session file with the answers of the worked example."""
    path = tmp_path / "sessions" / "ticket.toml"
    path.parent.mkdir()
    day = datetime(2026, 11, 29, 10, 0, tzinfo=UTC)
    answers = {name: Answer(value) for name, value in TICKET.items()}
    session = Session("ticket", "A job\twith a title", day, day, answers=answers)
    save(session, path, expected_digest=None)
    return path


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A session file with one answer: nearly nothing to compute."""
    path = tmp_path / "few" / "few.toml"
    path.parent.mkdir()
    save(Session("few", answers={"nodes": Answer("128")}), path, expected_digest=None)
    return path
