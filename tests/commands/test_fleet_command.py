"""The fleet command: every session of a folder once, ranked, whatever is wrong with some."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.commands.support import ROOT, inside

BAD = 'schema_version = 1\n[session]\nid = "bad"\n[answers.nodes]\nvalue = "12x"\n'


@pytest.fixture
def folder(ticket: Path) -> Path:
    """Three sessions that can be computed, one that lacks facts, one that cannot be read."""
    good = ticket.read_text()
    for name, interval in (("short", "5 min"), ("long", "1 h")):
        text = good.replace('id = "ticket"', f'id = "{name}"').replace("15 min", interval, 1)
        ticket.with_name(f"{name}.toml").write_text(text)
    ticket.with_name("few.toml").write_text(
        'schema_version = 1\n[session]\nid = "few"\n[answers.nodes]\nvalue = "8"\n'
    )
    ticket.with_name("bad.toml").write_text(BAD)
    return ticket.parent


def test_ranked_by_dollars_idle(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A save of 2 min every 5 loses most; every hour is within 0.1 point of the best."""
    ran = inside(capsys, "fleet", folder)
    assert ran.code == 2
    assert ran.out.startswith("3 of 5 sessions lose $")
    order = [line.split()[0] for line in ran.out.split("\n")[4:7]]
    assert order == ["short", "ticket", "long"]
    assert re.search(
        r"^ticket +128 +84\.7 % +94\.1 % +\$4\.12M +\$2\.53M +Save async", ran.out, re.M
    )
    assert "- bad: cannot be read, line 5: " in ran.out
    assert "- few: not known: " in ran.out


def test_json_and_markdown_rank_alike(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "bad.toml").unlink()
    data = json.loads(inside(capsys, "fleet", folder, "--by", "saving", "--format", "json").out)
    ran = inside(capsys, "fleet", folder, "--by", "saving", "--format", "md")
    assert ran.code == 0
    rows = [line.split(" | ")[0].strip("| ") for line in ran.out.split("\n")[4:7]]
    assert [row["session"] for row in data["sessions"]] == rows
    saved = [row["saves_per_year"] for row in data["sessions"]]
    assert saved == sorted(saved, reverse=True)
    assert data["saves_per_year"] == pytest.approx(sum(saved))


def test_the_site_gives_what_sessions_do_not_say(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = tmp_path / "site.toml"
    site.write_text('[answers.node_hour]\nvalue = "$10/h"\n')
    text = (folder / "ticket.toml").read_text()
    (folder / "ticket.toml").write_text(
        re.sub(r"\[answers\.accelerator_hour\]\n.*\n.*\n", "", text)
    )
    words = ("fleet", folder / "ticket.toml", "--format", "json")
    without = json.loads(inside(capsys, *words).out)["sessions"][0]
    priced = json.loads(inside(capsys, *words, "--site", site).out)["sessions"][0]
    assert (without["price_assumed"], priced["price_assumed"]) == (True, False)


def test_several_cores_give_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = (folder / "ticket.toml").read_text()
    for number in range(50):
        text = good.replace('id = "ticket"', f'id = "n{number}"')
        (folder / f"n{number}.toml").write_text(text.replace("15 min", f"{number + 5} min", 1))
    one = inside(capsys, "fleet", folder, "--jobs", "1", "--format", "json")
    two = inside(capsys, "fleet", folder, "--jobs", "2", "--format", "json")
    assert one == two
    assert len(json.loads(two.out)["sessions"]) == 53


def test_the_published_cases_agree_with_their_advice(capsys: pytest.CaptureFixture[str]) -> None:
    fleet = json.loads(inside(capsys, "fleet", ROOT / "sessions", "--format", "json").out)
    for row in fleet["sessions"]:
        ran = inside(capsys, "advise", row["path"], "--format", "json")
        advice = json.loads(ran.out)
        assert row["goodput"] == advice["before"]["goodput"]
        assert row["after_goodput"] == advice["after"]["goodput"]
        assert row["idle_cost_per_year"] == advice["before"]["idle_cost_per_year"]
