"""The comparisons of a condition, each true, false or unknown."""

from __future__ import annotations

import math
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from advisor.engine.expression_numbers import Operand
from advisor.engine.expression_types import ExpressionError, Outcome, Values
from advisor.engine.launch_text import settings_terms, term
from advisor.facts.catalogue import Kind

OrderSign = Literal["<", "<=", ">", ">=", "==", "!="]
Side = float | str | tuple[str, ...] | None
"""What stood on one side of a comparison: a number, a text, a list of texts, or unknown."""

_NOTHING: Final[frozenset[str]] = frozenset()
_COMPARE: Final[Mapping[OrderSign, Callable[[float, float], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


class Comparison(ABC):
    """One comparison of a condition.

    Attributes:
        text: it as written, on one line.
        names: the names in it.
        kind: the kind whose unit the numbers on its sides are in, or None.
    """

    __slots__ = ()

    text: str
    names: frozenset[str]
    kind: Kind | None

    @abstractmethod
    def decide(self, values: Values) -> bool | None:
        """True, false, or None while unknown."""

    @abstractmethod
    def missing(self, values: Values) -> frozenset[str]:
        """The names that keep it from being decided; empty when it is."""

    @abstractmethod
    def sides(self, values: Values) -> tuple[Side, Side]:
        """The values compared: left and right."""

    def evaluate(self, values: Values) -> Outcome:
        """Its outcome alone, with what is missing."""
        value = self.decide(values)
        return Outcome(value, self.missing(values) if value is None else _NOTHING)


@dataclass(frozen=True, slots=True)
class NumberComparison(Comparison):
    """Two numbers of one dimension."""

    text: str
    sign: OrderSign
    left: Operand
    right: Operand
    names: frozenset[str] = field(init=False)
    kind: Kind | None = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", self.left.names | self.right.names)
        object.__setattr__(self, "kind", _shared_kind(self.left, self.right))

    def decide(self, values: Values) -> bool | None:
        """The comparison; unknown with an unknown side."""
        left, right = self.left.value(values), self.right.value(values)
        if left is None or right is None:
            return None
        return _COMPARE[self.sign](left, right)

    def missing(self, values: Values) -> frozenset[str]:
        """What is missing on either side."""
        return self.left.missing(values) | self.right.missing(values)

    def sides(self, values: Values) -> tuple[Side, Side]:
        """The two numbers."""
        return self.left.value(values), self.right.value(values)


@dataclass(frozen=True, slots=True)
class TextComparison(Comparison):
    """A choice or text that is (or is not) one of the given texts."""

    text: str
    name: str
    members: tuple[str, ...]
    negated: bool
    choices: tuple[str, ...]
    kind: Kind | None
    names: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", frozenset({self.name}))

    def decide(self, values: Values) -> bool | None:
        """Whether the value is among the members."""
        given = _text_of(self.name, values, self.choices)
        return None if given is None else (given in self.members) != self.negated

    def missing(self, values: Values) -> frozenset[str]:
        """The name while it is unknown."""
        return self.names if self.decide(values) is None else _NOTHING

    def sides(self, values: Values) -> tuple[Side, Side]:
        """The value and what it was compared with."""
        given = _text_of(self.name, values, self.choices)
        return given, self.members[0] if len(self.members) == 1 else self.members


@dataclass(frozen=True, slots=True)
class WordComparison(Comparison):
    """A setting contained in a text, read as launch lines and settings files are."""

    text: str
    setting: str
    name: str
    kind: Kind | None = "text"
    names: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", frozenset({self.name}))

    def decide(self, values: Values) -> bool | None:
        """Whether it stands there: ``--flag`` in ``--flag=value``, but not in ``--flags``."""
        given = _text_of(self.name, values, ())
        return None if given is None else term(self.setting) in settings_terms(given)

    def missing(self, values: Values) -> frozenset[str]:
        """The name while it is unknown."""
        return self.names if self.decide(values) is None else _NOTHING

    def sides(self, values: Values) -> tuple[Side, Side]:
        """The setting and the text."""
        return self.setting, _text_of(self.name, values, ())


@dataclass(frozen=True, slots=True)
class Known(Comparison):
    """``known(name)``: decided whatever the value."""

    text: str
    name: str
    kind: Kind | None
    names: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", frozenset({self.name}))

    def decide(self, values: Values) -> bool | None:
        """Whether the name has a value."""
        return self.sides(values)[0] is not None

    def missing(self, values: Values) -> frozenset[str]:
        """Nothing: a rule that asks whether something is known does not need to know it."""
        return _NOTHING

    def sides(self, values: Values) -> tuple[Side, Side]:
        """The value, if any."""
        given = values.get(self.name)
        return (None if isinstance(given, float) and math.isnan(given) else given), None


def _shared_kind(left: Operand, right: Operand) -> Kind | None:
    """Both have one dimension; a count compared with a bare number is a count."""
    return left.dimension.hint or right.dimension.hint or left.dimension.kind


def _text_of(name: str, values: Values, choices: tuple[str, ...]) -> str | None:
    given = values.get(name)
    if given is None or (isinstance(given, float) and math.isnan(given)):
        return None
    if not isinstance(given, str) or (choices and given not in choices):
        wanted = f"one of {', '.join(choices)}" if choices else "a text"
        message = f"{name} is declared as {wanted}, but its value is {given!r}"
        raise ExpressionError(message, text=name, offset=0)
    return given
