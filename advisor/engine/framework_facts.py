"""What the framework in use says about the job: suggestions for facts nobody gave."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.engine.framework_words import MARKS, marked
from advisor.engine.frameworks import Timeout
from advisor.engine.knowledge import Knowledge
from advisor.engine.situation import FrameworkFacts
from advisor.facts.answers import Answer
from advisor.facts.resolve import Suggestion


def _text(answers: Mapping[str, Answer], name: str) -> str:
    answer = answers.get(name)
    return "" if answer is None or answer.is_unknown else answer.value.strip()


def _key(timeout: Timeout) -> str:
    mark = MARKS[timeout.read]
    return f"{timeout.key}; {mark}" if mark else timeout.key


def framework_facts(answers: Mapping[str, Answer], knowledge: Knowledge) -> FrameworkFacts:
    """The framework named in the answers, in its version, with the traps its settings walk into.

    A framework without a file is not an error: nothing is known about it.
    """
    named = _text(answers, "framework")
    framework_id = knowledge.framework_id(named)
    if not framework_id:
        return FrameworkFacts(named=named)
    framework = knowledge.framework(framework_id)
    version = framework.version(_text(answers, "framework_version") or None)
    settings = _text(answers, "framework_settings")
    return FrameworkFacts(framework, version, framework.traps(settings, version), framework_id)


def suggestions(known: FrameworkFacts) -> dict[str, Suggestion]:
    """Values the framework file gives for facts nobody answered, each with its reason."""
    framework, version = known.framework, known.version
    if framework is None or version is None:
        return {}
    out: dict[str, Suggestion] = {}
    name = f"{framework.title} {version.text}"
    timeout = framework.timeout(version)
    if timeout is not None:
        out["collective_timeout"] = Suggestion(
            f"{timeout.seconds:g} s", f"default of {name} ({_key(timeout)})"
        )
    capability = framework.capability("async", version)
    if capability is not None and capability.status != "none":
        why = f"{name}: {marked(capability.what, capability.read)}"
        if capability.writer is not None:
            out["async_writer"] = Suggestion(capability.writer, why)
        if capability.host_copies is not None:
            out["host_copies"] = Suggestion(f"{capability.host_copies:g}", why)
        if capability.plans_before_return:
            out["plans_before_return"] = Suggestion("yes", why)
        if capability.one_step:
            out["drain_hides"] = Suggestion("one_step", why)
        if capability.drain_limit is not None:
            out["drain_timeout"] = Suggestion(
                f"{capability.drain_limit:g} s",
                f"{name}: {marked(capability.drain_limit_what, capability.read)}",
            )
    peer = framework.capability("peer", version)
    if peer is not None and peer.status == "default_on" and peer.scheme is not None:
        out["redundancy"] = Suggestion(peer.scheme, f"{name}: {marked(peer.what, peer.read)}")
    if capability is not None and capability.status == "default_on":
        out["mode"] = Suggestion("async", f"default of {name}")
    return out
