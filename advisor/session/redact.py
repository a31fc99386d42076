"""An export without names, hosts, paths and notes: what people typed as free text goes.

In two steps, since free text also steers the advice: the session loses all that steers nothing
before it is advised on; the launch settings, in which the rules look for flags, go afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from advisor.engine.advice import Advice, Finding, KnowledgeId, SessionId
from advisor.engine.knowledge import Knowledge
from advisor.engine.versions import parse_version
from advisor.facts.answers import UNKNOWN_TEXT, Answer
from advisor.facts.resolve import Fact
from advisor.session.document import Session, Waiver

REDACTED = "redacted"
"""What stands where a free text stood."""

FRAMEWORK, VERSION = "framework", "framework_version"
"""Facts whose text is a name we know, or a number; whatever else stands in them is not shown."""


def without_names(session: Session, knowledge: Knowledge) -> Session:
    """The session without what steers no advice: names, title, tags, notes, evidence, owners.

    A waiver keeps its rule and its end, unless nobody knows the rule. A framework we know is called
    by its id, its version is kept as far as it is read.

    Args:
        session: what is to be exported, with ``--set`` and site facts in it.
        knowledge: the rules and frameworks in use.
    """
    rules = {*knowledge.pack.rules, *knowledge.pack.disabled}
    answers = {
        name: replace(
            answer,
            value=_kept(name, answer, session.answers, knowledge),
            note="",
            evidence="",
            said_by="",
        )
        for name, answer in session.answers.items()
    }
    waivers = {
        rule: Waiver(REDACTED, waiver.until)
        for rule, waiver in session.waivers.items()
        if rule in rules
    }
    return Session(
        REDACTED,
        created=session.created,
        updated=session.updated,
        answers=answers,
        waivers=waivers,
    )


def _kept(name: str, answer: Answer, answers: Mapping[str, Answer], knowledge: Knowledge) -> str:
    """The text of an answer that may stay."""
    if answer.is_unknown:
        return UNKNOWN_TEXT
    if name not in (FRAMEWORK, VERSION):
        return answer.value
    named = answers.get(FRAMEWORK)
    framework_id = "" if named is None else knowledge.framework_id(named.value.strip())
    if name == FRAMEWORK:
        return framework_id or REDACTED
    prefixes = knowledge.framework(framework_id).version_prefixes if framework_id else ()
    version = parse_version(answer.value, prefixes)
    return REDACTED if version is None else str(version)


def redacted(advice: Advice) -> Advice:
    """An advice on a session ``without_names``, without its other free texts and site names.

    The texts of a site's own rules stay: they are not what the team was asked.
    """
    secrets = [
        fact.text
        for fact in advice.facts.values()
        if _is_free(fact) and fact.text.strip() not in ("", "?")
    ]
    return replace(
        advice,
        session=SessionId(REDACTED, "", (), advice.session.updated),
        knowledge=_anonymous(advice.knowledge),
        facts={name: _fact(fact) for name, fact in advice.facts.items()},
        findings=tuple(_finding(found, secrets) for found in advice.findings),
        brought_up=tuple(_finding(found, secrets) for found in advice.brought_up),
    )


def _is_free(fact: Fact) -> bool:
    """Whether the text of a fact is whatever somebody typed."""
    return fact.spec.kind == "text" and fact.name not in (FRAMEWORK, VERSION)


def _fact(fact: Fact) -> Fact:
    if not _is_free(fact) or fact.value is None:
        return fact
    return replace(fact, value=REDACTED, text=REDACTED)


def _finding(found: Finding, secrets: Iterable[str]) -> Finding:
    """A finding that quotes no free text."""
    message, remedy = found.message, found.remedy
    for secret in secrets:
        for text in (secret, secret.strip()):
            message = message.replace(text, REDACTED)
            remedy = tuple(line.replace(text, REDACTED) for line in remedy)
    return replace(found, message=message, remedy=remedy)


def _anonymous(knowledge: KnowledgeId) -> KnowledgeId:
    """Our version and the digest; packs of a site without their names."""
    ours, comma, _ = knowledge.version.partition(",")
    count = len(knowledge.changes)
    changes = "1 change" if count == 1 else f"{count} changes"
    return KnowledgeId(
        version=f"{ours} and packs of the site" if comma else ours,
        digest=knowledge.digest,
        changes=(f"{changes} of the site to our rules, not named here.",) if count else (),
    )
