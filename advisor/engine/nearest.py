"""Storage layers named where the framework in use has no tier or copy of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from advisor.engine.advice import Alternative, ConfigText, Finding
from advisor.engine.findings import findings, outcomes
from advisor.engine.framework_types import Read
from advisor.engine.knowledge import Knowledge
from advisor.engine.layer_types import ANY, SURVIVAL_RANK, Layer
from advisor.engine.lines import line_values, unread
from advisor.engine.pack import Pack
from advisor.engine.situation import Situation

MOST = 2
"""Layers named with a finding: each takes a screen of the ticket, the rest is in the list."""

_AS_GOOD = "The plan is as good without it."


def with_nearest(
    said: Sequence[Finding], before: Situation, after: Situation, knowledge: Knowledge
) -> tuple[Finding, ...]:
    """The findings, with layers where the framework lacks a change that pays beside the plan.

    Args:
        said: all findings on the job as it is.
        before: the job as it is.
        after: with the plan; the same one where there is none.
        knowledge: rules and layers.
    """
    wanted = [f for f in said if f.state == "hit" and knowledge.pack.rules[f.rule].nearest]
    then = _with_plan([f.rule for f in wanted], after, knowledge.pack)
    return tuple(_offered(f, then, before, after, knowledge) if f in wanted else f for f in said)


def _with_plan(rules: Sequence[str], after: Situation, pack: Pack) -> Mapping[str, Finding]:
    found = outcomes(after, pack, [pack.rules[name] for name in rules])
    return {f.rule: f for f in findings(found, after, pack, {}, None)}


def _offered(
    found: Finding,
    then: Mapping[str, Finding],
    before: Situation,
    after: Situation,
    knowledge: Knowledge,
) -> Finding:
    later = then[found.rule]
    if later.state == "clear":
        return replace(found, with_plan=_AS_GOOD)
    levers = knowledge.pack.rules[found.rule].nearest
    layers = layers_for(levers, before, knowledge.layers.values())
    words = "" if later.message in ("", found.message) else f"With the plan: {later.message}"
    offers = tuple(_alternative(layer, levers, before, after) for layer in layers[:MOST])
    return replace(found, nearest=offers, with_plan=words)


def layers_for(levers: Sequence[str], situation: Situation, layers: Iterable[Layer]) -> list[Layer]:
    """The layers that give one of some changes to this job, nearest first; no deprecated ones.

    Nearer is what was made for this framework, then for this kind of pool, then what keeps its
    copies when a node is lost.
    """
    framework = situation.framework.framework
    if framework is None:
        return []
    pool, name = situation.scenario.word("pool_kind"), framework.id
    fitting = [
        layer
        for layer in layers
        if not layer.deprecated and layer.fits(pool, name) and set(layer.gives) & set(levers)
    ]
    return sorted(fitting, key=_rank)


def _rank(layer: Layer) -> tuple[bool, bool, int, str]:
    survival = SURVIVAL_RANK[layer.survives]
    return (ANY in layer.frameworks, ANY in layer.pools, survival, layer.id)


def _alternative(
    layer: Layer, levers: Sequence[str], before: Situation, after: Situation
) -> Alternative:
    lever = next(lever for lever in levers if lever in layer.gives)
    lines = layer.lines_for(lever)
    assert lines is not None  # noqa: S101 - the loader wants lines of a layer in use
    done = lines.filled(line_values(before, after))
    return Alternative(
        layer=layer.id,
        title=layer.title,
        lever=lever,
        what=layer.what,
        survives=layer.survives,
        copy=layer.copy + _established(layer.copy_read),
        needs=layer.needs,
        gotchas=layer.gotchas,
        config=ConfigText(
            framework=layer.title,
            versions=lines.versions.text,
            text=done.text,
            notes=(*done.notes, *unread(lines.read)),
            undo=done.undo,
            source=lines.source,
        ),
        checks=(done.worked_if,) if done.worked_if else (),
    )


def _established(read: Read) -> str:
    """Added to what was not read anywhere."""
    return f" That is {read}: try it before relying on it." if read in _WEAK else ""


_WEAK = ("recalled", "inferred")
