"""A redacted export shows nothing that somebody typed as free text, and the same figures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.cli import build
from advisor.facts.answers import Answer
from advisor.session.document import Session, Waiver
from advisor.session.store import save
from tests.commands.support import inside
from tests.ticket_job import TICKET


def _formats() -> list[str]:
    """Whatever ``export --format`` takes."""
    inner = build("export")._subparsers
    assert inner is not None
    parser = inner._group_actions[0].choices["export"]  # type: ignore[index]
    return list(next(action.choices for action in parser._actions if action.dest == "format"))


SECRET = st.from_regex(r"zq[a-z]{2}[0-9]{6}xk", fullmatch=True)
"""No text of ours contains one of these."""


@st.composite
def sessions(draw: st.DrawFn) -> tuple[Session, tuple[str, ...]]:
    """A session with a secret in every free text, and the secrets."""
    secrets: list[str] = []

    def secret(around: str = "{}") -> str:
        secrets.append(draw(SECRET))
        return around.format(secrets[-1])

    typed = dict(TICKET)
    typed["framework_version"] = secret(draw(st.sampled_from(("0.16.0+{}", "{}", "core {} 0.16"))))
    if draw(st.booleans()):
        typed["framework"] = secret()
    typed["framework_settings"] = secret(
        draw(
            st.sampled_from(
                (
                    "--async-save --ckpt-format torch --save /home/{}/x",
                    "--save {}",
                    "{}: 1\ncfg.checkpoint.async_save: true",
                )
            )
        )
    )
    answers = {
        name: Answer(
            value,
            draw(st.sampled_from(("measured", "estimated", "guessed"))),
            note=secret("{} said so"),
            evidence=secret("/data/{}/log.txt sha256:1"),
            said_by=secret(),
            origin=draw(st.sampled_from(("person", "site"))),
        )
        for name, value in typed.items()
    }
    answers["pool_share"] = Answer(secret(), "unknown", note=secret())
    ended = date(2020, 1, 1)
    waivers = {
        "CKA01": Waiver(secret(), draw(st.sampled_from((None, ended))), secret()),
        "CKB01": Waiver(secret(), ended, secret()),
        secret("X{}"): Waiver(secret(), by=secret()),
    }
    when = datetime(2026, 11, 29, tzinfo=UTC)
    session = Session(
        secret("job {}"), secret(), when, when, (secret(), secret()), answers, waivers
    )
    return session, tuple(secrets)


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A site's rule that quotes the launch line, in a pack with a name."""
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "site.toml").write_text(
        'schema_version = 1\n[pack]\nid = "zqpack"\nversion = "1"\ntitle = "t"\n'
        "[rule.SITE001]\n"
        'title = "Told"\nstatus = "stable"\nseverity = "note"\nplace = "evidence"\n'
        'when = "nodes > 1"\nmessage = "It is started with {framework_settings:text}."\n'
        'remedy = ["Not with {framework_settings:text}."]\nevidence = ["nodes"]\n'
        'doc = "What: w. Why: w. When it does not apply: n."\n'
        '[rule.SITE001.sources.wall]\ntitle = "t"\nwhere = "w"\n'
        '[disable.CKI05]\nreason = "zqreason"\n'
    )
    return folder


@settings(
    max_examples=6,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(made=sessions())
def test_no_secret_is_shown_in_any_format(
    made: tuple[Session, tuple[str, ...]],
    rules: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    session, secrets = made
    path = tmp_path / "job.toml"
    path.unlink(missing_ok=True)
    save(session, path, expected_digest=None)
    for form in _formats():
        ran = inside(capsys, "export", path, "--redact", "--format", form, "--rules", rules)
        assert ran.code == 0
        shown = ran.out.lower()
        found = [text for text in (*secrets, "zqpack", "zqreason") if text.lower() in shown]
        assert (form, found) == (form, [])
        assert "redacted" in shown


def test_without_it_they_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So that the test above can fail."""
    answers = {n: Answer(v, note=f"note of {n}") for n, v in TICKET.items()}
    path = tmp_path / "job.toml"
    save(Session("my-job", "My job", answers=answers), path, expected_digest=None)
    plain = inside(capsys, "export", path).out
    for text in ("my-job", "My job", "note of nodes"):
        assert text in plain
    hidden = inside(capsys, "export", path, "--redact").out
    assert "session redacted" in hidden
    assert "note of" not in hidden


def _figures(value: Any, key: str = "") -> Iterator[tuple[str, object]]:
    """Every number, true and false of an export, with its place."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _figures(item, f"{key}.{name}")
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from _figures(item, f"{key}.{at}")
    elif not isinstance(value, str):
        yield key, value


def test_the_figures_and_outcomes_are_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Flags typed in the launch line still count: the trap they walk into is still found."""
    flags = "--async-save --ckpt-format torch --save /home/me"
    answers = {n: Answer(v, note="n") for n, v in {**TICKET, "framework_settings": flags}.items()}
    answers["mode"] = Answer("async")
    path = tmp_path / "job.toml"
    waived = {"CKI03": Waiver("r", by="me")}
    save(Session("j", "T", answers=answers, waivers=waived), path, expected_digest=None)
    plain, hidden = (
        json.loads(inside(capsys, "export", path, "--format", "json", *more).out)
        for more in ((), ("--redact",))
    )
    assert dict(_figures(hidden)) == dict(_figures(plain))
    assert {r: f["state"] for r, f in hidden["findings"].items()} == {
        r: f["state"] for r, f in plain["findings"].items()
    }
    assert hidden["facts"]["framework_settings"]["value"] == "redacted"
    assert "/home/me" not in json.dumps(hidden)
