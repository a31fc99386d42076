"""Conditions of questions: a faulty one in a site's file is a fault with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.engine.asking import asking_conditions
from advisor.engine.knowledge import load_knowledge
from advisor.facts.toml_fault import TomlFault

FACT = """\
schema_version = 1

[fact.acme_racks]
topic = "nodes"
label = "Racks"
question = "How many racks?"
why = "Racks fail together."
find = "Ask the site."
kind = "count"
ask_if = "{condition}"
"""


def site(folder: Path, condition: str) -> Path:
    (folder / "interview.toml").write_text(FACT.format(condition=condition))
    return folder


@pytest.mark.parametrize(
    ("condition", "message", "hint"),
    [
        ("mode == 'asinc'", "'asinc' is no value of mode", "did you mean 'async'?"),
        ("nodess > 3", "nodess", "did you mean"),
        ("nodes > '3 GB'", "", ""),
        ("nodes >", "", ""),
        ("__import__('os')", "", ""),
    ],
)
def test_a_faulty_condition_names_file_line_and_key(
    tmp_path: Path, condition: str, message: str, hint: str
) -> None:
    with pytest.raises(TomlFault) as caught:
        load_knowledge((site(tmp_path, condition),))
    fault = caught.value
    assert (fault.line, fault.key) == (10, "fact.acme_racks.ask_if")
    assert fault.path.endswith("interview.toml")
    shown = str(fault)
    assert message in shown
    assert hint in shown
    assert "^" in shown


def test_a_sound_condition_is_compiled(tmp_path: Path) -> None:
    catalogue = load_knowledge((site(tmp_path, "nodes > 3"),)).catalogue
    condition = asking_conditions(catalogue)["acme_racks"]
    assert condition.evaluate({"nodes": 4.0}).value is True
    assert condition.evaluate({"nodes": 3.0}).value is False
    assert condition.evaluate({}).value is None
