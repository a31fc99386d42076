"""The report: one advice as a document, in the order in which the person who gets it reads."""

from __future__ import annotations

from advisor.engine.advice import Advice
from advisor.report.appendix import facts, rules, versions
from advisor.report.bill import bill
from advisor.report.changes import changes, changes_in_short
from advisor.report.comparison import comparison
from advisor.report.document import ALWAYS, Block, Document, Paragraph, Section, Strong
from advisor.report.grounds import open_questions, rests_on, rests_on_in_short
from advisor.report.interval import interval_blocks, interval_in_short
from advisor.report.lengths import Length
from advisor.report.opening import brought_up, dangers, headline, misconfigured, title, waived
from advisor.report.outside import drives_in_short, left_out, next_loss, storage, storage_in_short


def build_report(advice: Advice, *, length: Length = "full") -> Document:
    """The report of one advice.

    Args:
        advice: whatever could be computed; what could not be is named in the report.
        length: the whole ticket, or the short form.
    """
    opening: tuple[Block, ...] = (Paragraph((Strong(headline(advice)),)),)
    parts = _summary(advice) if length == "summary" else _full(advice)
    sections = (Section("the headline", opening, ALWAYS), *parts)
    return Document(title(advice), tuple(s for s in sections if s.blocks))


def _full(advice: Advice) -> tuple[Section, ...]:
    return (
        Section("what loses data or kills the job", dangers(advice), 95),
        Section("what is set up wrongly", misconfigured(advice), 80),
        Section("the table of figures", comparison(advice), 85),
        Section("the changes", changes(advice), 90),
        Section("what the changes bring up", brought_up(advice), 88),
        Section("the interval", interval_blocks(advice), 75),
        Section("what is accepted for now", waived(advice), 70),
        Section("the storage", storage(advice), 60),
        Section("the bill of the storage", bill(advice), 45),
        Section("what is not in the plan", left_out(advice), 40),
        Section("the next largest loss", next_loss(advice), 50),
        Section("what this rests on", rests_on(advice), 65),
        Section("the open questions", open_questions(advice), 55),
        Section("the versions", versions(advice), ALWAYS),
        Section("all facts", facts(advice), 20),
        Section("all rules", rules(advice), 10),
    )


def _summary(advice: Advice) -> tuple[Section, ...]:
    return (
        Section("what loses data or kills the job", dangers(advice), 95),
        Section("what is set up wrongly", misconfigured(advice), 85),
        Section("the table of figures", comparison(advice), 80),
        Section("the changes", changes_in_short(advice), 90),
        Section("what the changes bring up", brought_up(advice), 88),
        Section("the interval", interval_in_short(advice), 70),
        Section("the storage", storage_in_short(advice), 50),
        Section("the drives", drives_in_short(advice), 45),
        Section("what this rests on", rests_on_in_short(advice), 40),
        Section("the versions", versions(advice), ALWAYS),
    )
