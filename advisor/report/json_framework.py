"""The framework in use and the traps of its settings, as tables of the JSON export."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.engine.framework_types import Trap
from advisor.engine.framework_used import FrameworkUsed
from advisor.report.json_schema import FrameworkTable, TrapTable


def framework_table(used: FrameworkUsed) -> FrameworkTable:
    """The framework in use."""
    return FrameworkTable(
        id=used.id,
        title=used.title,
        version=used.version,
        newest_known=used.newest,
        as_of=used.as_of,
        newer_than_known=used.newer,
        assumed=used.assumed,
        interval_key=used.interval_key,
        interval_unit=used.interval_unit,
        interval_default=used.interval_default,
        sync_log=used.sync_log,
        async_log=used.async_log,
    )


def trap_tables(traps: Sequence[Trap]) -> list[TrapTable]:
    """Settings typed that do not do what they seem to."""
    return [
        TrapTable(
            id=trap.id,
            effect=trap.effect,
            text=trap.text,
            cure=trap.cure,
            source=trap.source,
            read=trap.read,
        )
        for trap in traps
    ]
