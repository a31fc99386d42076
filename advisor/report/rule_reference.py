"""The reference of the rules as a document: what each finds, when, what to do, and where from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.engine.advice import SEVERITIES
from advisor.engine.computed import COMPUTED
from advisor.engine.knowledge import Knowledge
from advisor.engine.pack import Rule, RuleThreshold
from advisor.facts.catalogue import Constant
from advisor.report.document import (
    ALWAYS,
    Block,
    Bullets,
    Code,
    Document,
    Heading,
    Mono,
    Paragraph,
    Runs,
    Section,
    Strong,
    Table,
    Text,
)

_ABOUT = (
    "Written by ckpt-advisor rules docs from the rules themselves; change those, then write it "
    "again. A condition is over facts and computed values; a fact nobody knows makes it unknown "
    "unless the rest decides it."
)


def reference(knowledge: Knowledge) -> Document:
    """All rules of all packs, by family, in the order of their ids."""
    rules = sorted(knowledge.pack.rules.values(), key=lambda rule: rule.id)
    sections = [
        Section("about", (Heading(1, (Text("Rules"),)), Paragraph((Text(_ABOUT),))), ALWAYS),
        Section("all rules", (_overview(rules), *_changes(knowledge)), ALWAYS),
    ]
    sections.append(Section("names", tuple(_names(knowledge)), ALWAYS))
    sections += [Section(rule.id, tuple(rule_blocks(rule, knowledge)), ALWAYS) for rule in rules]
    return Document("Rules of ckpt-advisor", tuple(sections))


def _overview(rules: Sequence[Rule]) -> Block:
    header: tuple[Runs, ...] = tuple((Text(t),) for t in ("rule", "severity", "what it finds"))
    rows = tuple(
        ((Mono(rule.id),), (Text(rule.severity),), (Text(titled(rule)),))
        for rule in sorted(rules, key=lambda r: (r.family, -SEVERITIES.index(r.severity), r.id))
    )
    return Table(header, rows)


def _changes(knowledge: Knowledge) -> Iterator[Block]:
    if knowledge.id.changes:
        yield Heading(2, (Text("What the site changed"),))
        yield Bullets(tuple((Text(change),) for change in knowledge.id.changes))


def _names(knowledge: Knowledge) -> Iterator[Block]:
    """Everything a condition may name, for those who write rules."""
    yield Heading(2, (Text("Names a condition may use"),))
    facts = [(f.name, f.kind, f.label) for f in knowledge.catalogue.facts.values()]
    computed = [(name, one.kind, one.what) for name, one in COMPUTED.items()]
    for title, rows in (("Facts that are asked", facts), ("Values that are computed", computed)):
        yield Paragraph((Strong(title),))
        yield Table(
            ((Text("name"),), (Text("kind"),), (Text("what"),)),
            tuple(((Mono(n),), (Text(kind),), (Text(what),)) for n, kind, what in sorted(rows)),
        )


def titled(rule: Rule) -> str:
    """Its title, with its status where that is not stable."""
    return rule.title if rule.status == "stable" else f"{rule.title} ({rule.status})"


def _numbers(rule: Rule, knowledge: Knowledge) -> Iterator[str]:
    """Named numbers of the condition, with their sources."""
    every: dict[str, Constant | RuleThreshold] = {
        **knowledge.catalogue.constants,
        **knowledge.pack.thresholds,
    }
    for name in sorted(rule.when.names & every.keys()):
        unit = "" if every[name].unit == "1" else f" {every[name].unit}"
        what = "threshold" if name in knowledge.pack.thresholds else "constant"
        yield f"{name} = {every[name].value:g}{unit} ({what}): {every[name].source}"


def rule_blocks(rule: Rule, knowledge: Knowledge) -> Iterator[Block]:
    """One rule in full."""
    yield Heading(2, (Text(f"{rule.id}: {titled(rule)}"),))
    about = f"Severity {rule.severity}, pack {rule.pack}"
    off = knowledge.pack.disabled.get(rule.id)
    if off is not None:
        about += f"; switched off by {off.pack}: {off.reason}"
    if rule.lever:
        about += f"; offers the change {rule.lever} (effort: {rule.effort.replace('_', ' ')})"
    yield Paragraph((Text(f"{about}."),))
    yield from doc_paragraphs(rule)
    yield Paragraph((Strong("Applies when"),))
    yield Code(rule.when.text.strip())
    yield from _list("Says", (rule.message,))
    yield from _list("To do", rule.remedy)
    yield from _list("With", list(_numbers(rule, knowledge)))
    yield from _list("Thresholds are solved for", [", ".join(rule.flip)] if rule.flip else ())
    yield from _list("Names storage layers for", [", ".join(rule.nearest)] if rule.nearest else ())
    yield from _list("Supersedes", [", ".join(rule.supersedes)] if rule.supersedes else ())
    yield from _list("Sources", rule.sources)


def doc_paragraphs(rule: Rule) -> Iterator[Block]:
    """What a rule says about itself, a paragraph a line, its first words strong."""
    for line in rule.doc.strip().split("\n"):
        start, found, rest = line.partition(": ")
        yield Paragraph((Strong(f"{start}: "), Text(rest)) if found else (Text(line),))


def _list(title: str, texts: Sequence[str]) -> Iterator[Block]:
    if texts:
        yield Paragraph((Strong(title),))
        yield Bullets(tuple((Text(" ".join(text.split())),) for text in texts))
