"""What the panel beside the interview shows, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from advisor.engine.advice import View


@dataclass(frozen=True, slots=True)
class LiveLine:
    """One line of the estimate.

    Attributes:
        label: what it is.
        text: the figure, first.
        note: what belongs to it, shown where there is room.
        assumed: whether it rests on a value nobody gave.
    """

    label: str
    text: str
    note: str = ""
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class Live:
    """What the answers so far come to.

    Attributes:
        lines: what can be said, in order; nothing is shown for what is unknown.
        needs: names of what is still needed for a goodput.
        attention: contradictions, answers that cannot be read, a wrong interval, serious findings.
        view: the figures behind it; None while there are none.
    """

    lines: tuple[LiveLine, ...] = ()
    needs: tuple[str, ...] = ()
    attention: tuple[str, ...] = ()
    view: View | None = None
