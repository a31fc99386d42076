"""What differs between two records of an advice, and within which tolerance."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from advisor.session.record import MISSING

RELATIVE = 1e-6
"""Share by which a figure may differ: searches give 8 digits, libraries differ in the last ones."""

RELATIVE_AT_PEAK = 1e-4
"""The same for the place of an optimum: the curve is flat there, so that a last digit of goodput
(1e-16) moves the place by its root (1e-8) and more."""

ABSOLUTE = 1e-9
"""Difference of two figures near 0 that is rounding: a billionth of a share or of a second."""

_AT_PEAK = ("best_interval_s", "flat_band_low_s", "flat_band_high_s")
IDENTITY = ("knowledge_version", "knowledge_digest", "advisor_version", "answers_digest")
"""Keys that say what an advice was computed with; they explain a difference and are none."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One key of the advice that is not what it was.

    Attributes:
        key: dotted, as in the file: ``goodput``, ``plan.CKA01-async_on.order``.
        then: what the file says; None where it had no such value.
        now: what is computed now; None where there is no such value. For a step of the plan that
            came or went, its table.
    """

    key: str
    then: Any
    now: Any


def differences(then: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[Difference, ...]:
    """What differs between two records by more than the tolerances, in the order of the new one.

    A figure that only the new record has counts where the old one names it as missing: else an
    older version, or a hand-written record, just did not write it. The plan is compared where the
    old record has one; a step that came or went is one difference, with its table as the value.
    """
    old, new = _figures(then), _figures(now)
    missing = then.get(MISSING)
    was_missing = missing if isinstance(missing, list | tuple) else ()
    found = _compared("", old, new, was_missing)
    return (*found, *_plan_differences(then["plan"], now["plan"])) if "plan" in then else found


def _figures(record: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in record.items() if k not in (*IDENTITY, MISSING, "plan")}


def _compared(
    before: str, old: Mapping[str, Any], new: Mapping[str, Any], also: Collection[str] = ()
) -> tuple[Difference, ...]:
    """Keys of both that differ, keys only of ``new`` that are in ``also``, keys only of ``old``."""
    changed = [
        Difference(f"{before}{key}", old.get(key), value)
        for key, value in new.items()
        if (key in old and not _same(key, old[key], value)) or (key not in old and key in also)
    ]
    gone = [Difference(f"{before}{key}", old[key], None) for key in old if key not in new]
    return (*changed, *gone)


def _plan_differences(old: Any, new: Mapping[str, Any]) -> tuple[Difference, ...]:
    if not isinstance(old, Mapping):
        return (Difference("plan", old, dict(new)),)
    found: list[Difference] = []
    for step in [*new, *(step for step in old if step not in new)]:
        then, now = old.get(step), new.get(step)
        name = f"plan.{step}"
        if not (isinstance(then, Mapping) and isinstance(now, Mapping)):
            found.append(Difference(name, then, now))
            continue
        settings = then.get("settings")
        rest = {key: value for key, value in then.items() if key != "settings"}
        found += _compared(f"{name}.", rest, {k: v for k, v in now.items() if k != "settings"})
        if isinstance(settings, Mapping):
            # A setting more is another change, so every one counts.
            wanted = now["settings"]
            found += _compared(f"{name}.settings.", settings, wanted, wanted)
    return tuple(found)


def _same(key: str, then: Any, now: Any) -> bool:
    if _is_number(then) and _is_number(now):
        at_peak = key.removeprefix("after_") in _AT_PEAK
        tolerance = RELATIVE_AT_PEAK if at_peak else RELATIVE
        return math.isclose(then, now, rel_tol=tolerance, abs_tol=ABSOLUTE)
    if isinstance(then, list | tuple) and isinstance(now, list | tuple):
        return list(then) == list(now)
    return bool(then == now)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
