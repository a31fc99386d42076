"""An answer as a person gave it: the typed text, how sure they are, and where it came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Certainty = Literal["measured", "estimated", "guessed", "unknown"]
"""How sure an answer is, best first; it decides how wide its range is taken."""

CERTAINTIES: tuple[Certainty, ...] = ("measured", "estimated", "guessed", "unknown")
"""All certainties, best first: the order in which contradicting answers win."""

Origin = Literal["person", "site"]
"""Who filled the answer in: somebody in this interview, or the site file."""

UNKNOWN_TEXT = "?"
"""What is typed and stored for "don't know"."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of a session.

    Attributes:
        value: the text as typed, never normalised; ``?`` for "don't know".
        source: how sure it is.
        note: free text, shown with the answer.
        evidence: where it can be checked (a file and its digest).
        said_by: who said it.
        origin: "site" where the site file filled it in.
    """

    value: str
    source: Certainty = "estimated"
    note: str = ""
    evidence: str = ""
    said_by: str = ""
    origin: Origin = "person"

    @property
    def is_unknown(self) -> bool:
        """Whether the answer is "don't know"."""
        return self.value.strip() == UNKNOWN_TEXT or self.source == "unknown"
