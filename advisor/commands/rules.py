"""``ckpt-advisor rules``: the rules, one line each, and one of them in full."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from advisor.commands.advise import add_set
from advisor.commands.exit_codes import FINE
from advisor.commands.faults import UsageFault
from advisor.commands.options import NO_SITE, add_common, rule_folders
from advisor.commands.output import emit, table

if TYPE_CHECKING:
    from advisor.engine.pack import Rule

SUMMARY = "the rules: list, show or explain them, check your own, write the reference"


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``rules``; ``list`` is meant where nothing is said."""
    parser.set_defaults(family=None)
    add_common(parser, site=NO_SITE)
    inner = parser.add_subparsers(dest="action", metavar="ACTION", title="actions")
    one = inner.add_parser("list", help="every rule, one line each", allow_abbrev=False)
    one.add_argument("--family", metavar="X", help="only these: I or CKI for the interval")
    add_common(one, site=NO_SITE, inner=True)
    other = inner.add_parser("show", help="one rule in full", allow_abbrev=False)
    other.add_argument("id", metavar="ID", help="such as CKA01")
    add_common(other, site=NO_SITE, inner=True)
    own = inner.add_parser("check", help="what is wrong with your own packs", allow_abbrev=False)
    own.add_argument("folders", nargs="+", metavar="DIR", help="a folder of packs")
    add_common(own, site=NO_SITE, inner=True)
    why = inner.add_parser("explain", help="why one rule applies to a job", allow_abbrev=False)
    why.add_argument("id", metavar="ID", help="such as CKA01")
    why.add_argument("session", nargs="?", metavar="SESSION", help="a session file, or its name")
    add_set(why)
    add_common(why, inner=True)


def run(arguments: argparse.Namespace) -> int:
    """Print the list or the rule.

    Raises:
        UsageFault: no such rule or family.
        TomlFault: a faulty pack, with its place.
    """
    from advisor.commands.inputs import knowledge_of

    if arguments.action == "check":
        from advisor.commands.rules_check import check

        # Folders that were named beside it come before: a pack may rest on another one.
        arguments.rules = [*arguments.rules, *arguments.folders]
        return check(rule_folders(arguments))
    knowledge = knowledge_of(arguments)
    rules = knowledge.pack.rules
    if arguments.action == "show":
        emit(_in_full(_found(arguments.id, rules)))
    elif arguments.action == "explain":
        from advisor.commands.rules_explain import explained

        emit(explained(_found(arguments.id, rules), arguments, knowledge))
    else:
        emit(_listed(rules, arguments.family))
    return FINE


def _found(typed: str, rules: Mapping[str, Rule]) -> Rule:
    from advisor.facts.toml_text import suggest

    rule = rules.get(typed.strip().upper())
    if rule is None:
        hint = suggest(typed.upper(), rules) or "ckpt-advisor rules list shows all"
        raise UsageFault(f'there is no rule "{typed}"', hint)
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
