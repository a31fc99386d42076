"""The frameworks as a list, and everything known of one on a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.engine.frameworks import framework_ids
from tests.commands.support import inside
from tests.engine.framework_support import FOLDER, all_lines, framework
from tests.engine.test_framework_file import SMALL


def test_every_framework_is_listed_once(capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "rules", "frameworks")
    assert (ran.code, ran.err) == (0, "")
    head, *rows = ran.out.rstrip("\n").split("\n")
    assert head.split() == ["framework", "newest", "known", "facts", "of", "title"]
    assert [row.split()[0] for row in rows] == list(framework_ids([FOLDER]))
    torch = next(row for row in rows if row.startswith("torchtitan"))
    assert torch.split() == ["torchtitan", "0.3.0", "2026-08-21", "torchtitan"]


@pytest.mark.parametrize("name", ["megatron-lm", "Megatron Core", "MEGATRON_LM", "megatron.core"])
def test_a_framework_by_any_of_its_names(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "rules", "show", name)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(
        "megatron-lm: Megatron-LM / Megatron Core\nnewest version known 0.20.0, facts of "
    )


@pytest.mark.parametrize("name", framework_ids([FOLDER]))
def test_a_page_holds_all_that_the_file_says(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = inside(capsys, "rules", "show", name).out
    one = framework(name)
    assert f"facts of {one.as_of}" in out
    assert one.interval_key in out
    for entries in one.capabilities.values():
        for able in entries:
            assert f"  {able.name}, {able.versions.text or 'every version'}: " in out
            assert able.what in out
            assert able.alternative in out
            assert able.source in out
    for limit in one.timeouts:
        assert f"{limit.key}: {limit.seconds:g} s. {limit.what}" in out
    for trap in one.all_traps:
        assert trap.text in out
        assert f"cure: {trap.cure}" in out
        assert trap.source in out
    for lines in all_lines(one):
        assert f"  {lines.lever}, {lines.versions.text or 'every version'}:" in out
        assert lines.source in out


def test_lines_are_printed_as_they_will_be_pasted(capsys: pytest.CaptureFixture[str]) -> None:
    # The file writes literal braces twice, and {interval_steps} once, which the plan fills in.
    out = inside(capsys, "rules", "show", "hf-trainer").out
    assert """--fsdp_config '{"state_dict_type": "SHARDED_STATE_DICT"}'""" in out
    assert "--save_strategy steps --save_steps {interval_steps}" in out


def test_what_nobody_read_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    out = inside(capsys, "rules", "show", "t5x").out
    longer = out[out.index("longer_interval, every version:") :]
    assert "from memory, not checked: " in longer[: longer.index("shorter_interval")]
    assert "gds: nothing known" in out


def test_a_page_of_the_site_shows_control_characters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "frameworks").mkdir()
    text = SMALL.replace('text = "Slow."', 'text = "Slow.\\u001b[31m"')
    (tmp_path / "frameworks" / "mine.toml").write_text(text, encoding="utf-8")
    ran = inside(capsys, "rules", "show", "mine", "--rules", tmp_path)
    assert ran.code == 0
    assert "  every version, --slow: Slow.\\x1b[31m\n    cure: --fast\n" in ran.out
    assert "mine " in inside(capsys, "rules", "--rules", tmp_path, "frameworks").out


def test_a_faulty_file_is_told_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "frameworks").mkdir()
    path = tmp_path / "frameworks" / "mine.toml"
    path.write_text(SMALL.replace('"opt_in"', '"optin"'), encoding="utf-8")
    for words in (["show", "mine"], ["frameworks"]):
        ran = inside(capsys, "rules", *words, "--rules", tmp_path)
        assert (ran.code, ran.out) == (2, "")
        assert f"{path}:14:" in ran.err
