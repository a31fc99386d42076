"""Faults of a rule pack: each is shown with its place, a caret, and what to write instead."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from advisor.engine.knowledge import load_knowledge
from advisor.engine.levers import LEVERS
from advisor.engine.pack import Pack, load_packs, names_of
from advisor.facts.toml_text import TomlFault

PACK = """\
schema_version = 1

[pack]
id = "acme"
version = "2026.11"
title = "House rules"

[threshold.few_nodes]
value = 4
unit = "1"
source = "our habit"

[rule.ACME001]
title = "Too few nodes"
status = "stable"
severity = "note"
place = "change"
when = "nodes < few_nodes and stall > '30 s'"
message = "{nodes:count} nodes wait {stall:duration}."
remedy = ["Say {stall:duration}.", "Do something."]
evidence = ["nodes", "stall"]
flip = ["nodes"]
doc = "What: few nodes."
[rule.ACME001.sources.us]
title = "House rules"
where = "the wall"
"""


def load(folder: Path, *texts: str, levers: Sequence[str] = tuple(LEVERS)) -> Pack:
    paths = []
    for index, text in enumerate(texts):
        path = folder / f"pack{index}.toml"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return load_packs(paths, load_knowledge().catalogue, levers)


def fault(folder: Path, *texts: str) -> TomlFault:
    with pytest.raises(TomlFault) as caught:
        load(folder, *texts)
    return caught.value


def changed(old: str, new: str) -> str:
    assert PACK.count(old) == 1, old
    return PACK.replace(old, new)


def at(found: TomlFault) -> str:
    """The source line from the caret on, as the rendered fault shows it."""
    lines = str(found).split("\n")
    caret = next(i for i, line in enumerate(lines) if line.strip() == "^")
    return lines[caret - 1][lines[caret].index("^") :]


def test_a_good_pack_is_read(tmp_path: Path) -> None:
    pack = load(tmp_path, PACK)
    rule = pack.rules["ACME001"]
    assert (rule.pack, rule.severity, rule.place) == ("acme", "note", "change")
    assert rule.family == "ACME"
    assert rule.effort == "configuration"
    assert rule.sources == ("House rules, the wall",)
    assert pack.thresholds["few_nodes"].value == 4
    assert pack.ids == ("acme",)


def test_rules_of_several_packs_come_together(tmp_path: Path) -> None:
    second = PACK.replace("ACME001", "ACME002").replace("few_nodes", "fewer_nodes")
    assert set(load(tmp_path, PACK, second).rules) == {"ACME001", "ACME002"}


FAULTS = {
    # old text, new text, where the caret stands, in the message, in the hint
    "misspelt key": ('title = "Too few', 'titel = "Too few', "titel", "titel", "title"),
    "unknown extra key": ('flip = ["nodes"]', 'flip = ["nodes"]\nflop = 1', "flop", "flop", "flip"),
    "unknown fact in a condition": ("nodes < few", "nods < few", "nods <", "nods", "nodes"),
    "unknown fact, later in it": ("stall > '30", "stal > '30", "stal >", "stal", "stall"),
    "wrong member": ("nodes < few_nodes", "mode == 'asink'", "'asink'", "asink", "async"),
    "bytes against seconds": ("'30 s'", "'30 GB'", "'30 GB'", "duration", "90 s"),
    "seconds against bytes": ("stall > '30 s'", "stall > state_total", "", "size", ""),
    "a call": ("nodes < few_nodes", "open('x') == 1", "open", "known", ""),
    "an attribute": ("nodes < few_nodes", "nodes.real < 4", "", "", ""),
    "an index": ("nodes < few_nodes", "nodes[0] < 4", "", "", ""),
    "a power": ("nodes < few_nodes", "nodes ** 9 < 4", "", "", ""),
    "a lambda": ("nodes < few_nodes", "(lambda: 1) == 1", "", "", ""),
    "a comprehension": ("nodes < few_nodes", "[n for n in 'ab'] == 1", "", "", ""),
    "unknown placeholder": ("{nodes:count} nodes", "{nods:count} nodes", "{nods:", "nods", "nodes"),
    "unknown unit": ("{nodes:count} nodes", "{nodes:pieces} nodes", "{nodes:p", "pieces", "count"),
    "placeholder of a wrong kind": (
        "wait {stall:duration}",
        "wait {stall:size}",
        "{stall:size}",
        "duration",
        "duration",
    ),
    "placeholder in a remedy": (
        '"Say {stall:duration}."',
        '"Say {stal:duration}."',
        "{stal:",
        "stal",
        "stall",
    ),
    "unknown evidence": ('evidence = ["nodes"', 'evidence = ["nods"', "evidence", "nods", "nodes"),
    "computed value to solve for": ('flip = ["nodes"]', 'flip = ["stall"]', "flip", "stall", ""),
    "unknown lever": (
        'flip = ["nodes"]',
        'flip = ["nodes"]\nlever = "async_off"',
        "lever",
        "async_off",
        "async_on",
    ),
    "unknown effort": (
        'flip = ["nodes"]',
        'flip = ["nodes"]\neffort = "moneys"',
        "effort",
        "moneys",
        "money",
    ),
    "unknown severity": ('severity = "note"', 'severity = "notes"', "severity", "notes", "note"),
    "unknown place": ('place = "change"', 'place = "changes"', "place", "changes", "change"),
    "bad rule id": ("[rule.ACME001]\n", "[rule.acme001]\n", "[rule.acme001]", "acme001", "ACME001"),
    "threshold without a value": ("value = 4\n", "", "[threshold.few_nodes]", "value", "value = "),
    "threshold in an unknown unit": ('unit = "1"', 'unit = "parsec"', "unit", "parsec", "known"),
    "threshold named like a fact": (
        "[threshold.few_nodes]",
        "[threshold.nodes]",
        "[threshold.nodes]",
        "nodes",
        "choose",
    ),
    "threshold named like a value": (
        "[threshold.few_nodes]",
        "[threshold.stall]",
        "[threshold.stall]",
        "stall",
        "choose",
    ),
    "wrong schema version": (
        "schema_version = 1",
        "schema_version = 2",
        "schema_version",
        "1",
        "upgrade",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_has_a_place_a_caret_and_a_hint(tmp_path: Path, name: str) -> None:
    old, new, caret, message, hint = FAULTS[name]
    text = changed(old, new)
    found = fault(tmp_path, text)
    assert found.path.endswith("pack0.toml")
    assert found.line >= 1
    assert found.column >= 1
    line = text.split("\n")[found.line - 1]
    assert found.source_line == line
    if caret.startswith("["):
        # A table has its place at its name.
        assert line == caret
    else:
        assert at(found).startswith(caret)
    assert message in found.message
    assert hint in found.hint
    assert f"{found.path}:{found.line}:{found.column}" in str(found)


@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_says_what_to_write(tmp_path: Path, name: str) -> None:
    assert fault(tmp_path, changed(*FAULTS[name][:2])).hint


def test_a_rule_names_a_source(tmp_path: Path) -> None:
    text = PACK[: PACK.index("[rule.ACME001.sources.us]")]
    found = fault(tmp_path, text)
    assert found.source_line == "[rule.ACME001]"
    assert "source" in found.message
    assert "[rule.ACME001.sources.name]" in found.hint


def test_a_source_says_where(tmp_path: Path) -> None:
    found = fault(tmp_path, changed('where = "the wall"\n', ""))
    assert found.key == "rule.ACME001.sources.us"
    assert "where" in found.message


def test_a_rule_id_is_never_used_twice(tmp_path: Path) -> None:
    second = PACK.replace('id = "acme"', 'id = "other"').replace("few_nodes", "hardly_any")
    found = fault(tmp_path, PACK, second)
    assert found.path.endswith("pack1.toml")
    assert found.source_line == "[rule.ACME001]"
    assert "pack0.toml, line 13" in found.message
    assert "number" in found.hint


def test_a_condition_over_several_lines_has_its_caret_inside(tmp_path: Path) -> None:
    text = changed(
        "when = \"nodes < few_nodes and stall > '30 s'\"",
        'when = """\nnodes < few_nodes\nand stal > \'30 s\'"""',
    )
    found = fault(tmp_path, text)
    assert found.source_line == 'and stal > \'30 s\'"""'
    assert found.column == len("and ") + 1


def test_a_condition_in_other_quotes_has_its_caret_inside(tmp_path: Path) -> None:
    text = changed(
        "when = \"nodes < few_nodes and stall > '30 s'\"", "when = 'nodes < few_nodes and stal > 1'"
    )
    assert at(fault(tmp_path, text)).startswith("stal > 1")


def test_a_condition_with_escapes_is_shown_at_its_key(tmp_path: Path) -> None:
    text = changed("nodes < few_nodes", "nods < \\u0034")
    found = fault(tmp_path, text)
    assert at(found).startswith("when")
    assert "nods" in found.message
    assert "column 1" in found.message


@pytest.mark.parametrize("length", [2000, 2001])
def test_a_condition_has_at_most_2000_characters(tmp_path: Path, length: int) -> None:
    condition = "nodes < few_nodes".ljust(length)
    text = changed("nodes < few_nodes and stall > '30 s'", condition)
    if length <= 2000:
        assert load(tmp_path, text).rules["ACME001"].when.text == condition
    else:
        assert "2000" in fault(tmp_path, text).message


def test_a_condition_nested_without_end_is_refused(tmp_path: Path) -> None:
    deep = "not " * 400 + "nodes < few_nodes"
    found = fault(tmp_path, changed("nodes < few_nodes and stall > '30 s'", deep))
    assert "deep" in found.message
    assert found.key == "rule.ACME001.when"


def test_markup_and_escape_codes_stay_as_they_are(tmp_path: Path) -> None:
    """The texts are kept; whoever shows them escapes them."""
    text = changed('title = "Too few nodes"', r'title = "[red]Too few[/red] \u001b[31mnodes"')
    text = text.replace("nodes wait", "<b>nodes</b> [bold]wait[/bold]")
    rule = load(tmp_path, text).rules["ACME001"]
    assert rule.title == "[red]Too few[/red] \x1b[31mnodes"
    assert rule.message == "{nodes:count} <b>nodes</b> [bold]wait[/bold] {stall:duration}."


def test_escape_codes_in_a_fault_do_not_reach_the_terminal(tmp_path: Path) -> None:
    found = fault(tmp_path, changed('status = "stable"', r'status = "\u001b[31mred"'))
    assert "\x1b" not in str(found)


class TestLimits:
    LIMIT = """
[limit.house]
when = "mode == 'sync'"
needs = "nodes"
has = "few_nodes"
of = "at once"
there = "are allowed"
message = "{nodes:count} nodes."
condition = "at most {few_nodes:count} nodes"
flip = ["nodes"]
source = "the wall"
"""

    def test_is_read(self, tmp_path: Path) -> None:
        limit = load(tmp_path, PACK + self.LIMIT).limits["house"]
        assert (limit.needs.text, limit.has.text) == ("nodes", "few_nodes")
        assert limit.when is not None
        assert limit.when.text == "mode == 'sync'"
        assert limit.flip == ("nodes",)

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("{nodes:count}", "{nods:count}"),
            ("{few_nodes:count}", "{few_nods:count}"),
            ('needs = "nodes"', 'needs = "nods"'),
            ('needs = "nodes"', 'needs = "nodes < 4"'),
            ('has = "few_nodes"', 'has = "stall"'),
            ("mode == 'sync'", "mode == 'sink'"),
        ],
    )
    def test_is_checked_like_a_rule(self, tmp_path: Path, old: str, new: str) -> None:
        found = fault(tmp_path, PACK + self.LIMIT.replace(old, new))
        assert found.key.startswith("limit.house")
        assert found.hint


class TestBuiltIn:
    def test_names_mean_one_thing_only(self) -> None:
        knowledge = load_knowledge()
        names = names_of(knowledge.catalogue, knowledge.pack.thresholds)
        assert not set(knowledge.pack.thresholds) & set(knowledge.catalogue.facts)
        assert set(knowledge.pack.thresholds) <= set(names)

    def test_no_bare_number_decides(self) -> None:
        """A figure a verdict hangs on has a name and a source; 0 and 1 are not figures."""
        for rule in load_knowledge().pack.rules.values():
            words = rule.when.text.replace("(", " ").replace(")", " ").split()
            numbers = [w for w in words if w.replace(".", "").isdigit()]
            assert set(numbers) <= {"0", "1"}, rule.id

    def test_no_text_speaks_of_our_own_papers(self) -> None:
        for rule in load_knowledge().pack.rules.values():
            texts = " ".join((rule.title, rule.message, rule.doc, *rule.remedy, *rule.sources))
            assert ".md section" not in texts
            assert "article" not in texts.lower()


def test_storage_layers_are_named_for_a_change_there_is(tmp_path: Path) -> None:
    text = changed('flip = ["nodes"]', 'nearest = ["tiering"]\nflip = ["nodes"]')
    assert load(tmp_path, text).rules["ACME001"].nearest == ("tiering",)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('nearest = ["tearing"]', 'did you mean "tiering"'),
        ('lever = "tiering"\nnearest = ["tiering"]', "lever offers one"),
    ],
)
def test_a_wrong_nearest_is_a_fault(tmp_path: Path, line: str, message: str) -> None:
    found = fault(tmp_path, changed('flip = ["nodes"]', f'{line}\nflip = ["nodes"]'))
    assert message in f"{found.message} {found.hint}"
    assert at(found).startswith("nearest")


def test_storage_layers_stand_with_the_changes(tmp_path: Path) -> None:
    text = changed('place = "change"', 'place = "danger"\nnearest = ["tiering"]')
    assert "only for a rule in the place" in fault(tmp_path, text).message
