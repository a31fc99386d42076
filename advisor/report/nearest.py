"""Storage layers that give what the framework lacks: what they are, their lines, what they lose."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.engine.advice import Alternative, Finding
from advisor.report.document import Block, Bullets, Code, Mono, Paragraph, Runs, Strong, Text, text
from advisor.report.words import continued, one_line


def nearest_blocks(found: Sequence[Finding]) -> tuple[Block, ...]:
    """The layers named with some findings, each once."""
    layers = {a.layer: a for f in reversed(found) for a in reversed(f.nearest)}
    return tuple(block for a in reversed(layers.values()) for block in _layer(a))


def _layer(one: Alternative) -> Sequence[Block]:
    name = f"{one.title} {one.config.versions}".strip()
    head = (Strong(f"An alternative: {name}."), Text(f" {one.what} "), Strong(one.copy))
    return (Paragraph(head), Code(one.config.text), Bullets(tuple(_bullets(one))))


def _bullets(one: Alternative) -> list[Runs]:
    out: list[Runs] = [(Text("Needs: "), Text(continued(one_line(need)))) for need in one.needs]
    out += [text(one_line(note)) for note in (*one.config.notes, *one.gotchas)]
    out += [(Strong("Worked if: "), Text(continued(one_line(check)))) for check in one.checks]
    if one.config.undo:
        out.append((Strong("Undo: "), Text(continued(one_line(one.config.undo)))))
    out.append((Text("Lines from: "), Mono(one.config.source)))
    return out
