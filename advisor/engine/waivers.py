"""Waivers: whether one counts on a day, how it reads, and which ones somebody should look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Protocol

from advisor.engine.advice import Finding
from advisor.engine.pack import Pack


class Waiver(Protocol):
    """A waiver as a session holds it."""

    @property
    def reason(self) -> str:
        """Why the finding is accepted."""
        ...

    @property
    def until(self) -> date | None:
        """Last day it counts; None without end."""
        ...

    @property
    def by(self) -> str:
        """Who accepted it; "" where nobody said."""
        ...


def in_force(waiver: Waiver | None, today: date | None) -> bool:
    """Whether a waiver counts on a day; without a day one that ends does not."""
    if waiver is None:
        return False
    return waiver.until is None or (today is not None and today <= waiver.until)


def waiver_text(waiver: Waiver) -> str:
    """The reason, who accepted it and until when."""
    parts = [f"by {waiver.by}"] if waiver.by else []
    if waiver.until is not None:
        parts.append(f"until {waiver.until.isoformat()}")
    return f"{waiver.reason} ({', '.join(parts)})" if parts else waiver.reason


def waiver_notes(
    waivers: Mapping[str, Waiver], said: Sequence[Finding], pack: Pack, today: date | None
) -> tuple[str, ...]:
    """A sentence for every waiver that ended, is not needed, or names no rule in force.

    Args:
        waivers: by rule id.
        said: all findings of the job.
        pack: the rules.
        today: the day waivers are judged at.
    """
    return tuple(_notes(waivers, {f.rule: f for f in said}, pack, today))


def _notes(
    waivers: Mapping[str, Waiver], said: Mapping[str, Finding], pack: Pack, today: date | None
) -> Iterator[str]:
    for rule, waiver in waivers.items():
        found = said.get(rule)
        if found is None:
            off = pack.disabled.get(rule)
            why = f"{off.pack} has switched it off" if off else "there is no such rule"
            yield f"The waiver of {rule} counts for nothing: {why}."
        elif not in_force(waiver, today):
            ended = "" if waiver.until is None else f" on {waiver.until.isoformat()}"
            again = "applies again" if found.state == "hit" else "does not apply at present"
            by = f", accepted by {waiver.by}" if waiver.by else ""
            yield f"The waiver of {rule} ended{ended}{by}: the rule {again}."
        elif found.state == "clear":
            yield f"The waiver of {rule} is not needed: the rule does not apply."
