"""Every rule's outcome for one job: hit, clear, unknown with the facts to ask, waived, or error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from advisor.engine.advice import SEVERITIES, ConfigText, Finding
from advisor.engine.conditions import Values, choice_labels, facts_behind
from advisor.engine.expression import ExpressionError
from advisor.engine.lines import config_lines
from advisor.engine.message import answered, render
from advisor.engine.pack import PLACES, Pack, Rule
from advisor.engine.situation import Situation
from advisor.engine.waivers import Waiver, in_force, waiver_text


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """One rule in one situation, before it is worded."""

    rule: Rule
    value: bool | None
    missing: tuple[str, ...]
    error: str = ""


def outcomes(
    situation: Situation, pack: Pack, rules: Iterable[Rule] | None = None
) -> list[RuleOutcome]:
    """The outcome of every rule, or of some; an error in one leaves the others alone."""
    values = Values(situation, pack)
    found = []
    for rule in pack.rules.values() if rules is None else rules:
        try:
            outcome = rule.when.evaluate(values)
        except ExpressionError as error:
            found.append(RuleOutcome(rule, None, (), str(error)))
            continue
        value = None if outcome.value is None else bool(outcome.value)
        found.append(RuleOutcome(rule, value, facts_behind(outcome.missing, situation.scenario)))
    return found


def findings(
    found: Sequence[RuleOutcome],
    situation: Situation,
    pack: Pack,
    waivers: Mapping[str, Waiver],
    today: date | None,
    *,
    worded: bool = True,
) -> tuple[Finding, ...]:
    """All findings, in the order of the ticket.

    Args:
        found: outcomes of the rules.
        situation: the job as it is.
        pack: the rules.
        waivers: by rule id.
        today: the day waivers are judged at.
        worded: False leaves out message, remedies and lines.
    """
    values = Values(situation, pack)
    labels = choice_labels(situation.scenario)

    def words(template: str) -> str:
        return render(template, pack.names, values, labels)

    out = []
    for item in found:
        rule = item.rule
        waiver = waivers.get(rule.id)
        if item.error:
            out.append(_finding(rule, "error", item.error))
        elif item.value is None:
            out.append(_finding(rule, "unknown", missing=item.missing))
        elif not item.value:
            out.append(_finding(rule, "clear"))
        elif in_force(waiver, today):
            assert waiver is not None  # noqa: S101 - in_force saw it
            message = words(rule.message) if worded else ""
            out.append(_finding(rule, "waived", message, waiver=waiver_text(waiver)))
        elif not worded:
            out.append(_finding(rule, "hit"))
        else:
            out.append(
                _finding(
                    rule,
                    "hit",
                    words(rule.message),
                    # Advice whose figure is unknown is left out; the rest stands without it.
                    remedy=tuple(words(t) for t in rule.remedy if answered(t, values)),
                    config=config_lines(rule.lever, situation) if rule.lever else (),
                )
            )
    out = _superseded(out, pack)
    return tuple(sorted(out, key=lambda f: (f.order, -SEVERITIES.index(f.severity), f.rule)))


def advised(rule: Rule, situation: Situation, pack: Pack) -> tuple[str, ...]:
    """What a rule says to do, filled; advice whose figure is unknown is left out."""
    values = Values(situation, pack)
    labels = choice_labels(situation.scenario)
    return tuple(
        render(text, pack.names, values, labels) for text in rule.remedy if answered(text, values)
    )


def _superseded(found: Sequence[Finding], pack: Pack) -> list[Finding]:
    """The same, hits marked of which another hit says more."""
    by = {
        less: finding.rule
        for finding in found
        if finding.state == "hit"
        for less in pack.rules[finding.rule].supersedes
    }
    return [
        replace(f, superseded_by=by[f.rule]) if f.state == "hit" and f.rule in by else f
        for f in found
    ]


def _finding(
    rule: Rule,
    state: str,
    message: str = "",
    missing: tuple[str, ...] = (),
    remedy: tuple[str, ...] = (),
    config: tuple[ConfigText, ...] = (),
    waiver: str = "",
) -> Finding:
    return Finding(
        rule=rule.id,
        title=rule.title,
        state=state,  # type: ignore[arg-type]  # the five outcomes above
        severity=rule.severity,
        message=message,
        missing=missing,
        remedy=remedy,
        config=config,
        evidence=rule.evidence,
        sources=rule.sources,
        order=PLACES.index(rule.place),
        lever=rule.lever,
        waiver=waiver,
    )
