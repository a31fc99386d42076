"""What other rules would change of the advice for saved sessions; no file is touched."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from advisor.commands.exit_codes import BAD_USE, FINE, HIT
from advisor.engine.advice import Advice, Severity, State
from advisor.engine.advise import advise
from advisor.engine.framework_types import FrameworkError
from advisor.engine.knowledge import Knowledge, load_knowledge
from advisor.facts.resolve import AnswerError
from advisor.facts.toml_fault import TomlFault
from advisor.session.document import Session
from advisor.session.store import load

SAID: tuple[State, ...] = ("hit", "waived", "error")
"""Outcomes of a rule that somebody reads; between clear and unknown nothing changes for them."""


@dataclass(frozen=True, slots=True)
class Said:
    """What one rule says of a session: its outcome, and how bad it is."""

    state: State
    severity: Severity


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a person would act on.

    Attributes:
        interval: the verdict on the interval.
        plan: the changes in order, by rule and lever, with what they set.
        findings: by rule, those that say something.
        goodput: after the plan, share of 1; None while unknown.
    """

    interval: str
    plan: Mapping[str, Mapping[str, float | str | None]]
    findings: Mapping[str, Said]
    goodput: float | None


@dataclass(frozen=True, slots=True)
class AgainstRow:
    """One session under two sets of rules.

    Attributes:
        path: its file.
        session_id: its id, the name of the file where it cannot be read.
        now: with the rules in place; None where it cannot be computed.
        then: with the others on top.
        unknown: rules that only the others have and cannot decide, with the facts to ask for.
        fault: why it cannot be computed, for stderr; "" where it can.
    """

    path: Path
    session_id: str
    now: Outlook | None = None
    then: Outlook | None = None
    unknown: Mapping[str, tuple[str, ...]] | None = None
    fault: str = ""

    @property
    def changes(self) -> bool:
        """Whether anything a person would act on is not as it is today."""
        return self.now != self.then


def outcome(rows: Sequence[AgainstRow]) -> int:
    """The exit code: 2 where a session cannot be computed, 1 where something would change."""
    if any(row.fault for row in rows):
        return BAD_USE
    return HIT if any(row.changes for row in rows) else FINE


@dataclass(frozen=True, slots=True)
class AgainstTask:
    """A comparison of two sets of rules.

    Attributes:
        now: folders over the built-in rules, as they are in place.
        then: the same and the folders to try.
    """

    now: tuple[Path, ...]
    then: tuple[Path, ...]

    def begin(self) -> Callable[[Path], AgainstRow]:
        """Load both; what is done with one file."""
        now, then = load_knowledge(self.now), load_knowledge(self.then)
        return lambda path: against_row(path, now, then)


def against_row(path: Path, now: Knowledge, then: Knowledge) -> AgainstRow:
    """One session under both; what is wrong with it is told in its row."""
    try:
        # Facts that only the others declare may be answered already.
        session = load(path, then.catalogue)[0]
    except TomlFault as fault:
        return AgainstRow(path, path.stem, fault=str(fault))
    try:
        before = advise(_known(session, now), now, whole=False)
        after = advise(session, then, whole=False)
    except (AnswerError, FrameworkError) as error:
        return AgainstRow(path, session.id, fault=f"{path}: {error}")
    return AgainstRow(path, session.id, _outlook(before), _outlook(after), _asks(before, after))


def _known(session: Session, knowledge: Knowledge) -> Session:
    """The session without answers to facts these rules do not declare."""
    from dataclasses import replace

    facts = knowledge.catalogue.facts
    return replace(session, answers={n: a for n, a in session.answers.items() if n in facts})


def _outlook(advice: Advice) -> Outlook:
    return Outlook(
        interval=advice.verdict.interval or "unknown",
        plan={step.key: step.settings for step in advice.plan},
        findings={
            finding.rule: Said(finding.state, finding.severity)
            for finding in advice.findings
            if finding.state in SAID and not finding.superseded_by
        },
        goodput=advice.after.goodput,
    )


def _asks(before: Advice, after: Advice) -> Mapping[str, tuple[str, ...]]:
    """Rules that are new, and what they would need to know of this job."""
    old = {finding.rule for finding in before.findings}
    return {
        finding.rule: finding.missing
        for finding in after.findings
        if finding.state == "unknown" and finding.rule not in old
    }
