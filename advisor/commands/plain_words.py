"""What the plain interview says beside its questions."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from advisor.commands.spoken import spoken

if TYPE_CHECKING:
    from pathlib import Path

    from advisor.facts.answers import Answer
    from advisor.facts.catalogue import Catalogue
    from advisor.interview.panel import Live

COMMANDS = (
    "Type ? for don't know, < to go back, help for why it matters and how to find out, "
    "list for the answers, note TEXT to add a note to the last answer, quit to leave."
)
"""What can be typed at every question."""


def greeting(known: int, resumed: bool) -> tuple[str, ...]:
    """The first lines: what this is, and what can be typed."""
    begun = f"Going on with {known} of 5 known." if resumed else "Five questions to start with."
    return f"Checkpoint interview. {begun} Every answer is saved at once.", COMMANDS


def estimate_lines(now: Live) -> tuple[str, ...]:
    """The live estimate in sentences."""
    lines = ["Estimate so far."]
    for line in now.lines:
        mark = " (partly assumed)" if line.assumed and line.label != "Assumed" else ""
        note = f"; {line.note}" if line.note else ""
        lines.append(spoken(f"{line.label}: {line.text}{note}{mark}."))
    if now.needs:
        lines.append(f"Still needed for a goodput: {', '.join(now.needs)}.")
    return (*lines, *(spoken(f"Look at this: {text}") for text in now.attention))


def offer(count: int, needs: Sequence[str]) -> tuple[str, ...]:
    """What the questions that are left are good for.

    Args:
        count: how many there are, at least one.
        needs: labels of those without which there is no goodput yet.
    """
    more = "1 more question makes" if count == 1 else f"{count} more questions make"
    how = f"{more} this more exact. An empty line skips one, quit leaves."
    if not needs:
        return (how,)
    lack = "one answer is" if len(needs) == 1 else f"{len(needs)} answers are"
    return (f"Go on: {lack} missing for a goodput, {', '.join(needs)}.", how)


def answer_lines(answers: Mapping[str, Answer], catalogue: Catalogue) -> tuple[str, ...]:
    """All answers, one line each."""
    if not answers:
        return ("No answers yet.",)
    lines = []
    for name, answer in answers.items():
        said = "don't know" if answer.is_unknown else f"{answer.value}, {answer.source}"
        note = f". Note: {answer.note}" if answer.note else ""
        lines.append(f"{catalogue.facts[name].label}: {said}{note}")
    return tuple(lines)


def farewell(path: Path) -> tuple[str, ...]:
    """Where the answers are, and what to do with them."""
    if not path.exists():
        return ("Nothing was answered, so nothing was saved.",)
    name = shlex.quote(str(path))
    return (
        f"Saved in {name}.",
        f"The ticket: ckpt-advisor export {name} --format md",
        f"Go on later: ckpt-advisor interview {name} --plain",
    )
