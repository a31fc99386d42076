"""The numbers of a condition: names, constants and arithmetic, each possibly unknown."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Literal

from advisor.engine.expression_dimensions import Dimension
from advisor.engine.expression_types import ExpressionError, Values

ArithmeticSign = Literal["+", "-", "*", "/"]

_NOTHING: frozenset[str] = frozenset()


class Operand(ABC):
    """A number of a condition: its dimension, its names, and its value once they are known."""

    __slots__ = ()

    dimension: Dimension
    names: frozenset[str]

    @abstractmethod
    def value(self, values: Values) -> float | None:
        """The number in the unit of its dimension, or None while it is unknown."""

    @abstractmethod
    def missing(self, values: Values) -> frozenset[str]:
        """The names that keep ``value`` from being known; empty when it is."""


@dataclass(frozen=True, slots=True)
class Constant(Operand):
    """A number or a quantity written in the condition."""

    number: float
    dimension: Dimension
    names: frozenset[str] = _NOTHING

    def value(self, values: Values) -> float | None:
        """The number itself."""
        return self.number

    def missing(self, values: Values) -> frozenset[str]:
        """Nothing."""
        return _NOTHING


@dataclass(frozen=True, slots=True)
class Reference(Operand):
    """A fact, computed value or threshold by name."""

    name: str
    dimension: Dimension
    names: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", frozenset({self.name}))

    def value(self, values: Values) -> float | None:
        """The value given for the name.

        Raises:
            ExpressionError: when text was given for a number.
        """
        given = values.get(self.name)
        if given is None:
            return None
        if isinstance(given, (str, bool)):
            message = f"{self.name} is declared as a number, but its value is {given!r}"
            raise ExpressionError(message, text=self.name, offset=0)
        number = float(given)
        return None if math.isnan(number) else number

    def missing(self, values: Values) -> frozenset[str]:
        """The name while its value is unknown."""
        return self.names if self.value(values) is None else _NOTHING


@dataclass(frozen=True, slots=True)
class Arithmetic(Operand):
    """A sum, difference, product or quotient."""

    sign: ArithmeticSign
    left: Operand
    right: Operand
    dimension: Dimension
    names: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", self.left.names | self.right.names)

    def value(self, values: Values) -> float | None:
        """The result; unknown with an unknown operand, by zero, or where infinities cancel."""
        left, right = self.left.value(values), self.right.value(values)
        if left is None or right is None:
            return None
        match self.sign:
            case "+":
                result = left + right
            case "-":
                result = left - right
            case "*":
                result = left * right
            case "/":
                if right == 0:
                    return None
                result = left / right
        return None if math.isnan(result) else result

    def missing(self, values: Values) -> frozenset[str]:
        """The unknown names; after a division by zero also every name of the divisor."""
        if self.value(values) is not None:
            return _NOTHING
        unknown = self.left.missing(values) | self.right.missing(values)
        if self.sign == "/" and self.right.value(values) == 0:
            return unknown | self.right.names
        return unknown or self.names


@dataclass(frozen=True, slots=True)
class Function(Operand):
    """``min``, ``max``, ``abs`` or a change of sign."""

    function: Literal["min", "max", "abs", "-"]
    operands: tuple[Operand, ...]
    dimension: Dimension
    names: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        names = _NOTHING.union(*(operand.names for operand in self.operands))
        object.__setattr__(self, "names", names)

    def value(self, values: Values) -> float | None:
        """The result; unknown as soon as one operand is."""
        numbers: list[float] = []
        for operand in self.operands:
            number = operand.value(values)
            if number is None:
                return None
            numbers.append(number)
        match self.function:
            case "min":
                return min(numbers)
            case "max":
                return max(numbers)
            case "abs":
                return abs(numbers[0])
            case "-":
                return -numbers[0]

    def missing(self, values: Values) -> frozenset[str]:
        """The names that keep one of the operands unknown."""
        return _NOTHING.union(*(operand.missing(values) for operand in self.operands))
