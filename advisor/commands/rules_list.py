"""``rules list``: every rule, or those of a family, a status, or an outcome for one job."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import date

from advisor.commands.faults import UsageFault
from advisor.commands.inputs import job
from advisor.commands.output import table
from advisor.engine.advise import present
from advisor.engine.findings import findings, outcomes
from advisor.engine.knowledge import Knowledge
from advisor.engine.pack import Rule
from advisor.report.rule_reference import titled


def listed(arguments: argparse.Namespace, knowledge: Knowledge) -> str:
    """The list as aligned columns; with a session also the outcome of each rule.

    Raises:
        UsageFault: no such family, or an outcome without a session.
        TomlFault: a faulty session, with its place.
        AnswerError: an answer that cannot be read.
    """
    chosen = _of_family(list(knowledge.pack.rules.values()), arguments.family)
    if arguments.status is not None:
        chosen = [rule for rule in chosen if rule.status == arguments.status]
    chosen.sort(key=lambda rule: rule.id)
    states: dict[str, str] = {}
    if arguments.session is not None or arguments.facts:
        states = _states(arguments, knowledge)
        if arguments.outcome is not None:
            chosen = [rule for rule in chosen if states[rule.id] == arguments.outcome]
    elif arguments.outcome is not None:
        hint = "name a session file, or give facts with --set"
        raise UsageFault("ckpt-advisor rules list: --outcome needs a job", hint)
    header = ("rule", "severity", "pack", *(("outcome",) if states else ()), "what it finds")
    rows = [_row(rule, states) for rule in chosen]
    return table([header, *rows, *_off(arguments, knowledge, with_outcome=bool(states))])


def _row(rule: Rule, states: dict[str, str]) -> tuple[str, ...]:
    outcome = (states[rule.id],) if states else ()
    return (rule.id, rule.severity, rule.pack, *outcome, titled(rule))


def _off(
    arguments: argparse.Namespace, knowledge: Knowledge, *, with_outcome: bool
) -> list[tuple[str, ...]]:
    """What a site switched off, at the end of the whole list."""
    if arguments.family or arguments.status or arguments.outcome:
        return []
    outcome = ("off",) if with_outcome else ()
    return [
        (rule, "off", off.pack, *outcome, off.reason)
        for rule, off in sorted(knowledge.pack.disabled.items())
    ]


def _states(arguments: argparse.Namespace, knowledge: Knowledge) -> dict[str, str]:
    session = job(arguments, knowledge)
    now, pack = present(session.answers, knowledge).situation, knowledge.pack
    said = findings(outcomes(now, pack), now, pack, session.waivers, date.today())
    return {finding.rule: finding.state for finding in said}


def _of_family(rules: Sequence[Rule], family: str | None) -> list[Rule]:
    if family is None:
        return list(rules)
    families = {rule.family for rule in rules}
    wanted = family.strip().upper()
    names = {name for name in (wanted, f"CK{wanted}") if name in families}
    if not names:
        hint = f"there are {', '.join(sorted(families))}"
        raise UsageFault(f'there is no family "{family}"', hint)
    return [rule for rule in rules if rule.family in names]
