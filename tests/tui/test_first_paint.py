"""What is imported when the first screen is painted, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys

PROGRAM = """
import asyncio, json, sys
from advisor.tui.app import AdvisorApp

class Watched(AdvisorApp):
    first = seen = None

    def _display(self, screen, renderable):
        super()._display(screen, renderable)
        strips = [] if screen is None else screen._compositor.render_strips()
        painted = "".join(segment.text for strip in strips for segment in strip)
        if self.first is None and "Five questions" in painted:
            self.first = sorted(sys.modules)
        if self.seen is None and "How much state" in painted:
            self.seen = sorted(sys.modules)

async def main():
    app = Watched(None)
    async with app.run_test(size=(80, 24)):
        for _ in range(2000):
            if app.knowledge is not None:
                break
            await asyncio.sleep(0.01)
    app.keeper.finish()
    heavy = ["numpy", "pydantic", "pydantic_core", "tomli_w", "advisor.engine.pack"]
    heavy.append("advisor.engine.expression")
    questions = ["advisor.facts.catalogue_file", "advisor.interview.flow", "advisor.tui.desk"]
    print(json.dumps({
        "frame": [name for name in [*heavy, *questions] if name in app.first],
        "first": [name for name in heavy if name in app.seen],
        "later": [name for name in heavy if name in sys.modules],
    }))

asyncio.run(main())
"""
"""Notes the modules at the first frame, at the first question, and when the model is loaded."""


def test_numpy_pydantic_and_the_packs_come_after_the_first_paint() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["frame"] == []
    assert seen["first"] == []
    assert {"numpy", "advisor.engine.pack"} <= set(seen["later"])
