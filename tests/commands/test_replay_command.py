"""The replay command: its table, its JSON, what it rewrites, and its exit codes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from advisor.session.lock import SessionLock
from tests.commands.support import inside

BAD = 'schema_version = 1\n[session]\nid = "bad"\n[answers.nodes]\nvalue = "12x"\n'


@pytest.fixture
def replayed(ticket: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The folder of the ticket, with its advice stored."""
    assert inside(capsys, "replay", ticket, "--update").code == 0
    return ticket.parent


def _edit(path: Path, pattern: str, text: str) -> None:
    old = path.read_text()
    new = re.sub(pattern, text, old, count=1, flags=re.MULTILINE)
    assert new != old
    path.write_text(new)


def test_new_is_no_difference(ticket: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = ticket.read_bytes()
    ran = inside(capsys, "replay", ticket)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.split("\n")[0].split() == ["session", "then", "now", "difference", "why"]
    assert re.search(r"ticket\.toml +- +84\.7 % -> 94\.1 % +new\n", ran.out)
    assert ran.out.endswith("\n1 new\n")
    assert ticket.read_bytes() == before


def test_update_then_replay_is_the_same(replayed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "replay", replayed)
    assert (ran.code, ran.err) == (0, "")
    assert re.search(r"84\.7 % -> 94\.1 % +84\.7 % -> 94\.1 % +same\n", ran.out)
    before = (replayed / "ticket.toml").stat()
    assert inside(capsys, "replay", replayed, "--update").code == 0
    assert (replayed / "ticket.toml").stat() == before


def test_update_leaves_the_answers_and_the_day_alone(
    few: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = few.read_text()
    inside(capsys, "replay", few, "--update")
    assert few.read_text().startswith(before)


def test_a_difference_is_shown_and_explained(
    replayed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _edit(replayed / "ticket.toml", r"^goodput = .*", "goodput = 0.8")
    _edit(replayed / "ticket.toml", r"^knowledge_version = .*", 'knowledge_version = "2025.01"')
    ran = inside(capsys, "replay", replayed, "--diff")
    assert ran.code == 1
    assert re.search(
        r"80 % -> 94\.1 % +84\.7 % -> 94\.1 % +1 figure, \+4\.7 points now +rules 2025\.01 ",
        ran.out,
    )
    assert re.search(r"^  goodput +0\.8 +0\.8468\d*$", ran.out, re.MULTILINE)
    assert "within 1e-6 of their value, the best interval and its band within 1e-4." in ran.out
    assert ran.out.endswith("\n1 differs\n")


def test_update_settles_a_difference(replayed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _edit(replayed / "ticket.toml", r"^goodput = .*", "goodput = 0.8")
    ran = inside(capsys, "replay", replayed, "--update")
    assert ran.code == 0
    assert "1 differs, 1 rewritten" in ran.out
    assert inside(capsys, "replay", replayed).code == 0


def test_a_step_that_was_not_in_the_plan(
    replayed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (replayed / "ticket.toml").read_text()
    (replayed / "ticket.toml").write_text(text[: text.index("[advice.plan.")] + "[advice.plan]\n")
    ran = inside(capsys, "replay", replayed, "--diff")
    assert ran.code == 1
    assert re.search(r"^  plan\.CKA01-async_on +none +step 1$", ran.out, re.MULTILINE)


def test_a_mix_runs_to_its_end(replayed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = (replayed / "ticket.toml").read_text()
    (replayed / "more").mkdir()
    (replayed / "more" / "differs.toml").write_text(good.replace("15 min", "20 min"))
    (replayed / "more" / "new.toml").write_text(good[: good.index("[advice]")])
    (replayed / "bad.toml").write_text(BAD)
    (replayed / "newer.toml").write_text("schema_version = 2\n")
    (replayed / "notes.txt").write_text("no session")
    (replayed / ".hidden.toml").write_text(BAD)
    ran = inside(capsys, "replay", replayed, replayed / "ticket.toml", "--format", "json")
    data = json.loads(ran.out)
    names = [Path(row["path"]).name for row in data["sessions"]]
    assert names == ["bad.toml", "newer.toml", "ticket.toml", "differs.toml", "new.toml"]
    states = [row["state"] for row in data["sessions"]]
    assert states == ["error", "error", "same", "differs", "new"]
    assert data["counts"] == {"same": 1, "differs": 1, "new": 1, "error": 2}
    assert data["tolerance"] == {"relative": 1e-6, "relative_at_peak": 1e-4, "absolute": 1e-9}
    assert ran.code == 2
    assert "bad.toml:5:9: answers.nodes.value: " in ran.err
    assert "upgrade ckpt-advisor" in ran.err
    changed = data["sessions"][3]
    assert changed["why"] == ["the answers changed since it was stored"]
    found = {item["key"]: (item["then"], item["now"]) for item in changed["differences"]}
    assert found["interval_s"] == (900, 1200)


def test_stored_values_json_does_not_have(
    replayed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _edit(replayed / "ticket.toml", r"^goodput = .*", "goodput = nan")
    _edit(replayed / "ticket.toml", r"^path = .*", "path = 2026-11-29")
    _edit(replayed / "ticket.toml", r"^ceiling = .*", "ceiling = [inf]")
    ran = inside(capsys, "replay", replayed, "--format", "json")
    data = json.loads(ran.out, parse_constant=pytest.fail)
    then = {item["key"]: item["then"] for item in data["sessions"][0]["differences"]}
    assert then == {"goodput": "nan", "path": "2026-11-29", "ceiling": ["inf"]}
    assert inside(capsys, "replay", replayed, "--diff").code == 1


@pytest.mark.parametrize("advice", ["[advice]", "[advice]\nplan = 3", '[advice.plan]\nx = "y"'])
def test_an_odd_record_is_a_difference_at_most(
    advice: str, few: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few.write_text(f"{few.read_text()}\n{advice}\n")
    ran = inside(capsys, "replay", few, "--diff")
    assert ran.code == (0 if advice == "[advice]" else 1)
    assert ran.err == ""


def test_a_site_file_does_not_change_a_replay(
    replayed: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = home / "config" / "site.toml"
    site.parent.mkdir(exist_ok=True)
    site.write_text('[answers.pool_share]\nvalue = "50%"\n')
    assert inside(capsys, "replay", replayed).code == 0


def test_a_session_that_is_open_elsewhere_is_not_rewritten(
    few: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = few.read_bytes()
    with SessionLock(few):
        ran = inside(capsys, "replay", few, "--update")
    assert ran.code == 4
    assert "open in another ckpt-advisor" in ran.err
    assert few.read_bytes() == before


def test_an_update_keeps_comments(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few.write_text(f"# by hand\n{few.read_text()}")
    inside(capsys, "replay", few, "--update")
    text = few.read_text()
    assert text.startswith("# by hand\n")
    assert "[advice" in text
    assert not few.with_name("few.toml.bak").exists()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        ("", "there is no session in this folder"),
        ("missing.toml", "there is no such file"),
    ],
)
def test_nothing_to_replay_is_bad_use(
    make: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = inside(capsys, "replay", tmp_path / make)
    assert ran.code == 2
    assert said in ran.err


def test_more_cores_give_the_same_table(replayed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = (replayed / "ticket.toml").read_text()
    for number in range(60):
        text = good.replace("15 min", f"{number + 5} min") if number % 3 else good
        (replayed / f"{number:02d}.toml").write_text(text)
    (replayed / "bad.toml").write_text(BAD)
    one = inside(capsys, "replay", replayed, "--format", "json", "--jobs", "1")
    two = inside(capsys, "replay", replayed, "--format", "json", "--jobs", "2")
    assert one == two
    counts = json.loads(two.out)["counts"]
    # 5 + n is 15 for n = 10: that file is as it was stored, as are the 20 untouched ones.
    assert counts == {"same": 22, "differs": 39, "new": 0, "error": 1}


@pytest.mark.parametrize("jobs", ["0", "-3", "many"])
def test_processes_are_counted_from_1(
    jobs: str, few: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = inside(capsys, "replay", few, f"--jobs={jobs}")
    assert (ran.code, ran.out) == (2, "")
    assert "--jobs" in ran.err


def test_an_update_on_several_cores(replayed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = (replayed / "ticket.toml").read_text()
    for number in range(50):
        (replayed / f"{number:02d}.toml").write_text(good[: good.index("[advice]")])
    ran = inside(capsys, "replay", replayed, "--update", "--jobs", "2")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("1 same, 50 new, 50 rewritten\n")
    assert (replayed / "07.toml").read_text() == good
