"""The pieces of a line that a renderer with inline markup puts together.

An atom has one style. Neighbours of one style become one piece before a renderer looks at them,
because two spans of one style side by side would run into each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Atom:
    """A piece of a line in one style.

    Attributes:
        text: as typed, nothing escaped.
        code: in the type of code.
        strong: stands out.
        url: where it leads, or "".
    """

    text: str
    code: bool = False
    strong: bool = False
    url: str = ""

    def joins(self, other: Atom) -> bool:
        """Whether both can be one."""
        styles = (self.code, self.strong, self.url) == (other.code, other.strong, other.url)
        return styles and not self.url


def merged(atoms: Iterable[Atom]) -> list[Atom]:
    """The atoms that hold text, neighbours of one style put together."""
    out: list[Atom] = []
    for atom in atoms:
        if not atom.text:
            continue
        if out and out[-1].joins(atom):
            out[-1] = replace(out[-1], text=out[-1].text + atom.text)
        else:
            out.append(atom)
    return out


def neighbours(atoms: list[Atom], place: int) -> tuple[str, str]:
    """The characters right before and right after an atom, "" at the ends of the line."""
    before = atoms[place - 1].text[-1:] if place else ""
    after = atoms[place + 1].text[:1] if place + 1 < len(atoms) else ""
    return before, after
