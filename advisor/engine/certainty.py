"""How bad a finding is depends on how sure the facts are: an error on a guess is a warning."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from advisor.engine.advice import SEVERITIES, Finding
from advisor.facts.resolve import Facts


def on_guesses(said: Iterable[Finding], facts: Facts) -> tuple[Finding, ...]:
    """The findings, an error that rests on a guessed answer as a warning that names the guess.

    Assumed values do not count: they are published ones, and shown as assumed anyway.

    Args:
        said: worded findings.
        facts: the answers, with how sure they are.
    """
    out = [_judged(found, facts) for found in said]
    return tuple(sorted(out, key=lambda f: (f.order, -SEVERITIES.index(f.severity), f.rule)))


def _judged(found: Finding, facts: Facts) -> Finding:
    known = [facts.facts[name] for name in found.evidence if name in facts.facts]
    guessed = [fact for fact in known if fact.active and fact.source == "guessed"]
    if found.severity != "error" or found.state not in ("hit", "waived") or not guessed:
        return found
    names = " and ".join(f'"{fact.spec.label}" ({fact.text.strip()})' for fact in guessed)
    message = f"{found.message} A warning only, as it rests on a guess: {names}."
    return replace(found, severity="warning", message=message)
