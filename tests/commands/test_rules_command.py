"""The rules as a list and one in full, with a site's own pack."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.engine.knowledge import load_knowledge
from advisor.facts.folders import builtin_rules
from tests.commands.support import inside
from tests.engine.layer_support import SMALL as SMALL_LAYER
from tests.engine.layer_support import write as write_layer

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
    for part in ("Severity", "Applies when", "Says", "To do", "Thresholds are", "Sources", "What:"):
        assert f"\n{part}" in ran.out


def test_a_pack_of_the_site(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = inside(capsys, "rules", "--rules", pack, "list", "--family", "ACME").out
    assert listed.split("\n")[1].split() == [
        *("ACME001", "note", "acme"),
        *("More", "than", "a", "thousand", "nodes", "(preview)"),
    ]
    shown = inside(capsys, "rules", "show", "ACME001", "--rules", pack).out
    assert "\nSeverity note, pack acme.\n" in shown
    assert "\nApplies when\n\n    nodes > 1000\n" in shown
    assert "\nSays\n\n- {nodes:count} nodes.\n" in shown
    assert "\nTo do\n\n- Ask the pool team first.\n" in shown
    assert "\nWhat: a large job.\n\nWhy: the pool is shared." in shown
    assert "\x1b" not in shown
    assert "\nThresholds are solved for\n\n- nodes\n" in shown
    assert "\nSources\n\n- House rules, wiki\n" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["show", "CKA001"],
            'there is no rule, framework or storage layer "CKA001"\n    did you mean "CKA01',
        ),
        (["show", "zzz"], "rules list, rules frameworks and rules layers show all"),
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


def test_the_reference_is_what_the_rules_say(capsys: pytest.CaptureFixture[str]) -> None:
    """Write it again with ``python -m advisor rules docs -o rules/reference.md``."""
    written = (builtin_rules() / "reference.md").read_text()
    assert inside(capsys, "rules", "docs").out == written


def test_the_reference_names_what_a_site_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = PACK.split("[rule.")[0]
    (tmp_path / "acme.toml").write_text(f'{head}[disable.CKI05]\nreason = "we chose it"\n')
    out = inside(capsys, "rules", "docs", "--rules", tmp_path).out
    assert "What the site changed" in out
    assert "acme switches CKI05 off" in out
    assert "## CKI05" not in out
    listed = inside(capsys, "rules", "list", "--rules", tmp_path).out
    assert listed.rstrip().split("\n")[-1].split() == [
        "CKI05",
        "off",
        "acme",
        *["we", "chose", "it"],
    ]


def test_outcomes_for_one_job(ticket: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = inside(capsys, "rules", "list", ticket, "--outcome", "hit").out
    rows = [line.split() for line in out.rstrip().split("\n")]
    assert rows[0][:4] == ["rule", "severity", "pack", "outcome"]
    assert {"CKA01", "CKI01", "CKB02"} <= {row[0] for row in rows[1:]}
    assert {row[3] for row in rows[1:]} == {"hit"}
    every = inside(capsys, "rules", "list", ticket).out
    assert len(every.split("\n")) > len(out.split("\n"))


def test_an_outcome_needs_a_job(capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "rules", "list", "--outcome", "hit")
    assert (ran.code, ran.out) == (2, "")
    assert "needs a job" in ran.err


def test_one_status(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = inside(capsys, "rules", "list", "--status", "preview", "--rules", pack).out
    assert "ACME001" in out
    assert "CKI01" not in out


def test_why_a_rule_applies(ticket: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "rules", "explain", "CKI01", ticket)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("CKI01 applies: ")
    for part in ("Condition", "Comparisons", "decides alone", "How far from flipping"):
        assert part in ran.out


def test_why_a_rule_is_undecided(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = inside(capsys, "rules", "explain", "CKI01", few).out
    assert out.startswith("CKI01 cannot be decided yet: ")
    assert "To decide it\n  State of one save (state_total)\n    du -sb" in out
    assert "How far from flipping" not in out


def test_every_storage_layer_is_listed_once(capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "rules", "layers")
    lines = ran.out.rstrip("\n").split("\n")
    assert (ran.code, ran.err) == (0, "")
    assert [line.split()[0] for line in lines[1:]] == sorted(load_knowledge().layers)
    gone = [line.split()[0] for line in lines if line.endswith("(deprecated)")]
    assert gone == ["nebula"]


def test_one_storage_layer_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "rules", "show", "BeeOND")
    assert ran.code == 0
    assert ran.out.startswith("beeond: BeeOND (BeeGFS On Demand)\n")
    for part in ("a lost node", "needs", "look out for", "lines", "lines for peer_copy", "sources"):
        assert f"\n{part}\n" in ran.out
    assert "\n  beeond start -n NODE_FILE " in ran.out


def test_a_deprecated_layer_names_what_to_use(capsys: pytest.CaptureFixture[str]) -> None:
    out = inside(capsys, "rules", "show", "nebula").out
    assert "\ndeprecated, never advised\n  Use instead: dcp.async_save" in out


def test_a_layer_of_the_site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_layer(tmp_path / "storage", SMALL_LAYER.replace("A cache.", "A cache.\\u001b[31m"))
    listed = inside(capsys, "rules", "layers", "--rules", tmp_path).out
    assert "\nmine " in listed
    shown = inside(capsys, "rules", "show", "mine", "--rules", tmp_path).out
    assert "\x1b" not in shown
    assert "\n  mine start DIR --every POOL_EVERY\n" in shown


def test_a_faulty_layer_of_the_site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_layer(tmp_path / "storage", SMALL_LAYER.replace('"nfs"', '"floppy"'))
    ran = inside(capsys, "rules", "layers", "--rules", tmp_path)
    assert (ran.code, ran.out) == (2, "")
    # pools stands on line 15, counted by hand.
    assert "mine.toml:15:1: fits.pools" in ran.err


def test_a_rule_switched_off_is_still_shown_and_listed(
    ticket: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = PACK.split("[rule.")[0]
    folder = tmp_path / "pack"
    folder.mkdir()
    (folder / "acme.toml").write_text(f'{head}[disable.CKI05]\nreason = "we chose it"\n')
    shown = inside(capsys, "rules", "show", "CKI05", "--rules", folder)
    assert (shown.code, shown.err) == (0, "")
    assert "switched off by acme: we chose it" in " ".join(shown.out.split())
    listed = inside(capsys, "rules", "list", ticket, "--rules", folder)
    assert (listed.code, listed.err) == (0, "")
    last = listed.out.rstrip().split("\n")[-1].split()
    assert last == ["CKI05", "off", "acme", "off", "we", "chose", "it"]


def test_a_waiver_in_force_today_is_none_that_has_ended(
    ticket: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    waiver = '[waivers.CKI01]\nreason = "the audit"\nuntil = 2999-01-01\n'
    ticket.write_text(f"{ticket.read_text()}\n{waiver}")
    out = inside(capsys, "rules", "explain", "CKI01", ticket).out
    assert "Waived: the audit (until 2999-01-01)" in out
    rows = inside(capsys, "rules", "list", ticket, "--outcome", "waived").out
    assert rows.rstrip().split("\n")[-1].startswith("CKI01")
