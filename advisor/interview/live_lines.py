"""The figures of the live estimate as lines: number first, in the units people use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from advisor.engine.message import money, percent
from advisor.engine.situation import number
from advisor.engine.verdict import HALF
from advisor.facts.display import format_value
from advisor.interview.flow import Question
from advisor.interview.panel import LiveLine
from advisor.model.job import pool_rate, year_seconds

if TYPE_CHECKING:
    from advisor.engine.advice import View
    from advisor.engine.advise import Present
    from advisor.facts.resolve import Facts

MOST_ASSUMED = 4
"""Assumed values named in one line; the rest is counted."""

_STALLS_ON_POOL = ("pool", "local_with_save")
"""Paths on which training waits for the pool, as the model names them."""

_REASONS = {
    "pause": "for a {pause} pause",
    "drain": "for a copy within {duty} of the interval",
    "wait": "so that no save waits for the one before",
    "time_out": "to stay inside of the time-out",
    "goal": "for {goal} goodput",
    "stall_cost": "for saves that cost {slack} at most",
}
"""What a required rate is for, by the demand that binds."""


def figure_lines(now: Present, view: View) -> tuple[LiveLine, ...]:
    """Everything the view can say; nothing for what is unknown."""
    made = (
        _burst(now, view),
        _save(view),
        _stall(now, view),
        _goodput(now, view),
        _best(now, view),
        _required(now, view),
        _idle(now, view),
    )
    return tuple(line for line in made if line is not None)


def assumed_line(now: Present, questions: Sequence[Question]) -> LiveLine | None:
    """What the estimate takes for granted: open questions with a published range, and failures."""
    facts, scenario = now.facts.facts, now.situation.scenario
    names = []
    if not _given(now.facts, "interruptions", "job_mtbf", "node_mtbf"):
        rate = number(now.situation.estimate.interruptions_per_year)
        running = year_seconds(scenario) * (number(scenario.number("duty")) or 0)
        if rate and running:
            names.append(f"an interruption every {_time(running / rate)}")
    for question in questions:
        fact = facts[question.specs[0].name]
        if question.required and fact.source == "default" and isinstance(fact.value, str):
            names.insert(0, f"{_lowered(fact.spec.label)} {fact.value}")
        ranged = fact.low is not None and fact.high is not None and fact.low < fact.high
        idle = fact.spec.topic == "nvme" and scenario.word("nvme") != "used"
        if fact.source == "default" and isinstance(fact.value, float) and ranged and not idle:
            value = format_value(fact.value, fact.spec.kind)
            names.append(f"{_lowered(fact.spec.label)} {value}")
    if not names:
        return None
    more = len(names) - MOST_ASSUMED
    text = ", ".join(names[:MOST_ASSUMED])
    return LiveLine("Assumed", f"{text} and {more} more" if more > 0 else text, assumed=True)


def _burst(now: Present, view: View) -> LiveLine | None:
    total, nodes = view.save.bytes_total, now.situation.scenario.number("nodes")
    if total is None or nodes is None:
        return None
    assumed = _given(now.facts, "parameters") and _assumed(now.facts, "bytes_per_parameter")
    count = number(nodes) or 0
    where = "1 node" if count == 1 else f"{count:,.0f} nodes at once"
    return LiveLine("Burst", f"{_size(total)} from {where}", assumed=assumed)


def _save(view: View) -> LiveLine | None:
    """The save to the pool: part of the stall, or the drain behind the training."""
    usual, slow = view.save.barrier_p50, view.save.barrier_p99
    if usual is None or slow is None or view.pool_every == 0:
        return None
    text = f"{_time(usual)}, 1 in 100 takes {_time(slow)}"
    if view.path in _STALLS_ON_POOL:
        return LiveLine("Save", text)
    every = view.pool_every or 1
    note = "in the background" + (f", of 1 save in {every:.0f}" if every > 1 else "")
    return LiveLine("Drain", text, note)


def _stall(now: Present, view: View) -> LiveLine | None:
    if view.save.stall is None:
        return None
    facts = now.facts
    measured = _given(facts, "measured_stall")
    if view.path == "pool_async":
        assumed = not measured and _assumed(facts, "snapshot_rate")
    elif view.path == "pool":
        assumed = False
    else:
        assumed = not measured and _assumed(facts, "nvme_write")
    note = "as measured" if measured else ""
    return LiveLine("Stall", f"{_time(view.save.stall)} a save", note, assumed)


def _goodput(now: Present, view: View) -> LiveLine | None:
    if view.goodput is None or view.loss is None:
        return None
    loss = view.loss
    parts = ("stall", loss.stall), ("drain", loss.drain), ("restart", loss.restart)
    shares = (f"{name} {percent(share)}" for name, share in (*parts, ("rework", loss.rework)))
    return LiveLine("Goodput", percent(view.goodput), "lost: " + ", ".join(shares), _failures(now))


def _best(now: Present, view: View) -> LiveLine | None:
    if view.shown_best is None or view.best_goodput is None or view.shown_band is None:
        return None
    if view.no_interval_helps:
        restarts = 0.0 if view.loss is None else view.loss.restart
        note = f"restarts alone take {percent(restarts)}" if restarts > HALF else ""
        kept = f"none helps: the best keeps {percent(view.best_goodput)}"
        return LiveLine("Best interval", kept, note, _failures(now))
    low, high = view.shown_band
    return LiveLine(
        "Best interval",
        f"{_time(view.shown_best)} gives {percent(view.best_goodput)}",
        f"{_time(low)} to {_time(high)} is as good",
        _failures(now),
    )


def _required(now: Present, view: View) -> LiveLine | None:
    scenario = now.situation.scenario
    pause, goal = (number(scenario.number(n)) for n in ("acceptable_pause", "goodput_target"))
    words = {
        "pause": "" if pause is None else _time(pause),
        "goal": "" if goal is None else percent(goal),
        "duty": format_value(scenario.constant("duty_limit"), "ratio"),
        "slack": format_value(scenario.constant("goodput_slack"), "ratio"),
    }
    reasons = [_REASONS[name].format(**words) for name in view.required_because]
    if "pause" in view.required_as_measured and not reasons and view.save.stall is not None:
        seen = f"the measured {_time(view.save.stall)} is within the {words['pause']} pause"
        return LiveLine("Pool needed", "no faster one", seen)
    have = number(pool_rate(scenario))
    note = "" if have is None else f"the pool gives {format_value(have, 'rate')}"
    if not view.required_feasible:
        return LiveLine("Pool needed", f"no rate is enough {' and '.join(reasons)}", note)
    if view.required_pool_write is None:
        return None
    rate = format_value(view.required_pool_write, "rate")
    return LiveLine("Pool needed", " ".join([rate, *reasons[:1]]), note)


def _idle(now: Present, view: View) -> LiveLine | None:
    if view.idle_cost_per_year is None:
        return None
    price = now.facts.facts["accelerator_hour"]
    assumed = price.source == "default" and not _given(now.facts, "node_hour")
    note = f"at {price.text}, assumed" if assumed else ""
    return LiveLine("Idle a year", money(view.idle_cost_per_year), note, assumed)


def _failures(now: Present) -> bool:
    """Whether the failure rate or the restart is assumed."""
    counted = _given(now.facts, "interruptions", "job_mtbf", "node_mtbf")
    return not counted or _assumed(now.facts, "restart_time")


def _given(facts: Facts, *names: str) -> bool:
    """Whether one of these has an answer in force."""
    others = ("default", "unknown", "derived")
    return any(
        name in facts.facts and facts.facts[name].active and facts.facts[name].source not in others
        for name in names
    )


def _assumed(facts: Facts, name: str) -> bool:
    return facts.facts[name].source == "default"


def _lowered(label: str) -> str:
    """A label inside a sentence; names such as NVMe keep their capitals."""
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]


def _time(seconds: float) -> str:
    return format_value(seconds, "duration")


def _size(value: float) -> str:
    return format_value(value, "size")
