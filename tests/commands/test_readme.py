"""What the README says there is, is what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from advisor.engine.knowledge import load_knowledge
from tests.commands.support import ROOT, inside
from tests.tui.support import write_session


def test_the_readme_names_every_framework_with_facts() -> None:
    text = (ROOT / "README.md").read_text()
    (count, names) = re.search(r"Frameworks with facts \((\d+)\): (.*?)\. For", text, re.S).groups()  # type: ignore[union-attr]
    listed = re.split(r",\s+", names)
    assert tuple(listed) == load_knowledge().frameworks()
    assert int(count) == len(listed)


def test_the_pack_of_the_readme_is_read(tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text()
    start = text.index("    schema_version = 1\n\n    [pack]")
    lines = text[start : text.index("\nA condition compares", start)].split("\n")
    (tmp_path / "acme.toml").write_text("\n".join(line[4:] for line in lines))
    known = load_knowledge((tmp_path,))
    assert "ACME001" in known.pack.rules
    assert "CKI05" in known.pack.disabled
    assert known.id.version.endswith(", acme 1.0")


def test_the_sample_is_what_advise_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All but the digest of the rules, which changes with every one of their letters."""
    monkeypatch.setenv("CKPT_ADVISOR_HOME", str(tmp_path / "home"))
    path = write_session(tmp_path / "llama-b.toml")
    blocks = re.findall(r"```text\n(.*?)```\n", (ROOT / "README.md").read_text(), re.S)
    digest = re.compile(r"sha256\s+[0-9a-f]{12}")
    shown, printed = (digest.sub("", t) for t in (blocks[1], inside(capsys, "advise", path).out))
    assert shown.split() == printed.split()
