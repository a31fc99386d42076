"""What the report rests on: assumptions and what they are worth, contradictions, open questions."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.engine.advice import Advice, Unknown
from advisor.engine.message import money, points
from advisor.facts.display import format_value
from advisor.facts.resolve import Contradiction, Fact
from advisor.report.document import (
    Block,
    Bullets,
    Heading,
    Runs,
    Strong,
    Text,
    text,
)
from advisor.report.opening import EVIDENCE, MISCONFIGURED
from advisor.report.words import (
    amount,
    fact_text,
    joined,
    label,
    lowered,
    one_line,
    price_fact,
    sentence,
    source_text,
)

_ASKED = 5
"""Questions told in full, beside the required ones: more are not asked in one meeting."""

_SHOWN_SWING = 0.00005
"""Share of goodput that still shows as 0.01 points."""

_USES = 3
"""How many of the things a question decides are told with it."""

_LEADING = 4
"""Assumptions told in full; the others, less telling, are only named."""


def rests_on(advice: Advice) -> tuple[Block, ...]:
    """Assumed and guessed facts with their swing, then what was measured, then contradictions."""
    swings = _telling(advice)
    items: list[Runs] = [_assumption(advice, u) for u in swings[:_LEADING]]
    rest = [lowered(u.label) for u in advice.unknowns if u.swing is not None and u not in swings]
    rest = [lowered(u.label) for u in swings[_LEADING:]] + rest
    if rest:
        items.append(text(f"Less telling: {joined(rest)}."))
    for source, words in (
        ("measured", "Measured"),
        ("estimated", "Estimated"),
        ("site", "From the site file"),
    ):
        named = _named(advice, source)
        if named:
            items.append((Strong(f"{words}: "), Text(f"{joined(named)}.")))
    items += [*_price(advice), *_framework(advice)]
    items += [
        (Strong(sentence(f.title)), Text(f" {one_line(' '.join((f.message, *f.remedy)))}"))
        for f in advice.hits()
        if f.order == EVIDENCE
    ]
    items += [_contradiction(advice, c) for c in advice.contradictions]
    items += _version(advice)
    return (Heading(3, text("What this rests on")), Bullets(tuple(items))) if items else ()


def rests_on_in_short(advice: Advice) -> tuple[Block, ...]:
    """The one assumption that moves the result most, and the contradictions."""
    swings = _telling(advice)
    items = [_assumption(advice, u) for u in swings[:1]]
    if advice.framework is not None and advice.framework.assumed:
        items += _framework(advice)
    items += [_contradiction(advice, c) for c in advice.contradictions]
    items += _version(advice)
    return (Bullets(tuple(items)),) if items else ()


def _telling(advice: Advice) -> list[Unknown]:
    """Assumptions that move the goodput visibly, or whose value decides what to do."""
    return [
        u
        for u in advice.unknowns
        if (u.swing or 0.0) >= _SHOWN_SWING or (u.worth_per_year or 0.0) >= 1
    ]


def _assumption(advice: Advice, unknown: Unknown) -> Runs:
    fact = advice.facts[unknown.fact]
    words = f": {source_text(fact)} {fact_text(fact)}{_range(fact)}"
    if fact.value is None:
        words = f": unknown, taken as {unknown.assumed}"
    if unknown.planned:
        words += f", with the plan {unknown.planned}"
    if unknown.swing is not None and unknown.swing >= _SHOWN_SWING:
        words += f", moves the goodput by {points(unknown.swing)}"
    if unknown.worth_per_year is not None and unknown.worth_per_year >= 1:
        words += f", worth {money(unknown.worth_per_year)} a year to know"
    how = f". Find out: {sentence(one_line(unknown.how))}" if unknown.how else "."
    return (Strong(unknown.label), Text(words + how))


def _range(fact: Fact) -> str:
    if fact.low is None or fact.high is None:
        return ""
    return f" ({amount(fact.low, fact.spec)} to {amount(fact.high, fact.spec)})"


def _named(advice: Advice, source: str) -> list[str]:
    return [
        lowered(fact.spec.label)
        for fact in advice.facts.values()
        if fact.source == source and fact.active and fact.spec.world and fact.spec.topic != "money"
    ]


def _price(advice: Advice) -> list[Runs]:
    """What the dollars rest on; nothing where there is no price."""
    if advice.before.cost_per_year is None:
        return []
    used = [advice.facts[price_fact(advice)], advice.facts["duty"]]
    parts = [f"{lowered(f.spec.label)} {fact_text(f)}, {source_text(f)}" for f in used]
    return [(Strong("Dollars: "), Text(f"{'; '.join(parts)}."))]


def _version(advice: Advice) -> list[Runs]:
    """Which framework version the facts are of, where that is not the one in use for sure."""
    if not advice.version_assumed:
        return []
    return [(Strong("Framework version: "), Text(one_line(advice.version_assumed)))]


def _framework(advice: Advice) -> list[Runs]:
    """How old the facts about the framework are, and for which version they were taken."""
    used, fact = advice.framework, advice.facts["framework"]
    if used is None:
        if not isinstance(fact.value, str):
            return []
        return [(Strong("Framework: "), Text(f"nothing is known here about {fact_text(fact)}."))]
    return [(Strong("Framework: "), Text(lowered(used.age)))]


def _contradiction(advice: Advice, found: Contradiction) -> Runs:
    kept, dropped = advice.facts[found.kept], advice.facts[found.dropped]
    a = format_value(found.kept_value, found.unit)
    b = format_value(found.dropped_value, found.unit)
    return (
        Strong("Two answers disagree. "),
        Text(
            f"{kept.spec.label} says {a} ({source_text(kept)}), {lowered(dropped.spec.label)} "
            f"says {b} ({source_text(dropped)}). Used: {a}."
        ),
    )


def open_questions(advice: Advice) -> tuple[Block, ...]:
    """Questions to the team: required ones, and what would settle the rules that matter most."""
    asked: dict[str, list[str]] = {name: [] for name in advice.missing_required}
    for name in advice.before.missing.get("goodput", ()):
        asked.setdefault(name, []).append("what the checkpoints cost")
    for unknown in advice.unknowns:
        if unknown.swing is None:
            asked.setdefault(unknown.fact, [])
    for found in advice.findings:
        if found.state == "unknown" and found.order <= MISCONFIGURED:
            for name in found.missing:
                asked.setdefault(name, []).append(lowered(found.title))
    left = {name: why for name, why in asked.items() if _open(advice, name)}
    told = [name for name in left if name in advice.missing_required]
    told += [name for name in left if name not in told][: max(_ASKED - len(told), 0)]
    items = [_question(advice, name, left[name]) for name in told]
    more = [label(advice, name) for name in left if name not in told]
    if more:
        items.append(text(f"After these: {joined(more)}."))
    return (Heading(3, text("Open questions")), Bullets(tuple(items))) if items else ()


def _open(advice: Advice, name: str) -> bool:
    """A question is open while its answer is unknown or only assumed."""
    fact = advice.facts.get(name)
    return fact is not None and (fact.value is None or fact.source == "default")


def _question(advice: Advice, name: str, why: Sequence[str]) -> Runs:
    spec = advice.facts[name].spec
    uses = list(dict.fromkeys(why))
    more = [f"{len(uses) - _USES} more"] if len(uses) > _USES else []
    use = f" Undecided without it: {'; '.join(uses[:_USES] + more)}." if uses else ""
    how = f" Find out: {sentence(one_line(spec.find))}" if spec.find else ""
    return (Strong(one_line(spec.question)), Text(f"{use}{how}"))


def missing_names(advice: Advice, names: Sequence[str]) -> str:
    """Labels of some facts as a list of words."""
    return joined([label(advice, name) for name in names])
