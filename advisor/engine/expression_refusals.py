"""What is refused and how that is said: one sentence per construct outside the language."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final

from advisor.engine.expression_text import Source
from advisor.engine.expression_types import ExpressionError, Names, did_you_mean

FUNCTIONS: Final = ("min", "max", "abs", "known")
"""All functions of the language."""

_OPERATORS: Final[Mapping[type[ast.AST], str]] = {
    ast.Pow: "**",
    ast.Mod: "%",
    ast.FloorDiv: "//",
    ast.MatMult: "@",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.BitAnd: "&",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.NotIn: "not in",
}
"""Operators of Python outside the language, as written."""

_INSTEAD: Final[Mapping[type[ast.AST], str]] = {
    ast.Is: "write ==",
    ast.IsNot: "write !=",
    ast.NotIn: "write not (name in ['a', 'b'])",
    ast.BitOr: "write or",
    ast.BitAnd: "write and",
    ast.FloorDiv: "write /",
}

_CONSTRUCTS: Final[Mapping[type[ast.AST], str]] = {
    ast.Attribute: "names have no dots in a condition",
    ast.Subscript: "square brackets after a name are not part of the condition language",
    ast.Lambda: "lambda is not part of the condition language",
    ast.IfExp: "if and else are not part of the condition language",
    ast.JoinedStr: "a text in quotes takes no prefix",
    ast.NamedExpr: "':=' is not part of the condition language",
    ast.Starred: "'*' before a name is not part of the condition language",
    ast.List: "a list only stands after in",
    ast.Tuple: "a list only stands after in",
    ast.Set: "braces are not part of the condition language",
    ast.Dict: "braces are not part of the condition language",
    ast.ListComp: "for is not part of the condition language",
    ast.SetComp: "for is not part of the condition language",
    ast.DictComp: "for is not part of the condition language",
    ast.GeneratorExp: "for is not part of the condition language",
}


def refused_operator(
    source: Source, left: ast.AST, sign: ast.AST, right: ast.AST
) -> ExpressionError:
    """The error for an operator outside the language, pointing at it."""
    symbol = _OPERATORS[type(sign)]
    at = source.operator_offset(left, right, symbol.split()[0])
    message = f"'{symbol}' is not part of the condition language"
    return source.error(message, at, _INSTEAD.get(type(sign), ""))


def refused(source: Source, node: ast.expr) -> ExpressionError:
    """The error for a construct outside the language."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str | bytes):
            return source.error("a text in quotes takes no prefix", node)
        message = f"{source.segment(node)} is not a value of the condition language"
        return source.error(message, node, "compare with a value, or ask known(name)")
    if isinstance(node, ast.UnaryOp):
        sign = "~" if isinstance(node.op, ast.Invert) else "+"
        return source.error(f"'{sign}' before a value is not part of the condition language", node)
    message = _CONSTRUCTS.get(type(node), "this is not part of the condition language")
    return source.error(message, node)


def refused_call(source: Source, node: ast.Call) -> ExpressionError:
    """The error for a call of anything but the functions, or with keywords or stars."""
    if isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
        return source.error(f"{node.func.id} takes plain values, separated by commas", node)
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    hint = did_you_mean(name, FUNCTIONS)
    return source.error("only min, max, abs and known can be called", node, hint)


def undeclared(source: Source, node: ast.Name, names: Names) -> ExpressionError:
    """The error for a name nobody declared, with what it may have been meant to be."""
    if node.id in FUNCTIONS:
        return source.error(f"{node.id} is a function", node, f"write {node.id}(name)")
    hint = did_you_mean(node.id, names)
    if any(node.id in name.choices for name in names.values()):
        hint = f"a choice goes in quotes: '{node.id}'"
    return source.error(f"there is no fact or value named '{node.id}'", node, hint)
