"""The lines to paste for a change, for the framework and version in use."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.engine.advice import ConfigText
from advisor.engine.framework_types import Read
from advisor.engine.framework_used import save_signs
from advisor.engine.framework_words import marked
from advisor.engine.launch_text import fill
from advisor.engine.situation import Situation, number
from advisor.facts.display import format_value


def line_values(before: Situation, after: Situation | None = None) -> Mapping[str, str]:
    """Values for the placeholders of framework lines; what is unknown stays a word in capitals.

    Args:
        before: the job as it is.
        after: with the plan, for the interval and the stall to expect; default the job as it is.
    """
    after = after or before
    sc = after.scenario
    values: dict[str, str] = {}
    tau = number(after.estimate.interval)
    step = number(sc.number("step_time"))
    if tau is not None:
        values["interval_s"] = f"{tau:.0f}"
        values["interval_min"] = f"{tau / 60:.4g}"
        steps = number(sc.number("interval_steps")) if sc.number("interval") is None else None
        if steps is None and step:
            steps = tau / step
        if steps is not None:
            values["interval_steps"] = f"{max(1, round(steps))}"
    keep = number(sc.number("keep"))
    if keep is not None and keep < 1e6:
        values["keep"] = f"{keep:.0f}"
    every = number(sc.number("pool_every"))
    if every:
        values["pool_every"] = f"{every:.0f}"
    if tau is not None:
        # Keys in whole minutes cut off the rest, and 0 would switch the level off.
        minutes = max(1, round(tau / 60))
        values["interval_whole_min"] = f"{minutes}"
        if every:
            values["pool_whole_min"] = f"{every * minutes:.0f}"
            # Where a copy is made once at least this long has passed: half a save less, or a
            # save that comes a moment early would wait for the next.
            values["pool_least_s"] = f"{(every - 0.5) * tau:.0f}"
    scheme = sc.word("redundancy")
    if scheme is not None:
        values["redundancy"] = "SINGLE" if scheme == "none" else scheme.upper()
    ranks = number(sc.number("ranks_per_node"))
    if ranks is not None:
        values["ranks_per_node"] = f"{ranks:.0f}"
        jump = number(sc.number("peer_jump"))
        if jump is not None:
            values["jump"] = f"{jump * ranks:.0f}"
    for name, situation in (("stall_before", before), ("stall_after", after)):
        c = situation.estimate.configuration
        stall = None if c is None else number(c.stall)
        if stall is not None:
            values[name] = format_value(stall, "duration") if stall > 0 else "0 s"
    c = before.estimate.configuration
    if c is not None and c.pool is not None:
        # Twice one save in a hundred, at least the common 30 minutes.
        limit = max(2 * float(c.pool.p99), 1800.0)
        values["timeout_s"] = f"{limit:.0f}"
        values["timeout_min"] = f"{-(-limit // 60):.0f}"
    return values


def unread(read: Read) -> tuple[str, ...]:
    """The note beside lines that were not read in the source."""
    if read in ("recalled", "inferred"):
        return (f"These lines are {read}, not read in the source: check them first.",)
    return ()


def config_lines(
    lever: str, before: Situation, after: Situation | None = None
) -> tuple[ConfigText, ...]:
    """Lines to paste for a lever; empty where no framework was named or it has no switch."""
    known = before.framework
    if known.framework is None or known.version is None:
        return ()
    lines = known.framework.lines(lever, known.version)
    if lines is None:
        return ()
    values = line_values(before, after)
    done = lines.filled(values)
    notes = list(done.notes)
    notes += [
        fill(marked(n.text, n.read), values) for n in known.framework.notes(lever, known.version)
    ]
    return (
        ConfigText(
            framework=known.framework.title,
            versions=lines.versions.text,
            text=done.text,
            notes=tuple(notes),
            undo=done.undo,
            source=lines.source,
            assumed=known.version.sentence,
            read=lines.read,
        ),
    )


def checks(lever: str, before: Situation, after: Situation) -> tuple[str, ...]:
    """How to see that a change worked: the log line of the framework, and the stall to expect."""
    known = before.framework
    if known.framework is not None and known.version is not None:
        lines = known.framework.lines(lever, known.version)
        if lines is not None and lines.worked_if:
            return (fill(lines.worked_if, line_values(before, after)),)
    return ()


_MODES = ("async_on", "async_process")
"""Changes after which it matters whether a save blocks."""


def signs(lever: str, before: Situation) -> str:
    """How to tell a save in the background from one that blocks, after a change of the mode."""
    framework = before.framework.framework
    return "" if framework is None or lever not in _MODES else save_signs(framework)
