"""Print every speed bar beside the thing it is measured against."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import numpy as np

from tests.benchmarks.model import formula, live_panel, one_replay, whole_advice
from tests.benchmarks.simulation import lines as simulation_lines
from tests.benchmarks.timing import (
    interleaved,
    paint_seconds,
    process_seconds,
    python,
    typical,
)

ROOT = Path(__file__).resolve().parents[2]
SESSION = str(ROOT / "sessions" / "bloom-176b.toml")
HELLO = str(Path(__file__).with_name("hello_textual.py"))


def row(name: str, figure: str, reference: str, bar: str) -> None:
    """One line of the table."""
    sys.stdout.write(f"{name:44} {figure:>12}  {reference:40} {bar}\n")


def start_up() -> None:
    """--help beside the bare interpreter, advice beside importing numpy and pydantic."""
    advisor = python("-m", "advisor")
    found = interleaved(
        {
            "bare": lambda: process_seconds(python("-c", "pass")),
            "help": lambda: process_seconds([*advisor, "--help"]),
            "imports": lambda: process_seconds(python("-c", "import numpy, pydantic")),
            "advise": lambda: process_seconds([*advisor, "advise", SESSION]),
        },
        11,
    )
    t = {name: typical(values) for name, values in found.items()}
    bare = f"bare interpreter {t['bare'] * 1e3:.0f} ms"
    row("--help", f"{t['help'] * 1e3:.0f} ms", bare, "at most 50 ms")
    row(
        "advise, process start included",
        f"{t['advise'] / t['imports']:.2f}x",
        f"import numpy, pydantic {t['imports'] * 1e3:.0f} ms",
        "at most 1.4x",
    )


def first_paint() -> None:
    """The interview's first frame and its first question beside a hello-world Textual app."""
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "TERM": "xterm-256color", "CKPT_ADVISOR_HOME": home}
        env.pop("TMUX", None)
        new = python("-m", "advisor", str(Path(home) / "new.toml"))
        found = interleaved(
            {
                "hello": lambda: paint_seconds(python(HELLO), b"hello-marker", env),
                "ours": lambda: paint_seconds(new, b"Five questions", env),
                "question": lambda: paint_seconds(new, b"How much state", env),
            },
            9,
        )
    hello = typical(found["hello"])
    reference = f"hello-world Textual {hello * 1e3:.0f} ms"
    first, question = typical(found["ours"]) / hello, typical(found["question"]) / hello
    row("first painted screen", f"{first:.2f}x", reference, "at most 1.25x")
    row("first question, keys typed before wait", f"{question:.2f}x", reference, "")


def main() -> None:
    """All bars."""
    start_up()
    first_paint()
    ours, exps = formula()
    row(
        "goodput over 1e6 jobs",
        f"{ours / exps:.1f}x",
        f"2e6 exp calls {exps * 1e3:.1f} ms",
        "at most 3x",
    )
    row("whole advice, 4,096 samples", f"{whole_advice() * 1e3:.0f} ms", "", "at most 300 ms")
    row("replay, per session and core", f"{one_replay() * 1e3:.1f} ms", "", "at most 10 ms")
    panel = np.array(live_panel())
    p90, p99 = np.quantile(panel, (0.9, 0.99)) * 1e3
    row(
        "estimate behind a key",
        f"{p90:.0f}, {p99:.0f} ms",
        "p90, p99, without the screen",
        "33, 50",
    )
    for line in simulation_lines():
        row(*line)


if __name__ == "__main__":
    main()
