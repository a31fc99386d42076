"""Reading declaration files: a site's additions, and faults at the right line and column."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.facts.catalogue_check import check_catalogue
from advisor.facts.catalogue_file import load_catalogue
from advisor.facts.toml_text import TomlFault

HEAD = """\
schema_version = 1
[interview]
version = "1"
title = "T"
[topic.state]
number = 1
title = "State"
question = "How much?"
help = "Measure."
[constant.year]
value = 8760
unit = "h"
source = "Hours."
"""
"""Thirteen lines that every file of these tests begins with; what a test adds starts on line 14."""

FACT = """\
[fact.total]
topic = "state"
label = "State of a save"
question = "How much?"
why = "It decides."
find = "du -sb DIR"
kind = "size"
"""
"""A sound fact, lines 14 to 20; what a test adds to it starts on line 21."""


def write(folder: Path, text: str, name: str = "interview.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_small_file(tmp_path: Path) -> None:
    rest = (
        'minimum = "1 kB"\nmaximum = "2 TB"\nper = ["node"]\ngroup = "state"\nrequired = true\n'
        'ask_if = "known(total)"\nhint = "1 GB"\n'
        'default = { text = "1 GB", low = "1 MB", high = "1 TB", source = "Seen." }\n'
    )
    catalogue = load_catalogue([write(tmp_path, HEAD + FACT + rest)])
    spec = catalogue.facts["total"]
    assert (spec.minimum, spec.maximum) == (1e3, 2e12)
    assert (spec.per, spec.group, spec.required, spec.world) == (("node",), "state", True, True)
    assert spec.default is not None
    assert (spec.default.text, spec.default.low, spec.default.high) == ("1 GB", "1 MB", "1 TB")
    assert catalogue.constants["year"].value == 8760
    assert (catalogue.version, catalogue.title) == ("1", "T")


def test_limits_of_a_kind_hold_unless_a_fact_has_its_own(tmp_path: Path) -> None:
    limit = '[limit.size]\nminimum = "1 MB"\nmaximum = "1 PB"\n'
    own = FACT.replace("fact.total", "fact.own") + 'minimum = "0 B"\n'
    facts = load_catalogue([write(tmp_path, HEAD + limit + FACT + own)]).facts
    assert (facts["total"].minimum, facts["total"].maximum) == (1e6, 1e15)
    assert (facts["own"].minimum, facts["own"].maximum) == (0, 1e15)


def test_a_site_adds_facts_and_gives_constants_another_value(tmp_path: Path) -> None:
    ours = write(tmp_path, HEAD + FACT)
    site = write(
        tmp_path,
        "schema_version = 1\n"
        '[constant.year]\nvalue = 8000\nunit = "h"\nsource = "Our calendar."\n'
        + FACT.replace("fact.total", "fact.quota"),
        "site.toml",
    )
    catalogue = load_catalogue([ours, site])
    assert list(catalogue.facts) == ["total", "quota"]
    assert (catalogue.constants["year"].value, catalogue.constants["year"].source) == (
        8000,
        "Our calendar.",
    )
    assert catalogue.version == "1"


def test_a_fact_declared_twice_names_both_files(tmp_path: Path) -> None:
    ours = write(tmp_path, HEAD + FACT)
    site = write(tmp_path, "schema_version = 1\n" + FACT, "site.toml")
    with pytest.raises(TomlFault) as caught:
        load_catalogue([ours, site])
    assert (caught.value.path, caught.value.line) == (str(site), 2)
    assert f"{ours}, line 14" in caught.value.message


STRUCTURAL = [
    # what is added to HEAD, line, column, part of the message, part of the hint
    (FACT + 'labell = "x"\n', 21, 1, 'no key "labell"', 'did you mean "label"?'),
    (FACT + "hint = 3\n", 21, 8, "wrong type", "text in quotes"),
    (FACT + 'world = "yes"\n', 21, 9, "wrong type", "true or false"),
    (FACT + 'per = "node"\n', 21, 7, "wrong type", "list of texts"),
    (FACT + 'required = 1\n', 21, 12, "wrong type", "true or false"),
    (FACT.replace('"size"', '"sise"'), 20, 8, '"sise" is no kind', 'did you mean "size"?'),
    (FACT.replace('kind = "size"\n', ""), 14, 7, '"kind" is missing', "add a line"),
    (FACT.replace('"It decides."', '""'), 18, 7, '"why" is empty', ""),
    (FACT.replace('"state"', '"stat"'), 15, 9, 'no topic "stat"', 'did you mean "state"?'),
    (FACT + 'minimum = "2 GB"\nmaximum = "1 GB"\n', 21, 11, "least admitted is over", ""),
    (FACT + 'minimum = "2 s"\n', 21, 11, "", ""),
    (FACT + 'maximum = "18"\n', 21, 11, "", ""),
    (FACT + 'group = "state"\nneeds = ["totl"]\n', 22, 9, 'no fact "totl"', '"total"'),
    (FACT + 'needs = ["total"]\n', 21, 1, 'goes with "group"', ""),
    (FACT + 'choices = { a = "A" }\n', 21, 1, "does not go with", ""),
    (FACT.replace('"size"', '"choice"'), 14, 7, "a choice needs its choices", ""),
    (FACT + 'default = { text = "1 GB" }\n', 21, 1, '"source" is missing', ""),
    (FACT + 'default = { source = "S." }\n', 21, 1, "one of text, follows and table", ""),
    (FACT + 'default = { follows = "totle", source = "S." }\n', 21, 23, 'no fact "totle"', ""),
    (FACT + 'default = { table = { a = ["1 GB"] }, on = ["total"], source = "S." }\n',
     21, 21, "wrong type", "rows of three"),
    (FACT + 'default = { table = { a = ["1 GB", "", ""] }, on = ["total"], source = "S." }\n',
     21, 52, "a table depends on choices", ""),
    ('[constant.a]\nvalue = "3"\nunit = "1"\nsource = "S."\n', 15, 9, "wrong type", "number"),
    ('[constant.a]\nvalue = nan\nunit = "1"\nsource = "S."\n', 15, 9, "wrong type", "number"),
    ('[constant.a]\nvalue = 3\nlow = 4\nunit = "1"\nsource = "S."\n', 15, 9, "not between", ""),
    ('[constant.a]\nvalue = 0\nunit = "1"\nsource = "S."\n', 15, 9, "0 is not over 0", "over 0"),
    ('[constant.a]\nvalue = -3\nunit = "1"\nsource = "S."\n', 15, 9, "-3 is not over 0", ""),
    ('[constant.a]\nvalue = 3\nlow = 0\nunit = "1"\nsource = "S."\n', 16, 7, "not over 0", ""),
    ('[constant]\nb = 3\n', 15, 1, "not a table", "[constant.NAME]"),
    ('[limit.sise]\nminimum = "1 kB"\n', 14, 8, "no kind of number", '"size"'),
    ('[facts.x]\nlabel = "L"\n', 14, 2, 'no key "facts"', 'did you mean "fact"?'),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "message", "hint"), STRUCTURAL)
def test_faults_stop_the_loading(
    tmp_path: Path, text: str, line: int, column: int, message: str, hint: str
) -> None:
    with pytest.raises(TomlFault) as caught:
        load_catalogue([write(tmp_path, HEAD + text)])
    fault = caught.value
    assert (fault.line, fault.column) == (line, column)
    assert message in fault.message
    assert hint in fault.hint
    assert "^" in str(fault)


IN_DEFAULTS = [
    ('default = { text = "1", source = "S." }', 20, ""),
    ('default = { text = "?", source = "S." }', 20, "a default has a value"),
    ('default = { text = "1 B", source = "S." }', 20, "outside of the limits"),
    ('default = { text = "1 GB", low = "2 GB", high = "3 GB", source = "S." }', 20, "own range"),
    ('default = { text = "1 GB", low = "1 GB", high = "3 EB", source = "S." }', 49, "the limits"),
]


@pytest.mark.parametrize(("line", "column", "message"), IN_DEFAULTS)
def test_faults_in_defaults_are_found_by_the_check(
    tmp_path: Path, line: str, column: int, message: str
) -> None:
    path = write(tmp_path, f'{HEAD}{FACT}minimum = "1 kB"\nmaximum = "1 EB"\n{line}\n')
    load_catalogue([path])
    (fault,) = check_catalogue([path])
    assert (fault.line, fault.column) == (23, column)
    assert message in fault.message


def test_faults_in_table_defaults(tmp_path: Path) -> None:
    choice = FACT.replace("fact.total", "fact.kind").replace('"size"', '"choice"')
    choice += 'choices = { fast = "Fast", slow = "Slow" }\n'
    table = '[fact.total.default]\non = ["kind"]\nsource = "S."\n[fact.total.default.table]\n'
    rows = 'fast = ["1 GB", "", ""]\nslo = ["1 GB", "", ""]\n"a/b" = ["1 GB", "", ""]\n'
    path = write(tmp_path, HEAD + choice + FACT + table + rows + '"*" = ["1 GX", "", ""]\n')
    faults = check_catalogue([path])
    # Eight lines of the choice, seven of the fact, four of the table's head, after line 13.
    assert [(f.line, f.message.split()[0]) for f in faults[:2]] == [(34, '"slo"'), (35, '"a/b"')]
    assert faults[0].hint == 'did you mean "slow"?'
    assert faults[2].line == 36


def test_every_fault_is_reported_at_once(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD + FACT + 'hnt = "x"\nworld = 1\n')
    with pytest.raises(TomlFault) as caught:
        load_catalogue([path])
    assert [fault.line for fault in (caught.value, *caught.value.more)] == [21, 22]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "there is no schema_version"),
        ("[interview]\n", 1, "there is no schema_version"),
        ("schema_version = 2\n", 1, "schema_version 2 is newer; this program reads 1"),
        ('schema_version = "1"\n', 1, "this schema_version is strange"),
        ("schema_version = true\n", 1, "this schema_version is strange"),
        ("schema_version = 1\n", 1, '"interview" is missing'),
        ("schema_version = 1\n[fact.a\n", 2, "expected ']'"),
        ("schema_version = 1\nfact = 3\n", 2, "wrong type"),
        ("schema_version = 1\x00", 1, "not a text file"),
    ],
)
def test_broken_files(tmp_path: Path, text: str, line: int, message: str) -> None:
    with pytest.raises(TomlFault) as caught:
        load_catalogue([write(tmp_path, text)])
    assert caught.value.line == line
    assert message in caught.value.message


_LEAVES = st.one_of(
    st.text(max_size=5), st.integers(-9, 9), st.booleans(), st.floats(), st.just("1 GB")
)
_KEYS = (
    *("topic", "label", "kind", "minimum", "per", "needs", "choices"),
    *("default", "whole", "text", "on", "table", "low", "x"),
)
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(_KEYS), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(_KEYS), _VALUES, max_size=5))
def test_wrong_values_end_in_faults_only(
    tmp_path_factory: pytest.TempPathFactory, data: dict[str, object]
) -> None:
    """Whatever stands in a fact, reading ends in a catalogue or in faults, never in a traceback."""
    import tomli_w

    fact = {**dict.fromkeys(("label", "question", "why", "find"), "A"), "topic": "state"}
    text = tomli_w.dumps({"fact": {"total": {**fact, "kind": "size", **data}}})
    path = write(tmp_path_factory.mktemp("fact"), HEAD + text)
    faults = check_catalogue([path])
    assert all(fault.line >= 14 for fault in faults)
