"""Rule packs: the rules, named thresholds and limits of ``rules/*.toml``, checked when loaded.

A fault in a pack is an error with its place, never a silently lost rule: names, choices and
dimensions of every condition, placeholders of every message, and facts to solve for are all checked
before the first session is looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from advisor.engine.advice import SEVERITIES, Severity
from advisor.engine.computed import COMPUTED
from advisor.engine.expression import Expression, ExpressionError, Name, compile_expression
from advisor.engine.message import check_message
from advisor.engine.strict_table import StrictTable
from advisor.facts.catalogue import Catalogue, Kind
from advisor.facts.toml_text import load_toml

Place = Literal["danger", "misconfigured", "change", "restart", "hardware", "evidence"]
"""Where a finding stands in the ticket; first what loses data or kills the job."""

PLACES: tuple[Place, ...] = (
    "danger",
    "misconfigured",
    "change",
    "restart",
    "hardware",
    "evidence",
)
"""The order of findings in the ticket."""

EFFORTS = ("configuration", "version", "hardware_present", "money")
"""What a change costs to make, cheapest first; the weights are constants of the catalogue."""

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


@dataclass(frozen=True, slots=True)
class RuleThreshold:
    """A named constant of a pack that conditions compare with."""

    name: str
    value: float
    kind: Kind
    source: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes:
        id: family letter and number, never reused.
        pack: id of the pack it comes from.
        title: what it finds, one line.
        status: stable, preview or deprecated.
        severity: of a hit.
        place: where a hit stands in the ticket.
        when: its condition.
        lever: the change it offers, or "".
        effort: what that change costs to make.
        message: with placeholders.
        remedy: what to do, with placeholders.
        evidence: facts shown with it.
        flip: facts to solve thresholds for.
        sources: where it comes from.
        doc: what, why, and when it does not apply.
    """

    id: str
    pack: str
    title: str
    status: str
    severity: Severity
    place: Place
    when: Expression
    message: str
    doc: str
    lever: str = ""
    effort: str = "configuration"
    remedy: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    flip: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    @property
    def family(self) -> str:
        """Its id without the number, such as CKB."""
        return self.id.rstrip("0123456789")


@dataclass(frozen=True, slots=True)
class Limit:
    """A hard limit a plan must keep: false rules a change out, unknown makes it a condition."""

    id: str
    ok: Expression
    message: str
    condition: str
    flip: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Pack:
    """All rules, thresholds and limits loaded, over one catalogue."""

    ids: tuple[str, ...] = ()
    version: str = ""
    rules: Mapping[str, Rule] = field(default_factory=dict)
    thresholds: Mapping[str, RuleThreshold] = field(default_factory=dict)
    limits: Mapping[str, Limit] = field(default_factory=dict)
    names: Mapping[str, Name] = field(default_factory=dict)


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


def load_packs(paths: Sequence[Path], catalogue: Catalogue, levers: Sequence[str]) -> Pack:
    """Read and check all packs.

    Args:
        paths: pack files, built-in ones first.
        catalogue: the declared facts.
        levers: ids of the changes the engine knows.

    Raises:
        TomlFault: anything wrong, with file, line, column and key.
    """
    documents = [load_toml(path) for path in paths]
    tables = [StrictTable(document, (), document.data) for document in documents]
    headers = [_header(table) for table in tables]
    thresholds: dict[str, RuleThreshold] = {}
    for table in tables:
        for name, entry in table.tables("threshold"):
            thresholds[name] = _threshold(name, entry)
    names = names_of(catalogue, thresholds)
    rules: dict[str, Rule] = {}
    limits: dict[str, Limit] = {}
    for (pack_id, _), table in zip(headers, tables, strict=True):
        for name, entry in table.tables("rule"):
            if name in rules:
                raise entry.document.fault(
                    entry.keys, f"rule {name} is already in pack {rules[name].pack}"
                )
            rules[name] = _rule(name, pack_id, entry, names, catalogue, levers)
        for name, entry in table.tables("limit"):
            limits[name] = _limit(name, entry, names, catalogue)
        table.done()
    return Pack(
        ids=tuple(pack_id for pack_id, _ in headers),
        version=max((version for _, version in headers), default=""),
        rules=rules,
        thresholds=thresholds,
        limits=limits,
        names=names,
    )


def _header(table: StrictTable) -> tuple[str, str]:
    version = table.get("schema_version", int, "a whole number", None)
    if version != 1:
        raise table.fault("schema_version", "must be 1", "upgrade ckpt-advisor to read this pack")
    pack = StrictTable(table.document, ("pack",), table.get("pack", dict, "a table", None))
    out = pack.text("id"), pack.text("version")
    pack.text("title")
    pack.done()
    return out


def _threshold(name: str, table: StrictTable) -> RuleThreshold:
    value = table.number("value")
    if value is None:
        raise table.fault("value", 'the key "value" is missing')
    out = RuleThreshold(
        name=name,
        value=value,
        kind=_KIND_OF_UNIT[table.choice("unit", _KIND_OF_UNIT)],
        source=table.text("source"),
    )
    table.done()
    return out


def _condition(table: StrictTable, key: str, names: Mapping[str, Name]) -> Expression:
    text = table.text(key)
    try:
        return compile_expression(text, names)
    except ExpressionError as error:
        where = f"column {error.column} of the condition: {error.message}"
        raise table.fault(key, where, error.hint) from error


def _checked_texts(
    table: StrictTable, key: str, texts: Sequence[str], names: Mapping[str, Name]
) -> None:
    for text in texts:
        fault = check_message(text, names)
        if fault is not None:
            raise table.fault(key, f"column {fault.column}: {fault.message}", fault.hint)


def _facts(table: StrictTable, key: str, known: Mapping[str, object]) -> tuple[str, ...]:
    from advisor.engine.strict_table import near

    found = table.texts(key)
    for name in found:
        if name not in known:
            raise table.fault(key, f'no fact is called "{name}"', near(name, known))
    return found


def _rule(
    rule_id: str,
    pack_id: str,
    table: StrictTable,
    names: Mapping[str, Name],
    catalogue: Catalogue,
    levers: Sequence[str],
) -> Rule:
    if not rule_id.isalnum() or not rule_id[-1].isdigit() or not rule_id.isupper():
        raise table.document.fault(table.keys, "a rule id is capitals and a number: ACME001")
    message, remedy = table.text("message"), table.texts("remedy")
    _checked_texts(table, "message", [message], names)
    _checked_texts(table, "remedy", remedy, names)
    lever = table.choice("lever", levers) if "lever" in table else ""
    sources = []
    for _, source in table.tables("sources"):
        sources.append(f"{source.text('title')}, {source.text('where')}")
        source.done()
    if not sources:
        raise table.document.fault(table.keys, "a rule names at least one source")
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
        evidence=_facts(table, "evidence", names),
        flip=_facts(table, "flip", catalogue.facts),
        sources=tuple(sources),
        doc=table.text("doc"),
    )
    table.done()
    return rule


def _limit(
    limit_id: str, table: StrictTable, names: Mapping[str, Name], catalogue: Catalogue
) -> Limit:
    message, condition = table.text("message"), table.text("condition")
    _checked_texts(table, "message", [message], names)
    _checked_texts(table, "condition", [condition], names)
    limit = Limit(
        id=limit_id,
        ok=_condition(table, "ok", names),
        message=message,
        condition=condition,
        flip=_facts(table, "flip", catalogue.facts),
        source=table.text("source"),
    )
    table.done()
    return limit
