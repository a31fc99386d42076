"""The advice as a table of contents and the pages behind it; plain values, no screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from advisor.engine.advice import Advice, ConfigText, Finding, NoFlip, Step, Threshold
from advisor.engine.framework_words import MARKS
from advisor.engine.message import money, percent, points
from advisor.facts.display import format_value
from advisor.report.changes import chance_text
from advisor.tui.results_tables import now_and_after

Kind = Literal["head", "text", "item", "code", "row", "quiet"]
"""How a block looks: title, sentence, list item, lines to paste, table row, or small print."""

_EFFORT = {
    "configuration": "configuration",
    "version": "software",
    "hardware_present": "hardware you have",
    "money": "purchase",
}
"""What a change takes, in words."""

CLOSE = 1.095
"""Ratio below which two digits would round to "1x away"."""

SHOWN_GAIN = 0.00005
"""Share of goodput below which a gain is not worth a figure in a list."""

_INTERVALS = ("interval", "interval_steps")
"""Facts of which one is set where a change sets the interval."""

_SEVERITY = {"error": "! Errors", "warning": "Warnings", "note": "Notes"}
"""Titles of the findings of each severity."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph of a page."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    """One entry of the list and the page behind it.

    Attributes:
        group: title above the entry where it differs from the entry before.
        title: the entry.
        gain: what it adds to the goodput, or "".
        saves: what that is worth a year, or "".
        effort: what it takes, or another short remark.
        blocks: the page.
        lines: what ``c`` copies, or "".
    """

    group: str
    title: str
    blocks: tuple[Block, ...]
    gain: str = ""
    saves: str = ""
    effort: str = ""
    lines: str = ""


def pages(advice: Advice) -> tuple[Page, ...]:
    """Every page of an advice: changes, verdict, figures, restart, findings, purchases last."""
    hits = advice.hits()
    found: list[Page] = _findings("Mend first", [h for h in hits if h.severity == "error"])
    found += [_step(step, "Changes, in order", f"{step.order}") for step in advice.plan]
    if advice.brought_up:
        brought = _findings("Changes, in order", advice.brought_up)
        found += [
            replace(page, title=f"They bring up: {len(advice.brought_up)}") for page in brought
        ]
    if not advice.plan and advice.before.goodput is not None:
        words = "Keep the configuration: no change adds 0.1 point or more."
        keep = Block("text", advice.headline if advice.before.no_interval_helps else words)
        found.append(Page("Changes, in order", "None: keep the configuration", (keep,)))
    found.append(_interval(advice))
    found.append(Page("The job", "Now and after the changes", _figures(advice)))
    for severity in ("warning", "note"):
        found += _findings("The job", [h for h in hits if h.severity == severity])
    found += _honesty(advice)
    found += [_step(step, "After the changes", "Then:") for step in advice.further]
    found += [_step(step, "Hardware, last", "Buy:") for step in advice.purchases]
    if advice.refused:
        ruled = tuple(Block("item", text) for text in advice.refused)
        found.append(Page("Hardware, last", "Ruled out", ruled, effort=f"{len(ruled)}"))
    return tuple(found)


def _step(step: Step, group: str, lead: str) -> Page:
    before, after = percent(step.goodput_before), percent(step.goodput_before + step.goodput_gain)
    worth = "" if step.saves_per_year is None else f", saves {money(step.saves_per_year)} a year"
    adds = points(step.goodput_gain)
    blocks = [Block("text", f"Goodput {before} → {after}: adds {adds}{worth}.")]
    takes = f"Takes: {_EFFORT.get(step.effort, step.effort)}."
    if step.chance_it_pays is not None:
        often = chance_text(step.chance_it_pays)
        takes += f" {often[:1].upper()}{often[1:]}."
    blocks.append(Block("text", takes))
    if step.verdict:
        blocks.append(Block("text", step.verdict))
    blocks += _config(step.config)
    if step.in_words:
        blocks.append(Block("text", step.in_words))
    blocks += [Block("item", note) for note in step.notes]
    blocks += _list("Only if", step.conditions)
    blocks += _thresholds(step.thresholds, step.no_flips)
    blocks += _list("Worked if", step.checks)
    blocks += _list("How to tell", [step.signs] if step.signs else [])
    blocks.append(Block("quiet", f"Rule {step.rule}."))
    return Page(
        group,
        f"{lead} {step.title}",
        tuple(blocks),
        gain="nothing" if abs(step.goodput_gain) < SHOWN_GAIN else f"+{points(step.goodput_gain)}",
        saves="" if step.saves_per_year is None else f"{money(step.saves_per_year)}/year",
        effort=_EFFORT.get(step.effort, step.effort),
        lines="\n".join(config.text for config in step.config),
    )


def _config(configs: Sequence[ConfigText]) -> list[Block]:
    blocks: list[Block] = []
    for config in configs:
        versions = f" {config.versions}" if config.versions else ""
        mark = f", {MARKS[config.read]}" if MARKS[config.read] else ""
        blocks.append(
            Block("head", f"Lines for {config.framework}{versions}{mark} (c copies them)")
        )
        blocks.append(Block("code", config.text))
        blocks += [Block("item", note) for note in config.notes]
        if config.assumed:
            blocks.append(Block("item", config.assumed))
        if config.undo:
            blocks.append(Block("item", f"Undo: {config.undo}"))
    return blocks


def _thresholds(thresholds: Sequence[Threshold], none: Sequence[NoFlip]) -> list[Block]:
    titles = {"gain": "Stops paying if", "limit": "Stops being possible if"}
    blocks: list[Block] = []
    for why, title in titles.items():
        here = [one for one in thresholds if one.why == why]
        blocks += _list(title, [threshold_text(one) for one in here])
    return blocks + _list("Does not depend on", [_no_flip(one) for one in none])


def threshold_text(one: Threshold) -> str:
    """One threshold as a sentence: where it flips, where the value is now, how far that is."""
    kind = one.kind
    at = format_value(one.at, kind)
    now = format_value(one.now, kind)
    away = "" if one.margin == float("inf") else f", {one.margin:.2g}x away"
    if one.margin < CLOSE:
        away = f", {percent(one.margin - 1)} away"
    if one.margin >= 100 and one.margin != float("inf"):
        away = f", {one.margin:,.0f}x away"
    return f"{one.label} is {one.direction} {at} (now {now}{away})"


def _no_flip(one: NoFlip) -> str:
    low = format_value(one.low, one.kind)
    high = format_value(one.high, one.kind)
    return f"{one.label}, between {low} and {high}"


def _list(title: str, items: Sequence[str]) -> list[Block]:
    return [Block("head", title), *(Block("item", item) for item in items)] if items else []


def _interval(advice: Advice) -> Page:
    verdict = advice.verdict
    titles = {
        "keep": "keep it",
        "longer": "make it longer",
        "shorter": "make it shorter",
        "none": "no periodic save needed",
        None: "no verdict yet",
    }
    blocks = [Block("text", verdict.text), *_after_the_plan(advice)]
    blocks += _flips(verdict.thresholds, verdict.no_flips)
    if advice.framework is not None:
        used = advice.framework
        blocks.append(Block("text", f"Set with: {used.set_with} ({used.name})."))
    now = advice.before.shown_interval
    effort = "" if now is None else f"now {format_value(now, 'duration')}"
    said = "none helps" if advice.before.no_interval_helps else titles[verdict.interval]
    retuned = any(name in step.settings for step in advice.plan for name in _INTERVALS)
    when = "before the changes" if retuned and len(advice.plan) > 1 else "as it is now"
    title = f"Interval, {when}: {said}"
    return Page("The job", title, tuple(blocks), effort=effort)


def _after_the_plan(advice: Advice) -> list[Block]:
    after = advice.after
    if not advice.plan or after.shown_band is None or after.shown_best is None:
        return []
    if after.no_interval_helps:
        return [Block("text", "After the changes no interval is better than another.")]
    low, high = (format_value(value, "duration") for value in after.shown_band)
    best = format_value(after.shown_best, "duration")
    text = f"After the changes every interval from {low} to {high} is within 0.1 point of the best"
    return [Block("text", f"{text} ({best}).")]


def _flips(thresholds: Sequence[Threshold], none: Sequence[NoFlip]) -> list[Block]:
    blocks = _list("This verdict turns if", [threshold_text(one) for one in thresholds])
    return blocks + _list("It does not depend on", [_no_flip(one) for one in none])


def _figures(advice: Advice) -> tuple[Block, ...]:
    return tuple(Block("row", row) for row in now_and_after(advice))


def _findings(group: str, hits: Sequence[Finding]) -> list[Page]:
    """One page with all findings of one severity, in the order of the ticket."""
    blocks: list[Block] = []
    for hit in hits:
        blocks += [Block("head", hit.title), Block("text", hit.message)]
        blocks += [Block("text", hit.with_plan)] if hit.with_plan else []
        blocks += [Block("item", text) for text in hit.remedy]
        blocks += [Block("code", config.text) for config in hit.config]
        for layer in hit.nearest:
            blocks += [Block("text", f"{layer.title}: {layer.what} {layer.copy}")]
            blocks += [Block("item", f"Needs: {need}") for need in layer.needs]
            blocks += _config([layer.config])
            blocks += [Block("item", text) for text in layer.gotchas]
            blocks += _list("Worked if", layer.checks)
        blocks.append(Block("quiet", f"Rule {hit.rule}."))
    if not hits:
        return []
    lines = "\n".join(
        config.text for hit in hits for config in (*hit.config, *(a.config for a in hit.nearest))
    )
    title = f"{_SEVERITY[hits[0].severity]}: {len(hits)}"
    return [Page(group, title, tuple(blocks), lines=lines)]


def _honesty(advice: Advice) -> list[Page]:
    found: list[Page] = []
    if advice.contradictions:
        blocks = []
        for one in advice.contradictions:
            kept, dropped = (
                format_value(value, one.unit) for value in (one.kept_value, one.dropped_value)
            )
            labels = [advice.facts[name].spec.label for name in (one.kept, one.dropped)]
            text = f"{labels[0]} says {kept}, {labels[1]} says {dropped}. {labels[0]} is used."
            blocks.append(Block("item", text))
        title = f"Contradictions: {len(blocks)}"
        found.append(Page("What it rests on", title, tuple(blocks)))
    blocks = []
    for unknown in advice.unknowns:
        taken = f"taken as {unknown.assumed}" if unknown.assumed else "not known"
        taken += f", with the plan {unknown.planned}" if unknown.planned else ""
        blocks.append(Block("head", f"{unknown.label}: {taken}"))
        if unknown.swing is not None:
            swing = points(unknown.swing)
            blocks.append(Block("text", f"Over its usual range the goodput moves by {swing}."))
        blocks.append(Block("item", f"Find out: {unknown.how}"))
    if advice.version_assumed:
        blocks.append(Block("head", "Framework version"))
        blocks.append(Block("text", advice.version_assumed))
    if blocks:
        title = f"Assumed or guessed: {len(advice.unknowns)}, most telling first"
        found.append(Page("What it rests on", title, tuple(blocks)))
    if advice.framework is not None:
        used = advice.framework
        age = (Block("text", used.age),)
        found.append(Page("What it rests on", f"Framework: facts of {used.as_of}", age))
    return found + _open(advice)


def _open(advice: Advice) -> list[Page]:
    names = dict.fromkeys(advice.missing_required)
    for finding in advice.findings:
        if finding.state == "unknown":
            names |= dict.fromkeys(n for n in finding.missing if n in advice.facts)
    blocks = []
    for name in names:
        spec = advice.facts[name].spec
        blocks += [Block("head", spec.question), Block("text", spec.why)]
        blocks.append(Block("item", f"Find out: {spec.find}"))
    if not blocks:
        return []
    return [Page("What it rests on", f"Open questions: {len(names)}", tuple(blocks))]
