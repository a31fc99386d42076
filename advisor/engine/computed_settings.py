"""Values computed about the settings somebody typed: which do not do what they seem to."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.engine.computed_job import Get, async_stall, stall
from advisor.engine.computed_risks import flags_needs
from advisor.engine.computed_types import YES_NO, Computed
from advisor.engine.framework_types import ASYNC_OFF, Effect
from advisor.engine.framework_used import default_number, default_text
from advisor.engine.framework_words import trap_sources, trap_texts
from advisor.engine.frameworks import Trap
from advisor.engine.situation import Situation


def _walked_into(s: Situation, effects: frozenset[Effect]) -> tuple[Trap, ...]:
    return tuple(trap for trap in s.framework.traps if trap.effect in effects)


def _on_record(s: Situation, effects: frozenset[Effect]) -> bool:
    """Whether this framework version has any trap with one of these effects."""
    known = s.framework
    if known.framework is None or known.version is None:
        return False
    version = known.version.version
    every = (t for t in known.framework.all_traps if t.effect in effects)
    return any(t.versions.holds(version) for t in every)


def _found(effects: frozenset[Effect]) -> Get:
    """Yes, no, or None while no framework or, of one with such traps, no settings were given."""

    def get(s: Situation) -> str | None:
        if _walked_into(s, effects):
            return "yes"
        if s.scenario.word("framework") is None:
            return None
        unread = s.scenario.word("framework_settings") is None
        return None if unread and _on_record(s, effects) else "no"

    return get


def _count(effects: frozenset[Effect]) -> Get:
    return lambda s: float(len(_walked_into(s, effects)))


def _texts(effects: frozenset[Effect]) -> Get:
    return lambda s: trap_texts(_walked_into(s, effects)) or None


def _sources(effects: frozenset[Effect]) -> Get:
    return lambda s: trap_sources(_walked_into(s, effects)) or None


def _flags(s: Situation) -> str | None:
    found = _found(ASYNC_OFF)(s)
    return None if found is None else ("switched_off" if found == "yes" else "as_asked")


def _helps(s: Situation) -> str:
    """Whether switching asynchronous saves on is possible here and would shorten the stall."""
    if any(trap.effect == "async_ruled_out" for trap in s.framework.traps):
        return "no"
    if s.framework.status("async") in ("none", "external"):
        return "no"
    if s.scenario.word("mode") == "async":
        return "yes"  # the stall computed is that of a background save already
    now, then = stall(s), async_stall(s)
    return "no" if now is not None and then is not None and now <= then else "yes"


def _about(name: str, effect: Effect, what: str) -> dict[str, Computed]:
    """The four values that a rule about the traps of one effect needs."""
    effects = frozenset({effect})
    return {
        name: Computed(
            "choice", f"Whether settings typed {what}.", flags_needs, _found(effects), YES_NO
        ),
        f"{name}_count": Computed("count", f"How many {what}.", flags_needs, _count(effects)),
        f"{name}_text": Computed("text", f"Which {what}, and cures.", flags_needs, _texts(effects)),
        f"{name}_source": Computed(
            "text", f"Where those that {what} were read.", flags_needs, _sources(effects)
        ),
    }


def _default(s: Situation) -> str:
    """The default of the framework in brackets, to stand in a sentence; "" where it has none."""
    known = s.framework
    if known.framework is None or known.version is None:
        return ""
    value = default_number(known.framework)
    name = f"{known.framework.title} {known.version.text}"
    return f" ({name}, {known.framework.interval_key}: {value})" if value else ""


def _default_words(s: Situation) -> str | None:
    framework = s.framework.framework
    return None if framework is None else default_text(framework).removesuffix(".") or None


SETTINGS: Mapping[str, Computed] = {
    "async_flags": Computed(
        "choice",
        "What becomes of the flags typed.",
        flags_needs,
        _flags,
        ("as_asked", "switched_off"),
    ),
    "async_helps": Computed(
        "choice",
        "Whether asynchronous saves can be switched on here and shorten the stall.",
        (),
        _helps,
        YES_NO,
    ),
    "async_trap": Computed("text", "Why async is off, and cures.", flags_needs, _texts(ASYNC_OFF)),
    "async_trap_source": Computed("text", "Where that was read.", flags_needs, _sources(ASYNC_OFF)),
    "framework_default": Computed(
        "text", "Default of the interval in this framework, in brackets.", (), _default
    ),
    "framework_default_words": Computed(
        "text", "The same in words.", ("framework",), _default_words
    ),
    **_about("dirty_settings", "dirty_buffers", "let a save mix two steps"),
    **_about("few_writer_settings", "one_writer", "leave the writing to a few"),
    **_about("time_out_unchanged", "timeout_unchanged", "set a time-out that does not count"),
    **_about("odd_settings", "other", "do something else than they seem to"),
}
"""Everything about traps that a condition or a message may name."""
