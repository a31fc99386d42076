"""The storage layers in ``ckpt-advisor rules``: one line each, and one of them in full."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from advisor.commands.output import table
from advisor.engine.framework_types import Lines
from advisor.engine.launch_text import fill
from advisor.engine.layer_types import EVERY_LEVER, Layer

_SURVIVES = {"yes": "yes", "no": "no", "only_with": "on a condition"}
"""What the list says of a copy after a lost node."""


def named(typed: str, layers: Mapping[str, Layer]) -> Layer | None:
    """The layer of an id as typed, None where there is none."""
    return layers.get(typed.strip().lower())


def listed(layers: Mapping[str, Layer]) -> str:
    """A line per layer, sorted by id."""
    rows = [
        (
            one.id,
            one.kind.replace("_", " "),
            ", ".join(one.gives) or "-",
            _SURVIVES[one.survives],
            f"{one.title} (deprecated)" if one.deprecated else one.title,
        )
        for _, one in sorted(layers.items())
    ]
    return table([("layer", "kind", "gives", "copy survives a lost node", "name"), *rows])


def in_full(one: Layer) -> str:
    """Everything its file says."""
    from advisor.facts.toml_fault import printable

    lines = [f"{one.id}: {one.title}", one.kind.replace("_", " ")]
    for title, texts in _parts(one):
        if texts:
            lines += ["", title]
            lines += [f"  {line}" for text in texts for line in text.strip("\n").split("\n")]
    return "\n".join(printable(line) for line in lines)


def _parts(one: Layer) -> Iterator[tuple[str, Sequence[str]]]:
    yield "what it is", [one.what]
    if one.deprecated:
        yield "deprecated, never advised", [f"Use instead: {one.instead}"]
    yield "makes possible", [", ".join(one.gives) or "none of the changes a plan makes"]
    yield "pools", [", ".join(one.pools)]
    yield "frameworks", [", ".join(one.frameworks) or "none known here"]
    yield "a lost node", [one.copy, f"{one.copy_source} ({one.copy_read})"]
    yield "needs", one.needs
    yield "look out for", one.gotchas
    for lever, lines in one.lines.items():
        yield from _paste(lever, lines)
    yield "sources", [f"{one.source} ({one.read}, as of {one.as_of})"]


def _paste(lever: str, lines: Lines) -> Iterator[tuple[str, Sequence[str]]]:
    of = "" if lever == EVERY_LEVER else f" for {lever}"
    yield f"lines{of} {lines.versions.text}".rstrip(), [fill(lines.text, {})]
    yield f"beside the lines{of}", [fill(note, {}) for note in lines.notes]
    yield f"worked if{of}", [fill(lines.worked_if, {})] if lines.worked_if else []
    yield f"undo{of}", [fill(lines.undo, {})] if lines.undo else []
    yield f"lines from{of}", [f"{lines.source} ({lines.read})"]
