"""What the report and the export say of the framework: its age, its lines, its traps."""

from __future__ import annotations

from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it ships no types

from advisor.report.build import build_report
from advisor.report.json_export import to_json
from advisor.report.json_schema import advice_json_schema
from advisor.report.text import render
from advisor.tui.results_pages import pages
from tests.report.support import job
from tests.ticket_job import TICKET


def full(**changes: str | None) -> str:
    return " ".join(render(build_report(job(TICKET, **changes)), width=100).split())


def short(**changes: str | None) -> str:
    return " ".join(
        render(build_report(job(TICKET, **changes), length="summary"), width=100).split()
    )


def on_screen(**changes: str | None) -> str:
    return "\n".join(block.text for page in pages(job(TICKET, **changes)) for block in page.blocks)


def exported(**changes: str | None) -> dict[str, Any]:
    found = to_json(job(TICKET, **changes))
    jsonschema.validate(found, advice_json_schema())
    return found


OLD = {"framework_version": "0.8.0"}
"""Megatron Core 0.8: its flags for asynchronous saves are known from memory only."""

TRAPS = {
    "mode": "async",
    "framework_version": "0.20.0",
    "framework_settings": "--async-save --use-persistent-ckpt-worker --ckpt-format torch",
}
"""Settings with two traps: one inferred, one read."""

UNSET = {"framework": "deepspeed", "framework_version": "0.19.7", "interval": "2 min"}
"""A framework whose interval is set in the script: there are no lines for it."""


def test_the_grounds_name_the_date_and_the_version() -> None:
    assert (
        "Framework: facts of Megatron-LM / Megatron Core as of 2026-08-22, newest version known "
        "0.20.0. In use: 0.16.0." in full()
    )
    assert "Framework:" not in short()
    assert "newest version known 0.20.0. In use: 0.16.0." in on_screen()


def test_an_assumed_version_is_visible_in_the_short_form_too() -> None:
    words = "No version of Megatron-LM / Megatron Core was given: facts of 0.20.0, the newest known"
    assert words in full(framework_version=None)
    assert f"newest version known 0.20.0. {words}" in short(framework_version=None)
    assert "0.21 is newer than 0.20.0" in short(framework_version="0.21")


def test_a_framework_without_facts_is_said_to_be_one() -> None:
    assert "Framework: nothing is known here about in-house." in full(framework="in-house")
    assert "Framework: " not in full(framework=None, framework_version=None)


def test_the_interval_names_its_key() -> None:
    words = "Set with: --save-interval, in steps (Megatron-LM / Megatron Core 0.16.0)."
    assert words in full()
    assert words in on_screen()
    assert "Set with: the call of save_checkpoint in the client script" in full(**UNSET)


def test_lines_from_memory_say_so_wherever_they_are_printed() -> None:
    lines = "--async-save --use-dist-ckpt"
    assert lines in full(**OLD)
    mark = "For Megatron-LM / Megatron Core >=0.7,<0.9, from memory, not checked:"
    assert mark in full(**OLD)
    assert "From memory, not checked:" in short(**OLD)
    assert "from memory, not checked" in on_screen(**OLD)
    assert {c["read"] for s in exported(**OLD)["plan"] for c in s["config"]} == {"recalled"}


def test_lines_read_in_source_carry_no_mark() -> None:
    for said in (full(), short(), on_screen()):
        assert "--async-save" in said
        assert "not checked" not in said


def test_the_ticket_says_how_to_tell_the_saves_apart() -> None:
    words = 'How to tell: Background save: "scheduled an async checkpoint save at iteration"'
    assert words in full()
    assert "Blocking save: The timer save-checkpoint (ms) is the whole save." in full()
    checks = exported()["plan"][0]["checks"]
    assert any(check.startswith("Background save: ") for check in checks)


def test_a_change_without_lines_is_told_in_words() -> None:
    words = "No lines known for DeepSpeed 0.19.7; in words: Save every "
    for said in (full(**UNSET), short(**UNSET), on_screen(**UNSET)):
        assert words in said
    steps = exported(**UNSET)["plan"]
    assert any(s["in_words"].startswith(words) and s["config"] == [] for s in steps)


def test_words_that_are_the_remedy_are_not_printed_twice() -> None:
    said = full(
        framework="orbax",
        framework_version="0.12.4",
        mode="async",
        drain_slowdown="0.5",
        interval="60 min",
    )
    remedy = "Write from a separate process and cache the save plan"
    assert f"No lines known for Orbax 0.12.4; in words: {remedy}" in said
    before = said[: said.index("All facts")]
    assert before.count(remedy) == 1


def test_traps_are_told_with_cure_and_source() -> None:
    for said in (full(**TRAPS), short(**TRAPS)):
        assert "Settings that leave the writing to a few." in said
        assert "Cure: --ckpt-format torch_dist." in said
        assert "Source: NVIDIA/Megatron-LM@d98e8a64:megatron/training/checkpointing.py" in said
    assert "Settings that do not do what they seem to" in on_screen(**TRAPS)


def test_the_export_carries_the_traps_as_they_are() -> None:
    found = exported(**TRAPS)
    assert [(t["id"], t["effect"], t["cure"], t["read"]) for t in found["traps"]] == [
        ("async_legacy_format", "other", "--ckpt-format torch_dist", "inferred"),
        ("format_torch", "one_writer", "--ckpt-format torch_dist", "source"),
    ]
    assert all(t["text"] and t["source"] for t in found["traps"])
    assert found["findings"]["CKS06"]["state"] == "hit"


def test_the_export_names_the_framework_and_its_age() -> None:
    used = exported(framework_version="0.21")["framework"]
    assert (used["id"], used["version"], used["newest_known"]) == ("megatron-lm", *["0.20.0"] * 2)
    assert (used["as_of"], used["newer_than_known"]) == ("2026-08-22", True)
    assert used["interval_key"] == "--save-interval"


def test_without_a_framework_the_export_says_what_to_ask() -> None:
    none = exported(framework=None, framework_version=None)
    assert (none["framework"], none["traps"]) == (None, [])
    assert none["missing"]["framework"] == ["framework"]
    assert exported(framework="in-house")["missing"]["framework"] == []
