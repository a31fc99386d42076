"""The site file: read as strictly as a session, and only where a session says nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.engine.knowledge import load_knowledge
from advisor.facts.answers import Answer
from advisor.facts.catalogue import Catalogue
from advisor.facts.toml_text import TomlFault
from advisor.session.document import Session
from advisor.session.errors import NewerSchema
from advisor.session.site import read_site, with_site


@pytest.fixture(scope="module")
def facts() -> Catalogue:
    return load_knowledge().catalogue


def _site(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "site.toml"
    path.write_text(text)
    return path


def test_answers_are_marked_as_of_the_site(tmp_path: Path, facts: Catalogue) -> None:
    text = '[answers.pool_write]\nvalue = "90 GB/s"\nsource = "measured"\nnote = "fio"\n'
    wanted = {"pool_write": Answer("90 GB/s", "measured", "fio", origin="site")}
    assert read_site(_site(tmp_path, text), facts) == wanted
    assert read_site(_site(tmp_path, f"schema_version = 1\n{text}"), facts) == wanted
    assert read_site(_site(tmp_path, ""), facts) == {}


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ('[answers.pool_wrte]\nvalue = "1 GB/s"', "1:10", 'there is no fact "pool_wrte"'),
        ('[answers.nodes]\nvalue = "many"', "2:9", "answers.nodes.value"),
        ("[answers.nodes]\nvalue = 12", "2:9", 'put the value in quotes: value = "12"'),
        ('[session]\nid = "a"', "1:2", 'there is no key "session" here'),
        ('[advice]\ngoodput = 1.0\n[answers.nodes]\nvalue = "1"', "1:2", 'no key "advice"'),
        ("schema_version = 'x'", "1:18", "the version is a text"),
        ("[answers", "1:9", "answers"),
    ],
)
def test_faults_have_a_place(
    text: str, place: str, said: str, tmp_path: Path, facts: Catalogue
) -> None:
    with pytest.raises(TomlFault) as fault:
        read_site(_site(tmp_path, text), facts)
    assert f"site.toml:{place}: " in str(fault.value)
    assert said in str(fault.value)


def test_a_newer_site_file_is_refused(tmp_path: Path, facts: Catalogue) -> None:
    with pytest.raises(NewerSchema, match="upgrade ckpt-advisor"):
        read_site(_site(tmp_path, "schema_version = 2"), facts)


SITE = {
    "pool_write": Answer("90 GB/s", origin="site"),
    "node_mtbf": Answer("5 years", origin="site"),
}


@pytest.mark.parametrize(
    ("own", "taken"),
    [
        ({}, ["pool_write", "node_mtbf"]),
        ({"pool_write": "50 GB/s"}, ["node_mtbf"]),
        ({"pool_write": "?"}, ["node_mtbf"]),
        ({"job_mtbf": "10 h"}, ["pool_write"]),
        ({"pool_write": "50 GB/s", "interruptions": "3"}, []),
    ],
)
def test_a_session_keeps_what_it_says(
    own: dict[str, str], taken: list[str], facts: Catalogue
) -> None:
    session = Session("job", answers={name: Answer(value) for name, value in own.items()})
    filled = with_site(session, SITE, facts)
    assert {n: a for n, a in filled.answers.items() if n in own} == session.answers
    assert [name for name, answer in filled.answers.items() if answer.origin == "site"] == taken
