"""Rule packs: the rules, named thresholds and limits of ``rules/*.toml``, checked when loaded.

A fault in a pack is an error with its place, never a silently lost rule: names, choices and
dimensions of every condition, placeholders of every message, and facts to solve for are all checked
before the first session is looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Literal

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from advisor import __version__
from advisor.engine.advice import SEVERITIES
from advisor.engine.computed import COMPUTED
from advisor.engine.expression import Expression, ExpressionError, Name, compile_expression
from advisor.engine.expression_dimensions import dimension_of
from advisor.engine.message import check_message
from advisor.engine.pack_places import fault_inside, refuse_unknown_keys
from advisor.engine.pack_site import (
    Declared,
    Faults,
    Header,
    check_header,
    check_override,
    check_rule_id,
    check_superseding,
    disabled_rule,
    disabled_text,
)
from advisor.engine.pack_types import (
    PLACES,
    Disabled,
    Limit,
    Pack,
    Place,
    Rule,
    RuleThreshold,
)
from advisor.engine.strict_table import StrictTable, near
from advisor.facts.catalogue import Catalogue, Kind
from advisor.facts.folders import CATALOGUE_FILE
from advisor.facts.toml_text import TomlFault, dotted, load_toml

__all__ = [
    "EFFORTS",
    "PLACES",
    "Limit",
    "Pack",
    "Place",
    "Rule",
    "RuleThreshold",
    "load_packs",
    "names_of",
]

EFFORTS = ("configuration", "version", "hardware_present", "money")
"""What a change costs to make, cheapest first; the weights are constants of the catalogue."""

_RULE_KEYS = (
    *("title", "status", "severity", "place", "when", "lever", "effort", "message", "remedy"),
    *("nearest", "evidence", "flip", "supersedes", "sources", "doc"),
)
_LIMIT_KEYS = (*("when", "needs", "has", "of", "there", "message", "condition", "flip", "source"),)
_THRESHOLD_KEYS = ("value", "unit", "source")

_LANGUAGE = "compare facts and computed values with each other or with quantities in quotes: '30 s'"
"""The hint where the condition itself has none."""

_KIND_OF_UNIT: Mapping[str, Kind] = {
    "1": "ratio",
    "s": "duration",
    "B": "size",
    "B/s": "rate",
    "1/s": "per_second",
    "1/year": "per_year",
    "USD": "money",
    "USD/year": "money_per_year",
    "USD/h": "money_per_hour",
}
"""Kinds of named thresholds and constants by their unit; others cannot be compared with facts."""


def names_of(catalogue: Catalogue, thresholds: Mapping[str, RuleThreshold]) -> dict[str, Name]:
    """Everything a condition may name: facts, computed values, constants and thresholds."""
    names: dict[str, Name] = {
        name: Name(kind=_KIND_OF_UNIT[constant.unit])
        for name, constant in catalogue.constants.items()
        if constant.unit in _KIND_OF_UNIT and name not in catalogue.facts
    }
    names |= {n: Name(kind=t.kind) for n, t in thresholds.items()}
    names |= {n: Name(kind=c.kind, choices=c.choices) for n, c in COMPUTED.items()}
    names |= {
        n: Name(kind=spec.kind, choices=tuple(spec.choices)) for n, spec in catalogue.facts.items()
    }
    return names


def load_packs(
    paths: Sequence[Path],
    catalogue: Catalogue,
    levers: Sequence[str],
    *,
    site: Collection[Path] = (),
    collect: list[TomlFault] | None = None,
) -> Pack:
    """Read and check all packs.

    Args:
        paths: pack files, built-in ones first.
        catalogue: the declared facts.
        levers: ids of the changes the engine knows.
        site: which of the files are a site's own; they may override thresholds and switch off
            rules, and must keep to names that are not reserved.
        collect: where every fault goes, what is faulty being left out; None raises the first.

    Raises:
        TomlFault: anything wrong, with file, line, column and key.
    """
    faults, declared = Faults(collect), Declared()
    changes: list[str] = []
    packs: list[tuple[Header, StrictTable]] = []
    for path in paths:
        with faults.entry():
            document = load_toml(path)
            table = StrictTable(document, (), document.data)
            packs.append((_header(table, path in site), table))
    thresholds = _thresholds(packs, catalogue, declared, faults, changes)
    names = names_of(catalogue, thresholds)
    rules: dict[str, Rule] = {}
    tables: dict[str, StrictTable] = {}
    limits: dict[str, Limit] = {}
    for header, table in packs:
        for name, entry in table.tables("rule"):
            with faults.entry():
                check_rule_id(name, entry, header)
                declared.may_declare("rule", name, entry, header)
                rules[name] = _rule(name, header.id, entry, names, catalogue, levers)
                tables[name] = entry
        for name, entry in table.tables("limit"):
            with faults.entry():
                declared.may_declare("limit", name, entry, header)
                limits[name] = _limit(name, entry, names, catalogue)
    with faults.entry():
        check_superseding(rules, tables)
    disabled: dict[str, Disabled] = {}
    for header, table in packs:
        if header.is_site:
            for name, entry in table.tables("disable"):
                with faults.entry():
                    disabled[name] = disabled_rule(name, entry, header, rules)
        with faults.entry():
            table.done()
    return Pack(
        ids=tuple(header.id for header, _ in packs),
        version=_version([header for header, _ in packs]),
        rules={name: rule for name, rule in rules.items() if name not in disabled},
        disabled=disabled,
        changes=(*changes, *(disabled_text(off) for off in disabled.values())),
        thresholds=thresholds,
        limits=limits,
        names=names,
        settings=frozenset(name for header, _ in packs for name in header.settings),
    )


def _version(headers: Sequence[Header]) -> str:
    ours = max((header.version for header in headers if not header.is_site), default="")
    site = dict.fromkeys(f"{header.id} {header.version}" for header in headers if header.is_site)
    return ", ".join(part for part in (ours, *site) if part)


def _thresholds(
    packs: Sequence[tuple[Header, StrictTable]],
    catalogue: Catalogue,
    declared: Declared,
    faults: Faults,
    changes: list[str],
) -> dict[str, RuleThreshold]:
    found: dict[str, RuleThreshold] = {}
    for header, table in packs:
        for name, entry in table.tables("threshold"):
            with faults.entry():
                if name in COMPUTED or name in catalogue.facts or name in catalogue.constants:
                    hint = "choose a name that no fact, computed value or constant has"
                    if name in catalogue.constants:
                        hint = f"to change the constant, put [constant.{name}] in {CATALOGUE_FILE}"
                    raise entry.document.fault(
                        entry.keys, f"{name} already means something else", hint
                    )
                theirs = _threshold(name, entry, header)
                if declared.may_declare("threshold", name, entry, header):
                    changes.append(check_override(found[name], theirs, entry))
                found[name] = theirs
    return found


def _header(table: StrictTable, is_site: bool) -> Header:
    version = table.get("schema_version", int, "a whole number", None)
    if version != 1:
        raise table.fault("schema_version", "must be 1", "upgrade ckpt-advisor to read this pack")
    pack = StrictTable(table.document, ("pack",), table.get("pack", dict, "a table", None))
    header = Header(pack.text("id"), pack.text("version"), is_site, pack.texts("settings"))
    check_header(header, table)
    pack.text("title")
    needs = pack.text("requires", "")
    try:
        fits = SpecifierSet(needs).contains(__version__, prereleases=True)
    except InvalidSpecifier as error:
        raise pack.fault("requires", "is not a version range", 'write ">=0.1,<1"') from error
    if not fits:
        raise pack.fault(
            "requires", f"this is ckpt-advisor {__version__}", "upgrade, or use an older pack"
        )
    pack.done()
    return header


def _threshold(name: str, table: StrictTable, header: Header) -> RuleThreshold:
    refuse_unknown_keys(table, _THRESHOLD_KEYS)
    value = table.number("value")
    if value is None:
        raise table.document.fault(
            table.keys, 'the key "value" is missing', "write the number: value = 0.5"
        )
    unit = table.choice("unit", _KIND_OF_UNIT)
    out = RuleThreshold(
        name=name,
        value=value,
        unit=unit,
        kind=_KIND_OF_UNIT[unit],
        source=table.text("source"),
        pack=header.id,
    )
    table.done()
    return out


def _condition(
    table: StrictTable,
    key: str,
    names: Mapping[str, Name],
    want: Literal["condition", "number"] = "condition",
) -> Expression:
    text = table.text(key)
    try:
        return compile_expression(text, names, want=want)
    except ExpressionError as error:
        raise fault_inside(
            table, key, text, (error.line, error.column), error.message, error.hint or _LANGUAGE
        ) from error


def _comparable(one: Kind, other: Kind) -> bool:
    return dimension_of(one) == dimension_of(other)


def _checked_texts(
    table: StrictTable, key: str, texts: str | Sequence[str], names: Mapping[str, Name]
) -> None:
    single = isinstance(texts, str)
    for item, text in enumerate([texts] if isinstance(texts, str) else texts):
        fault = check_message(text, names)
        if fault is not None:
            before = text[: fault.column - 1]
            place = before.count("\n") + 1, fault.column - (before.rfind("\n") + 1)
            raise fault_inside(
                table, key, text, place, fault.message, fault.hint, None if single else item
            )


def _facts(table: StrictTable, key: str, known: Mapping[str, object]) -> tuple[str, ...]:
    found = table.texts(key)
    for name in found:
        if name not in known:
            raise table.fault(key, f'no fact is called "{name}"', near(name, known))
    return found


def _nearest(table: StrictTable, levers: Sequence[str]) -> tuple[str, ...]:
    found = table.texts("nearest")
    for lever in found:
        if lever not in levers:
            raise table.fault("nearest", f'"{lever}" is not a change', near(lever, levers))
    if found and "lever" in table:
        raise table.fault("nearest", "is for a change the framework has not; lever offers one")
    if found and table.text("place") != "change":
        raise table.fault("nearest", 'is only for a rule in the place "change"')
    return found


def _rule(
    rule_id: str,
    pack_id: str,
    table: StrictTable,
    names: Mapping[str, Name],
    catalogue: Catalogue,
    levers: Sequence[str],
) -> Rule:
    refuse_unknown_keys(table, _RULE_KEYS)
    message, remedy = table.text("message"), table.texts("remedy")
    _checked_texts(table, "message", message, names)
    _checked_texts(table, "remedy", remedy, names)
    lever = table.choice("lever", levers) if "lever" in table else ""
    sources = []
    for _, source in table.tables("sources"):
        sources.append(f"{source.text('title')}, {source.text('where')}")
        source.done()
    if not sources:
        raise table.document.fault(
            table.keys,
            "a rule names at least one source",
            f"add [{dotted((*table.keys, 'sources', 'name'))}] with a title and where it is found",
        )
    rule = Rule(
        id=rule_id,
        pack=pack_id,
        title=table.text("title"),
        status=table.choice("status", ("stable", "preview", "deprecated")),
        severity=table.choice("severity", SEVERITIES),
        place=table.choice("place", PLACES),
        when=_condition(table, "when", names),
        lever=lever,
        effort=table.choice("effort", EFFORTS) if "effort" in table else "configuration",
        message=message,
        remedy=remedy,
        nearest=_nearest(table, levers),
        evidence=_facts(table, "evidence", names),
        flip=_facts(table, "flip", catalogue.facts),
        supersedes=table.texts("supersedes"),
        sources=tuple(sources),
        doc=table.text("doc"),
    )
    table.done()
    return rule


def _limit(
    limit_id: str, table: StrictTable, names: Mapping[str, Name], catalogue: Catalogue
) -> Limit:
    refuse_unknown_keys(table, _LIMIT_KEYS)
    message, condition = table.text("message"), table.text("condition")
    _checked_texts(table, "message", message, names)
    _checked_texts(table, "condition", condition, names)
    needs, has = (_condition(table, key, names, want="number") for key in ("needs", "has"))
    if needs.kind is None or has.kind is None or not _comparable(needs.kind, has.kind):
        raise table.fault(
            "has", "what is there is not in the unit of what is needed", "compare sizes with sizes"
        )
    limit = Limit(
        id=limit_id,
        when=_condition(table, "when", names) if "when" in table else None,
        needs=needs,
        has=has,
        of=table.text("of"),
        there=table.text("there"),
        message=message,
        condition=condition,
        flip=_facts(table, "flip", catalogue.facts),
        source=table.text("source"),
    )
    table.done()
    return limit
