"""The condition language of the rules: a small typed subset of Python's expressions.

Names of declared facts and computed values, numbers, quantities in quotes, ``and or not``,
comparisons, ``in``, ``+ - * /`` and ``min max abs known``; nothing else gets through, and nothing
is ever executed. Names, choices and dimensions are checked when a condition is compiled; an unknown
fact makes the result unknown unless the rest decides it, and the outcome names what to ask.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

from advisor.engine.expression_arithmetic import NumberReader
from advisor.engine.expression_comparisons import Comparison, Side
from advisor.engine.expression_conditions import ConditionReader
from advisor.engine.expression_logic import Logic
from advisor.engine.expression_numbers import Operand
from advisor.engine.expression_text import Source
from advisor.engine.expression_types import (
    ExpressionError,
    Name,
    Names,
    Outcome,
    Value,
    Values,
)
from advisor.facts.catalogue import Kind

__all__ = [
    "Comparison",
    "ComparisonTrace",
    "Expression",
    "ExpressionError",
    "Name",
    "Names",
    "Outcome",
    "Side",
    "Value",
    "Values",
    "compile_expression",
]


@dataclass(frozen=True, slots=True)
class ComparisonTrace:
    """One comparison of a condition with the values it saw.

    Attributes:
        text: it as written.
        left: the value on its left, None while unknown.
        right: the value on its right; None also for ``known(name)``.
        outcome: what it came to.
        decisive: the opposite outcome alone would turn the whole condition round.
        kind: the kind whose unit the numbers are in, or None for a product without a name.
    """

    text: str
    left: Side
    right: Side
    outcome: bool | None
    decisive: bool
    kind: Kind | None


@dataclass(frozen=True, slots=True)
class Expression:
    """A compiled condition or number.

    Attributes:
        text: as written.
        names: every name used.
        comparisons: every comparison, in the order written; none for a number.
        kind: of a number, the kind whose unit it is in; None for a condition and for a product
            without a name of its own.
    """

    text: str
    names: frozenset[str]
    comparisons: tuple[Comparison, ...]
    kind: Kind | None
    _root: Logic | Operand

    def evaluate(self, values: Values) -> Outcome:
        """The outcome for these values, in the units of the kinds; absent, None and NaN: unknown.

        Raises:
            ExpressionError: a value does not fit its declaration (text for a number, no member).
        """
        if isinstance(self._root, Operand):
            number = self._root.value(values)
            missing = frozenset[str]() if number is not None else self._root.missing(values)
            return Outcome(number, missing)
        look = partial(self._look, values)
        value = self._root.decide(look)
        if value is not None:
            return Outcome(value)
        undecided = self._root.undecided(look)
        missing = frozenset[str]().union(*(self.comparisons[i].missing(values) for i in undecided))
        return Outcome(None, missing)

    def trace(self, values: Values) -> list[ComparisonTrace]:
        """Every comparison with the values it saw and whether it alone decides; none for a number.

        Raises:
            ExpressionError: as ``evaluate``.
        """
        if isinstance(self._root, Operand):
            return []
        outcomes = [comparison.decide(values) for comparison in self.comparisons]
        whole = self._root.decide(outcomes.__getitem__)
        traces: list[ComparisonTrace] = []
        for index, (comparison, outcome) in enumerate(zip(self.comparisons, outcomes, strict=True)):
            decisive = False
            if outcome is not None and whole is not None:
                flipped = [*outcomes[:index], not outcome, *outcomes[index + 1 :]]
                decisive = self._root.decide(flipped.__getitem__) is (not whole)
            left, right = comparison.sides(values)
            traces.append(
                ComparisonTrace(comparison.text, left, right, outcome, decisive, comparison.kind)
            )
        return traces

    def _look(self, values: Values, index: int) -> bool | None:
        return self.comparisons[index].decide(values)


def compile_expression(
    text: str, names: Names, *, want: Literal["condition", "number"] = "condition"
) -> Expression:
    """Compile and check a condition (or, with ``want="number"``, a number).

    Args:
        text: at most 2,000 characters, nested at most 50 levels deep; ``#`` starts a comment.
        names: everything it may refer to.
        want: what the whole must be.

    Raises:
        ExpressionError: with the place and, where there is one, what to write instead.
    """
    source = Source(text)
    tree = source.parse()
    if want == "number":
        number = NumberReader(source, names).read(tree, None)
        return Expression(text, number.names, (), number.dimension.kind, number)
    reader = ConditionReader(source, names)
    logic = reader.read(tree)
    used = frozenset[str]().union(*(comparison.names for comparison in reader.comparisons))
    return Expression(text, used, tuple(reader.comparisons), None, logic)
