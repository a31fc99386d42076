"""The changes of the plan: gain, lines to paste, how to see that it worked, where it flips."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

from advisor.engine.advice import Advice, ConfigText, NoFlip, Step, Threshold
from advisor.engine.framework_words import MARKS
from advisor.engine.message import percent
from advisor.facts.display import format_value
from advisor.report.document import (
    Block,
    Bullets,
    Code,
    Heading,
    Mono,
    Numbered,
    Paragraph,
    Runs,
    Strong,
    Text,
    text,
)
from advisor.report.opening import CHANGE, config_blocks
from advisor.report.words import (
    EFFORTS,
    amount,
    continued,
    fact_text,
    gain_text,
    joined,
    lowered,
    one_line,
    sentence,
    source_text,
)


def changes(advice: Advice) -> tuple[Block, ...]:
    """Every change of the plan, in order."""
    return tuple(block for step in advice.plan for block in _step(advice, step))


def changes_in_short(advice: Advice) -> tuple[Block, ...]:
    """The changes as a list, and their lines."""
    if not advice.plan:
        return ()
    items = tuple(
        (Strong(step.title), Text(f": {gain_text(step.goodput_gain, step.saves_per_year)}."))
        for step in advice.plan
    )
    configs = [config for step in advice.plan for config in step.config]
    words = tuple(one_line(step.in_words) for step in advice.plan if step.in_words)
    return (
        Numbered(items),
        *(block for config in configs for block in _lines_in_short(config)),
        *(Paragraph(text(sentence)) for sentence in words),
    )


def _lines_in_short(config: ConfigText) -> list[Block]:
    """Lines to paste; a remark in front where nobody read them in source."""
    if not MARKS[config.read]:
        return [Code(config.text)]
    return [Paragraph(text(f"{MARKS[config.read].capitalize()}:")), Code(config.text)]


def _step(advice: Advice, step: Step) -> list[Block]:
    after = step.goodput_before + step.goodput_gain
    words = f" ({percent(step.goodput_before)} to {percent(after)}), "
    if step.chance_it_pays is not None:
        words += f"{chance_text(step.chance_it_pays)}, "
    gain = gain_text(step.goodput_gain, step.saves_per_year)
    blocks: list[Block] = [
        Heading(3, text(f"{step.order}. {step.title}")),
        Paragraph((Strong(f"Adds {gain}"), Text(f"{words}{EFFORTS[step.effort]}."))),
    ]
    blocks += config_blocks(step.config)
    items = _bullets(advice, step)
    if items:
        blocks.append(Bullets(tuple(items)))
    return blocks


def chance_text(chance: float) -> str:
    """How often a change pays over the uncertainty of the facts; never rounded to certain."""
    if chance >= 1:
        return "pays in every sample"
    hundredths = floor(100 * chance)
    return f"pays in {'over ' if hundredths == 99 else ''}{hundredths} of 100 samples"


def _bullets(advice: Advice, step: Step) -> list[Runs]:
    out: list[Runs] = [text(note) for note in _notes(advice, step)]
    if not step.config:
        out.append(text(_no_lines(advice, step)))
    out += [text(f"Needs: {sentence(continued(condition))}") for condition in step.conditions]
    out += [(Strong("Worked if: "), Text(continued(one_line(check)))) for check in step.checks]
    if step.signs:
        out.append((Strong("How to tell: "), Text(one_line(step.signs))))
    out += [(Strong("Undo: "), Text(continued(one_line(c.undo)))) for c in step.config if c.undo]
    gains = [t for t in step.thresholds if t.why == "gain"]
    limits = [t for t in step.thresholds if t.why == "limit"]
    if gains:
        out.append((Strong("Stops paying at: "), Text(flips_text(advice, gains))))
    if limits:
        out.append((Strong("Stops being possible at: "), Text(flips_text(advice, limits))))
    if step.no_flips:
        out.append((Strong("Holds: "), Text(no_flips_text(advice, step.no_flips))))
    out += [(Text("Lines from: "), Mono(c.source)) for c in step.config if c.source]
    return out


def _notes(advice: Advice, step: Step) -> list[str]:
    """Why, what to know before, and the host memory a background save holds; each said once."""
    found = next((f for f in advice.findings if f.rule == step.rule), None)
    notes: list[str] = []
    # Later steps come on top of others: what the rule says of the job as it is no longer holds.
    if found is not None and found.order >= CHANGE and step.order == 1 and found.message:
        notes.append(found.message)
    notes += [note for config in step.config for note in config.notes]
    notes += step.notes
    if found is not None and not _sets_interval(step):
        told = one_line(step.in_words)
        notes += [text for text in found.remedy if one_line(text) not in told]
    notes += _memory(advice, step)
    return list(dict.fromkeys(one_line(note) for note in notes))


def _sets_interval(step: Step) -> bool:
    """The remedies of an interval rule are about the job as it is, not with the other changes."""
    return "interval" in step.settings or "interval_steps" in step.settings


def _memory(advice: Advice, step: Step) -> list[str]:
    share, free = advice.after.host_memory_share, advice.facts["host_memory_free"]
    turned_on = step.settings.get("mode") == "async"
    if not turned_on or share is None or not isinstance(free.value, float):
        return []
    held = format_value(share * free.value, "size")
    return [
        f"Holds {held} of host memory per node while a save drains, "
        f"{percent(share)} of the {fact_text(free)} free."
    ]


def _no_lines(advice: Advice, step: Step) -> str:
    if step.in_words:
        return one_line(step.in_words)
    framework = advice.facts["framework"]
    if framework.value is None:
        return "Lines to paste: name the framework and its version to get them."
    return f"Lines to paste: none are known for {fact_text(framework)} in this version."


def flips_text(advice: Advice, thresholds: Sequence[Threshold]) -> str:
    """Where a verdict flips, the nearest first, each beside the value now."""
    parts = [
        f"{lowered(t.label)} {'under' if t.direction == 'below' else 'over'} "
        f"{amount(flip_value(advice, t), advice.facts[t.fact].spec)} (now {_now(advice, t)})"
        for t in sorted(thresholds, key=lambda t: t.margin)
    ]
    return sentence(joined(parts, "or"))


def flip_value(advice: Advice, threshold: Threshold) -> float:
    """Where it flips; for whole numbers the last one on this side."""
    if not advice.facts[threshold.fact].spec.whole:
        return threshold.at
    return float(ceil(threshold.at) if threshold.direction == "below" else floor(threshold.at))


def _now(advice: Advice, threshold: Threshold) -> str:
    fact = advice.facts[threshold.fact]
    words = amount(threshold.now, fact.spec)
    return words if fact.value is None else f"{words}, {source_text(fact)}"


def no_flips_text(advice: Advice, none: Sequence[NoFlip]) -> str:
    """Facts that do not change the verdict anywhere in the range looked at."""
    parts = []
    for item in none:
        spec = advice.facts[item.fact].spec
        ends = f"{amount(item.low, spec)} and {amount(item.high, spec)}"
        parts.append(f"{lowered(item.label)} between {ends}")
    return f"no flip for {joined(parts)}."
