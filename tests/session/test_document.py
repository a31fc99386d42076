"""The format of the session file: what is read, what is refused and in which words."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.facts.answers import Answer
from advisor.facts.catalogue import Catalogue
from advisor.facts.toml_text import parse_toml
from advisor.session.document import (
    Session,
    Waiver,
    read_session,
    render_session,
    session_from,
)

# The example of the published format, typed here by hand.
EXAMPLE = """\
schema_version = 1

[session]
id = "bloom-176b"
title = "BLOOM 176B on Jean Zay"
created = 2026-11-29T10:00:00Z
updated = 2026-11-29T10:40:00Z
tags = [
    "published",
]

[answers.state_total]
value = "2300 GB"
source = "measured"
note = "du of the last checkpoint"

[answers.mode]
value = "sync"
source = "measured"

[answers.nodes]
value = "?"
source = "unknown"

[waivers.CKA01]
reason = "no host memory until the upgrade"
until = 2027-01-31

[advice]
goodput = 0.9863

[advice.plan.CKA01-async]
order = 1
"""

NOW = datetime(2026, 11, 29, 12, 0, 0, 123456, tzinfo=UTC)


def read(text: str, catalogue: Catalogue | None = None) -> Session:
    return session_from(parse_toml(text, "s.toml"), catalogue)


def test_reads_the_published_example(session: Session, catalogue: Catalogue) -> None:
    assert read(EXAMPLE, catalogue) == session


def test_writes_the_published_example(session: Session) -> None:
    assert render_session(session) == EXAMPLE


def test_one_changed_answer_changes_only_its_lines(session: Session) -> None:
    changed = session.with_answer("mode", Answer("async", "guessed"), NOW)
    before, after = EXAMPLE.split("\n"), render_session(changed).split("\n")
    assert len(before) == len(after)
    differing = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert differing == [
        ("updated = 2026-11-29T10:40:00Z", "updated = 2026-11-29T12:00:00Z"),
        ('value = "sync"', 'value = "async"'),
        ('source = "measured"', 'source = "guessed"'),
    ]


def test_with_and_without_answer_leave_the_old_session_alone(session: Session) -> None:
    more = session.with_answer("keep", Answer("3"), NOW)
    less = more.without_answer("mode", NOW)
    assert list(more.answers) == ["state_total", "mode", "nodes", "keep"]
    assert list(less.answers) == ["state_total", "nodes", "keep"]
    assert list(session.answers) == ["state_total", "mode", "nodes"]
    assert more.updated == datetime(2026, 11, 29, 12, 0, 0, tzinfo=UTC)
    assert session.without_answer("absent", NOW) is session


def test_do_not_know_has_the_source_unknown(session: Session) -> None:
    given_answer = session.with_answer("mode", Answer(" ? ", "measured"), NOW)
    assert given_answer.answers["mode"].source == "unknown"
    text = 'schema_version = 1\n[session]\nid = "a"\n[answers.mode]\nvalue = "?"\n'
    assert read(text).answers["mode"] == Answer("?", "unknown")


def test_unknown_source_keeps_the_text_but_counts_as_unknown(catalogue: Catalogue) -> None:
    text = EXAMPLE.replace(
        'value = "2300 GB"\nsource = "measured"', 'value = "12 parsecs"\nsource = "unknown"'
    )
    answer = read(text, catalogue).answers["state_total"]
    assert answer.value == "12 parsecs"
    assert answer.is_unknown


def test_smallest_file() -> None:
    found = read('schema_version = 1\n[session]\nid = "a"\n[answers.nodes]\nvalue = "4"\n')
    assert found == Session("a", answers={"nodes": Answer("4", "estimated")})
    assert found.created is None
    assert found.advice is None


def test_site_facts_say_so_in_the_file(session: Session) -> None:
    site = session.with_answer("nodes", Answer("4", "measured", origin="site"), NOW)
    assert '[answers.nodes]\nvalue = "4"\nsource = "measured"\nfrom = "site"\n' in (
        render_session(site)
    )
    assert read(render_session(site)).answers["nodes"].origin == "site"


def test_time_without_zone_is_taken_as_utc() -> None:
    text = 'schema_version = 1\n[session]\nid = "a"\ncreated = 2026-01-02T03:04:05\n'
    assert read(text).created == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def test_text_that_looks_like_a_time_stamp_is_kept_as_typed() -> None:
    note = "x\ncreated = 2026-11-29 10:00:00+00:00"
    session = Session("a", answers={"nodes": Answer("1", note=note)})
    assert read(render_session(session)).answers["nodes"].note == note


def test_nothing_is_written_for_none_in_the_advice() -> None:
    session = Session("a", advice={"goodput": None, "plan": {"x": {"gain": None, "order": 1}}})
    assert read(render_session(session)).advice == {"plan": {"x": {"order": 1}}}


TEXT = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=20),
    st.sampled_from(
        ['"', "'''", '"""', "\\", "\\u0041", "a\r\nb\n", "\x1b[31m", "[b]x[/b]", "\x7f", "\0", "#"]
    ),
)
FILLED = TEXT.filter(lambda text: text.strip() != "" and not set(text) <= set("\x1c\x1d\x1e\x1f "))
ZONES = st.integers(-14 * 60, 14 * 60).map(lambda m: timezone(timedelta(minutes=m)))
TIMES = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=ZONES)
ANSWERS = st.builds(
    Answer,
    TEXT.filter(lambda text: text.strip() != "?"),
    st.sampled_from(["measured", "estimated", "guessed", "unknown"]),
    TEXT,
    TEXT,
    TEXT,
    st.sampled_from(["person", "site"]),
)
SCALARS = st.one_of(
    st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), TEXT
)
ADVICE = st.dictionaries(
    TEXT, SCALARS | st.dictionaries(TEXT, SCALARS | st.lists(SCALARS, max_size=3), max_size=3)
)
SESSIONS = st.builds(
    Session,
    id=FILLED,
    title=TEXT,
    created=st.none() | TIMES,
    updated=st.none() | TIMES,
    tags=st.lists(TEXT, max_size=3).map(tuple),
    answers=st.dictionaries(TEXT, ANSWERS, max_size=4),
    waivers=st.dictionaries(
        TEXT, st.builds(Waiver, FILLED, st.none() | st.dates(date(1900, 1, 1)), TEXT), max_size=2
    ),
    advice=st.none() | ADVICE,
)


@given(SESSIONS)
def test_what_is_written_is_read_back(session: Session) -> None:
    text = render_session(session)
    found = read(text)
    assert found == session
    assert list(found.answers) == list(session.answers)
    assert render_session(found) == text


@given(SESSIONS)
def test_a_file_shown_by_a_terminal_steers_nothing(session: Session) -> None:
    assert all(
        category(sign) not in ("Cc", "Cf") for sign in render_session(session) if sign != "\n"
    )


def test_c1_codes_and_turned_text_are_written_escaped(session: Session) -> None:
    odd = replace(session, title="a\u009b31m \u202e b")
    text = render_session(odd)
    assert "\u009b" not in text
    assert "\u202e" not in text
    assert read(text).title == odd.title


def test_read_session_from_a_file(tmp_path: Path, session: Session, catalogue: Catalogue) -> None:
    path = tmp_path / "a.toml"
    path.write_text(EXAMPLE)
    assert read_session(path, catalogue) == session


def test_the_module_does_not_import_pydantic() -> None:
    code = "import sys, advisor.session.store, advisor.session.journal, advisor.session.lock\n"
    code += "print({'pydantic', 'numpy', 'tomli_w', 'textual', 'filelock'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"


def test_a_session_can_be_changed_only_by_making_a_new_one(session: Session) -> None:
    with pytest.raises(AttributeError):
        session.title = "x"  # type: ignore[misc]  # what must not work
    assert replace(session, title="x").title == "x"


def test_a_list_of_times_is_written_and_read_as_typed(session: Session, tmp_path: Path) -> None:
    for typed in ("41 s, 43 s, 62 s", "41; 43;62 s", "41 s\n43 s\n62 s"):
        path = tmp_path / "times.toml"
        told = session.with_answer("rank_times", Answer(typed, "measured"), NOW)
        path.write_text(render_session(told))
        assert read_session(path).answers["rank_times"] == Answer(typed, "measured")
