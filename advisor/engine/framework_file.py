"""One framework file, read strictly: an unknown key or a wrong type is a fault with a place."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import get_args

from packaging.version import InvalidVersion, Version

from advisor.engine.framework_types import (
    STATUS_RANK,
    Capability,
    Effect,
    Framework,
    FrameworkError,
    Lines,
    Note,
    Read,
    Timeout,
    Trap,
)
from advisor.engine.strict_table import StrictTable, near
from advisor.facts.toml_text import TomlFault, load_toml

LEVERS = [
    "longer_interval",
    "shorter_interval",
    "async_on",
    "async_process",
    "plan_cache",
    "sharded_save",
    "parallel_save",
    "fewer_files",
    "local_staging",
    "tiering",
    "peer_copy",
    "incremental",
    "compression",
    "keep",
    "handle_notice",
    "raise_timeout",
    "faster_restart",
    "spares",
    "broadcast_load",
]
"""The changes a framework file may have lines for; a purchase has none."""

CAPABILITIES = ("async", "sharded", "incremental", "compression", "local", "peer", "gds")
"""What a framework file may state a capability for."""

PLACEHOLDERS = frozenset(
    [
        "interval_steps",
        "interval_s",
        "interval_min",
        "interval_whole_min",
        "keep",
        "workers",
        "pool_every",
        "pool_whole_min",
        "pool_least_s",
        "stall_before",
        "stall_after",
        "timeout_min",
        "timeout_s",
        "jump",
        "redundancy",
        "ranks_per_node",
    ]
)
"""What the plan fills into lines and notes; directories stay as capitals."""

SCHEMA_VERSION = 1
"""The form of the files this module reads."""

_KINDS = ("framework", "library", "application")
_UNITS = ("steps", "seconds", "minutes", "epochs", "call_site")
_WRITERS = ("thread", "process")
_SCHEMES = ("partner", "xor", "rs")
_ASYNC_KEYS = frozenset(
    ["writer", "host_copies", "plans_before_return", "one_step", "drain_limit", "drain_limit_what"]
)


def read_framework(path: Path) -> Framework:
    """Read and check one file.

    Raises:
        FrameworkError: with file, line, column, key path, what is wrong and what to do.
    """
    try:
        document = load_toml(path)
        return _framework(StrictTable(document, (), document.data), path)
    except TomlFault as fault:
        raise FrameworkError(
            fault.message,
            hint=fault.hint,
            path=fault.path,
            line=fault.line,
            column=fault.column,
            key=fault.key,
            shown=str(fault),
        ) from fault


def _framework(top: StrictTable, path: Path) -> Framework:
    if top.get("schema_version", int, "a whole number", None) != SCHEMA_VERSION:
        raise top.fault("schema_version", f"must be {SCHEMA_VERSION}", "upgrade ckpt-advisor")
    head = StrictTable(top.document, ("framework",), top.get("framework", dict, "a table", None))
    if head.text("id") != path.stem:
        raise head.fault("id", f'must be the name of the file, "{path.stem}"')
    try:
        newest = Version(head.text("newest"))
    except InvalidVersion as error:
        raise head.fault("newest", "is not a version number") from error
    framework = Framework(
        id=head.text("id"),
        title=head.text("title"),
        aliases=head.texts("aliases"),
        kind=head.choice("kind", _KINDS),
        version_prefixes=head.texts("version_prefixes"),
        newest=newest,
        as_of=head.text("as_of"),
        path=path,
        interval_key=head.text("interval_key"),
        interval_unit=head.choice("interval_unit", _UNITS),
        interval_default=head.number("interval_default"),
        interval_default_text=head.text("interval_default_text", ""),
        sync_log=head.text("sync_log", ""),
        async_log=head.text("async_log", ""),
        capabilities={
            name: table.labelled(_capability)
            for name, table in top.tables("capability", CAPABILITIES)
        },
        timeouts=tuple(_timeout(table) for _, table in top.tables("timeout")),
        changes={
            name: table.labelled(partial(lines_of, lever=name))
            for name, table in top.tables("lines", LEVERS)
        },
        all_traps=tuple(_trap(table) for _, table in top.tables("trap")),
        all_notes=tuple(_note(table) for _, table in top.tables("note")),
    )
    head.done()
    top.done()
    return framework


def _capability(table: StrictTable) -> Capability:
    name = table.keys[-2]
    for key in sorted(_ASYNC_KEYS):
        if name != "async" and key in table:
            raise table.fault(key, "belongs to the async capability only")
    if name != "peer" and "scheme" in table:
        raise table.fault("scheme", "belongs to the peer capability only")
    capability = Capability(
        name=name,
        versions=table.versions(),
        status=table.choice("status", STATUS_RANK),
        what=table.text("what"),
        source=table.text("source"),
        read=table.choice("read", get_args(Read)),
        blocks=table.text("blocks", ""),
        writer=table.choice("writer", _WRITERS) if "writer" in table else None,
        host_copies=table.number("host_copies"),
        plans_before_return=table.flag("plans_before_return"),
        one_step=bool(table.flag("one_step")),
        own_saves=bool(table.flag("own_saves")),
        drain_limit=table.number("drain_limit"),
        drain_limit_what=table.text("drain_limit_what", ""),
        alternative=table.text("alternative", ""),
        scheme=table.choice("scheme", _SCHEMES) if "scheme" in table else None,
    )
    if capability.status in {"none", "external"} and not capability.alternative:
        raise table.fault("status", f'"{capability.status}" needs an alternative beside it')
    table.done()
    return capability


def _timeout(table: StrictTable) -> Timeout:
    seconds = table.number("seconds")
    if not seconds:
        raise table.fault("seconds", "must be a number above 0")
    timeout = Timeout(
        versions=table.versions(),
        key=table.text("key"),
        seconds=seconds,
        what=table.text("what"),
        source=table.text("source"),
        read=table.choice("read", get_args(Read)),
    )
    table.done()
    return timeout


def lines_of(table: StrictTable, lever: str) -> Lines:
    """The lines to paste that a table holds.

    Args:
        table: text, source and read; notes, worked_if, undo and versions may be there.
        lever: id of the change they make.

    Raises:
        TomlFault: a key that is missing, unknown or of another type, or a wrong placeholder.
    """
    lines = Lines(
        lever=lever,
        versions=table.versions(),
        text=table.template("text", PLACEHOLDERS),
        source=table.text("source"),
        read=table.choice("read", get_args(Read)),
        notes=tuple(table.checked("notes", note, PLACEHOLDERS) for note in table.texts("notes")),
        worked_if=table.template("worked_if", PLACEHOLDERS, ""),
        undo=table.template("undo", PLACEHOLDERS, ""),
    )
    table.done()
    return lines


def _trap(table: StrictTable) -> Trap:
    trap = Trap(
        id=table.keys[-1],
        versions=table.versions(),
        has=table.texts("has"),
        lacks=table.texts("lacks"),
        effect=table.choice("effect", get_args(Effect)),
        text=table.text("text"),
        cure=table.text("cure"),
        source=table.text("source"),
        read=table.choice("read", get_args(Read)),
    )
    if not trap.has:
        raise table.fault("has", "must name at least one setting")
    table.done()
    return trap


def _note(table: StrictTable) -> Note:
    note = Note(
        id=table.keys[-1],
        levers=table.texts("levers"),
        versions=table.versions(),
        text=table.template("text", PLACEHOLDERS),
        source=table.text("source"),
        read=table.choice("read", get_args(Read)),
    )
    for lever in note.levers:
        if lever not in LEVERS:
            raise table.fault("levers", f'"{lever}" is not a lever', near(lever, LEVERS))
    table.done()
    return note
