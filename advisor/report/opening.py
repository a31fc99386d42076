"""The first lines of the report: the headline, what is dangerous, what is set up wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from advisor.engine.advice import Advice, ConfigText, Finding
from advisor.engine.framework_words import MARKS
from advisor.engine.message import percent
from advisor.facts.display import format_value
from advisor.report.document import (
    Block,
    Bullets,
    Callout,
    CalloutLevel,
    Code,
    Heading,
    Paragraph,
    Runs,
    Strong,
    Text,
)
from advisor.report.words import (
    changes_text,
    delivered,
    fact_text,
    joined,
    label,
    one_line,
    reason,
    sentence,
    shortfall,
)

DANGER, MISCONFIGURED, CHANGE, RESTART, HARDWARE, EVIDENCE = range(6)
"""Places of findings in the ticket, as ``Finding.order`` numbers them."""

_CLOSE = 1.001
"""A rate this near to the required one meets it: the search for it stops at a tolerance."""


def headline(advice: Advice) -> str:
    """What it costs now, what the changes bring, and whether storage has to be bought."""
    if advice.before.goodput is None:
        return _without_goodput(advice)
    return " ".join(part for part in (advice.headline, purchase_sentence(advice)) if part)


def title(advice: Advice) -> str:
    """One line for the title field of a tracker."""
    name = advice.session.title or advice.session.id
    before, after = advice.before.goodput, advice.after.goodput
    if before is None:
        return f"Checkpoints of {name}: facts are missing"
    lost = f"Checkpoints of {name}: {percent(1 - before)} of the compute lost"
    if not advice.plan or after is None:
        return lost
    return f"{lost}, {percent(1 - after)} after {changes_text(advice.plan)}"


def purchase_sentence(advice: Advice) -> str:
    """Whether the pool is fast enough once the changes are in; "" where nothing is asked of it."""
    after = advice.after
    needed, have = after.required_pool_write, delivered(after)
    if "pause" in after.required_as_measured and not after.required_because:
        pause = fact_text(advice.facts["acceptable_pause"])
        return f"No storage purchase is needed: the measured save is within the pause of {pause}."
    if not after.required_because:
        return ""
    why = reason(advice, after.required_because)
    if not after.required_feasible or needed is None:
        return f"No pool is fast enough {why}: {shortfall(after.required_short)}."
    rate = format_value(needed, "rate")
    if have is None:
        return f"The pool has to deliver {rate} {why}; what it delivers is not known."
    if needed <= have * _CLOSE:
        if any(step.pays for step in advice.purchases):
            return "No faster pool is needed, yet the purchase asked about pays."
        return "No storage purchase is needed."
    still = " still" if advice.plan else ""
    return f"The pool is{still} too slow {why}: {rate} needed, {format_value(have, 'rate')} there."


def _without_goodput(advice: Advice) -> str:
    view = advice.before
    missing = [
        name
        for name in dict.fromkeys((*view.missing.get("goodput", ()), *advice.missing_required))
        if name in advice.facts
    ]
    unknown = [
        label(advice, name)
        for name in missing
        if advice.facts[name].value is None or name in advice.missing_required
    ]
    known = [
        f'"{advice.facts[name].spec.label}" is {fact_text(advice.facts[name])}'
        for name in missing
        if advice.facts[name].value is not None and name not in advice.missing_required
    ]
    parts = []
    if view.required_pool_write is not None and view.required_feasible and not known:
        rate = format_value(view.required_pool_write, "rate")
        why = reason(advice, view.required_because)
        parts.append(f"{rate} is what the pool has to deliver {why}{_quotient(advice)}.")
    if unknown:
        lack = "one answer is" if len(unknown) == 1 else f"{len(unknown)} answers are"
        parts.append(f"{lack} missing to say what the checkpoints cost: {joined(unknown)}.")
    elif known:
        parts.append(f"What the checkpoints cost cannot be said while {joined(known)}.")
    else:
        parts.append("What the checkpoints cost cannot be said yet.")
    return " ".join(part[:1].upper() + part[1:] for part in parts)


def _quotient(advice: Advice) -> str:
    plain = advice.before.simple_required_pool_write
    if plain is None or "pause" not in advice.before.required_because:
        return ""
    return f" ({format_value(plain, 'rate')} is bytes over pause)"


def dangers(advice: Advice) -> tuple[Block, ...]:
    """What loses data or kills the job, the worst first."""
    return _findings(advice, DANGER, "What loses data or kills the job")


def misconfigured(advice: Advice) -> tuple[Block, ...]:
    """What is set up wrongly."""
    return _findings(advice, MISCONFIGURED, "What is set up wrongly")


def brought_up(advice: Advice) -> tuple[Block, ...]:
    """What the changes bring up: to be changed along with them."""
    return _listed(advice, advice.brought_up, "What the changes bring up")


def _findings(advice: Advice, place: int, heading: str) -> tuple[Block, ...]:
    return _listed(advice, [f for f in advice.hits() if f.order == place], heading)


def _listed(advice: Advice, hits: Sequence[Finding], heading: str) -> tuple[Block, ...]:
    if not hits:
        return ()
    blocks: list[Block] = [Heading(3, (Text(heading),))]
    said: set[str] = set()
    for found in hits:
        # Two findings may have one cure: its lines are printed once.
        new = tuple(c for c in found.config if c.text not in said)
        said.update(c.text for c in found.config)
        blocks += finding_blocks(advice, replace(found, config=new))
    return tuple(blocks)


def finding_blocks(advice: Advice, found: Finding) -> Sequence[Block]:
    """One finding: its message, what to do, the lines; a change of the plan is only pointed at."""
    level: CalloutLevel = "danger" if found.severity == "error" else "warning"
    step = next((s for s in advice.plan if s.rule == found.rule), None)
    words = f" {one_line(found.message)}"
    if step is not None:
        return [
            Callout(
                level,
                (Strong(sentence(found.title)), Text(f"{words} See change {step.order}.")),
            )
        ]
    blocks: list[Block] = [Callout(level, (Strong(sentence(found.title)), Text(words)))]
    if found.remedy:
        blocks.append(Bullets(tuple((Text(one_line(r)),) for r in found.remedy)))
    return [*blocks, *config_blocks(found.config)]


def config_blocks(configs: Sequence[ConfigText]) -> Sequence[Block]:
    """Lines to paste, each under the framework and the versions they are for."""
    blocks: list[Block] = []
    for config in configs:
        name = ", ".join(part for part in (for_versions(config), MARKS[config.read]) if part)
        about = f"For {name}. {config.assumed}" if config.assumed else f"For {name}:"
        blocks += [Paragraph((Text(about),)), Code(config.text)]
    return blocks


def for_versions(config: ConfigText) -> str:
    """The framework and the versions that lines are for."""
    return f"{config.framework} {config.versions}".strip()


def waived(advice: Advice) -> tuple[Block, ...]:
    """What would apply but was accepted, with the reason, and waivers to look at."""
    items: list[Runs] = [
        (Strong(sentence(f.title)), Text(f" {one_line(f.message)} Accepted: "), Text(f.waiver))
        for f in advice.findings
        if f.state == "waived"
    ]
    items += [(Text(one_line(note)),) for note in advice.waiver_notes]
    return (Heading(3, (Text("Accepted for now"),)), Bullets(tuple(items))) if items else ()
