"""Reading the numbers of a condition: names, quantities, arithmetic, and their dimensions.

A quantity in quotes has no unit of its own to go by (``'30 min'`` could be written for a text), so
it is read in the dimension of what it is compared or added with.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from typing import Final

from advisor.engine.expression_dimensions import PLAIN, Dimension, dimension_of
from advisor.engine.expression_numbers import (
    Arithmetic,
    ArithmeticSign,
    Constant,
    Function,
    Operand,
    Reference,
)
from advisor.engine.expression_refusals import refused, refused_call, refused_operator, undeclared
from advisor.engine.expression_text import Source
from advisor.engine.expression_types import Names

_SIGNS: Final[Mapping[type[ast.operator], ArithmeticSign]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
}


class NumberReader:
    """Turns syntax trees into operands, and refuses what has no meaning."""

    def __init__(self, source: Source, names: Names) -> None:
        self._source = source
        self._names = names

    def infer(self, node: ast.expr) -> Dimension | None:
        """The dimension of a number, or None where only quoted text decides it or it is none."""
        match node:
            case ast.Constant(value=int() | float()):
                return PLAIN
            case ast.Name(id=name) if name in self._names:
                return dimension_of(self._names[name].kind)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.infer(operand)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
                return self.shared([left, right])
            case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as sign, right=right):
                first, second = self.infer(left), self.infer(right)
                if first is None or second is None:
                    return None
                return first.times(second) if isinstance(sign, ast.Mult) else first.over(second)
            case ast.Call(func=ast.Name(id="min" | "max" | "abs"), args=operands):
                return self.shared(operands)
            case _:
                return None

    def shared(self, nodes: Sequence[ast.expr]) -> Dimension | None:
        """The dimension of the first of several numbers that has one of its own."""
        return next((found for node in nodes if (found := self.infer(node)) is not None), None)

    def read(self, node: ast.expr, expected: Dimension | None) -> Operand:
        """A number; ``expected`` is the dimension in which quoted text is read.

        Raises:
            ExpressionError: it is not a number of the language.
        """
        match node:
            case ast.Constant(value=bool() | None):
                raise refused(self._source, node)
            case ast.Constant(value=int() | float() as number):
                return self._number(node, number)
            case ast.Constant(value=str() as text) if self._source.is_plain_string(node):
                return self._quantity(node, text, expected)
            case ast.Name(id=name):
                return self._reference(node, name)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                operand = self.read(inner, expected)
                return Function("-", (operand,), operand.dimension)
            case ast.UnaryOp(op=ast.Not()) | ast.BoolOp() | ast.Compare():
                raise self._source.error("a number is needed here, not a condition", node)
            case ast.BinOp():
                return self._arithmetic(node, expected)
            case ast.Call():
                return self._call(node, expected)
            case _:
                raise refused(self._source, node)

    def read_alike(self, nodes: Sequence[ast.expr], expected: Dimension | None) -> list[Operand]:
        """Several numbers that must have one dimension: those compared, added or in ``min``."""
        shared = self.shared(nodes)
        if expected is not None and (shared is None or shared.is_plain):
            shared = expected  # so that '10 min' + 5 complains about the 5
        operands = [self.read(node, shared) for node in nodes]
        first = operands[0]
        for node, operand in zip(nodes[1:], operands[1:], strict=True):
            if operand.dimension != first.dimension:
                left, right = self._source.segment(nodes[0]), self._source.segment(node)
                message = f"{left} is {first.dimension}, but {right} is {operand.dimension}"
                raise self._source.error(message, node, _unit_hint(first, operand))
        return operands

    def _number(self, node: ast.expr, number: int | float) -> Operand:
        try:
            value = float(number)
        except OverflowError:
            value = math.inf
        if math.isinf(value):
            raise self._source.error("this number is too large", node)
        return Constant(value, PLAIN)

    def _quantity(self, node: ast.expr, text: str, expected: Dimension | None) -> Operand:
        if expected is None:
            message = f"'{text}' stands alone: it takes its unit from what it is compared with"
            raise self._source.error(message, node, "compare it with a fact or add it to one")
        if not expected.kinds:
            raise self._source.error(f"no quantity can be written for {expected}", node)
        # Only conditions with quantities pay for the parser.
        from advisor.facts.quantity import QuantityError, parse

        faults: list[QuantityError] = []
        for kind in expected.kinds:
            try:
                quantity = parse(text, kind)
            except QuantityError as fault:
                faults.append(fault)
                continue
            if quantity.value is None or quantity.low is not None or quantity.approx:
                hint = f"write {expected.example}"
                raise self._source.error(f"'{text}' is not one exact value", node, hint)
            return Constant(quantity.value, expected)
        message = f"'{text}' cannot be read as {expected}"
        raise self._source.error(message, node, f"{faults[0].message} {faults[0].hint}".strip())

    def _reference(self, node: ast.Name, name: str) -> Operand:
        if name not in self._names:
            raise undeclared(self._source, node, self._names)
        declared = self._names[name]
        dimension = dimension_of(declared.kind)
        if dimension is None:
            if declared.kind == "text":
                hint = f"write {name} == 'text' or 'word' in {name}"
                raise self._source.error(f"{name} is a text, not a number", node, hint)
            members = ", ".join(f"'{choice}'" for choice in declared.choices)
            hint = f"compare it with one of {members}"
            raise self._source.error(f"{name} is a choice, not a number", node, hint)
        return Reference(name, dimension)

    def _arithmetic(self, node: ast.BinOp, expected: Dimension | None) -> Operand:
        sign = _SIGNS.get(type(node.op))
        if sign is None:
            raise refused_operator(self._source, node.left, node.op, node.right)
        if sign in {"+", "-"}:
            left, right = self.read_alike([node.left, node.right], expected)
            dimension = left.dimension
        else:
            left, right = self.read(node.left, None), self.read(node.right, None)
            one, other = left.dimension, right.dimension
            dimension = one.times(other) if sign == "*" else one.over(other)
        if sign == "/" and not right.names and right.value({}) == 0:
            raise self._source.error("this always divides by zero", node.right)
        result = Arithmetic(sign, left, right, dimension)
        constant = 0.0 if result.names else result.value({})
        if constant is None or math.isinf(constant):
            raise self._source.error("this number is too large", node)
        return result

    def _call(self, node: ast.Call, expected: Dimension | None) -> Operand:
        function = node.func.id if isinstance(node.func, ast.Name) else ""
        if node.keywords or any(isinstance(value, ast.Starred) for value in node.args):
            raise refused_call(self._source, node)
        match function:
            case "abs":
                if len(node.args) != 1:
                    raise self._source.error("abs takes one value", node)
                operand = self.read(node.args[0], expected)
                return Function(function, (operand,), operand.dimension)
            case "min" | "max":
                if len(node.args) < 2:
                    raise self._source.error(f"{function} takes two or more values", node)
                operands = self.read_alike(node.args, expected)
                return Function(function, tuple(operands), operands[0].dimension)
            case "known":
                raise self._source.error("known is a condition, not a number", node)
            case _:
                raise refused_call(self._source, node)


def _unit_hint(first: Operand, other: Operand) -> str:
    """What to write where a bare number met a quantity."""
    for one, with_unit in ((first, other), (other, first)):
        if isinstance(one, Constant) and one.dimension.is_plain and with_unit.dimension.example:
            return f"give the number its unit, in quotes: {with_unit.dimension.example}"
    return ""
