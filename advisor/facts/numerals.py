"""Reads the digits of a quantity exactly, and refuses those with two readings."""

from __future__ import annotations

import math
import re
from decimal import Decimal

from advisor.facts.catalogue import Kind
from advisor.facts.units import QuantityError, use

NUMERAL = (
    r"(?P<number>(?:(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
)
"""Pattern of a number: 512, 1,024, 4.1, .5, 1e3. Digits are ASCII; a comma groups thousands."""


def check(digits: str, unit: str, kind: Kind) -> None:
    """Refuse numbers with two readings: 15,5 and 1.5.2 and 0,512 and 1 024.

    Args:
        digits: the digits read so far.
        unit: what follows them.
        kind: what was asked for, for the hint.

    Raises:
        QuantityError: more digits or separators follow.
    """
    if unit[:1] == "," or re.match("0+,", digits):
        raise QuantityError("A comma stands only before three digits.", "Write 15.5 for 15,5.")
    if unit[:1] == ".":
        raise QuantityError("The number has a point too many.", use(kind))
    if unit in ("-", "to"):
        raise QuantityError("The end of the range is missing.", use(kind))
    if unit[:1] in tuple("-0123456789"):
        raise QuantityError("There is more than one number.", use(kind))


def number(text: str) -> Decimal:
    """The exact value of a text that matches ``NUMERAL``.

    Raises:
        QuantityError: a float cannot hold it.
    """
    digits = text.replace(",", "")
    # A decimal refuses exponents of many digits with its own errors, so a float looks first.
    if math.isinf(float(digits)):
        raise QuantityError("The number is too large.", "Write a smaller one.")
    if float(digits) != 0:
        return Decimal(digits)
    if re.match("[0.]*[1-9]", digits):
        raise QuantityError("The number is too small.", "Write 0 or a larger one.")
    return Decimal(0)


def finite(value: Decimal) -> float:
    """The value as a float.

    Raises:
        QuantityError: a float cannot hold it.
    """
    nearest = float(value)
    if math.isinf(nearest):
        raise QuantityError("The number is too large.", "Write a smaller one.")
    if value and not nearest:
        raise QuantityError("The number is too small.", "Write 0 or a larger one.")
    return nearest
