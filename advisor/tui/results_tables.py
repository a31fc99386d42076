"""The table of figures now and after the changes, as aligned lines of text."""

from __future__ import annotations

from collections.abc import Callable

from rich.cells import cell_len

from advisor.engine.advice import Advice, View
from advisor.engine.message import money, percent
from advisor.facts.display import format_value

UNKNOWN = "not known"
"""Shown where there is no figure; never a zero."""


def _duration(value: float | None) -> str:
    return UNKNOWN if value is None else format_value(value, "duration")


def _share(value: float | None) -> str:
    return UNKNOWN if value is None else percent(value)


def _rate(value: float | None) -> str:
    return UNKNOWN if value is None else format_value(value, "rate")


def _money(value: float | None) -> str:
    return "no price given" if value is None else money(value)


def _pause(view: View) -> str:
    return _duration(view.save.stall)


_ROWS: tuple[tuple[str, Callable[[View], str]], ...] = (
    ("Goodput", lambda v: _share(v.goodput)),
    ("Lost to stalls", lambda v: _share(v.loss.stall if v.loss else None)),
    ("  while draining", lambda v: _share(v.loss.drain if v.loss else None)),
    ("  to restarts", lambda v: _share(v.loss.restart if v.loss else None)),
    ("  to rework", lambda v: _share(v.loss.rework if v.loss else None)),
    ("Lost, a year", lambda v: _money(v.idle_cost_per_year)),
    ("Interval", lambda v: _duration(v.shown_interval)),
    ("Best interval", lambda v: "none helps" if v.no_interval_helps else _duration(v.shown_best)),
    ("Pause per save", _pause),
    ("Save, 1 in 100", lambda v: _duration(v.save.barrier_p99)),
    ("Until restorable", lambda v: _duration(v.save.pool_lag)),
    ("Pool rate needed", lambda v: _rate(v.required_pool_write)),
    ("  1 in 100", lambda v: _rate(v.required_pool_write_p99)),
    ("  bytes over pause", lambda v: _rate(v.simple_required_pool_write)),
)
"""Label and figure of each row."""


def now_and_after(advice: Advice) -> list[str]:
    """The table, one line of text per row; a single column where there is no plan."""
    views = [advice.before, advice.after] if advice.plan else [advice.before]
    heads = ["now", "after"] if advice.plan else ["now"]
    rows = [("", *heads)] + [(label, *(text(v) for v in views)) for label, text in _ROWS]
    pool = advice.facts["pool_write"]
    if pool.text and pool.value is not None:
        rows.append(("Pool rate you have", *([pool.text] * len(views))))
    width = [max(cell_len(row[n]) for row in rows) for n in range(len(rows[0]))]
    return ["  ".join(_padded(text, w) for text, w in zip(row, width, strict=True)) for row in rows]


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))
