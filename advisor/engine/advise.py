"""The one door: ``advise(session, knowledge) -> Advice``.

The live panel, the command line, replay and every export call it; nothing else computes an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Protocol

from advisor.engine.advice import Advice, Finding, SessionId, Step, Verdict
from advisor.engine.bill import bills, changes
from advisor.engine.certainty import on_guesses
from advisor.engine.findings import RuleOutcome, findings, outcomes
from advisor.engine.framework_facts import framework_facts, suggestions
from advisor.engine.framework_used import framework_used
from advisor.engine.knowledge import Knowledge
from advisor.engine.levers import INTERVAL_LEVERS, LEVERS
from advisor.engine.nearest import with_nearest
from advisor.engine.no_saves import save_at_the_end
from advisor.engine.on_top import further_steps, purchase_steps
from advisor.engine.pack import PLACES, Pack
from advisor.engine.plan import TOGETHER, Offer, Part, Search, ordered, search
from advisor.engine.situation import Situation, evaluate, number
from advisor.engine.steps import plan_steps
from advisor.engine.uncertainty import robustness
from advisor.engine.unknowns import ranked_unknowns
from advisor.engine.verdict import headline, interval_kind, interval_verdict
from advisor.engine.view import view, with_range, with_simulation
from advisor.engine.waivers import Waiver, waiver_notes
from advisor.facts.answers import Answer
from advisor.facts.catalogue import Catalogue
from advisor.facts.resolve import Fact, Facts, quantity_text, resolve
from advisor.facts.scenario import Scenario
from advisor.model.calibrate import calibrate


class SessionLike(Protocol):
    """What an advice needs of a session."""

    @property
    def id(self) -> str:
        """Its id."""
        ...

    @property
    def title(self) -> str:
        """Its title."""
        ...

    @property
    def tags(self) -> Sequence[str]:
        """Its tags."""
        ...

    @property
    def updated(self) -> datetime | None:
        """When it was last saved; a replay judges waivers at that day."""
        ...

    @property
    def answers(self) -> Mapping[str, Answer]:
        """Answers by fact."""
        ...

    @property
    def waivers(self) -> Mapping[str, Waiver]:
        """Waivers by rule."""
        ...


@dataclass(frozen=True, slots=True)
class Present:
    """The job as it is, before any rule is looked at.

    Attributes:
        facts: resolved, with sources.
        raw: the scenario before calibration, where measurements can still vary.
        situation: calibrated and evaluated.
    """

    facts: Facts
    raw: Scenario
    situation: Situation


def present(answers: Mapping[str, Answer], knowledge: Knowledge) -> Present:
    """Resolve the answers and evaluate the job as it is; what the live panel shows at each key.

    Raises:
        AnswerError: an answer that cannot be read.
    """
    known = framework_facts(answers, knowledge)
    facts = resolve(answers, knowledge.catalogue, suggestions(known))
    sc = facts.scenario()
    if known.async_on_paper and sc.word("mode") == "async":
        # The flags typed do not turn it on in this version: what runs is synchronous.
        sc = sc.changed({"mode": "sync"})
    calibrated = calibrate(sc)
    if calibrated.calibration.implied:
        facts = with_implied_rate(facts, calibrated)
    return Present(facts, sc, evaluate(calibrated, known))


def with_implied_rate(facts: Facts, sc: Scenario) -> Facts:
    """The facts with the pool's rate that a measured save stands for, marked as derived."""
    rate = number(sc.number("pool_write"))
    spec = facts.catalogue.facts["pool_write"]
    if rate is None:
        return facts
    note = "from the measured save of this job, slowest writer included"
    found = Fact(spec, rate, None, None, "derived", quantity_text(rate, spec), note)
    return replace(facts, facts={**facts.facts, "pool_write": found})


def _offers(found: Sequence[RuleOutcome], sc: Scenario) -> list[Offer]:
    offers: list[Offer] = []
    for item in found:
        lever = LEVERS.get(item.rule.lever)
        if item.value is not True or lever is None:
            continue
        settings = lever.change(sc)
        if settings and all(o.lever.id != lever.id for o in offers):
            offers.append(Offer(item.rule, lever, settings))
    return offers


def _missing_required(answers: Mapping[str, Answer], catalogue: Catalogue) -> tuple[str, ...]:
    """Required questions nobody answered; "don't know" is an answer, one alternative is enough."""
    groups: dict[str, list[str]] = {}
    for spec in catalogue.facts.values():
        if spec.required:
            groups.setdefault(spec.group or spec.name, []).append(spec.name)
    return tuple(names[0] for names in groups.values() if not any(n in answers for n in names))


def advise(
    session: SessionLike, knowledge: Knowledge, today: date | None = None, *, whole: bool = True
) -> Advice:
    """Everything the advisor has to say about one session.

    Args:
        session: its answers and waivers.
        knowledge: facts, rules and frameworks.
        today: the day waivers are judged at; None for when the session was last saved, so that
            a replay depends on no clock.
        whole: False for what a replay compares and a fleet ranks, a tenth of the work: figures
            before and after, the verdict, the plan and the outcome of every rule, all as in the
            whole advice. Ranges, chances, thresholds, messages and lines, the best k, purchases,
            unknowns and the bill are then left out.

    Raises:
        AnswerError: an answer that cannot be read.
        FrameworkError: the framework file in use is faulty.
    """
    now = present(session.answers, knowledge)
    situation, pack, used = now.situation, knowledge.pack, now.situation.framework
    found = outcomes(situation, pack)
    saved = session.updated.date() if session.updated is not None else None
    day = today or saved
    worded = findings(found, situation, pack, session.waivers, day, worded=whole)
    said = on_guesses(worded, now.facts)
    # A waived rule may not offer its change.
    waived = {finding.rule for finding in said if finding.state == "waived"}
    allowed = [outcome for outcome in found if outcome.rule.id not in waived]
    offers = _offers(allowed, situation.scenario)
    free = situation.scenario.word("interval_decided_by") != "policy"
    chosen: Search = search(
        situation.scenario, offers, pack, situation.framework, interval_free=free
    )
    needless = interval_kind(situation) == "none"
    if needless:
        chosen = Search(None, {}, ())
    parts = [] if chosen.choice is None else ordered(situation.scenario, chosen.choice)
    if not whole:
        return _compared(session, knowledge, now, said, chosen, parts, needless=needless)
    robust = robustness(
        now.facts, now.raw, chosen.choice, parts, chosen.options, interval_free=free
    )
    after, plan = plan_steps(situation, chosen, parts, robust.chances, knowledge)
    before_view = with_range(view(situation), robust.before)
    after_view = with_range(view(after), robust.after if plan else robust.before)
    before_view = with_simulation(before_view, situation)
    after_view = with_simulation(after_view, after) if plan else before_view
    if needless:
        after_view, plan = save_at_the_end(situation, before_view, pack)
    else:
        said = with_nearest(said, situation, after, knowledge)
    further = () if needless else further_steps(after, knowledge)
    verdict = interval_verdict(situation, pack)
    lines = {} if needless else bills(after.scenario)
    brought: tuple[Finding, ...] = ()
    if after is not situation:
        brought = _brought_up(after, now.facts, said, session.waivers, pack, day)
    return Advice(
        session=SessionId(session.id, session.title, tuple(session.tags), saved),
        knowledge=knowledge.id,
        facts=now.facts.facts,
        contradictions=now.facts.contradictions,
        before=before_view,
        after=after_view,
        findings=said,
        plan=plan,
        refused=_refused(chosen, plan),
        further=further,
        purchases=() if needless else purchase_steps(after, knowledge),
        verdict=verdict,
        unknowns=ranked_unknowns(now.facts, situation.scenario, chosen.choice, robust),
        headline=headline(
            before_view, after_view, plan, waived=any(f.state == "waived" for f in said)
        ),
        missing_required=_missing_required(session.answers, knowledge.catalogue),
        brought_up=brought,
        waiver_notes=waiver_notes(session.waivers, said, pack, day),
        bill=lines,
        bill_changes=changes(after.scenario, lines),
        version_assumed=_version_assumed(situation),
        framework=framework_used(used.framework, used.version, used.traps),
    )


def _refused(chosen: Search, plan: Sequence[Step]) -> tuple[str, ...]:
    """Why limits rule changes out, those left aside that the plan makes all the same."""
    made = {"interval" if step.lever in INTERVAL_LEVERS else step.lever for step in plan}
    return tuple(
        text for levers, text in chosen.refused.items() if set(levers.split(TOGETHER)) - made
    )


def _compared(
    session: SessionLike,
    knowledge: Knowledge,
    now: Present,
    said: tuple[Finding, ...],
    chosen: Search,
    parts: Sequence[Part],
    *,
    needless: bool,
) -> Advice:
    """The advice without what takes samples, sweeps or words."""
    situation = now.situation
    after, plan = plan_steps(situation, chosen, parts, (), knowledge, swept=False)
    before_view = view(situation, tiers=False)
    after_view = view(after, tiers=False) if plan else before_view
    if needless:
        after_view, plan = save_at_the_end(situation, before_view, knowledge.pack)
    return Advice(
        session=SessionId(
            session.id,
            session.title,
            tuple(session.tags),
            session.updated.date() if session.updated is not None else None,
        ),
        knowledge=knowledge.id,
        facts=now.facts.facts,
        contradictions=now.facts.contradictions,
        before=before_view,
        after=after_view,
        findings=said,
        plan=plan,
        refused=(),
        further=(),
        purchases=(),
        verdict=Verdict(interval_kind(situation), ""),
        unknowns=(),
        headline="",
        missing_required=_missing_required(session.answers, knowledge.catalogue),
    )


def _brought_up(
    after: Situation,
    facts: Facts,
    said: Sequence[Finding],
    waivers: Mapping[str, Waiver],
    pack: Pack,
    today: date | None,
) -> tuple[Finding, ...]:
    """What loses data, kills the job or is set up wrongly only once the plan is in."""
    before = {f.rule for f in said if f.state in ("hit", "waived")}
    places = (PLACES.index("danger"), PLACES.index("misconfigured"))
    later = findings(outcomes(after, pack), after, pack, waivers, today)
    return tuple(
        f
        for f in on_guesses(later, facts)
        if f.state == "hit" and not f.superseded_by and f.order in places and f.rule not in before
    )


def _version_assumed(s: Situation) -> str:
    """Why the framework's facts are those of another version, or of one nobody named."""
    version = s.framework.version
    return version.sentence if version is not None and version.assumed else ""
