"""What the README says there is, is what there is."""

from __future__ import annotations

import re

from advisor.engine.knowledge import load_knowledge
from tests.commands.support import ROOT


def test_the_readme_names_every_framework_with_facts() -> None:
    text = (ROOT / "README.md").read_text()
    (count, names) = re.search(r"Frameworks with facts \((\d+)\): (.*?)\. For", text, re.S).groups()  # type: ignore[union-attr]
    listed = re.split(r",\s+", names)
    assert tuple(listed) == load_knowledge().frameworks()
    assert int(count) == len(listed)
