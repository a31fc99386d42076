"""The rules as a list and one in full, with a site's own pack."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.engine.knowledge import load_knowledge
from tests.commands.support import inside

PACK = """\
schema_version = 1

[pack]
id = "acme"
version = "2026.01"
title = "House rules of Acme"

[rule.ACME001]
title = "More than a thousand nodes"
status = "preview"
severity = "note"
place = "evidence"
when = "nodes > 1000"
message = "{nodes:count} nodes."
remedy = ["Ask the pool team first."]
evidence = ["nodes"]
flip = ["nodes"]
doc = "What: a large job.\\nWhy: the pool is shared.\x1b[31m"

[rule.ACME001.sources.one]
title = "House rules"
where = "wiki"
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    (tmp_path / "acme.toml").write_text(PACK.replace("\x1b", "\\u001b"))
    return tmp_path


@pytest.mark.parametrize("words", [["rules"], ["rules", "list"]])
def test_every_rule_is_listed_once(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, *words)
    lines = ran.out.rstrip("\n").split("\n")
    assert (ran.code, ran.err) == (0, "")
    assert lines[0].startswith("rule ")
    ids = [line.split()[0] for line in lines[1:]]
    assert ids == sorted(load_knowledge().pack.rules)


@pytest.mark.parametrize("family", ["i", "CKI"])
def test_one_family(family: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = inside(capsys, "rules", "list", "--family", family).out
    ids = [line.split()[0] for line in out.rstrip("\n").split("\n")[1:]]
    assert "CKI01" in ids
    assert all(name.startswith("CKI") for name in ids)


def test_one_rule_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "rules", "show", "cka01")
    assert ran.code == 0
    assert ran.out.startswith("CKA01: ")
    for part in ("severity", "applies when", "says", "about", "thresholds solved for", "sources"):
        assert f"\n{part}" in ran.out


def test_a_pack_of_the_site(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = inside(capsys, "rules", "--rules", pack, "list", "--family", "ACME").out
    assert listed.split("\n")[1].split() == [
        *("ACME001", "note", "acme"),
        *("More", "than", "a", "thousand", "nodes", "(preview)"),
    ]
    shown = inside(capsys, "rules", "show", "ACME001", "--rules", pack).out
    assert "\nseverity note\n" in shown
    assert "\napplies when\n  nodes > 1000\n" in shown
    assert "\nsays\n  {nodes:count} nodes.\n" in shown
    assert "\nto do\n  Ask the pool team first.\n" in shown
    assert "\nabout\n  What: a large job.\n  Why: the pool is shared.\\x1b[31m\n" in shown
    assert "\nthresholds solved for\n  nodes\n" in shown
    assert "\nsources\n  House rules, wiki\n" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show", "CKA001"], 'there is no rule or framework "CKA001"\n    did you mean "CKA01'),
        (["show", "zzz"], "ckpt-advisor rules list and rules frameworks show all"),
        (["show", "megatron-ml"], 'did you mean "megatron-lm"?'),
        (["list", "--family", "Q"], "there are CKA, CKB"),
    ],
)
def test_an_unknown_one(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "rules", *words)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_a_faulty_pack_is_told_with_its_place(
    pack: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = pack / "acme.toml"
    path.write_text(path.read_text().replace("nodes > 1000", "nodse > 1000"))
    for words in (["rules"], ["advise", "--set", "nodes=3"], ["replay", str(path)]):
        ran = inside(capsys, *words, "--rules", pack)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith(f"{path}:13:")
        assert "did you mean 'nodes'?" in ran.err


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("none", "there is no such folder"),
        ("file", "this is a file, not a folder"),
        ("empty", "there are no rules here"),
    ],
)
def test_a_folder_that_holds_no_rules(
    name: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "empty").mkdir()
    ran = inside(capsys, "rules", "--rules", tmp_path / name)
    assert (ran.code, ran.out) == (2, "")
    assert f"{tmp_path / name}: {said}" in ran.err


def test_a_faulty_framework_file(
    ticket: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "rules" / "frameworks"
    place.mkdir(parents=True)
    (place / "megatron-lm.toml").write_text("schema_version = 1\ncolour = 3\n")
    ran = inside(capsys, "advise", ticket, "--rules", place.parent)
    assert (ran.code, ran.out) == (2, "")
    assert str(place / "megatron-lm.toml") in ran.err
    assert "Traceback" not in ran.err


def test_the_rules_of_the_config_folder_are_used_unasked(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = home / "config" / "rules"
    folder.mkdir(parents=True)
    (folder / "acme.toml").write_text(PACK.replace("\x1b", "\\u001b"))
    assert "ACME001" in inside(capsys, "rules", "list").out


def test_a_fault_in_the_rules_of_the_config_folder_is_told(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = home / "config" / "rules"
    folder.mkdir(parents=True)
    (folder / "acme.toml").write_text("schema_version = 2\n")
    ran = inside(capsys, "advise", "--set", "nodes=12")
    assert ran.code == 2
    assert "acme.toml:1:" in ran.err
