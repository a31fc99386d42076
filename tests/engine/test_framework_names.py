"""Frameworks are found under the names people write for them."""

from __future__ import annotations

from pathlib import Path

from advisor.engine.frameworks import framework_aliases
from advisor.engine.knowledge import load_knowledge
from tests.engine.test_framework_file import SMALL, write


def test_a_file_with_a_fault_has_no_other_names_and_hides_nobody_elses(tmp_path: Path) -> None:
    folder = write(tmp_path, SMALL.replace('"Mine"', '"Mine"\naliases = ["My Own"]'))
    write(folder, "not = [toml", "broken")
    assert framework_aliases([folder]) == {"my-own": "mine"}


def test_a_site_adds_names(tmp_path: Path) -> None:
    site = write(tmp_path / "frameworks", SMALL.replace('"Mine"', '"Mine"\naliases = ["Our_Own"]'))
    assert load_knowledge((site.parent,)).framework_id("our own") == "mine"
