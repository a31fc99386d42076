"""The screen and the line prompts write the same bytes for the same answers."""

from __future__ import annotations

import io
from pathlib import Path

from advisor.commands.plain import run_plain
from advisor.engine.knowledge import load_knowledge
from tests.tui.support import NOW, interview, press, settle


async def test_the_same_answers_give_the_same_file(home: Path) -> None:
    (home / "screen").mkdir()
    (home / "lines").mkdir()
    given = ["12 TB", "128", "440 steps @ 4.1 s"]
    async with interview(home / "screen" / "job.toml") as (app, pilot):
        for text in given:
            await press(pilot, *text, "tab", "m", "enter")  # measured
            await settle(app, pilot)
    script = "".join(f"{text}\n1\n" for text in given) + "quit\n"  # 1: measured
    code = run_plain(
        home / "lines" / "job.toml",
        stdin=io.StringIO(script),
        stdout=io.StringIO(),
        now=lambda: NOW,
        knowledge_loader=load_knowledge,
    )
    assert code == 0
    screen, lines = ((home / name / "job.toml").read_bytes() for name in ("screen", "lines"))
    assert screen == lines
