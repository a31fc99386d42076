"""The last line of a screen: what the keys do; every entry can be clicked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content
from textual.style import Style
from textual.widgets import Static


@dataclass(frozen=True, slots=True)
class Key:
    """One entry: the key as read, what it does, and the action a click runs."""

    shown: str
    title: str
    action: str

    @property
    def text(self) -> str:
        """As it stands in the line."""
        return f"{self.shown} {self.title}"


class KeyLine(Static):
    """Entries in order of importance; those that do not fit are left out, last ones first."""

    ALLOW_SELECT = False

    def __init__(self, keys: Sequence[Key]) -> None:
        super().__init__(markup=False)
        self._keys = tuple(keys)

    def set_keys(self, keys: Sequence[Key]) -> None:
        """Show other entries."""
        self._keys = tuple(keys)
        self.refresh()

    def render(self) -> Content:
        """The entries that fit."""
        parts: list[Content | str] = [" "]
        free = self.size.width - 1
        for key in self._keys:
            free -= cell_len(key.text) + 2
            if free < -2:
                break
            click = Style.from_meta({"@click": key.action})
            parts.append(
                Content.assemble(
                    (key.shown, click + Style(bold=True)), (f" {key.title}", click), "  "
                )
            )
        return Content.assemble(*parts)
