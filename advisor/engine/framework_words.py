"""What framework files say as a person reads it: traps with their cure, marks of what is unread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.engine.framework_types import Read, Trap

MARKS: Mapping[Read, str] = {
    "source": "",
    "measured": "",
    "inferred": "inferred, not read in the source",
    "recalled": "from memory, not checked",
}
"""How a fact was established, where that is worth a remark beside it."""


def marked(text: str, read: Read) -> str:
    """A text with a remark before its full stop where nobody read the fact in source."""
    if not MARKS[read]:
        return text
    stop = "." if text.endswith(".") else ""
    return f"{text.removesuffix('.')} ({MARKS[read]}){stop}"


def trap_text(trap: Trap) -> str:
    """What one trap does, and what to write instead."""
    return f"{marked(trap.text, trap.read)} Cure: {trap.cure.removesuffix('.')}."


def trap_texts(traps: Sequence[Trap]) -> str:
    """Several traps with the same effect; a text that two of them share is said once."""
    return " ".join(dict.fromkeys(trap_text(trap) for trap in traps))


def trap_sources(traps: Sequence[Trap]) -> str:
    """Where several traps were read."""
    return "; ".join(dict.fromkeys(trap.source for trap in traps))
