"""Reading conditions: comparisons of numbers, choices and texts, joined by and, or and not."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Final

from advisor.engine.expression_arithmetic import NumberReader
from advisor.engine.expression_comparisons import (
    Comparison,
    Known,
    NumberComparison,
    OrderSign,
    TextComparison,
    WordComparison,
)
from advisor.engine.expression_logic import Atom, Joined, Logic, Not
from advisor.engine.expression_refusals import refused, refused_call, refused_operator, undeclared
from advisor.engine.expression_text import Source
from advisor.engine.expression_types import Name, Names, did_you_mean
from advisor.engine.launch_text import settings_terms, term

_SIGNS: Final[Mapping[type[ast.cmpop], OrderSign]] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_CHAINS: Final = ({"<", "<="}, {">", ">="})
"""Signs that may follow each other in ``a < b <= c``; anything else is hard to read."""


class ConditionReader:
    """Turns a syntax tree into joined comparisons, numbered in the order written."""

    def __init__(self, source: Source, names: Names) -> None:
        self._source = source
        self._names = names
        self._numbers = NumberReader(source, names)
        self.comparisons: list[Comparison] = []

    def read(self, node: ast.expr) -> Logic:
        """A condition.

        Raises:
            ExpressionError: it is not a condition of the language.
        """
        match node:
            case ast.BoolOp(op=sign, values=parts):
                return Joined(tuple(self.read(part) for part in parts), isinstance(sign, ast.Or))
            case ast.UnaryOp(op=ast.Not(), operand=part):
                return Not(self.read(part))
            case ast.Compare():
                return self._compare(node)
            case ast.Call(func=ast.Name(id="known")):
                return self._known(node)
            case ast.Constant(value=str()):
                hint = "repeat the comparison for each value, or write name in ['a', 'b']"
                raise self._source.error("a text alone is not a condition", node, hint)
            case ast.Name(id=name) if name not in self._names:
                raise undeclared(self._source, node, self._names)
            case ast.Name(id=name) if not self._is_number(node):
                choices = self._names[name].choices
                hint = f"write {name} == '{choices[-1]}'" if choices else f"write {name} == 'text'"
                raise self._source.error(f"{name} alone is not a condition", node, hint)
            case _:
                self._numbers.read(node, None)
                hint = f"compare it: {self._source.segment(node)} > ..."
                raise self._source.error("a number alone is not a condition", node, hint)

    def _add(self, comparison: Comparison, node: ast.expr) -> Logic:
        if not comparison.names:
            message = "this is always the same: it names no fact"
            raise self._source.error(message, node)
        self.comparisons.append(comparison)
        return Atom(len(self.comparisons) - 1)

    def _known(self, node: ast.Call) -> Logic:
        match node:
            case ast.Call(args=[ast.Name(id=name) as argument], keywords=[]):
                if name not in self._names:
                    raise undeclared(self._source, argument, self._names)
                kind = self._names[name].kind
                return self._add(Known(self._source.segment(node), name, kind), node)
            case ast.Call(args=[_], keywords=[]):
                raise self._source.error("known takes the name of one fact", node)
            case _:
                raise refused_call(self._source, node)

    def _compare(self, node: ast.Compare) -> Logic:
        sides = [node.left, *node.comparators]
        for left, sign, right in zip(sides, node.ops, sides[1:], strict=False):
            if isinstance(sign, ast.Is | ast.IsNot | ast.NotIn):
                raise refused_operator(self._source, left, sign, right)
        if len(node.ops) == 1:
            return self._pair(node.left, node.ops[0], node.comparators[0])
        signs = [_SIGNS.get(type(sign)) for sign in node.ops]
        if len(signs) > 2 or not any(set(signs) <= chain for chain in _CHAINS):
            hint = "write two comparisons with and between them"
            raise self._source.error("a chain is a < b < c, all one way", node, hint)
        parts = [
            self._pair(left, sign, right)
            for left, sign, right in zip(sides, node.ops, sides[1:], strict=False)
        ]
        return Joined(tuple(parts), decider=False)

    def _pair(self, left: ast.expr, sign: ast.cmpop, right: ast.expr) -> Logic:
        if isinstance(sign, ast.In):
            return self._contained(left, right)
        symbol = _SIGNS[type(sign)]
        text = f"{self._source.segment(left)} {symbol} {self._source.segment(right)}"
        for node, other in ((left, right), (right, left)):
            if isinstance(node, ast.Name) and (name := self._text_name(node)):
                if symbol not in {"==", "!="}:
                    at = self._source.operator_offset(left, right, symbol)
                    message = f"{node.id} has no order: it is a {name.kind}"
                    raise self._source.error(message, at, "use ==, != or in")
                members = (self._member(node.id, name, other),)
                return self._add(
                    TextComparison(text, node.id, members, symbol == "!=", name.choices, name.kind),
                    node,
                )
        first, second = self._numbers.read_alike([left, right], None)
        return self._add(NumberComparison(text, symbol, first, second), left)

    def _contained(self, left: ast.expr, right: ast.expr) -> Logic:
        text = f"{self._source.segment(left)} in {self._source.segment(right)}"
        match left, right:
            case ast.Name(id=name), ast.List(elts=items) | ast.Tuple(elts=items):
                declared = self._text_name(left)
                if declared is None:
                    self._numbers.read(left, None)
                    raise self._source.error(
                        f"{name} is a number: in takes choices and texts", left, "use =="
                    )
                members = self._members(name, declared, items, right)
                return self._add(
                    TextComparison(text, name, members, False, declared.choices, declared.kind),
                    left,
                )
            case ast.Constant(value=str() as setting), ast.Name(id=name):
                declared = self._text_name(right)
                if name not in self._names:
                    raise undeclared(self._source, right, self._names)
                if declared is None or declared.kind != "text":
                    message = f"{name} is not a text: nothing can be contained in it"
                    raise self._source.error(message, right)
                if not self._source.is_plain_string(left):
                    raise self._source.error("write the text in one pair of quotes", left)
                if not setting.strip() or term(setting) not in settings_terms(setting):
                    message = f"'{setting}' is not one setting, so no text contains it"
                    raise self._source.error(message, left, "write one flag or key: '--flag'")
                return self._add(WordComparison(text, setting, name), left)
            case _:
                hint = "write mode in ['sync', 'async'] or '--flag' in framework_settings"
                at = self._source.operator_offset(left, right, "in")
                raise self._source.error("in needs a name and a list of texts", at, hint)

    def _members(
        self, name: str, declared: Name, items: Sequence[ast.expr], at: ast.expr
    ) -> tuple[str, ...]:
        if not items:
            raise self._source.error("the list is empty, so this is never true", at)
        return tuple(self._member(name, declared, item) for item in items)

    def _member(self, name: str, declared: Name, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=str() as text) if not self._source.is_plain_string(node):
                hint = "separate several with commas" if "'" in self._source.segment(node) else ""
                raise self._source.error("write each text in one pair of quotes", node, hint)
            case ast.Constant(value=str() as text):
                if declared.kind == "choice" and text not in declared.choices:
                    choices = ", ".join(f"'{choice}'" for choice in declared.choices)
                    hint = did_you_mean(text, declared.choices) or f"it is one of {choices}"
                    raise self._source.error(f"'{text}' is no value of {name}", node, hint)
                return text
            case ast.Name(id=other) if other not in self._names:
                raise undeclared(self._source, node, self._names)
            case ast.Constant(value=int() | float()) | ast.Name() | ast.BinOp() | ast.Call():
                hint = "compare it with a text in quotes"
                if declared.choices:
                    hint = "compare it with " + " or ".join(f"'{c}'" for c in declared.choices)
                raise self._source.error(f"{name} is a {declared.kind}", node, hint)
            case _:
                raise refused(self._source, node)

    def _text_name(self, node: ast.Name) -> Name | None:
        """The declaration of a name that is a choice or a text."""
        declared = self._names.get(node.id)
        return declared if declared and declared.kind in {"choice", "text"} else None

    def _is_number(self, node: ast.Name) -> bool:
        return self._text_name(node) is None
