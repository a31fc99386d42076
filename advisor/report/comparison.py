"""The table of figures: now, and after the plan."""

from __future__ import annotations

from collections.abc import Callable

from advisor.engine.advice import Advice, View
from advisor.engine.message import money, percent
from advisor.facts.display import format_value
from advisor.report.document import Block, Runs, Table, Text
from advisor.report.words import (
    changes_text,
    delivered,
    fact_text,
    interval_text,
    reason,
    shortfall,
    source_text,
    span,
)

Cell = Callable[[Advice, View], "str | None"]
"""What one row says about one configuration; None while it cannot be said."""

_NEAR = 0.05
"""A save that reaches the pool's rate to within this share needs no row of its own."""


def comparison(advice: Advice) -> tuple[Block, ...]:
    """The table; rows that say nothing in either column are left out."""
    views = [advice.before, advice.after] if advice.plan else [advice.before]
    rows: list[tuple[Runs, ...]] = []
    for name, cell in _ROWS:
        cells = [cell(advice, view) for view in views]
        if any(c is not None for c in cells):
            rows.append(((Text(name),), *((Text("unknown" if c is None else c),) for c in cells)))
    if not rows:
        return ()
    header: list[Runs] = [(), (Text("now"),)]
    if advice.plan:
        header.append((Text(f"after {changes_text(advice.plan)}"),))
    return (Table(tuple(header), tuple(rows)),)


def _goodput(advice: Advice, view: View) -> str | None:
    return None if view.goodput is None else percent(view.goodput)


def _simulated(advice: Advice, view: View) -> str | None:
    """The 95 % interval of the simulation, where the formula is known to be off."""
    if view.simulated_goodput is None:
        return None
    low, high = view.simulated_goodput
    return f"{percent(low)} to {percent(high)}, take this one"


def _goodput_range(advice: Advice, view: View) -> str | None:
    if view.goodput_p10 is None or view.goodput_p90 is None:
        return None
    return f"{percent(view.goodput_p10)} to {percent(view.goodput_p90)}"


def _cost(advice: Advice, view: View) -> str | None:
    return None if view.idle_cost_per_year is None else money(view.idle_cost_per_year)


def _loss(name: str) -> Cell:
    def cell(advice: Advice, view: View) -> str | None:
        return None if view.loss is None else percent(getattr(view.loss, name))

    return cell


def _interval(advice: Advice, view: View) -> str | None:
    return None if view.shown_interval is None else interval_text(advice, view.shown_interval)


def _band(advice: Advice, view: View) -> str | None:
    if view.no_interval_helps:
        return "all: none helps"
    return None if view.shown_band is None else span(advice, view.shown_band)


def pause_text(view: View) -> str | None:
    """The pause of a save: typical and one in a hundred where it waits for the pool, else mean."""
    save = view.save
    if save.stall is None:
        return None
    stall = save.stall + (save.wait or 0.0)
    tail = (save.barrier_p50, save.barrier_mean, save.barrier_p99)
    if view.path == "pool" and None not in tail:
        p50, mean, p99 = (float(t or 0.0) for t in tail)
        fixed = stall - mean
        if -1e-6 * mean <= fixed:
            return f"{_time(p50 + max(fixed, 0.0))}, {_time(p99 + max(fixed, 0.0))}"
    return _time(stall)


def _time(seconds: float) -> str:
    return format_value(seconds, "duration") if seconds > 0 else "0 s"


def _pause(advice: Advice, view: View) -> str | None:
    return pause_text(view)


def _lag(advice: Advice, view: View) -> str | None:
    """Only where some copy drains; until then the pause is the lag."""
    if not any(v.save.pool_lag for v in (advice.before, advice.after)):
        return None
    if view.pool_every == 0:
        return "never"
    if view.save.pool_lag:
        return _time(view.save.pool_lag)
    return None if view.save.stall is None else _time(view.save.stall)


def required_text(advice: Advice, view: View) -> str | None:
    """The rate the pool has to deliver, what for, and the plain quotient beside it."""
    if view.required_as_measured and not view.required_because:
        return "no faster one, as measured"
    if not view.required_because or view.pool_every == 0:
        return None
    why = reason(advice, view.required_because)
    if view.required_pool_write is None or not view.required_feasible:
        return f"none is enough {why}: {shortfall(view.required_short)}"
    words = f"{format_value(view.required_pool_write, 'rate')} {why}"
    plain = view.simple_required_pool_write
    if plain is not None and "pause" in view.required_because:
        words += f" (bytes over pause: {format_value(plain, 'rate')})"
    return words


def _have(advice: Advice, view: View) -> str | None:
    rate = advice.facts["pool_write"]
    if rate.value is None:
        return None
    basis = advice.facts["pool_write_basis"]
    words = f"{fact_text(rate)}, {source_text(rate)}"
    return words if basis.source == "default" else f"{words} ({fact_text(basis)})"


def _reached(advice: Advice, view: View) -> str | None:
    rate, have = delivered(view), advice.facts["pool_write"].value
    if rate is None or not isinstance(have, float):
        return None
    rates = [delivered(v) for v in (advice.before, advice.after)]
    if all(r is None or abs(r / have - 1) <= _NEAR for r in rates):
        return None
    return format_value(rate, "rate")


_ROWS: tuple[tuple[str, Cell], ...] = (
    ("goodput", _goodput),
    ("goodput by simulation", _simulated),
    ("goodput in 80 of 100 samples", _goodput_range),
    ("lost a year", _cost),
    ("lost to stalls", _loss("stall")),
    ("lost while copies drain", _loss("drain")),
    ("lost to restarts", _loss("restart")),
    ("lost to rework", _loss("rework")),
    ("interval", _interval),
    ("intervals as good as the best", _band),
    ("pause per save (typical, 1 in 100)", _pause),
    ("until the copy is in the pool", _lag),
    ("pool rate required", required_text),
    ("pool rate you have", _have),
    ("rate a save reaches", _reached),
)
"""The rows, in the order of reading."""
