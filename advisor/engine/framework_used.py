"""The framework an advice rests on as its report names it: version, age of the facts, log lines."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.engine.framework_types import Framework, Trap
from advisor.engine.versions import KnownVersion


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameworkUsed:
    """The framework in use and what its file says beside the capabilities.

    Attributes:
        id: of its file; title: its name.
        version: the version the facts were looked up for.
        newest: the newest version the file knows; as_of: the day it was last brought up to date.
        assumed: why that version was taken; "" where it is the one given.
        newer: whether the version in use is newer than the newest known.
        interval_key: where the interval is set; interval_unit: what is counted there.
        interval_default: what holds where nobody set it, a sentence or two; "" where unknown.
        sync_log: how a save that blocks shows; async_log: how one in the background does.
        traps: settings typed that do not do what they seem to.
    """

    id: str
    title: str
    version: str
    newest: str
    as_of: str
    assumed: str
    newer: bool
    interval_key: str
    interval_unit: str
    interval_default: str
    sync_log: str
    async_log: str
    traps: tuple[Trap, ...] = ()

    @property
    def name(self) -> str:
        """Title and version."""
        return f"{self.title} {self.version}"

    @property
    def age(self) -> str:
        """How old the facts are, and for which version they were taken."""
        words = f"Facts of {self.title} as of {self.as_of}, newest version known {self.newest}."
        return f"{words} {self.assumed or f'In use: {self.version}.'}"

    @property
    def set_with(self) -> str:
        """Where the interval is set, and in what; a place in a script has no unit."""
        if self.interval_unit == "call_site":
            return self.interval_key
        return f"{self.interval_key}, in {self.interval_unit}"


def framework_used(
    framework: Framework | None, version: KnownVersion | None, traps: tuple[Trap, ...]
) -> FrameworkUsed | None:
    """What the report needs of a framework; None where none with a file was named."""
    if framework is None or version is None:
        return None
    return FrameworkUsed(
        id=framework.id,
        title=framework.title,
        version=version.text,
        newest=str(framework.newest),
        as_of=framework.as_of,
        assumed=version.sentence,
        newer=version.newer,
        interval_key=framework.interval_key,
        interval_unit=framework.interval_unit,
        interval_default=default_text(framework),
        sync_log=stopped(framework.sync_log),
        async_log=stopped(framework.async_log),
        traps=traps,
    )


def default_number(framework: Framework) -> str:
    """The default of the interval with its unit ("500 steps"); "" where there is none."""
    value = framework.interval_default
    if not value:  # 0 stands for "no periodic saves": the text of the file says it
        return ""
    unit = framework.interval_unit.removesuffix("s") if value == 1 else framework.interval_unit
    return f"{value:,.0f} {unit}"


def default_text(framework: Framework) -> str:
    """The default of the interval in words; the number in front where the words lack it."""
    words, number = stopped(framework.interval_default_text), default_number(framework)
    if not number or f"{framework.interval_default:.0f}" in words:
        return words
    return f"{number}. {words}".rstrip()


def stopped(text: str) -> str:
    """A text of a file with a full stop at its end; "" stays as it is."""
    return text if not text or text.endswith((".", '."')) else f"{text}."


def save_signs(framework: Framework) -> str:
    """How saves in the background and those that block are told apart; "" where unknown."""
    parts = (("Background save", framework.async_log), ("Blocking save", framework.sync_log))
    return " ".join(f"{name}: {stopped(log)}" for name, log in parts if log)
