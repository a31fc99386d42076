"""Finds what a typed unit is worth, and says why it is refused."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from advisor.facts.catalogue import Kind
from advisor.facts.units import (
    BELOW,
    BITS,
    BYTES,
    EXAMPLES,
    MULTIPLES,
    NOUNS,
    RATIOS,
    SECONDS,
    SI_PREFIXES,
    QuantityError,
    use,
)

_SPELLINGS: Mapping[str, str] = {
    **dict.fromkeys(("sec", "second", "seconds"), "s"),
    **dict.fromkeys(("hr", "hour", "hours"), "h"),
    **dict.fromkeys(("y", "yr", "years"), "year"),
}
"""Other spellings of what stands after the slash."""

_LONGEST_SHOWN = 30
"""Characters of typed text repeated in a message; more would hide the hint."""

_DOLLARS = ("US$", "USD", "$")
"""Spellings of the only currency, the longest first."""

_CURRENCIES = ("EUR", "EURO", "EUROS", "GBP", "CHF", "JPY", "CNY", "INR", "CAD", "AUD", "KRW")
"""Currencies people type; prices are compared in one currency only."""


def refuse_currency() -> QuantityError:
    """The refusal of any currency other than the US dollar."""
    return QuantityError("Prices are in US dollars only.", "Convert it and write it like $3.50.")


def is_currency(word: str) -> bool:
    """Whether a word is a currency that is not the US dollar."""
    return word.upper() in _CURRENCIES


def split(unit: str) -> tuple[str, list[str]]:
    """Split "GB/s per node" into its base "GB" and what is below it, ["s", "node"]."""
    base, *rest = re.sub(r"(?:^|\s+)per\s+|\s*/\s*", "/", unit).split("/")
    below = [part for piece in rest for part in re.split(r"[-\s]+", piece)]
    if base.endswith("ps") and (base[:-2] in BYTES or base[:-2] in BITS):
        base, below = base[:-2], ["s", *below]
    return base.strip(), [_spelling(part) for part in below]


def scale(unit: str, kind: Kind, per: Sequence[str], typed: str) -> tuple[Decimal, bool]:
    """Find what one of a unit is worth, for every kind but durations.

    Args:
        unit: what stands after the number.
        kind: what was asked for.
        per: suffixes admitted besides those of the kind, such as "node".
        typed: number and unit as typed, for messages.

    Returns:
        The factor to the unit of the kind, and whether the unit is binary.

    Raises:
        QuantityError: the unit is missing, ambiguous or of another kind.
    """
    base, below = split(unit)
    typed, binary = short(typed), False
    if kind in ("size", "rate"):
        factor, binary = _bytes(unit, kind, typed)
    elif kind == "ratio":
        factor = _look_up(unit, base, RATIOS, kind, typed)
    elif kind in BELOW or kind in ("count", "money"):
        factor = _multiple(unit, kind, typed)
    else:
        raise ValueError(f"{kind} has no unit")
    _check_below(below, kind, per, typed)
    return factor, binary


def short(text: str) -> str:
    """Typed text as messages repeat it."""
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."


def wrong(unit: str, kind: Kind, typed: str) -> QuantityError:
    """The refusal of a unit that belongs to another kind, or to none."""
    base, below = split(unit)
    what = ""
    if base in BYTES or base in BITS:
        what = "a rate" if "s" in below else "a size"
    elif base in SECONDS and not below:
        what = "a time"
    elif base in ("%", "percent"):
        what = "a ratio"
    if what and what != NOUNS[kind]:
        return QuantityError(f"{typed} is {what}, not {NOUNS[kind]}.", use(kind))
    return QuantityError(f"{short(unit) or typed} is not a unit for {NOUNS[kind]}.", use(kind))


def _spelling(word: str) -> str:
    """One spelling for each thing below the slash; only TB keeps its case."""
    return word if word == "TB" else _SPELLINGS.get(word.lower(), word.lower())


def _bytes(unit: str, kind: Kind, typed: str) -> tuple[Decimal, bool]:
    """Bytes in one unit of a size or of a rate."""
    base, below = split(unit)
    if base in BYTES:
        return BYTES[base]
    if base in BITS and kind == "rate":
        return BITS[base]
    if base in BITS and "s" in below:
        raise wrong(unit, kind, typed)
    if base in BITS:
        name = re.sub("bits?$|b$", "B", base)
        raise QuantityError(f"{typed} is bits, not bytes.", f"Write {name} for bytes.")
    ending = "/s" if kind == "rate" else ""
    if not base and not below:
        names = " or ".join(f"{typed} {name}{ending}" for name in ("GB", "GiB"))
        raise QuantityError(f"{typed} has no unit.", f"{names}?")
    if re.fullmatch(f"[{SI_PREFIXES}]i?", base, re.IGNORECASE) and base != "m":
        letter = base[0].upper()
        names = f"{letter}B{ending} or {letter}iB{ending}?"
        also = f" For bits write {letter}b/s." if kind == "rate" else ""
        raise QuantityError(f"{base} is not a unit.", names + also)
    same = [name for name in (*BYTES, *BITS) if name.lower() == base.lower()]
    if same:
        names = " or ".join(sorted({name for name in same if name[:1] != "K" or "i" in name}))
        note = "B is bytes and b is bits."
        raise QuantityError(f"{base} is not a unit; case matters.", f"{names}? {note}")
    raise wrong(unit, kind, typed)


def _multiple(unit: str, kind: Kind, typed: str) -> Decimal:
    """The multiple before a count or a price, with its dollar sign wherever that stands."""
    base, _ = split(unit)
    if kind.startswith("money"):
        for sign in _DOLLARS:
            if typed.startswith(sign) or base.endswith(sign):
                base = base.removesuffix(sign).strip()
                break
        else:
            if is_currency(base.split(" ")[-1]):
                raise refuse_currency()
            if kind == "money" and base in MULTIPLES:
                raise QuantityError(f"{typed} has no unit.", f"Write it like ${typed}.")
        base = "k" if base == "K" else base
    return _look_up(unit, base, MULTIPLES, kind, typed)


def _look_up(unit: str, base: str, table: Mapping[str, Decimal], kind: Kind, typed: str) -> Decimal:
    """A factor of a table, or the refusal that fits."""
    if base in table:
        return table[base]
    same = [name for name in table if name.lower() == base.lower()]
    if same:
        worth = f", which is {table[same[0]]:,}" if table is MULTIPLES else ""
        raise QuantityError(f"{base} is not a suffix; case matters.", f"Write {same[0]}{worth}.")
    raise wrong(unit, kind, typed)


def _check_below(below: list[str], kind: Kind, per: Sequence[str], typed: str) -> None:
    """Refuse what is missing after the slash, and what should not be there."""
    wanted = BELOW.get(kind, ())
    extra = [part for part in below if part not in wanted and part not in per]
    if extra == ["s"] and kind == "size":
        raise QuantityError(f"{typed} is a rate, not a size.", use(kind))
    if extra or len(set(below)) < len(below):
        part = "/" + (extra or below)[-1]
        also = "".join(f", or with /{name}" for name in per)
        hint = f"Convert the value, and write it like {EXAMPLES[kind]}{also}."
        raise QuantityError(f"{part} does not fit here.", hint)
    # A bare number per second or per year has only one reading where that was asked for.
    if kind in ("per_second", "per_year") and not below:
        return
    if any(part not in below for part in wanted):
        hint = use(kind) if below else f"Write {typed}/{'-'.join(wanted)}."
        raise QuantityError(f"{typed} is not {NOUNS[kind]}.", hint)
