"""Hand-written files: only the lines of what changed change, and no comment is lost unnoticed."""

from __future__ import annotations

import difflib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.facts.answers import Answer
from advisor.session.document import Session, Waiver, read_session, render_session
from advisor.session.store import load, save

NOW = datetime(2026, 12, 1, 8, 0, tzinfo=UTC)

HAND = """\
#:schema ./session.schema.json
# from the call of Monday

schema_version = 1

[session]   # who asks
title = 'By hand'
id = "hand"

# the tables stand in an order of their own
[answers.nodes]
source = "measured"     # squeue
value = '128'

[answers.state_total]
value = "12 TB"         # du, roughly
note = "ask again"


[answers.mode]
value = "sync"
[advice]
goodput = 0.5

[advice.plan.CKA01-async_on]
order = 1
"""


def _saved(path: Path, change: Session) -> list[str]:
    """Lines that a save takes away (-) and brings (+), sorted: a diff names them in any order."""
    before = path.read_text().split("\n")
    _, digest = load(path)
    save(change, path, expected_digest=digest)
    assert read_session(path) == change
    diff = difflib.ndiff(before, path.read_text().split("\n"))
    return sorted(line for line in diff if line[0] in "+-")


@pytest.fixture
def hand(tmp_path: Path) -> Path:
    path = tmp_path / "hand.toml"
    path.write_text(HAND)
    return path


def _gone(path: Path) -> bool:
    return path.with_name(f"{path.name}.bak").exists()


def test_a_changed_answer_changes_its_line(hand: Path) -> None:
    session = read_session(hand)
    answer = replace(session.answers["state_total"], value="13 TB")
    changed = session.with_answer("state_total", answer, NOW)
    assert _saved(hand, changed) == sorted(
        [
            "+ updated = 2026-12-01T08:00:00Z",
            '- value = "12 TB"         # du, roughly',
            '+ value = "13 TB"         # du, roughly',
        ]
    )
    assert not _gone(hand)


def test_keys_that_come_and_go(hand: Path) -> None:
    session = read_session(hand)
    changed = session.with_answer("nodes", Answer("64", "guessed", note="Kim"), NOW)
    changed = changed.with_answer("state_total", Answer("12 TB", "measured"), NOW)
    assert _saved(hand, changed) == sorted(
        [
            "+ updated = 2026-12-01T08:00:00Z",
            '- source = "measured"     # squeue',
            "- value = '128'",
            '+ source = "guessed"     # squeue',
            '+ value = "64"',
            '+ note = "Kim"',
            '- note = "ask again"',
            '+ source = "measured"',
        ]
    )
    assert not _gone(hand)


def test_new_answers_go_behind_the_others(hand: Path) -> None:
    session = replace(read_session(hand), advice=None)
    changed = session.with_answer("pool_kind", Answer("gpfs"), NOW)
    changed = changed.with_answer("nvme", Answer("?", "unknown"), NOW)
    assert _saved(hand, changed) == sorted(
        [
            "+ updated = 2026-12-01T08:00:00Z",
            "- [advice]",
            "- goodput = 0.5",
            "+ ",
            "+ [answers.pool_kind]",
            '+ value = "gpfs"',
            '+ source = "estimated"',
            "- [advice.plan.CKA01-async_on]",
            "- order = 1",
            "+ [answers.nvme]",
            '+ value = "?"',
            '+ source = "unknown"',
        ]
    )
    assert not _gone(hand)


def test_a_comment_that_goes_with_its_answer_is_in_the_copy(hand: Path) -> None:
    changed = read_session(hand).without_answer("nodes", NOW)
    _saved(hand, changed)
    assert hand.with_name("hand.toml.bak").read_text() == HAND
    assert "# from the call of Monday" in hand.read_text()
    assert "an order of their own" not in hand.read_text()


def test_a_new_record_leaves_all_else(hand: Path) -> None:
    changed = replace(read_session(hand), advice={"goodput": 0.75, "plan": {}})
    assert _saved(hand, changed) == sorted(
        [
            "+ ",
            "- goodput = 0.5",
            "+ goodput = 0.75",
            "- [advice.plan.CKA01-async_on]",
            "- order = 1",
            "+ [advice.plan]",
        ]
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('[answers.mode]\nvalue = "sync"', '[answers]\nmode = {value = "sync"}  # inline'),
        ('[answers.mode]\nvalue = "sync"', '[answers."mode"]\nvalue = "sync"  # quoted'),
        ('[answers.mode]\nvalue = "sync"', '[ answers . mode ]\nvalue = "sync"  # spaced'),
        ('value = "sync"', 'value = """sync"""  # long'),
        ('value = "sync"', '"value" = "sync"  # quoted key'),
        ("\n", "\r\n"),
    ],
)
def test_forms_that_have_no_line_of_their_own_are_written_anew(
    old: str, new: str, hand: Path
) -> None:
    text = HAND.replace(old, new)
    hand.write_bytes(text.encode())
    session, digest = load(hand)
    changed = session.with_answer("mode", Answer("async", "measured"), NOW)
    save(changed, hand, expected_digest=digest)
    assert read_session(hand) == changed
    assert hand.with_name("hand.toml.bak").read_bytes() == text.encode()


def test_a_header_inside_a_text_is_none(hand: Path) -> None:
    hand.write_text(HAND.replace('"ask again"', '"""\n[answers.mode]\nvalue = "sync"\n"""'))
    session, digest = load(hand)
    changed = session.with_answer("mode", Answer("async"), NOW)
    save(changed, hand, expected_digest=digest)
    assert read_session(hand) == changed


def test_a_changed_waiver_is_written_anew(hand: Path) -> None:
    session, digest = load(hand)
    changed = replace(session, waivers={"CKA01": Waiver("later")})
    save(changed, hand, expected_digest=digest)
    assert read_session(hand) == changed
    assert _gone(hand)


def test_our_own_files_are_written_as_ever(saved: tuple[Path, str], session: Session) -> None:
    path, digest = saved
    changed = session.with_answer("mode", Answer("async", note="n"), NOW)
    save(changed, path, expected_digest=digest)
    assert path.read_text() == render_session(changed)


NAMES = ("nodes", "state_total", "mode", "nvme", "pool_kind")
ANSWERS = st.builds(
    Answer,
    st.text(max_size=8),
    st.sampled_from(("measured", "estimated", "guessed")),
    note=st.text(max_size=6),
    said_by=st.sampled_from(("", "Kim")),
).filter(lambda answer: not answer.is_unknown)


@st.composite
def hand_written(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A file with comments of its own wherever they may stand, and the comments."""
    answers = draw(st.dictionaries(st.sampled_from(NAMES), ANSWERS))
    waivers = {"CKA01": Waiver("later")} if draw(st.booleans()) else {}
    advice = {"goodput": 0.5, "plan": {"X": {"order": 1}}} if draw(st.booleans()) else None
    text = render_session(Session("s", "t", answers=answers, waivers=waivers, advice=advice))
    lines: list[str] = []
    comments: list[str] = []
    for line in text.rstrip("\n").split("\n"):
        if draw(st.booleans()):
            comments.append(f"# comment {len(comments)}.")
            above = draw(st.booleans())
            lines += [comments[-1], line] if above or not line else [f"{line} {comments[-1]}"]
        else:
            lines.append(line)
    return "\n".join(lines) + draw(st.sampled_from(("\n", "", "\n\n"))), comments


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    written=hand_written(),
    given_=st.dictionaries(st.sampled_from(NAMES), ANSWERS, max_size=2),
    taken=st.sets(st.sampled_from(NAMES), max_size=1),
    record=st.sampled_from((None, {"goodput": 0.7})),
)
def test_nothing_is_lost_whatever_was_written(
    written: tuple[str, list[str]],
    given_: dict[str, Answer],
    taken: set[str],
    record: dict[str, float] | None,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    text, comments = written
    path = tmp_path_factory.mktemp("x") / "s.toml"
    path.write_text(text)
    session, digest = load(path)
    changed = session
    for name in taken:
        changed = changed.without_answer(name, NOW)
    for name, answer in given_.items():
        changed = changed.with_answer(name, answer, NOW)
    changed = replace(changed, advice=record)
    save(changed, path, expected_digest=digest)
    after = read_session(path)
    assert after == changed
    assert [*after.answers] == [*changed.answers]
    kept = path.read_text()
    if any(comment not in kept for comment in comments):
        assert path.with_name("s.toml.bak").read_text() == text
    if changed == session:
        assert kept == text
