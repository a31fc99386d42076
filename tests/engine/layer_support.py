"""A small file of a storage layer, and folders of them."""

from __future__ import annotations

from pathlib import Path

from advisor.engine.layer_types import Layer
from advisor.engine.layers import load_layers

SMALL = """
schema_version = 1
[layer]
id = "mine"
title = "Mine"
kind = "cache"
as_of = "2026-01-01"
what = "A cache."
gives = ["tiering", "peer_copy"]
needs = ["A drive."]
gotchas = ["It fills up."]
source = "example/mine@1:README.md"
read = "source"
[fits]
pools = ["nfs"]
frameworks = ["any"]
[copy]
survives = "no"
source = "example/mine@1:README.md"
read = "inferred"
[lines.all]
text = "mine start DIR --every {pool_every}"
worked_if = "It runs."
source = "example/mine@1:README.md"
read = "recalled"
[lines.peer_copy]
text = "mine start DIR --twice"
source = "example/mine@1:README.md"
read = "source"
"""
"""A file without faults; its first line is empty, so that [layer] stands on line 3."""

POOLS = ("nfs", "lustre")
FRAMEWORKS = ("scr", "pytorch-dcp")


def write(folder: Path, text: str = SMALL, name: str = "mine") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return folder


def loaded(*folders: Path) -> dict[str, Layer]:
    return load_layers(folders, POOLS, FRAMEWORKS)
