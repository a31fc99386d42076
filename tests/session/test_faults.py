"""Session files that are wrong: each fault names line, column, key and what to write."""

from __future__ import annotations

import tomllib

import jsonschema  # type: ignore[import-untyped]  # it has no types of its own
import pytest

from advisor.facts.catalogue import Catalogue
from advisor.facts.toml_text import TomlFault, parse_toml
from advisor.session.document import (
    Session,
    render_session,
    session_from,
    session_json_schema,
)
from advisor.session.errors import NewerSchema


def read(text: str, catalogue: Catalogue | None = None) -> Session:
    return session_from(parse_toml(text, "s.toml"), catalogue)


HEAD = 'schema_version = 1\n[session]\nid = "a"\n'

# Text, then line and column counted by hand, key, words of the message, words of the hint.
FAULTS: list[tuple[str, str, tuple[int, int], str, str, str]] = [
    ("empty", "", (1, 1), "schema_version", "no schema_version", "starts with schema_version = 1"),
    ("no version", "[session]\nid = 'a'\n", (1, 1), "schema_version", "no schema_version", ""),
    ("text version", 'schema_version = "1"\n', (1, 18), "schema_version", "is a text", "quotes"),
    ("true", "schema_version = true\n", (1, 18), "schema_version", "not a whole number", ""),
    ("zero", "schema_version = 0\n", (1, 18), "schema_version", "no version 0", ""),
    ("no session", "schema_version = 1\n", (1, 1), "session", "missing", "[session]"),
    ("no id", "schema_version = 1\n[session]\n", (2, 2), "session.id", "missing", 'id = "NAME"'),
    ("blank id", HEAD.replace('"a"', '" "'), (3, 6), "session.id", "is empty", ""),
    ("no value", HEAD + "[answers.nodes]\n", (4, 10), "answers.nodes.value", "missing", '"?"'),
    (
        "number",
        HEAD + "[answers.nodes]\nvalue = 512\n",
        (5, 9),
        "answers.nodes.value",
        'put the value in quotes: value = "512"',
        "",
    ),
    (
        "true value",
        HEAD + "[answers.nodes]\nvalue = true\n",
        (5, 9),
        "answers.nodes.value",
        'put the value in quotes: value = "true"',
        "",
    ),
    (
        "time value",
        HEAD + "[answers.interval]\nvalue = 00:30:00\n",
        (5, 9),
        "answers.interval.value",
        'put the value in quotes: value = "00:30:00"',
        "",
    ),
    (
        "list value",
        HEAD + "[answers.nodes]\nvalue = [1]\n",
        (5, 9),
        "answers.nodes.value",
        "must be a text",
        'value = "',
    ),
    (
        "short form",
        HEAD + '[answers]\nnodes = "512"\n',
        (5, 1),
        "answers.nodes",
        "must be a table",
        'write [answers.nodes] on a line of its own, then value = "512"',
    ),
    (
        "misspelt key",
        HEAD + '[answers.nodes]\nvalue = "1"\nnots = "x"\n',
        (6, 1),
        "answers.nodes.nots",
        'no key "nots"',
        'did you mean "note"?',
    ),
    (
        "misspelt table",
        HEAD + '[anwsers.nodes]\nvalue = "1"\n',
        (4, 2),
        "anwsers",
        'no key "anwsers"',
        'did you mean "answers"?',
    ),
    (
        "misspelt source",
        HEAD + '[answers.nodes]\nvalue = "1"\nsource = "messured"\n',
        (6, 10),
        "answers.nodes.source",
        "must be measured, estimated, guessed or unknown",
        'did you mean "measured"?',
    ),
    (
        "day for a time",
        HEAD + "created = 2026-11-29\n",
        (4, 11),
        "session.created",
        "a date with a time",
        "2026-11-29T10:00:00Z",
    ),
    (
        "text for a day",
        HEAD + '[waivers.CKA01]\nreason = "x"\nuntil = "soon"\n',
        (6, 9),
        "waivers.CKA01.until",
        "must be a date",
        "2027-01-31",
    ),
    ("waiver", HEAD + "[waivers.A]\n", (4, 10), "waivers.A.reason", "missing", "say why"),
    ("one tag", HEAD + 'tags = "x"\n', (4, 8), "session.tags", "list of texts", '["a", "b"]'),
    (
        "number as tag",
        HEAD + 'tags = ["x", 7]\n',
        (4, 14),
        "session.tags[1]",
        "in quotes",
        "",
    ),
    (
        "twice",
        HEAD + '[answers.nodes]\nvalue = "1"\nvalue = "2"\n',
        (6, 1),
        "answers.nodes.value",
        "already set on line 5",
        "",
    ),
]


@pytest.mark.parametrize(
    ("text", "place", "key", "message", "hint"),
    [row[1:] for row in FAULTS],
    ids=[row[0] for row in FAULTS],
)
def test_faults_name_place_key_and_remedy(
    text: str, place: tuple[int, int], key: str, message: str, hint: str
) -> None:
    with pytest.raises(TomlFault) as caught:
        read(text)
    fault = caught.value
    assert (fault.line, fault.column) == place
    assert fault.key == key
    assert message in fault.message
    assert hint in fault.hint
    assert str(fault).startswith(f"s.toml:{place[0]}:{place[1]}: {key}: ")


@pytest.mark.parametrize(
    ("table", "place", "key", "message", "hint"),
    [
        ('[answers.nodse]\nvalue = "4"', (4, 10), "answers.nodse", "no fact", '"nodes"?'),
        ('[answers.mode]\nvalue = "asink"', (5, 9), "answers.mode.value", "asink", '"async"?'),
        ('[answers.nodes]\nvalue = "4.5"', (5, 9), "answers.nodes.value", "whole number", ""),
        ('[answers.nodes]\nvalue = "0"', (5, 9), "answers.nodes.value", "least", ""),
        ('[answers.nodes]\nvalue = "2e6"', (5, 9), "answers.nodes.value", "most", ""),
        ('[answers.state_total]\nvalue = "18"', (5, 9), "answers.state_total.value", "", ""),
        ('[answers.state_total]\nvalue = "18 Gb"', (5, 9), "answers.state_total.value", "", ""),
        ('[answers.state_total]\nvalue = ""', (5, 9), "answers.state_total.value", "", ""),
    ],
    ids=lambda value: value.split("\n")[-1] if isinstance(value, str) else "",
)
def test_values_are_checked_against_the_catalogue(
    catalogue: Catalogue, table: str, place: tuple[int, int], key: str, message: str, hint: str
) -> None:
    text = f"{HEAD}{table}\n"
    assert read(text).id == "a"
    with pytest.raises(TomlFault) as caught:
        read(text, catalogue)
    fault = caught.value
    assert (fault.line, fault.column, fault.key) == (*place, key)
    assert message in fault.message
    assert hint in fault.hint


def test_all_faults_are_shown_in_the_order_of_the_file() -> None:
    text = HEAD + "[answers.b]\nnote = 3\nvalue = 1\n[answers.a]\nvalue = 2\n"
    with pytest.raises(TomlFault) as caught:
        read(text)
    places = [(one.line, one.column) for one in (caught.value, *caught.value.more)]
    assert places == [(5, 8), (6, 9), (8, 9)]


def test_a_file_full_of_faults_does_not_flood_the_screen() -> None:
    text = HEAD + "".join(f"[answers.a{n}]\nvalue = {n}\n" for n in range(500))
    with pytest.raises(TomlFault) as caught:
        read(text)
    assert str(caught.value).count("put the value in quotes") == 20


def test_newer_version_says_upgrade() -> None:
    with pytest.raises(NewerSchema) as caught:
        read("schema_version = 2\nanything = [1]\n")
    assert caught.value.message == (
        "written by a newer ckpt-advisor (schema 2; this one reads 1): upgrade ckpt-advisor"
    )


def test_json_schema_agrees_with_the_reader(session: Session) -> None:
    """The validator is jsonschema; times are texts in JSON, so they are left out."""
    schema = session_json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    lines = render_session(session).split("\n")
    text = "\n".join(x for x in lines if not x.startswith(("created", "updated", "until")))
    assert validator.is_valid(tomllib.loads(text))
    for name, broken, *_ in FAULTS:
        if name not in ("day for a time", "text for a day", "twice"):
            assert not validator.is_valid(tomllib.loads(broken)), name
