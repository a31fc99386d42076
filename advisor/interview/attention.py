"""What needs a look at once: contradictions with both sides, a wrong interval, serious findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.engine.certainty import on_guesses
from advisor.engine.findings import findings, outcomes
from advisor.engine.message import percent
from advisor.engine.situation import number
from advisor.engine.verdict import interval_kind
from advisor.facts.display import format_value

if TYPE_CHECKING:
    from advisor.engine.advice import View
    from advisor.engine.advise import Present
    from advisor.engine.knowledge import Knowledge
    from advisor.facts.resolve import Contradiction

DATA_QUALITY = "CKD"
"""Family of the rules about answers that do not fit together."""


def serious(now: Present, view: View, knowledge: Knowledge) -> tuple[str, ...]:
    """Sentences to show beside the estimate, the most pressing first."""
    lines = [_both_sides(now, found) for found in now.facts.contradictions]
    for line in (_stall_of_async(now), _interval(now, view)):
        if line:
            lines.append(line)
    pack = knowledge.pack
    # The others need more than a key may take, and are for the results.
    loud = [r for r in pack.rules.values() if r.severity == "error" or r.family == DATA_QUALITY]
    found = outcomes(now.situation, pack, loud)
    for finding in on_guesses(findings(found, now.situation, pack, {}, None), now.facts):
        if finding.state == "hit" and not finding.superseded_by:
            lines.append(f"{finding.message} ({finding.rule})")
    return tuple(lines)


def _both_sides(now: Present, found: Contradiction) -> str:
    specs, kind = now.facts.catalogue.facts, found.unit
    kept, dropped = specs[found.kept].label, specs[found.dropped].label
    return (
        f"{kept} says {format_value(found.kept_value, kind)}, {dropped} says "
        f"{format_value(found.dropped_value, kind)}: {kept} counts."
    )


def _stall_of_async(now: Present) -> str:
    """Asynchronous saves that stall as long as the whole save takes."""
    sc = now.situation.scenario
    stall, save = (number(sc.number(name)) for name in ("measured_stall", "measured_save"))
    if sc.word("mode") != "async" or stall is None or save is None:
        return ""
    if stall * (1 + sc.constant("contradiction")) < save:
        return ""
    return (
        f"Asynchronous, yet the stall of {format_value(stall, 'duration')} is the whole save of "
        f"{format_value(save, 'duration')}."
    )


def _interval(now: Present, view: View) -> str:
    """The present interval against the band that is as good as the best."""
    at, best = view.shown_interval, view.shown_best
    if at is None or best is None:
        return ""
    free = view.no_checkpoint_goodput
    shown = format_value(at, "duration")
    kind = interval_kind(now.situation)
    if kind == "none" and free is not None:
        return f"The whole job reaches {percent(free)} without any periodic save."
    if kind == "keep" or kind is None:
        return ""
    ratio, word = (best / at, "shorter") if kind == "longer" else (at / best, "longer")
    return f"{shown} is {ratio:.2g}x {word} than the best interval for these answers."
