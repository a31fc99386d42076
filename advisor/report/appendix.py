"""The appendix: all facts, all rules looked at; and the line that says what made the report."""

from __future__ import annotations

from advisor import __version__
from advisor.engine.advice import Advice, Finding
from advisor.facts.resolve import Fact
from advisor.report.document import (
    Block,
    Bullets,
    Details,
    Mono,
    Paragraph,
    Runs,
    Table,
    Text,
    text,
)
from advisor.report.grounds import missing_names
from advisor.report.words import GIVEN, fact_text, lowered, one_line, sentence, source_text

DIGEST_SHOWN = 12
"""Digits of a digest that tell two rule sets apart."""

NAME_SHOWN = 120
"""Characters of a session's title in the last line: a title is free text of any length."""


def facts(advice: Advice) -> tuple[Block, ...]:
    """Every known fact with value, source and note: given ones first; then the unknown ones."""
    known = [f for f in advice.facts.values() if f.value is not None]
    known.sort(key=lambda f: f.source not in GIVEN)
    header = (text("fact"), text("name"), text("value"), text("source"), text("note"))
    rows = tuple(_row(fact) for fact in known)
    unknown = [f.spec.label for f in advice.facts.values() if f.value is None]
    blocks: list[Block] = [Table(header, rows)] if rows else []
    if unknown:
        blocks.append(Paragraph(text(f"Unknown: {'; '.join(lowered(u) for u in unknown)}.")))
    return (Details("All facts", tuple(blocks)),) if blocks else ()


def _row(fact: Fact) -> tuple[Runs, ...]:
    note: Runs = (Text("" if fact.source == "derived" else fact.note),)
    if not fact.active:
        note = (Text("Not used: another answer to the same question is. "), Text(fact.note))
    return (
        text(fact.spec.label),
        (Mono(fact.name),),
        text(fact_text(fact)),
        text(source_text(fact)),
        note,
    )


def rules(advice: Advice) -> tuple[Block, ...]:
    """What every rule said: hits, those that need facts, those that do not apply, failures."""
    items: list[Runs] = []
    for state, words in (
        ("hit", "Applies"),
        ("waived", "Applies, accepted for now"),
        ("unknown", "Undecided"),
        ("error", "Could not be judged"),
        ("clear", "Does not apply"),
    ):
        items += [_rule(advice, f, words) for f in advice.findings if f.state == state]
    return (Details("All rules", (Bullets(tuple(items)),)),) if items else ()


def _rule(advice: Advice, found: Finding, words: str) -> Runs:
    said = f"{words}: {lowered(found.title)}"
    if found.state == "unknown" and found.missing:
        said += f"; needs {missing_names(advice, found.missing)}"
    if found.superseded_by:
        said += f"; {found.superseded_by} says more"
    if found.state == "error":
        said += f"; {one_line(found.message)}"
    return (Mono(found.rule), Text(f" {sentence(said)}"))


def versions(advice: Advice) -> tuple[Block, ...]:
    """What made the report, from which rules and which session."""
    session = advice.session
    runs: list[Text | Mono] = [
        Text(f"ckpt-advisor {__version__}, rules {advice.knowledge.version} (sha256 "),
        Mono(advice.knowledge.digest[:DIGEST_SHOWN]),
        Text(f"), {_named(session.id)}"),
    ]
    if session.title and session.title != session.id:
        runs.append(Text(f" ({_short(session.title)})"))
    if session.updated is not None:
        runs.append(Text(f" of {session.updated.isoformat()}"))
    blocks: list[Block] = [Paragraph((*runs, Text(".")))]
    if advice.knowledge.changes:
        blocks.append(Bullets(tuple((Text(one_line(c)),) for c in advice.knowledge.changes)))
    return tuple(blocks)


def _named(name: str) -> str:
    """A session by its id; one that had no name to get is called after the word itself."""
    return _short(name) if name.startswith("session") else f"session {_short(name)}"


def _short(name: str) -> str:
    line = one_line(name)
    return line if len(line) <= NAME_SHOWN else f"{line[: NAME_SHOWN - 1]}…"
