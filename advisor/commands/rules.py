"""``ckpt-advisor rules``: the rules, one line each, and one of them in full."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from advisor.commands import rules_frameworks
from advisor.commands.exit_codes import FINE
from advisor.commands.faults import UsageFault
from advisor.commands.options import NO_SITE, add_common
from advisor.commands.output import emit, table

if TYPE_CHECKING:
    from advisor.engine.pack import Rule

SUMMARY = "the rules: list them, or show one"


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``rules``; ``list`` is meant where nothing is said."""
    parser.set_defaults(family=None)
    add_common(parser, site=NO_SITE)
    inner = parser.add_subparsers(dest="action", metavar="ACTION", title="actions")
    one = inner.add_parser("list", help="every rule, one line each", allow_abbrev=False)
    one.add_argument("--family", metavar="X", help="only these: I or CKI for the interval")
    add_common(one, site=NO_SITE, inner=True)
    other = inner.add_parser("show", help="one rule or framework in full", allow_abbrev=False)
    other.add_argument("id", metavar="ID", help="such as CKA01, or a framework: megatron-lm")
    add_common(other, site=NO_SITE, inner=True)
    frameworks = inner.add_parser(
        "frameworks", help="every framework with facts, one line each", allow_abbrev=False
    )
    add_common(frameworks, site=NO_SITE, inner=True)


def run(arguments: argparse.Namespace) -> int:
    """Print the list, the rule or the framework.

    Raises:
        UsageFault: no such rule, framework or family.
        FrameworkError: a faulty framework file, with its place.
        TomlFault: a faulty pack, with its place.
    """
    from advisor.commands.inputs import knowledge_of

    knowledge = knowledge_of(arguments)
    rules = knowledge.pack.rules
    if arguments.action == "frameworks":
        emit(rules_frameworks.listed(knowledge))
    elif arguments.action == "show":
        known = arguments.id.strip().upper() in rules
        about = "" if known else rules_frameworks.page(knowledge, arguments.id)
        emit(about or _in_full(_found(arguments.id, rules, knowledge.frameworks())))
    else:
        emit(_listed(rules, arguments.family))
    return FINE


def _found(typed: str, rules: Mapping[str, Rule], frameworks: Sequence[str]) -> Rule:
    from advisor.facts.toml_text import suggest

    rule = rules.get(typed.strip().upper())
    if rule is None:
        hint = suggest(typed.upper(), rules) or suggest(typed, frameworks)
        hint = hint or "ckpt-advisor rules list and rules frameworks show all"
        raise UsageFault(f'there is no rule or framework "{typed}"', hint)
    return rule


def _listed(rules: Mapping[str, Rule], family: str | None) -> str:
    families = {rule.family for rule in rules.values()}
    chosen = list(rules.values())
    if family is not None:
        wanted = family.strip().upper()
        names = {name for name in (wanted, f"CK{wanted}") if name in families}
        if not names:
            hint = f"there are {', '.join(sorted(families))}"
            raise UsageFault(f'there is no family "{family}"', hint)
        chosen = [rule for rule in chosen if rule.family in names]
    chosen.sort(key=lambda rule: rule.id)
    rows = [(rule.id, rule.severity, rule.pack, _flag(rule)) for rule in chosen]
    return table([("rule", "severity", "pack", "what it finds"), *rows])


def _flag(rule: Rule) -> str:
    return rule.title if rule.status == "stable" else f"{rule.title} ({rule.status})"


def _in_full(rule: Rule) -> str:
    from advisor.facts.toml_fault import printable

    parts: list[tuple[str, Sequence[str]]] = [
        ("applies when", [rule.when.text]),
        ("says", [rule.message]),
        ("to do", rule.remedy),
        ("change it offers", [f"{rule.lever} ({rule.effort})"] if rule.lever else []),
        ("about", [rule.doc]),
        ("facts shown with it", [", ".join(rule.evidence)] if rule.evidence else []),
        ("thresholds solved for", [", ".join(rule.flip)] if rule.flip else []),
        ("sources", rule.sources),
        ("pack", [rule.pack]),
    ]
    lines = [f"{rule.id}: {_flag(rule)}", f"severity {rule.severity}"]
    for title, texts in parts:
        if texts:
            lines += ["", title]
            lines += [f"  {line.strip()}" for text in texts for line in text.strip().split("\n")]
    return "\n".join(printable(line) for line in lines)
