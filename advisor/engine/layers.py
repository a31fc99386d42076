"""The files of the storage layers, read strictly: a fault names file, line and column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import get_args

from advisor.engine.advice import Survives
from advisor.engine.framework_file import LEVERS, lines_of
from advisor.engine.framework_types import Lines, Read
from advisor.engine.layer_types import ANY, EVERY_LEVER, Kind, Layer
from advisor.engine.strict_table import StrictTable, near
from advisor.facts.toml_text import load_toml

SCHEMA_VERSION = 1
"""The form of the files this module reads."""


def load_layers(
    folders: Sequence[Path], pool_kinds: Iterable[str], frameworks: Iterable[str]
) -> dict[str, Layer]:
    """Every layer of some folders by id, those of a later folder behind.

    Args:
        folders: with a file per layer; one that does not exist has none.
        pool_kinds: members of the fact ``pool_kind``.
        frameworks: ids there are framework files for.

    Raises:
        TomlFault: a faulty file, or the second of two with the same id, naming both.
    """
    kinds, known = tuple(pool_kinds), tuple(frameworks)
    found: dict[str, Layer] = {}
    for path in (p for folder in folders for p in sorted(folder.glob("*.toml"))):
        table = _table(path)
        layer = _layer(table, path, kinds, known)
        if layer.id in found:
            raise table.document.fault(
                ("layer", "id"),
                f'the layer "{layer.id}" is already in {found[layer.id].path}',
                "give it an id of its own",
            )
        found[layer.id] = layer
    return found


def _table(path: Path) -> StrictTable:
    document = load_toml(path)
    return StrictTable(document, (), document.data)


def _inner(top: StrictTable, key: str) -> StrictTable:
    return StrictTable(top.document, (key,), top.get(key, dict, "a table", None))


def _layer(
    top: StrictTable, path: Path, pool_kinds: Sequence[str], frameworks: Sequence[str]
) -> Layer:
    if top.get("schema_version", int, "a whole number", None) != SCHEMA_VERSION:
        raise top.fault("schema_version", f"must be {SCHEMA_VERSION}", "upgrade ckpt-advisor")
    head, fits, copy = (_inner(top, key) for key in ("layer", "fits", "copy"))
    if head.text("id") != path.stem:
        raise head.fault("id", f'must be the name of the file, "{path.stem}"')
    deprecated = bool(head.flag("deprecated"))
    if deprecated != ("instead" in head):
        key = "deprecated" if deprecated else "instead"
        raise head.fault(key, "a deprecated layer, and no other, names what to use instead")
    survives: Survives = copy.choice("survives", get_args(Survives))
    if (survives == "only_with") != ("with" in copy):
        raise copy.fault("survives", 'goes with the key "with" where it is "only_with", else not')
    gives = _members(head, "gives", LEVERS)
    lines = dict(_lines(top, gives))
    if not deprecated and EVERY_LEVER not in lines:
        raise top.document.fault((), f"[lines.{EVERY_LEVER}] is missing: how it is switched on")
    layer = Layer(
        id=head.text("id"),
        title=head.text("title"),
        kind=head.choice("kind", get_args(Kind)),
        as_of=head.text("as_of"),
        path=path,
        what=head.text("what"),
        gives=gives,
        pools=_members(fits, "pools", (ANY, *pool_kinds)),
        frameworks=_members(fits, "frameworks", (ANY, *frameworks)),
        survives=survives,
        only_with=copy.text("with", ""),
        copy_source=copy.text("source"),
        copy_read=copy.choice("read", get_args(Read)),
        needs=head.texts("needs"),
        gotchas=head.texts("gotchas"),
        lines=lines,
        source=head.text("source"),
        read=head.choice("read", get_args(Read)),
        deprecated=deprecated,
        instead=head.text("instead", ""),
    )
    for table in (head, fits, copy, top):
        table.done()
    return layer


def _members(table: StrictTable, key: str, known: Sequence[str]) -> tuple[str, ...]:
    """A list that must be there, of members of ``known``; it may be empty."""
    if key not in table:
        raise table.document.fault(table.keys, f'the key "{key}" is missing', "it may be empty: []")
    found = table.texts(key)
    for name in found:
        if name not in known:
            raise table.fault(key, f'"{name}" is not known here', near(name, known))
    return found


def _lines(top: StrictTable, gives: Sequence[str]) -> Iterable[tuple[str, Lines]]:
    for lever, table in top.tables("lines", (EVERY_LEVER, *LEVERS)):
        if lever not in (EVERY_LEVER, *gives):
            raise top.document.fault(table.keys, f'"{lever}" is not among what the layer gives')
        yield lever, lines_of(table, lever)
