"""A change in words, where no lines to paste are known for the framework in use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.engine.framework_words import marked
from advisor.engine.frameworks import Framework
from advisor.engine.lines import config_lines, line_values
from advisor.engine.situation import Situation

_CAPABILITIES: Mapping[str, str] = {
    "async_on": "async",
    "sharded_save": "sharded",
    "parallel_save": "sharded",
    "local_staging": "local",
    "tiering": "local",
    "peer_copy": "peer",
    "incremental": "incremental",
    "compression": "compression",
}
"""The capability a change uses; the others take words of their own."""


def in_words(
    lever: str, before: Situation, after: Situation | None = None, remedy: Sequence[str] = ()
) -> str:
    """What to do for a change where no lines to paste are known.

    Args:
        lever: the change.
        before: the job as it is.
        after: with the plan, for the interval to set; default the job as it is.
        remedy: what the rule advises, filled.

    Returns:
        One sentence or more; "" where lines are known, or no framework was named.
    """
    if config_lines(lever, before, after):
        return ""
    return without_lines(before, _own_words(lever, before, after) or " ".join(remedy))


def without_lines(s: Situation, words: str) -> str:
    """The sentence that says what to do in words; "" where nobody named a framework."""
    known = s.framework
    name = known.named
    if known.framework is not None and known.version is not None:
        name = f"{known.framework.title} {known.version.text}"
    if not name or not words:
        return ""
    return f"No lines known for {name}; in words: {words}"


def _own_words(lever: str, before: Situation, after: Situation | None) -> str:
    """What the framework file says a change takes; "" where it says nothing."""
    known = before.framework
    if known.framework is None or known.version is None:
        return ""
    if lever in ("longer_interval", "shorter_interval"):
        return _set_interval(known.framework, line_values(before, after))
    found = known.capability(_CAPABILITIES.get(lever, ""))
    if found is None:
        return ""
    there = found.status not in ("none", "external")
    return marked(found.what if there else f"{found.what} Nearest: {found.alternative}", found.read)


def _set_interval(framework: Framework, values: Mapping[str, str]) -> str:
    """Where to set the interval and to what, in the unit of the framework."""
    key = {"steps": "interval_steps", "seconds": "interval_s", "minutes": "interval_min"}
    unit = framework.interval_unit
    amount = values.get(key.get(unit, ""))
    if amount is not None:
        return f"Set {framework.interval_key} to {amount} {unit}."
    steps, minutes = values.get("interval_steps"), values.get("interval_min")
    if minutes is None:
        return ""
    often = f"{steps} steps" if steps is not None else f"{minutes} min"
    return f"Save every {often}; that is set with {framework.interval_key}."
