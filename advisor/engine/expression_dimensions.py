"""Dimensions of the condition language: bytes never compare with seconds.

A dimension is a product of base units with whole exponents. Rates per year and prices per hour, per
terabyte and year, or per node and year have bases of their own, so that a value per year can never
be added to a value per second without a conversion somebody wrote down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from advisor.facts.catalogue import NUMERIC_KINDS, Kind

Exponents = tuple[tuple[str, int], ...]
"""Base unit and exponent, sorted by unit, no zero exponents."""

_EXPONENTS: Final[Mapping[Kind, Exponents]] = {
    "ratio": (),
    "count": (),
    "size": (("B", 1),),
    "rate": (("B", 1), ("s", -1)),
    "duration": (("s", 1),),
    "per_second": (("s", -1),),
    "per_year": (("year", -1),),
    "money": (("USD", 1),),
    "money_per_hour": (("USD", 1), ("h", -1)),
    "money_per_year": (("USD", 1), ("year", -1)),
    "money_per_tb_year": (("TB-year", -1), ("USD", 1)),
    "money_per_node_year": (("USD", 1), ("node-year", -1)),
}
"""Exponents of each numeric kind; ``ratio`` first, so that a bare number prints as one."""

_DESCRIPTIONS: Final[Mapping[Kind, tuple[str, str]]] = {
    "ratio": ("a plain number", "0.5"),
    "count": ("a plain number", "512"),
    "size": ("a size (bytes)", "'10 GB'"),
    "rate": ("a rate (bytes per second)", "'40 GB/s'"),
    "duration": ("a duration (seconds)", "'30 min'"),
    "per_second": ("a number per second", "'20000/s'"),
    "per_year": ("a number per year", "'3/year'"),
    "money": ("an amount of money", "'$500'"),
    "money_per_hour": ("a price per hour", "'$3.50/h'"),
    "money_per_year": ("a price per year", "'$120k/year'"),
    "money_per_tb_year": ("a price per TB and year", "'$20/TB-year'"),
    "money_per_node_year": ("a price per node and year", "'$900/node-year'"),
}
"""Each kind in words and as it is written in a condition; for messages only."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """What a number is measured in.

    Attributes:
        exponents: the product of base units; two dimensions are equal when these are.
        hint: the kind it came from, which only decides how quoted text beside it is read.
    """

    exponents: Exponents = ()
    hint: Kind | None = field(default=None, compare=False)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of this dimension, the hinted one first; none for a product such as B x s."""
        same = [kind for kind, exponents in _EXPONENTS.items() if exponents == self.exponents]
        return tuple(sorted(same, key=lambda kind: kind != self.hint))

    @property
    def kind(self) -> Kind | None:
        """The kind in whose unit a value of this dimension is, or None for an unnamed product."""
        return next(iter(self.kinds), None)

    @property
    def is_plain(self) -> bool:
        """Whether it is a number without a unit."""
        return not self.exponents

    def times(self, other: Dimension) -> Dimension:
        """The dimension of a product; a multiple of a count is read and shown as a count."""
        counted = self.is_plain and other.is_plain and "count" in {self.hint, other.hint}
        exponents = _combined(self.exponents, other.exponents, 1)
        return Dimension(exponents, "count" if counted else None)

    def over(self, other: Dimension) -> Dimension:
        """The dimension of a quotient: size over rate is a duration."""
        return Dimension(_combined(self.exponents, other.exponents, -1))

    def __str__(self) -> str:
        kind = self.kind
        if kind is not None:
            return _DESCRIPTIONS[kind][0]
        return "a value in " + " x ".join(
            unit if power == 1 else f"{unit}^{power}" for unit, power in self.exponents
        )

    @property
    def example(self) -> str:
        """How a value of this dimension is written in a condition, or "" where it cannot be."""
        kind = self.kind
        return "" if kind is None else _DESCRIPTIONS[kind][1]


PLAIN: Final = Dimension()
"""Numbers without a unit: counts, ratios and bare numbers."""


def dimension_of(kind: Kind) -> Dimension | None:
    """The dimension of a kind; None for choices and texts, which are not numbers."""
    if kind not in NUMERIC_KINDS:
        return None
    return Dimension(_EXPONENTS[kind], kind)


def _combined(left: Exponents, right: Exponents, sign: int) -> Exponents:
    total = dict(left)
    for unit, power in right:
        total[unit] = total.get(unit, 0) + sign * power
    return tuple(sorted((unit, power) for unit, power in total.items() if power))
