"""``ckpt-advisor rules``: the rules, one line each, and one of them in full."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from advisor.commands import rules_frameworks
from advisor.commands.advise import add_set
from advisor.commands.exit_codes import FINE
from advisor.commands.faults import UsageFault
from advisor.commands.options import NO_SITE, add_common, rule_folders
from advisor.commands.output import emit, write_output

if TYPE_CHECKING:
    from advisor.engine.knowledge import Knowledge
    from advisor.engine.pack import Rule

SUMMARY = "the rules: list, show or explain them, check your own, write the reference"

STATUSES = ("stable", "preview", "deprecated")
"""Of a rule."""

OUTCOMES = ("hit", "clear", "unknown", "waived", "error")
"""Of a rule, for one job."""


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``rules``; ``list`` is meant where nothing is said."""
    parser.set_defaults(family=None, status=None, outcome=None, session=None, facts=[])
    add_common(parser, site=NO_SITE)
    inner = parser.add_subparsers(dest="action", metavar="ACTION", title="actions")
    one = inner.add_parser("list", help="every rule, one line each", allow_abbrev=False)
    one.add_argument("session", nargs="?", metavar="SESSION", help="a job, to see what each says")
    one.add_argument("--family", metavar="X", help="only these: I or CKI for the interval")
    one.add_argument("--status", choices=STATUSES, help="only these")
    one.add_argument("--outcome", choices=OUTCOMES, help="only these, for the job")
    add_set(one)
    add_common(one, site=NO_SITE, inner=True)
    layers = inner.add_parser(
        "layers", help="every storage layer, one line each", allow_abbrev=False
    )
    add_common(layers, site=NO_SITE, inner=True)
    frameworks = inner.add_parser(
        "frameworks", help="every framework with facts, one line each", allow_abbrev=False
    )
    add_common(frameworks, site=NO_SITE, inner=True)
    other = inner.add_parser(
        "show", help="one rule, framework or storage layer in full", allow_abbrev=False
    )
    other.add_argument("id", metavar="ID", help="such as CKA01, megatron-lm or beeond")
    add_common(other, site=NO_SITE, inner=True)
    docs = inner.add_parser("docs", help="the reference as Markdown", allow_abbrev=False)
    docs.add_argument("-o", "--output", metavar="FILE", help="a file instead of stdout")
    add_common(docs, site=NO_SITE, inner=True)
    own = inner.add_parser("check", help="what is wrong with your own packs", allow_abbrev=False)
    own.add_argument("folders", nargs="+", metavar="DIR", help="a folder of packs")
    add_common(own, site=NO_SITE, inner=True)
    why = inner.add_parser("explain", help="why one rule applies to a job", allow_abbrev=False)
    why.add_argument("id", metavar="ID", help="such as CKA01")
    why.add_argument("session", nargs="?", metavar="SESSION", help="a session file, or its name")
    add_set(why)
    add_common(why, inner=True)


def run(arguments: argparse.Namespace) -> int:
    """Print a list, a rule, a framework or a storage layer.

    Raises:
        UsageFault: no such rule, framework, layer or family.
        FrameworkError: a faulty framework file, with its place.
        TomlFault: a faulty pack, with its place.
    """
    from advisor.commands import layers
    from advisor.commands.inputs import knowledge_of

    if arguments.action == "check":
        from advisor.commands.rules_check import check

        # Folders that were named beside it come before: a pack may rest on another one.
        arguments.rules = [*arguments.rules, *arguments.folders]
        return check(rule_folders(arguments))
    knowledge = knowledge_of(arguments)
    rules = knowledge.pack.rules
    if arguments.action == "layers":
        emit(layers.listed(knowledge.layers))
    elif arguments.action == "show" and (one := layers.named(arguments.id, knowledge.layers)):
        emit(layers.in_full(one))
    elif arguments.action == "frameworks":
        emit(rules_frameworks.listed(knowledge))
    elif arguments.action == "show":
        known = arguments.id.strip().upper() in rules
        about = "" if known else rules_frameworks.page(knowledge, arguments.id)
        emit(about or _in_full(_found(arguments.id, knowledge), knowledge))
    elif arguments.action == "docs":
        _write_reference(arguments.output, knowledge)
    elif arguments.action == "explain":
        from advisor.commands.rules_explain import explained

        emit(explained(_found(arguments.id, knowledge), arguments, knowledge))
    else:
        from advisor.commands.rules_list import listed

        emit(listed(arguments, knowledge))
    return FINE


def _found(typed: str, knowledge: Knowledge) -> Rule:
    from advisor.facts.toml_text import suggest

    rules = knowledge.pack.rules
    others = (*knowledge.frameworks(), *knowledge.layers)
    rule = rules.get(typed.strip().upper()) or _switched_off(typed, knowledge)
    if rule is None:
        hint = suggest(typed.upper(), rules) or suggest(typed, others)
        hint = hint or "rules list, rules frameworks and rules layers show all"
        raise UsageFault(f'there is no rule, framework or storage layer "{typed}"', hint)
    return rule


def _in_full(rule: Rule, knowledge: Knowledge) -> str:
    from advisor.report.document import ALWAYS, Document, Section
    from advisor.report.rule_reference import rule_blocks
    from advisor.report.text import render

    section = Section(rule.id, tuple(rule_blocks(rule, knowledge)), ALWAYS)
    return render(Document(rule.id, (section,)))


def _write_reference(output: str | None, knowledge: Knowledge) -> None:
    from pathlib import Path

    from advisor.report.markdown import render
    from advisor.report.rule_reference import reference

    text = render(reference(knowledge))
    if output is None:
        emit(text)
    else:
        write_output(Path(output), text)


def _switched_off(typed: str, knowledge: Knowledge) -> Rule | None:
    off = knowledge.pack.disabled.get(typed.strip().upper())
    return None if off is None else off.rule
