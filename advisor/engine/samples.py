"""Uncertain facts as samples: how wide each may be, and a Latin hypercube over all of them.

Only facts about the world vary; settings, counts and choices are exact unless a range was typed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from advisor.facts.catalogue import FactSpec
from advisor.facts.resolve import Fact, Facts
from advisor.facts.scenario import Number, Row, Scenario, Value, parsed
from advisor.model.calibrate import rank_mean
from advisor.model.failures import rates
from advisor.model.normal import Floats

SEED = 20261129
"""Fixed seed: the same session always gives the same ranges."""

_STORAGE = frozenset(
    {
        "pool_write", "pool_read", "nvme_write", "client_write", "single_stream_write",
        "snapshot_rate", "measured_save", "measured_stall", "pool_creates", "peer_link",
        "rank_times",
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
        asked: the fact to ask for: another one where that fact stands for it.
        low: lower end.
        best: most likely value.
        high: upper end.
        assumed: the value is a default: where a change selects another one, its range is taken.
    """

    name: str
    asked: str
    low: float
    best: float
    high: float
    assumed: bool = False


def spread_of(fact: Fact, sc: Scenario) -> Spread | None:
    """Range of one fact: typed, published, or by how sure its source is; None if it is exact.

    Measured counts within 10 % (storage 30 %), estimated within a factor of 1.5, guessed of 3.
    """
    spec, best = fact.spec, fact.value
    if not spec.is_number or not isinstance(best, float) or not fact.active:
        return None
    assumed = False
    if fact.low is not None and fact.high is not None:
        low, high = min(fact.low, best), max(fact.high, best)
        assumed = fact.source == "default"
    elif not spec.world or best <= 0 or fact.source in ("derived", "default", "unknown"):
        return None
    else:
        low, high = _by_source(fact, best, sc)
    low, high = _clipped(low, high, spec)
    # An exact default may be one row of a table whose other rows have a range.
    changes = assumed and spec.default is not None and bool(spec.default.on)
    if low < high or changes:
        return Spread(fact.name, fact.name, low, best, high, assumed)
    return None


def _by_source(fact: Fact, best: float, sc: Scenario) -> tuple[float, float]:
    """Ends by how sure the source is: a share of the value where measured, else a factor."""
    if fact.source in ("measured", "site"):
        name = "spread_measured_storage" if fact.name in _STORAGE else "spread_measured"
        width = sc.constant(name)
        return best * (1 - width), best * (1 + width)
    name = "spread_guessed" if fact.source == "guessed" else "spread_estimated"
    return _by_factor(best, sc.constant(name), fact.spec)


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


def _rank_spread(facts: Facts, sc: Scenario) -> Spread | None:
    """Range of the save that times of single ranks stand for, while no whole save was measured."""
    fact, save = facts.facts["rank_times"], facts.facts["measured_save"]
    best = rank_mean(sc) if fact.active else None
    if best is None or save.value is not None:
        return None
    middle = float(best)
    low, high = _clipped(*_by_source(fact, middle, sc), save.spec)
    return Spread("measured_save", "rank_times", low, middle, high)


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
    out += [one for one in (_failure_spread(sc), _rank_spread(facts, sc)) if one is not None]
    return tuple(out)


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
    if not low < high:
        return np.full(np.shape(u), best)
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


def uniforms(found: tuple[Spread, ...], count: int) -> dict[str, Floats]:
    """A Latin hypercube: each fact covers (0, 1) evenly, in its own order.

    Args:
        found: the ranges.
        count: samples.

    Returns:
        Per fact an array of ``count`` numbers; the same at every call.
    """
    rng = np.random.default_rng(SEED)
    return {s.name: (rng.permutation(count) + rng.random(count)) / count for s in found}


def sampled(sc: Scenario, found: tuple[Spread, ...], u: Mapping[str, Floats]) -> Scenario:
    """A scenario whose uncertain facts are arrays of samples.

    Args:
        sc: the job.
        found: the ranges.
        u: per fact, where in its range each sample lies.
    """
    change: dict[str, Value | None] = {}
    draws: dict[str, Callable[[Row], Number | None]] = {}
    for spread in found:
        spec = sc.catalogue.facts[spread.name]
        if spread.assumed:
            draws[spread.name] = _Redrawn(u[spread.name], spec)
        else:
            change[spread.name] = draw(spread, u[spread.name], spec)
    return sc.changed(change).drawing(draws)


def at_end(sc: Scenario, spread: Spread, *, high: bool) -> Scenario:
    """The same job with one uncertain fact at an end of its range."""
    if not spread.assumed:
        return sc.changed({spread.name: spread.high if high else spread.low})
    spec = sc.catalogue.facts[spread.name]

    def end(row: Row) -> Number | None:
        found = _of_row(row, spec)
        return None if found is None else found.high if high else found.low

    return sc.drawing({spread.name: end})


class _Redrawn:
    """Samples of an assumed fact by the row of its default in force, each row drawn once.

    All rows are drawn at the same places, so that a job with a high share before a change has a
    high one after it.
    """

    def __init__(self, u: Floats, spec: FactSpec) -> None:
        self._u, self._spec = u, spec
        self._seen: dict[Row, Floats | None] = {}

    def __call__(self, row: Row) -> Floats | None:
        if row not in self._seen:
            found = _of_row(row, self._spec)
            self._seen[row] = None if found is None else draw(found, self._u, self._spec)
        return self._seen[row]


def _of_row(row: Row, spec: FactSpec) -> Spread | None:
    """The range of one row of a default; None where the row has no value."""
    best, low, high = (parsed(text, spec.kind) if text else None for text in row)
    if best is None:
        return None
    ends = _clipped(
        best if low is None else min(low, best), best if high is None else max(high, best), spec
    )
    return Spread(spec.name, spec.name, ends[0], best, ends[1], assumed=True)
