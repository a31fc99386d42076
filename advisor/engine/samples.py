"""Uncertain facts as samples: how wide each may be, and a Latin hypercube over all of them.

Only facts about the world vary; settings, counts and choices are exact unless a range was typed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from advisor.facts.catalogue import FactSpec
from advisor.facts.resolve import Fact, Facts
from advisor.facts.scenario import Scenario, Value
from advisor.model.failures import rates
from advisor.model.normal import Floats

SEED = 20261129
"""Fixed seed: the same session always gives the same ranges."""

_STORAGE = frozenset(
    {
        "pool_write", "pool_read", "nvme_write", "client_write", "single_stream_write",
        "snapshot_rate", "measured_save", "measured_stall", "pool_creates", "peer_link",
    }
)  # fmt: skip
"""Facts whose single measurement is taken to lie within 30 %: storage varies that much."""

_OVER_ONE = frozenset({"save_variation", "tail_ratio", "nvme_tail_ratio"})
"""Ratios of at least 1, whose excess over 1 is what varies."""

_FAILURES = ("interruptions", "job_mtbf", "node_mtbf")
"""Alternatives of the failure rate; none of them given means the published rate."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How far one fact may lie from its value.

    Attributes:
        name: the fact that is set in a scenario.
        asked: the fact to ask for (the same, but for the default failure rate).
        low: lower end.
        best: most likely value.
        high: upper end.
    """

    name: str
    asked: str
    low: float
    best: float
    high: float


def spread_of(fact: Fact, sc: Scenario) -> Spread | None:
    """Range of one fact: typed, published, or by how sure its source is; None if it is exact.

    Measured counts within 10 % (storage 30 %), estimated within a factor of 1.5, guessed of 3.
    """
    spec, best = fact.spec, fact.value
    if not spec.is_number or not isinstance(best, float) or not fact.active:
        return None
    if fact.low is not None and fact.high is not None:
        low, high = min(fact.low, best), max(fact.high, best)
    elif not spec.world or best <= 0 or fact.source in ("derived", "default", "unknown"):
        return None
    elif fact.source in ("measured", "site"):
        name = "spread_measured_storage" if fact.name in _STORAGE else "spread_measured"
        width = sc.constant(name)
        low, high = best * (1 - width), best * (1 + width)
    else:
        name = "spread_guessed" if fact.source == "guessed" else "spread_estimated"
        factor = sc.constant(name)
        low, high = _by_factor(best, factor, spec)
    low, high = _clipped(low, high, spec)
    return Spread(fact.name, fact.name, low, best, high) if low < high else None


def _by_factor(best: float, factor: float, spec: FactSpec) -> tuple[float, float]:
    if spec.name in _OVER_ONE:
        return 1 + (best - 1) / factor, 1 + (best - 1) * factor
    return best / factor, best * factor


def _clipped(low: float, high: float, spec: FactSpec) -> tuple[float, float]:
    if spec.minimum is not None:
        low = max(low, spec.minimum)
    if spec.maximum is not None:
        high = min(high, spec.maximum)
    return low, high


def _failure_spread(sc: Scenario) -> Spread | None:
    """Range of the MTBF while nobody counted: the published failure rates."""
    if any(sc.number(name) is not None for name in _FAILURES):
        return None
    found = rates(sc, None, None)
    if found is None or not float(found.total) > 0:
        return None
    gpu = float(np.asarray(sc.require("accelerators_per_node"))) > 0
    kind = "accelerator" if gpu else "cpu_node"
    constant = sc.catalogue.constants[f"interruptions_per_1000_{kind}_days"]
    if constant.low is None or constant.high is None:
        return None
    now = 1 / float(found.total)
    low, high = now * constant.value / constant.high, now * constant.value / constant.low
    return Spread("job_mtbf", "job_mtbf", low, now, high)


def _data_sheet_spread(sc: Scenario, spread: Spread) -> Spread:
    """A data-sheet rate also has the uncertainty of what a save gets of it."""
    constant = sc.catalogue.constants["data_sheet_efficiency"]
    if sc.word("pool_write_basis") != "data_sheet" or not constant.low or not constant.high:
        return spread
    return Spread(
        spread.name,
        spread.asked,
        spread.best * constant.low / constant.value,
        spread.best,
        spread.best * constant.high / constant.value,
    )


def spreads(facts: Facts, sc: Scenario) -> tuple[Spread, ...]:
    """Ranges of every fact that varies, money aside (a price changes no goodput)."""
    out = [
        _data_sheet_spread(sc, found) if found.name == "pool_write" else found
        for fact in facts.facts.values()
        if fact.spec.topic != "money" and (found := spread_of(fact, sc)) is not None
    ]
    failures = _failure_spread(sc)
    return (*out, failures) if failures is not None else tuple(out)


def _triangular(u: Floats, low: float, best: float, high: float) -> Floats:
    """Quantiles of the triangular distribution at u."""
    width = high - low
    peak = (best - low) / width
    out: Floats = np.where(
        u < peak,
        low + np.sqrt(u * width * (best - low)),
        high - np.sqrt((1 - u) * width * (high - best)),
    )
    return out


def draw(spread: Spread, u: Floats, spec: FactSpec) -> Floats:
    """Values of one fact at uniform numbers: triangular in the logarithm, ratios in the logit.

    Args:
        spread: its range.
        u: uniform in (0, 1), any shape.
        spec: its declaration; ratios over 1 vary in their excess over 1.
    """
    low, best, high = spread.low, spread.best, spread.high
    if spec.name in _OVER_ONE and low > 1:
        return 1 + np.exp(_triangular(u, *(float(np.log(v - 1)) for v in (low, best, high))))
    share = spec.kind == "ratio" and spec.maximum is not None and spec.maximum <= 1
    if share and low > 0 and high < 1:
        ends = (float(np.log(v / (1 - v))) for v in (low, best, high))
        out: Floats = 1 / (1 + np.exp(-_triangular(u, *ends)))
        return out
    if low > 0 and not share:
        return np.asarray(np.exp(_triangular(u, *(float(np.log(v)) for v in (low, best, high)))))
    return _triangular(u, low, best, high)


def sample(found: tuple[Spread, ...], sc: Scenario, count: int) -> dict[str, Floats]:
    """A Latin hypercube over the ranges: each fact covers its range evenly, in its own order.

    Args:
        found: the ranges.
        sc: for the declarations.
        count: samples.

    Returns:
        Per fact an array of ``count`` values; the same at every call.
    """
    rng = np.random.default_rng(SEED)
    out: dict[str, Floats] = {}
    for spread in found:
        u = (rng.permutation(count) + rng.random(count)) / count
        out[spread.name] = draw(spread, u, sc.catalogue.facts[spread.name])
    return out


def sampled(sc: Scenario, values: Mapping[str, Floats]) -> Scenario:
    """A scenario whose uncertain facts are arrays of samples."""
    change: dict[str, Value | None] = dict(values)
    return sc.changed(change)
