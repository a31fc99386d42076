"""Frameworks are found under the names people write for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.engine.frameworks import folded, framework_aliases, framework_ids, load_framework
from advisor.engine.knowledge import load_knowledge
from tests.engine.framework_support import FOLDER
from tests.engine.test_framework_file import SMALL, write


@pytest.mark.parametrize(
    ("name", "framework_id"),
    [
        ("PyTorch Lightning", "lightning"),
        ("pytorch_lightning", "lightning"),
        ("NeMo 2.0", "nemo2"),
        ("nemo 2", "nemo2"),
        ("NVIDIA  NeMo 1", "nemo1"),
        ("nvidia-resiliency-ext", "nvrx"),
        ("LLM Foundry", "composer"),
        ("FSDP2", "pytorch-fsdp"),
        ("Megatron Bridge", "megatron-bridge"),
        ("NVIDIA Megatron Bridge", "megatron-bridge"),
        ("Megatron-LM", "megatron-lm"),
        ("T5X", "t5x"),
        # Megatron-LM or Megatron-Bridge, NeMo 1 or 2: nobody can tell.
        ("megatron", ""),
        ("NeMo", ""),
        ("in-house", ""),
    ],
)
def test_names(name: str, framework_id: str) -> None:
    assert load_knowledge().framework_id(name) == framework_id


def test_no_name_stands_for_two_frameworks() -> None:
    names = {
        i: {folded(name) for name in (i, *load_framework([FOLDER], i).aliases)}
        for i in framework_ids([FOLDER])
    }
    assert max(len(own) for own in names.values()) > 1
    assert sum(len(own) for own in names.values()) == len(set().union(*names.values()))


def test_a_file_with_a_fault_has_no_other_names_and_hides_nobody_elses(tmp_path: Path) -> None:
    folder = write(tmp_path, SMALL.replace('"Mine"', '"Mine"\naliases = ["My Own"]'))
    write(folder, "not = [toml", "broken")
    assert framework_aliases([folder]) == {"myown": "mine"}


def test_a_site_adds_names(tmp_path: Path) -> None:
    site = write(tmp_path / "frameworks", SMALL.replace('"Mine"', '"Mine"\naliases = ["Our_Own"]'))
    assert load_knowledge((site.parent,)).framework_id("our own") == "mine"
