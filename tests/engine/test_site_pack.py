"""A site's own packs: reserved names, other thresholds, rules switched off, and what is told."""

from __future__ import annotations

import dataclasses
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from advisor.engine.advice import Finding
from advisor.engine.advise import advise
from advisor.engine.knowledge import Knowledge, load_knowledge
from advisor.facts.toml_fault import TomlFault
from advisor.report.build import build_report
from advisor.report.markdown import render
from tests.engine.sessions import Job, job
from tests.ticket_job import TICKET

HEAD = """\
schema_version = 1

[pack]
id = "acme"
version = "1.2"
title = "House rules"
"""

RULE = """
[rule.ACME001]
title = "One save in an hour is the house limit"
status = "stable"
severity = "{severity}"
place = "change"
when = "interval < '1 h'"
message = "A save every {{interval:duration}} is more than the house allows."
supersedes = [{less}]
doc = "What: saves. Why: the pool is shared. When it does not apply: never."
[rule.ACME001.sources.us]
title = "House rules"
where = "the wall"
"""


def site(folder: Path, text: str) -> Knowledge:
    (folder / "acme.toml").write_text(HEAD + text)
    return load_knowledge((folder,))


def refused(folder: Path, text: str, head: str = HEAD) -> TomlFault:
    (folder / "acme.toml").write_text(head + text)
    with pytest.raises(TomlFault) as caught:
        load_knowledge((folder,))
    return caught.value


def threshold(name: str, value: object, unit: str) -> str:
    return f'[threshold.{name}]\nvalue = {value}\nunit = "{unit}"\nsource = "our habit"\n'


def test_a_site_gives_one_of_our_thresholds_another_value(tmp_path: Path) -> None:
    name, ours = next(iter(load_knowledge().pack.thresholds.items()))
    known = site(tmp_path, threshold(name, ours.value * 2, ours.unit))
    assert known.pack.thresholds[name].value == ours.value * 2
    assert known.pack.thresholds[name].pack == "acme"
    (said,) = known.id.changes
    assert said.startswith(f"acme sets {name} to ")
    assert f"built in is {ours.value:g}" in said


def test_not_in_another_unit(tmp_path: Path) -> None:
    name, ours = next(iter(load_knowledge().pack.thresholds.items()))
    other = "s" if ours.unit != "s" else "B"
    found = refused(tmp_path, threshold(name, 1, other))
    assert found.key == f"threshold.{name}.unit"
    assert f'unit = "{ours.unit}"' in found.hint


def test_a_threshold_is_declared_once_by_a_site(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text(HEAD.replace('"acme"', '"other"') + threshold("many", 3, "1"))
    found = refused(tmp_path, threshold("many", 2, "1"))
    assert "already in" in found.message
    assert "line 7" in found.message


@pytest.mark.parametrize("name", ["CKI99", "CKZ01", "CKI01"])
def test_our_prefix_is_reserved(tmp_path: Path, name: str) -> None:
    text = RULE.format(severity="note", less="").replace("ACME001", name)
    found = refused(tmp_path, text)
    assert found.key == f"rule.{name}"
    assert "reserved" in found.message


def test_our_pack_ids_are_reserved(tmp_path: Path) -> None:
    found = refused(tmp_path, "", HEAD.replace('"acme"', '"ckpt-interval"'))
    assert found.key == "pack.id"
    assert found.line == 4


def test_a_rule_switched_off_is_gone_and_told(tmp_path: Path) -> None:
    known = site(tmp_path, '[disable.CKI01]\nreason = "our scientists choose the interval"\n')
    assert "CKI01" not in known.pack.rules
    advice = advise(job(**TICKET), known)
    assert all(f.rule != "CKI01" for f in advice.findings)
    assert all(step.rule != "CKI01" for step in advice.plan)
    (said,) = advice.knowledge.changes
    assert said.startswith("acme switches CKI01 off")
    assert said.endswith("our scientists choose the interval")
    assert "our scientists choose the interval" in render(build_report(advice))


@pytest.mark.parametrize(
    ("text", "key", "words"),
    [
        ("[disable.CKI01]\n", "disable.CKI01", "reason"),
        ('[disable.CKI01]\nreason = " "\n', "disable.CKI01.reason", "empty"),
        ('[disable.CKI9]\nreason = "x"\n', "disable.CKI9", "no rule CKI9"),
        ('[disable.CKI01]\nreason = "x"\nbecause = "y"\n', "disable.CKI01.because", "not known"),
    ],
)
def test_switching_off_needs_a_rule_and_a_reason(
    tmp_path: Path, text: str, key: str, words: str
) -> None:
    found = refused(tmp_path, text)
    assert found.key == key
    assert words in str(found)


def test_a_pack_does_not_switch_its_own_rule_off(tmp_path: Path) -> None:
    text = RULE.format(severity="note", less="") + '[disable.ACME001]\nreason = "x"\n'
    assert "this very pack" in refused(tmp_path, text).message


def test_version_and_digest_name_the_site(tmp_path: Path) -> None:
    ours = load_knowledge().id
    theirs = site(tmp_path, RULE.format(severity="note", less="")).id
    assert theirs.version == f"{ours.version}, acme 1.2"
    assert theirs.digest != ours.digest


def of(found: tuple[Finding, ...], rule: str) -> Finding:
    return next(f for f in found if f.rule == rule)


def test_a_hit_that_says_more_is_told_alone(tmp_path: Path) -> None:
    known = site(tmp_path, RULE.format(severity="warning", less='"CKI01"'))
    advice = advise(job(**TICKET), known)
    assert of(advice.findings, "CKI01").state == "hit"
    assert of(advice.findings, "CKI01").superseded_by == "ACME001"
    assert "ACME001" in {f.rule for f in advice.hits()}
    assert "CKI01" not in {f.rule for f in advice.hits()}
    assert "ACME001 says more" in render(build_report(advice))


def test_where_it_does_not_hit_the_other_is_told(tmp_path: Path) -> None:
    text = RULE.format(severity="warning", less='"CKI01"').replace("'1 h'", "'1 s'")
    advice = advise(job(**TICKET), site(tmp_path, text))
    assert of(advice.findings, "CKI01").superseded_by == ""
    assert "CKI01" in {f.rule for f in advice.hits()}


def test_a_note_must_not_hide_a_warning(tmp_path: Path) -> None:
    found = refused(tmp_path, RULE.format(severity="note", less='"CKI01"'))
    assert found.key == "rule.ACME001.supersedes"
    assert "must not be hidden" in found.message


def test_no_rule_supersedes_itself(tmp_path: Path) -> None:
    one = RULE.format(severity="note", less='"ACME002"')
    two = RULE.format(severity="note", less='"ACME001"').replace("rule.ACME001", "rule.ACME002")
    assert "supersede itself" in refused(tmp_path, one + two).message


def test_a_superseded_rule_is_there(tmp_path: Path) -> None:
    assert (
        "no rule CKI77" in refused(tmp_path, RULE.format(severity="note", less='"CKI77"')).message
    )


def test_every_fault_is_collected_where_that_is_asked_for(tmp_path: Path) -> None:
    from advisor.engine.levers import LEVERS
    from advisor.engine.pack import load_packs

    bad = RULE.format(severity="note", less="")
    text = bad.replace("interval <", "intervall <") + bad.replace("ACME001", "ACME002").replace(
        '"change"', '"chnge"'
    )
    path = tmp_path / "acme.toml"
    path.write_text(HEAD + text)
    faults: list[TomlFault] = []
    pack = load_packs([path], load_knowledge().catalogue, tuple(LEVERS), collect=faults)
    assert [fault.key for fault in faults] == ["rule.ACME001.when", "rule.ACME002.place"]
    assert pack.rules == {}


@dataclasses.dataclass
class Accepted:
    """A waiver as a session holds it."""

    reason: str
    until: date | None = None
    by: str = ""


def waived(rule: str, waiver: Accepted) -> Job:
    out = job(**TICKET)
    out.updated = datetime(2026, 11, 20, tzinfo=UTC)
    out.waivers = {rule: waiver}
    return out


@pytest.mark.parametrize(
    ("rule", "waiver", "said"),
    [
        (
            "CKI01",
            Accepted("the audit", date(2026, 11, 1), "Lee"),
            "The waiver of CKI01 ended on 2026-11-01, accepted by Lee: the rule applies again.",
        ),
        (
            "CKI02",
            Accepted("we know"),
            "The waiver of CKI02 is not needed: the rule does not apply.",
        ),
        (
            "CKI97",
            Accepted("we know"),
            "The waiver of CKI97 counts for nothing: there is no such rule.",
        ),
    ],
)
def test_a_waiver_to_look_at_is_told(rule: str, waiver: Accepted, said: str) -> None:
    advice = advise(waived(rule, waiver), load_knowledge())
    assert advice.waiver_notes == (said,)
    assert said in render(build_report(advice)).replace("\n", " ")


def test_a_waiver_in_force_names_its_owner_and_end() -> None:
    waiver = Accepted("the memory comes in May", date(2027, 5, 1), "Lee")
    advice = advise(waived("CKI01", waiver), load_knowledge())
    assert advice.waiver_notes == ()
    assert "the memory comes in May (by Lee, until 2027-05-01)" in render(build_report(advice))
