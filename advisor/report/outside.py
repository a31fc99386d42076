"""What the plan leaves out: changes not worth it, storage not to buy, and the next largest loss."""

from __future__ import annotations

from advisor.engine.advice import Advice, Finding, Step
from advisor.engine.message import percent, points
from advisor.report.comparison import required_text
from advisor.report.document import Block, Bullets, Heading, Paragraph, Runs, Strong, Text, text
from advisor.report.grounds import missing_names
from advisor.report.interval import about_interval
from advisor.report.nearest import nearest_blocks
from advisor.report.opening import CHANGE, HARDWARE, RESTART, purchase_sentence
from advisor.report.words import changes_text, gain_text, one_line, sentence

_LOSSES = {
    "stall": "stalls",
    "drain": "drains",
    "restart": "restarts",
    "rework": "rework",
}
"""Names of the losses in a heading."""

_ON_DRIVES = ("local_staging", "tiering")
"""Changes that use the node-local drives."""


def storage(advice: Advice) -> tuple[Block, ...]:
    """What the pool has to deliver, and what buying would bring on top of the plan."""
    now = "As things are now: " if advice.plan else ""
    items: list[Runs] = [
        (Strong(now), Text(one_line(f.message))) for f in advice.hits() if f.order == HARDWARE
    ]
    needed = required_text(advice, advice.after)
    if needed is not None and advice.plan:
        after = f"After {changes_text(advice.plan)}: "
        items.append((Strong(after), Text(f"the pool has to deliver {needed}.")))
    for step in advice.purchases:
        items.append((Strong(sentence(step.title)), Text(f" {step.verdict}")))
    if not items:
        return ()
    return (Heading(3, text(_storage_heading(advice))), Bullets(tuple(items)))


def _storage_heading(advice: Advice) -> str:
    if any(step.verdict.startswith("Pays") for step in advice.purchases):
        return "Storage: the purchase pays"
    if any(step.verdict.startswith("Do not buy") for step in advice.purchases):
        return "Storage: do not buy"
    if purchase_sentence(advice).startswith("No storage purchase"):
        return "No storage purchase is needed"
    return "Storage"  # the headline says what is lacking


def storage_in_short(advice: Advice) -> tuple[Block, ...]:
    """The purchase verdicts in one paragraph."""
    words = " ".join(f"{sentence(s.title)} {s.verdict}" for s in advice.purchases)
    return (Paragraph((Strong("Storage: "), Text(words))),) if words else ()


def drives_in_short(advice: Advice) -> tuple[Block, ...]:
    """Node-local drives that are there and that no change uses, and why, in one paragraph."""
    used = any("nvme" in step.settings for step in advice.plan)
    if advice.facts["nvme"].value != "present" or used:
        return ()
    about = [f for f in advice.findings if f.order == CHANGE and f.lever in _ON_DRIVES]
    hit = next((f for f in about if f.state == "hit"), None)
    unknown = next((f for f in about if f.state == "unknown"), None)
    if hit is not None and advice.after.goodput is not None:
        words = f" {one_line(hit.message)} The plan is as good without them."
    elif unknown is not None:
        words = f" Whether they would help needs {missing_names(advice, unknown.missing)}."
    else:
        words = " No change here needs them."
    return (Paragraph((Strong("Node-local drives: there, not used."), Text(words))),)


def left_out(advice: Advice) -> tuple[Block, ...]:
    """Changes looked at and not in the plan, with the reason or the figures."""
    in_plan = {step.rule for step in advice.plan}
    items: list[Runs] = [text(sentence(reason)) for reason in advice.refused]
    lacking: list[Finding] = []
    for found in advice.hits():
        if found.order != CHANGE or found.rule in in_plan or about_interval(found.rule):
            continue
        judged = bool(found.config) and not advice.refused and advice.after.goodput is not None
        small = " The plan is as good without it." if judged else ""
        words = " ".join(t for t in (one_line(found.message), one_line(found.with_plan)) if t)
        items.append((Strong(sentence(found.title)), Text(f" {words}{small}")))
        lacking.append(found)
    if not items:
        return ()
    head = (Heading(3, text("Looked at, not in the plan")), Bullets(tuple(items)))
    return (*head, *nearest_blocks(lacking))


def next_loss(advice: Advice) -> tuple[Block, ...]:
    """The largest loss that is left, and what would lower it."""
    loss = advice.after.loss
    if loss is None or loss.total <= 0:
        return ()
    name = max(_LOSSES, key=lambda n: getattr(loss, n))
    words = f"Next largest loss: {_LOSSES[name]}, {percent(getattr(loss, name))}"
    items: list[Runs] = []
    for step in advice.further:
        gain = gain_text(step.goodput_gain, step.saves_per_year)
        items.append((Strong(step.title), Text(f": adds {gain}{_against(advice, step)}.")))
    for found in advice.hits():
        if found.order == RESTART:
            items.append(text(one_line(" ".join((found.message, *found.remedy)))))
    head = (Heading(3, text(words)),)
    if not items:
        items.append(text("No change on offer lowers it by enough to be worth its effort."))
    return (*head, Bullets(tuple(items)))


def _against(advice: Advice, step: Step) -> str:
    """Beside the purchase, where one was judged."""
    best = max((p.goodput_gain for p in advice.purchases), default=None)
    if best is None or step.goodput_gain <= best or best < 0:
        return ""
    return f"; the faster pool adds {points(best)}"
