"""``ckpt-advisor rules frameworks`` and ``rules show FRAMEWORK``: what is known of each one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from advisor.commands.output import table

if TYPE_CHECKING:
    from advisor.engine.framework_types import (
        Capability,
        Framework,
        Lines,
        Note,
        Read,
        Timeout,
        Trap,
    )
    from advisor.engine.knowledge import Knowledge
    from advisor.engine.versions import VersionRange

_STATUS = {
    "default_on": "on by default",
    "opt_in": "can be switched on",
    "experimental": "experimental",
    "external": "only through something else",
    "none": "not there",
}
"""Statuses of a capability in words."""

_READ = {"source": "read in", "measured": "measured, "}
"""What stands before a source where it needs no remark of its own."""


def listed(knowledge: Knowledge) -> str:
    """Every framework with facts, one line each.

    Raises:
        FrameworkError: a faulty file, with its place.
    """
    every = [knowledge.framework(name) for name in knowledge.frameworks()]
    rows = [(f.id, f"{f.newest}", f.as_of, f.title) for f in every]
    return table([("framework", "newest known", "facts of", "title"), *rows])


def page(knowledge: Knowledge, name: str) -> str:
    """Everything known of one framework; "" where no framework goes by the name.

    Args:
        knowledge: with the framework files.
        name: its id, or another name people use.

    Raises:
        FrameworkError: a faulty file, with its place.
    """
    from advisor.facts.toml_fault import printable

    framework_id = knowledge.framework_id(name)
    if not framework_id:
        return ""
    return "\n".join(printable(line) for line in _page(knowledge.framework(framework_id)))


def _page(one: Framework) -> list[str]:
    from advisor.engine.framework_file import CAPABILITIES
    from advisor.engine.framework_used import default_text, stopped

    lines = [f"{one.id}: {one.title}", f"newest version known {one.newest}, facts of {one.as_of}"]
    interval = one.interval_key
    if one.interval_unit != "call_site":
        interval += f", in {one.interval_unit}"
    lines += _part("also called", [", ".join(one.aliases)] if one.aliases else [])
    lines += _part("interval", [interval, *_some(default_text(one))])
    lines += _part("background save", _some(stopped(one.async_log)))
    lines += _part("blocking save", _some(stopped(one.sync_log)))
    able = [
        line
        for name in CAPABILITIES
        for line in _capabilities(name, one.capabilities.get(name, ()))
    ]
    lines += _part("what it can do", able)
    lines += _part("time-outs", _each(_timeout(t) for t in one.timeouts))
    lines += _part("settings that do not do what they seem to", _each(map(_trap, one.all_traps)))
    changes = [_lines(entry) for entries in one.changes.values() for entry in entries]
    lines += _part("lines to paste, per change", _each(changes))
    return lines + _part("also worth knowing", _each(map(_note, one.all_notes)))


def _part(title: str, texts: list[str]) -> list[str]:
    if not texts:
        return []
    return ["", title, *(f"  {line}".rstrip() for text in texts for line in text.split("\n"))]


def _each(entries: Iterable[list[str]]) -> list[str]:
    """The lines of some entries; "none known" where there are no entries."""
    return [line for entry in entries for line in entry] or ["none known"]


def _some(text: str) -> list[str]:
    return [text] if text else []


def _versions(versions: VersionRange) -> str:
    return versions.text or "every version"


def _source(source: str, read: Read) -> str:
    from advisor.engine.framework_words import MARKS

    return f"  {_READ.get(read) or f'{MARKS[read]}:'} {source}"


def _capabilities(name: str, entries: tuple[Capability, ...]) -> list[str]:
    if not entries:
        return [f"{name}: nothing known"]
    return [line for entry in entries for line in _capability(entry)]


def _capability(entry: Capability) -> list[str]:
    lines = [f"{entry.name}, {_versions(entry.versions)}: {_STATUS[entry.status]}. {entry.what}"]
    lines += [f"  blocks: {entry.blocks}"] if entry.blocks else []
    if entry.drain_limit is not None:
        lines.append(f"  limit of {entry.drain_limit:g} s: {entry.drain_limit_what}")
    lacks = entry.status in ("none", "external")
    instead = "instead" if lacks else "in a version without it"
    lines += [f"  {instead}: {entry.alternative}"] if entry.alternative else []
    return [*lines, _source(entry.source, entry.read)]


def _timeout(entry: Timeout) -> list[str]:
    about = f"{_versions(entry.versions)}, {entry.key}: {entry.seconds:g} s"
    return [f"{about}. {entry.what}", _source(entry.source, entry.read)]


def _trap(entry: Trap) -> list[str]:
    settings = " with ".join(entry.has)
    without = f", without {' or '.join(entry.lacks)}" if entry.lacks else ""
    return [
        f"{_versions(entry.versions)}, {settings}{without}: {entry.text}",
        f"  cure: {entry.cure}",
        _source(entry.source, entry.read),
    ]


def _lines(entry: Lines) -> list[str]:
    lines = [f"{entry.lever}, {_versions(entry.versions)}:"]
    entry = entry.filled(_names())
    lines += [f"    {line}" for line in entry.text.strip("\n").split("\n")]
    lines += [f"  {note}" for note in entry.notes]
    lines += [f"  worked if: {entry.worked_if}"] if entry.worked_if else []
    lines += [f"  undo: {entry.undo}"] if entry.undo else []
    return [*lines, _source(entry.source, entry.read)]


def _names() -> dict[str, str]:
    """Every placeholder as its name in braces: the page shows what the plan will fill in."""
    from advisor.engine.framework_file import PLACEHOLDERS

    return {name: f"{{{name}}}" for name in PLACEHOLDERS}


def _note(entry: Note) -> list[str]:
    from advisor.engine.launch_text import fill

    about = f"{', '.join(entry.levers)}, {_versions(entry.versions)}"
    return [f"{about}: {fill(entry.text, _names())}", _source(entry.source, entry.read)]
