"""What only concerns a site's packs: names that are ours, overrides, and rules switched off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from advisor.engine.advice import SEVERITIES
from advisor.engine.pack_types import Disabled, Rule, RuleThreshold
from advisor.engine.strict_table import StrictTable, near
from advisor.facts.toml_text import TomlFault

RESERVED_RULE = "CK"
"""How the ids of built-in rules begin; a site's begin otherwise, so that ours never collide."""

RESERVED_PACK = "ckpt-"
"""How the ids of built-in packs begin."""

_DISABLE_KEYS = ("reason",)


@dataclass(frozen=True, slots=True)
class Header:
    """The ``[pack]`` table of one file.

    Attributes:
        id: its id.
        version: its version.
        is_site: it comes from a site's folder, not from ours.
        settings: names of settings its remedies use that are no framework's.
    """

    id: str
    version: str
    is_site: bool
    settings: tuple[str, ...] = ()


@dataclass
class Faults:
    """Faults found so far: raised at once, or collected for ``rules check``.

    Attributes:
        collected: where they go; None raises the first.
    """

    collected: list[TomlFault] | None = None

    @contextmanager
    def entry(self) -> Iterator[None]:
        """One entry; where faults are collected the others are still read."""
        try:
            yield
        except TomlFault as fault:
            if self.collected is None:
                raise
            self.collected.append(fault)


@dataclass
class Declared:
    """Where each threshold, rule and limit was declared, to name both places of a repetition."""

    places: dict[tuple[str, str], tuple[StrictTable, bool]] = field(default_factory=dict)

    def may_declare(self, what: str, name: str, table: StrictTable, header: Header) -> bool:
        """Note a declaration; whether it overrides one of ours.

        Raises:
            TomlFault: declared before, and not a site's threshold over one of ours.
        """
        before = self.places.get((what, name))
        if before is None:
            self.places[what, name] = table, header.is_site
            return False
        first, was_site = before
        if what == "threshold" and header.is_site and not was_site:
            self.places[what, name] = table, True
            return True
        line = first.document.position(first.keys)[0]
        raise table.document.fault(
            table.keys,
            f"{what} {name} is already in {first.document.path}, line {line}",
            "give it a name of its own" if what != "rule" else "numbers are never used twice",
        )


def check_header(header: Header, table: StrictTable) -> None:
    """A site's pack must not pass for one of ours.

    Raises:
        TomlFault: its id is reserved.
    """
    if header.is_site and header.id.startswith(RESERVED_PACK):
        keys, hint = ("pack", "id"), 'choose another, such as id = "acme"'
        raise table.document.fault(keys, f'"{RESERVED_PACK}…" is reserved', hint)


def check_rule_id(rule_id: str, table: StrictTable, header: Header) -> None:
    """Capitals and a number, and for a site not our prefix.

    Raises:
        TomlFault: otherwise.
    """
    if not rule_id.isalnum() or not rule_id[-1].isdigit() or not rule_id.isupper():
        hint = "write capitals and a number: ACME001"
        raise table.document.fault(table.keys, f'"{rule_id}" is not a rule id', hint)
    if header.is_site and rule_id.startswith(RESERVED_RULE):
        hint = "begin it with the name of the site: ACME001"
        raise table.document.fault(
            table.keys, f'ids that begin with "{RESERVED_RULE}" are reserved', hint
        )


def check_override(ours: RuleThreshold, theirs: RuleThreshold, table: StrictTable) -> str:
    """Another value for one of our thresholds is in its unit.

    Returns:
        What is changed, a sentence.

    Raises:
        TomlFault: it is in another one.
    """
    if ours.unit != theirs.unit:
        hint = f'unit = "{ours.unit}"'
        raise table.fault("unit", f"{ours.name} is in {ours.unit} and stays in it", hint)
    return changed_text(theirs.pack, ours.name, ours.value, theirs.value, ours.unit)


def changed_text(pack: str, name: str, before: float, now: float, unit: str) -> str:
    """What a site changed a number of ours to."""
    shown = "" if unit == "1" else f" {unit}"
    return f"{pack} sets {name} to {now:g}{shown}; built in is {before:g}{shown}."


def disabled_text(off: Disabled) -> str:
    """What a site switched off, and why."""
    return f"{off.pack} switches {off.rule.id} off ({off.rule.title.lower()}): {off.reason}"


def disabled_rule(
    rule_id: str, table: StrictTable, header: Header, rules: Mapping[str, Rule]
) -> Disabled:
    """A rule that a site switches off.

    Raises:
        TomlFault: there is no such rule, it is the pack's own, or the reason is missing.
    """
    for key in table:
        if key not in _DISABLE_KEYS:
            raise table.fault(key, f'the key "{key}" is not known here', near(key, _DISABLE_KEYS))
    rule = rules.get(rule_id)
    if rule is None:
        raise table.document.fault(
            table.keys, f"there is no rule {rule_id} to switch off", near(rule_id, rules)
        )
    if rule.pack == header.id:
        hint = "remove the rule itself"
        raise table.document.fault(table.keys, f"{rule_id} is a rule of this very pack", hint)
    return Disabled(rule, table.text("reason"), header.id)


def check_superseding(rules: Mapping[str, Rule], tables: Mapping[str, StrictTable]) -> None:
    """Every rule that is superseded is there, and none supersedes itself, by way of others too.

    Raises:
        TomlFault: otherwise.
    """
    for rule_id, table in tables.items():
        severity = SEVERITIES.index(rules[rule_id].severity)
        for name in rules[rule_id].supersedes:
            if name not in rules:
                raise table.fault("supersedes", f"there is no rule {name}", near(name, rules))
            if SEVERITIES.index(rules[name].severity) > severity:
                message = f"{name} is of severity {rules[name].severity} and must not be hidden"
                raise table.fault(
                    "supersedes", message, "give this one that severity, or remove it"
                )
        reached, front = set[str](), set(rules[rule_id].supersedes)
        while front:
            reached |= front
            front = {n for one in front for n in rules[one].supersedes if n in rules} - reached
        if rule_id in reached:
            raise table.fault("supersedes", f"{rule_id} would supersede itself", "remove one")
