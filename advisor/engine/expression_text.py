"""From typed text to a bounded syntax tree: what can be refused before anything is interpreted.

Comments and line breaks are blanked in place, so every position in the tree is also a position in
the text. Slips from other languages (``&&``, ``18GB``, ``=``) get a sentence of their own here,
because the parser of Python can only say "invalid syntax".
"""

from __future__ import annotations

import ast
import re
from typing import Final

from advisor.engine.expression_types import ExpressionError

MAX_LENGTH: Final = 2000
"""Characters of one condition; the longest real one has under 300."""

MAX_DEPTH: Final = 50
"""Levels of nesting; keeps every recursive walk far below Python's own limit."""

_SLIPS: Final[tuple[tuple[re.Pattern[str], str, str], ...]] = (
    (re.compile(r"&&"), "'&&' is not used here", "write and"),
    (re.compile(r"\|\|"), "'||' is not used here", "write or"),
    (re.compile(r"!(?!=)"), "'!' is not used here", "write not"),
    (re.compile(r"<>"), "'<>' is not used here", "write !="),
    (re.compile(r"=[<>]"), "the signs are the wrong way round", "write <= or >="),
    (re.compile(r"(?<![=<>!:])=(?!=)"), "a single '=' does not compare", "write =="),
    (re.compile(r"(?<=\d)\s*%(?!\s*[\w(])"), "'%' is not used here", "write 0.75 or '75%'"),
    (re.compile(r"\\"), "a backslash has no use in a condition", "leave it out"),
    (re.compile(r"\$"), "amounts of money go in quotes", "write '$3.50/h'"),
    (re.compile("[\u201c\u201d\u2018\u2019]"), "these are typographic quotes", "write ' or \""),
    (re.compile("[\u2264\u2265\u2260]"), "this sign is not used here", "write <=, >= or !="),
    (re.compile("[\u00d7\u00f7\u2212\u2013]"), "this sign is not used here", "write * / or -"),
    (re.compile(r"[^\x20-\x7e]|[;?`]"), "this character has no use in a condition", ""),
)
"""Signs outside quotes that are certainly wrong: pattern, what to say, what to write."""

_NUMBER_LIKE: Final = re.compile(r"(?<![\w.])(?:\d|\.\d)[\w.]*")
_NUMBER: Final = re.compile(r"(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE]\d*)?")
_PLAIN_STRING: Final = re.compile(r"'[^']*'|\"[^\"]*\"")


class Source:
    """The text of one condition, with positions for messages."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._code = text
        self._start = 0

    def error(self, message: str, at: int | ast.AST, hint: str = "") -> ExpressionError:
        """An error at a character offset or at a node of the tree."""
        offset = at if isinstance(at, int) else self.span(at)[0]
        return ExpressionError(message, text=self.text, offset=offset, hint=hint)

    def span(self, node: ast.AST) -> tuple[int, int]:
        """First character and end of a node, as offsets into the text."""
        first, last = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", 0)
        # The parser counts bytes of UTF-8, people count characters.
        code = self._code[self._start :].encode()
        return (
            self._start + len(code[:first].decode()),
            self._start + len(code[:last].decode()),
        )

    def segment(self, node: ast.AST) -> str:
        """The text of a node on one line, without the brackets around it."""
        first, last = self.span(node)
        return " ".join(self._code[first:last].split())

    def operator_offset(self, left: ast.AST, right: ast.AST, symbol: str) -> int:
        """Where the operator between two operands stands."""
        first, last = self.span(left)[1], self.span(right)[0]
        return max(first, self._code.find(symbol, first, last))

    def is_plain_string(self, node: ast.AST) -> bool:
        """Whether a string is one plain pair of quotes: no prefix, no joined or triple quotes."""
        first, last = self.span(node)
        return _PLAIN_STRING.fullmatch(self._code[first:last]) is not None

    def parse(self) -> ast.expr:
        """The syntax tree, within the limits on length and depth.

        Raises:
            ExpressionError: for anything that is not one complete expression.
        """
        if len(self.text) > MAX_LENGTH:
            raise self.error(f"the condition is longer than {MAX_LENGTH} characters", MAX_LENGTH)
        self._code, outside = self._blanked()
        if not self._code.strip():
            raise self.error("the condition is empty", 0)
        self._refuse_slips(outside)
        self._start = len(self._code) - len(self._code.lstrip())
        too_deep = f"the condition is nested more than {MAX_DEPTH} levels deep"
        try:
            tree = ast.parse(self._code[self._start :].rstrip(), mode="eval").body
        except (RecursionError, MemoryError) as fault:
            raise self.error(too_deep, self._start) from fault
        except SyntaxError as fault:
            end = len(self._code.rstrip())  # where Python has no place, something is missing there
            offset = min(self._start + fault.offset - 1, end) if fault.offset else end
            raise self.error(_plain_words(fault.msg), offset) from fault
        except ValueError as fault:
            raise self.error("this cannot be read as a condition", self._start) from fault
        pending: list[tuple[ast.AST, int]] = [(tree, 1)]
        while pending:
            node, depth = pending.pop()
            if depth > MAX_DEPTH:
                raise self.error(too_deep, node)
            pending += [
                (child, depth + 1)
                for child in ast.iter_child_nodes(node)
                if isinstance(child, ast.expr)
            ]
        return tree

    def _blanked(self) -> tuple[str, str]:
        """The code with comments and line breaks blanked, and the same without quoted text."""
        code, outside = list(self.text), list(self.text)
        quote, opened, comment = "", 0, False
        for offset, char in enumerate(self.text):
            if char in "\n\r" and quote:
                break
            if char in "\n\r\t":
                comment = comment and char == "\t"
                code[offset] = outside[offset] = " "
            elif not char.isprintable():
                raise self.error("the condition holds a character that cannot be shown", offset)
            elif quote:
                quote = "" if char == quote else quote
                outside[offset] = " "
            elif comment or char == "#":
                comment = True
                code[offset] = outside[offset] = " "
            elif char in "'\"":
                quote, opened = char, offset
                outside[offset] = " "
        if quote:
            raise self.error("this quote is never closed", opened)
        return "".join(code), "".join(outside)

    def _refuse_slips(self, outside: str) -> None:
        for pattern, message, hint in _SLIPS:
            if slip := pattern.search(outside):
                raise self.error(message, slip.end() - len(slip.group().lstrip()), hint)
        for token in _NUMBER_LIKE.finditer(outside):
            if not _NUMBER.fullmatch(token.group()):
                hint = "write a quantity in quotes, with its unit: '18 GB', '30 min'"
                raise self.error(f"'{token.group()}' is not a number", token.start(), hint)


def _plain_words(message: str) -> str:
    """What the parser of Python found, in words for somebody who does not know Python."""
    if "too many nested" in message:
        return f"the condition is nested more than {MAX_DEPTH} levels deep"
    if "never closed" in message:
        return "this bracket is never closed"
    if "unmatched" in message or "does not match" in message:
        return "this closing bracket has no opening one"
    return "the condition cannot be read from here on"
