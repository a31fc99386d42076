"""Folders of framework files, and what is said about a file that is not as it should be."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.engine.frameworks import FrameworkError, framework_ids, load_framework
from tests.engine.framework_support import framework

SMALL = """
schema_version = 1
[framework]
id = "mine"
title = "Mine"
kind = "framework"
version_prefixes = ["v"]
newest = "2.0"
as_of = "2026-01-01"
interval_key = "--every"
interval_unit = "steps"
[capability.async.all]
versions = ">=1.0"
status = "opt_in"
what = "Background saves."
source = "example/mine@1:save.py"
read = "source"
[lines.keep.all]
text = "--keep {keep}"
source = "example/mine@1:save.py"
read = "source"
[trap.one]
has = ["--slow"]
effect = "other"
text = "Slow."
cure = "--fast"
source = "example/mine@1:save.py"
read = "source"
"""


def write(folder: Path, text: str, name: str = "mine") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return folder


def test_a_later_folder_overrides_and_adds(tmp_path: Path) -> None:
    rules = write(tmp_path / "rules", SMALL)
    site = write(tmp_path / "site", SMALL.replace('"Mine"', '"Ours"'))
    write(site, SMALL.replace('id = "mine"', 'id = "other"'), "other")
    folders = [rules, site, tmp_path / "absent"]
    assert framework_ids(folders) == ("mine", "other")
    assert load_framework(folders, "mine").title == "Ours"
    assert load_framework(folders[:1], "mine").title == "Mine"


def test_a_capability_that_was_taken_out_again(tmp_path: Path) -> None:
    again = (
        SMALL.replace('">=1.0"', '">=1.0,<1.2"')
        + """
[capability.async.again]
versions = ">=1.8"
status = "default_on"
what = "Back again."
source = "example/mine@2:save.py"
read = "source"
"""
    )
    one = load_framework([write(tmp_path, again)], "mine")
    between = one.capability("async", one.version("1.5"))
    assert between is not None
    assert (between.status, between.since) == ("none", "1.8")
    assert between.alternative == "Mine 1.8 or newer."


def test_loading_one_reads_no_other_file(tmp_path: Path) -> None:
    folder = write(tmp_path, SMALL)
    write(folder, "not = [toml", "broken")
    assert framework_ids([folder]) == ("broken", "mine")
    assert load_framework([folder], "mine").title == "Mine"


@pytest.mark.parametrize("wrong", ["megatron_lm", "Megatron-LM", "megatron-ml"])
def test_an_unknown_framework_gets_a_suggestion(wrong: str) -> None:
    with pytest.raises(FrameworkError, match="megatron-lm") as caught:
        framework(wrong)
    assert caught.value.hint == 'did you mean "megatron-lm"?'


@pytest.mark.parametrize("wrong", ["../megatron-lm", "/etc/passwd", "", "zzz"])
def test_a_framework_id_is_no_path(wrong: str) -> None:
    with pytest.raises(FrameworkError, match="no facts"):
        framework(wrong)


@pytest.mark.parametrize(
    ("old", "new", "key", "message"),
    [
        ("schema_version = 1", "schema_version = 2", "schema_version", "must be 1"),
        ("schema_version = 1", "", "", "missing"),
        ('id = "mine"', 'id = "yours"', "framework.id", "name of the file"),
        ('kind = "framework"', 'kind = "framwork"', "framework.kind", 'did you mean "framework"'),
        ('newest = "2.0"', 'newest = "two"', "framework.newest", "not a version"),
        ('title = "Mine"', "title = 3", "framework.title", "a text"),
        ('title = "Mine"', 'title = " "', "framework.title", "empty"),
        ('title = "Mine"', "", "framework", '"title" is missing'),
        ('as_of = "2026-01-01"', 'as_off = "2026"', "framework", "missing"),
        ("interval_key", "colour = 1\ninterval_key", "framework.colour", "not known"),
        ("capability.async", "capability.asink", "capability.asink", 'did you mean "async"'),
        ('">=1.0"', '"1.0 or so"', "capability.async.all.versions", "not a version range"),
        ('"opt_in"', '"optin"', "capability.async.all.status", 'did you mean "opt_in"'),
        ('"opt_in"', '"none"', "capability.async.all.status", "alternative"),
        ("[lines.keep.all]", "[lines.keeep.all]", "lines.keeep", 'did you mean "keep"'),
        ("{keep}", "{keap}", "lines.keep.all.text", 'did you mean "keep"'),
        ("{keep}", "{", "lines.keep.all.text", "brace"),
        ('["--slow"]', "[]", "trap.one.has", "at least one"),
        ('["--slow"]', '["--slow", 3]', "trap.one.has", "list of texts"),
        ('effect = "other"', 'effect = "nothing"', "trap.one.effect", "not known"),
        ('status = "opt_in"', 'status = "opt_in"\nhost_copies = -1', "host_copies", "at least 0"),
        ('status = "opt_in"', 'status = "opt_in"\nhost_copies = true', "host_copies", "a number"),
        ('status = "opt_in"', 'status = "opt_in"\none_step = 1', "one_step", "true or false"),
        ("[capability.async.all]", "[capability.peer.all]\nwriter = 'thread'", "writer", "async"),
        ("[trap.one]", "[note.a]\nlevers=['x']\ntext='t'\nsource='s'\nread='source'\n[trap.one]",
         "note.a.levers", "lever"),
        ("[trap.one]", "[timeout.a]\nkey='k'\nseconds=0\n[trap.one]", "seconds", "above 0"),
        ("[trap.one]", "[trap]\none = 1\n[trapp.one]", "trap.one", "must be a table"),
        ("[trap.one]", "[trapp.one]", "trapp", "not known"),
    ],
)  # fmt: skip
def test_faults_name_the_key_and_what_to_do(
    tmp_path: Path, old: str, new: str, key: str, message: str
) -> None:
    assert old in SMALL
    folder = write(tmp_path, SMALL.replace(old, new, 1))
    with pytest.raises(FrameworkError) as caught:
        load_framework([folder], "mine")
    error = caught.value
    assert error.key.endswith(key)
    assert message in f"{error.message} {error.hint}"
    assert error.path.endswith("mine.toml")


def test_a_fault_names_its_line(tmp_path: Path) -> None:
    folder = write(tmp_path, SMALL.replace('"opt_in"', '"optin"'))
    with pytest.raises(FrameworkError) as caught:
        load_framework([folder], "mine")
    # Counted by hand in SMALL: the empty first line is 1, status is on 14.
    assert caught.value.line == 14
    assert ":14:" in str(caught.value)


def test_broken_toml_is_a_framework_error(tmp_path: Path) -> None:
    folder = write(tmp_path, SMALL + "\n[unclosed")
    with pytest.raises(FrameworkError):
        load_framework([folder], "mine")
