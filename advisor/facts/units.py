"""Quantities, and the units a person can type: what each is worth, how each kind is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from advisor.facts.catalogue import Kind


@dataclass(frozen=True, slots=True)
class Quantity:
    """A typed number in the unit of its kind (``catalogue.UNITS``).

    Attributes:
        value: the best value; None for "?" (not known).
        low: lower end of a typed range, else None.
        high: upper end of a typed range, else None.
        approx: typed with a leading ``~``.
        iec: typed in binary units, so it is printed in them.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    approx: bool = False
    iec: bool = False


class QuantityError(ValueError):
    """Typed text that is not a quantity of the kind asked for.

    Attributes:
        message: one sentence saying what is wrong.
        hint: one sentence saying what to type instead.
    """

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}"


SI_PREFIXES = "kMGTPEZY"
"""Decimal prefixes, each 1,000 times the one before."""

IEC_PREFIXES = ("Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "Zi", "Yi")
"""Binary prefixes (IEC 80000-13), each 1,024 times the one before."""


def _prefixed(names: Sequence[str], one: Decimal) -> dict[str, tuple[Decimal, bool]]:
    """Every prefix before every short name: spelling to (bytes, whether binary)."""
    table = {}
    for name in names:
        for power, prefix in enumerate(SI_PREFIXES, start=1):
            table[prefix + name] = (one * 1000**power, False)
        table["K" + name] = (one * 1000, False)
        for power, prefix in enumerate(IEC_PREFIXES, start=1):
            table[prefix + name] = (one * 1024**power, True)
    return table


BYTES: Mapping[str, tuple[Decimal, bool]] = {
    **dict.fromkeys(("B", "byte", "bytes"), (Decimal(1), False)),
    **_prefixed(("B",), Decimal(1)),
}
"""Units of size in bytes, and whether they are binary. Case matters: b is bits."""

BITS: Mapping[str, tuple[Decimal, bool]] = {
    **dict.fromkeys(("b", "bit", "bits"), (Decimal("0.125"), False)),
    **_prefixed(("b", "bit", "bits"), Decimal("0.125")),
}
"""Units of bits, in bytes. Only links are quoted in bits, so only rates admit them."""

SECONDS: Mapping[str, Decimal] = {
    **dict.fromkeys(("us", "microsecond", "microseconds"), Decimal("0.000001")),
    **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds"), Decimal("0.001")),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), Decimal(1)),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), Decimal(60)),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), Decimal(3600)),
    **dict.fromkeys(("d", "day", "days"), Decimal(86400)),
    **dict.fromkeys(("w", "wk", "wks", "week", "weeks"), Decimal(7 * 86400)),
    **dict.fromkeys(("y", "yr", "yrs", "year", "years"), Decimal(365 * 86400)),
}
"""Units of time in seconds; a year is 365 days. Months have no fixed length and are missing."""

MULTIPLES: Mapping[str, Decimal] = {
    "": Decimal(1),
    "k": Decimal(10**3),
    "M": Decimal(10**6),
    "B": Decimal(10**9),
    "bn": Decimal(10**9),
    "T": Decimal(10**12),
}
"""Suffixes of counts and of money, as in 70B parameters and $85k."""

RATIOS: Mapping[str, Decimal] = {
    "": Decimal(1),
    "x": Decimal(1),
    "%": Decimal("0.01"),
    "percent": Decimal("0.01"),
}
"""How a ratio can be written."""

BELOW: Mapping[str, tuple[str, ...]] = {
    "rate": ("s",),
    "per_second": ("s",),
    "per_year": ("year",),
    "money_per_hour": ("h",),
    "money_per_year": ("year",),
    "money_per_tb_year": ("TB", "year"),
    "money_per_node_year": ("node", "year"),
}
"""What has to stand after the slash, by kind; the other kinds have nothing there."""

EXAMPLES: Mapping[str, str] = {
    "size": "18 GB or 18 GiB",
    "rate": "38 GB/s or 400 Gb/s",
    "duration": "30 min, 1h30m or 90 s",
    "count": "512, 7.1k or 70B",
    "ratio": "75%, 0.75 or 3x",
    "per_second": "20000/s",
    "per_year": "3/year",
    "money": "$85k or $1.2M",
    "money_per_hour": "$3.50/h",
    "money_per_year": "$120k/year",
    "money_per_tb_year": "$20/TB-year",
    "money_per_node_year": "$900/node-year",
}
"""How a quantity of each kind can be typed, for hints."""

NOUNS: Mapping[str, str] = {
    "size": "a size",
    "rate": "a rate",
    "duration": "a time",
    "count": "a count",
    "ratio": "a ratio",
    "per_second": "a number per second",
    "per_year": "a number per year",
    "money": "an amount in dollars",
    "money_per_hour": "a price per hour",
    "money_per_year": "a price per year",
    "money_per_tb_year": "a price per TB and year",
    "money_per_node_year": "a price per node and year",
}
"""What each kind is called in messages."""


def use(kind: Kind) -> str:
    """The hint that shows how a quantity of this kind is typed."""
    return f"Write it like {EXAMPLES[kind]}."
