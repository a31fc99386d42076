"""``rules check`` on a site's packs: a sound one passes, each kind of fault is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.support import Ran, inside

PACK = """\
schema_version = 1

[pack]
id = "acme"
version = "1.0"
title = "House rules"
settings = ["--nice"]

[threshold.many_nodes]
value = 1000
unit = "1"
source = "what the pool team can follow by hand"

[rule.ACME001]
title = "More nodes than the pool team follows by hand"
status = "stable"
severity = "note"
place = "evidence"
when = "nodes > many_nodes"
message = "{nodes:count} nodes start a save at once; tell the pool team before the first one."
remedy = ["Start the job with --nice."]
evidence = ["nodes"]
flip = ["nodes"]
doc = \"\"\"
What: A job of more nodes than the pool team follows by hand.
Why: Its first save is the largest burst of the day.
When it does not apply: The job writes to its own drives only.
\"\"\"

[rule.ACME001.sources.wall]
title = "House rules of Acme"
where = "the wall of the pool team"
"""

FIXTURES = {
    "hit.two-thousand": """\
[facts]
nodes = "2000"

[expect]
state = "hit"
severity = "note"
message = "2,000 nodes start a save at once; tell the pool team before the first one."
""",
    "clear.ten": '[facts]\nnodes = "10"\n\n[expect]\nstate = "clear"\n',
    "unknown.nobody-knows": (
        '[facts]\nstate_total = "1 TB"\n\n[expect]\nstate = "unknown"\nmissing = ["nodes"]\n'
    ),
    "edge.a-thousand": (
        '[facts]\nstate_total = "1 TB"\n\n[edge]\nfact = "nodes"\n\n'
        '[edge.states]\n"999" = "clear"\n"1000" = "clear"\n"1001" = "hit"\n'
    ),
}


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CKPT_ADVISOR_HOME", str(tmp_path_factory.mktemp("home")))


def site(folder: Path, pack: str = PACK, **changes: str) -> Path:
    (folder / "acme.toml").write_text(pack)
    place = folder / "fixtures" / "ACME001"
    place.mkdir(parents=True)
    for name, text in {**FIXTURES, **changes}.items():
        if text:
            (place / f"{name}.toml").write_text(text)
    return folder


def checked(folder: Path, capsys: pytest.CaptureFixture[str]) -> Ran:
    return inside(capsys, "rules", "check", folder)


def test_a_sound_pack_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = checked(site(tmp_path), capsys)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "1 rule and 4 fixtures: nothing is wrong.\n"


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        ("nodes > many_nodes", "nodess > many_nodes", "acme.toml:19:9", "did you mean 'nodes'"),
        ("nodes > many_nodes", "nodes > '3 GB'", "acme.toml:19:", "rule.ACME001.when"),
        ("{nodes:count} nodes start", "Many nodes start", "acme.toml:20:", "has no figure"),
        ("before the first one.", "before the first one", "acme.toml:20:", "full stop"),
        ("Why: Its first save is the largest burst of the day.\n", "", "acme.toml:24:", '"Why:"'),
        ("--nice.", "--nicer.", "acme.toml:21:", "--nicer"),
        ('where = "the wall of the pool team"', 'where = "?"', "acme.toml:", "where it is found"),
        (
            "nodes > many_nodes",
            "nodes > many_nodes and (nodes > many_nodes or state_total > '1 kB')",
            "acme.toml:19:",
            "never decides a fixture",
        ),
        ('id = "acme"', 'id = "ckpt-acme"', "acme.toml:4:", "reserved"),
    ],
)
def test_a_fault_of_the_pack(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    old: str,
    new: str,
    place: str,
    words: str,
) -> None:
    assert old in PACK
    ran = checked(site(tmp_path, PACK.replace(old, new)), capsys)
    assert (ran.code, ran.out) == (2, "")
    assert place in ran.err
    assert words in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("hit.two-thousand", "", "there is no fixture for: hit"),
        ("edge.a-thousand", "", "there is no fixture for: edge"),
        (
            "clear.ten",
            '[facts]\nnodes = "5000"\n\n[expect]\nstate = "clear"\n',
            "expected 'clear', the rule gives 'hit'",
        ),
        ("clear.ten", '[facts]\nnodes = "10"\n\n[expect]\nstate = "hit"\n', 'is named "clear"'),
        ("clear.ten", '[facts]\nnodes = "10 GB"\n\n[expect]\nstate = "clear"\n', "facts.nodes"),
        ("clear.ten", '[fact]\nnodes = "10"\n', '"fact" is not known here'),
        ("clear.ten", '[facts]\nnodes = 10\n\n[expect]\nstate = "clear"\n', "texts in quotes"),
        ("clear.ten", "[facts\n", "clear.ten.toml:1:"),
        ("odd.one", FIXTURES["clear.ten"], "names no outcome"),
        (
            "edge.a-thousand",
            FIXTURES["edge.a-thousand"].replace('"1000" = "clear"', '"1000" = "hit"'),
            "expected 'hit', the rule gives 'clear'",
        ),
    ],
)
def test_a_fault_of_a_fixture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, words: str
) -> None:
    ran = checked(site(tmp_path, **{name: text}), capsys)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
    assert "Traceback" not in ran.err


def test_every_fault_of_a_folder_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site(tmp_path, PACK.replace("nodes > many_nodes", "nodess > many_nodes"))
    (tmp_path / "other.toml").write_text("schema_version = 2\n")
    (tmp_path / "frameworks").mkdir()
    (tmp_path / "frameworks" / "mine.toml").write_text("schema_version = 1\n")
    (tmp_path / "interview.toml").write_text("schema_version = 1\n[fact.x]\nkind = 'sise'\n")
    ran = checked(tmp_path, capsys)
    assert ran.code == 2
    for place in ("acme.toml:19:9", "other.toml:1:", "mine.toml:1:", "interview.toml:2:"):
        assert place in ran.err


def test_a_fault_of_a_storage_layer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = site(tmp_path)
    (folder / "storage").mkdir()
    (folder / "storage" / "mine.toml").write_text("schema_version = 1\n[layer]\nid = 3\n")
    ran = checked(folder, capsys)
    assert (ran.code, ran.out) == (2, "")
    assert "mine.toml:1:" in ran.err


def test_a_folder_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = checked(tmp_path / "nowhere", capsys)
    assert (ran.code, ran.out) == (2, "")
    assert "nowhere" in ran.err
