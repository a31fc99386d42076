"""Values computed about node-local copies: what a second tier and a peer copy would bring."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.engine.computed_job import tier_needs
from advisor.engine.computed_risks import alternative, native
from advisor.engine.computed_types import YES_NO, Computed, ratio_value, size_value
from advisor.engine.levers import LEVERS
from advisor.engine.situation import Situation, number
from advisor.engine.tiering import best_value, in_use, ordinal, together
from advisor.facts.scenario import Scenario
from advisor.model.configuration import configure
from advisor.model.optimum import best_goodput


def _has_drives(sc: Scenario) -> bool:
    return sc.word("nvme") in ("present", "used")


def _never_to_the_pool(sc: Scenario) -> bool:
    return sc.word("nvme") == "used" and number(sc.number("pool_every")) == 0


def _best_now(sc: Scenario) -> float | None:
    c = configure(sc)
    return None if c is None or c.pattern is None else number(best_goodput(c.pattern))


def _without_tiers(sc: Scenario) -> float | None:
    """Best goodput where no save counts until it is in the pool, drives as a buffer included."""
    now = _best_now(sc)
    if sc.word("nvme") == "used" or now is None:
        return now
    buffer = _best_now(in_use(sc).changed({"survivable_share": 0.0}))
    return now if buffer is None else max(now, buffer)


def tier_gain(s: Situation) -> float | None:
    """Goodput that two tiers add at their best interval and k.

    Drives that are not used yet: over the best without restarts from them, as a buffer of the pool
    included. Drives in use: over the best interval at the present k.
    """
    sc = s.scenario
    if not _has_drives(sc) or _never_to_the_pool(sc):
        return None
    without, best = _without_tiers(sc), best_value(in_use(sc))
    return None if without is None or best is None else max(best - without, 0.0)


def drives_gain(s: Situation) -> float | None:
    """Goodput that the drives add at the best interval: over the best of the job without them.

    Where the framework has no way to them neither the restarts nor the buffer are there yet.
    """
    sc = s.scenario
    if sc.word("nvme") != "present":
        return None
    now, best = _best_now(sc), best_value(in_use(sc))
    return None if now is None or best is None else max(best - now, 0.0)


def best_pool_save(s: Situation) -> str | None:
    """Which saves go to the pool at the best of two tiers: save, second save, 3rd save."""
    sc = s.scenario
    if not _has_drives(sc):
        return None
    found = together([in_use(sc)])[0]
    every = None if found is None else found[0]["pool_every"]
    return ordinal(every) if isinstance(every, float) else None


def peer_gain(s: Situation) -> float | None:
    """Goodput that a copy on a partner node adds, both at their best interval and k."""
    sc = s.scenario
    if not _has_drives(sc) or _never_to_the_pool(sc):
        return None
    job = in_use(sc)
    lone, paired = together([job, LEVERS["peer_copy"].apply(job)])
    return None if lone is None or paired is None else paired[1] - lone[1]


def peer_copies(s: Situation) -> float | None:
    """Bytes a node needs for copies with a partner: twice its part, old and new at once."""
    c = s.estimate.configuration
    fullest = None if c is None else number(c.sizes.fullest)
    return None if fullest is None else 2 * s.scenario.constant("copies_on_hand") * fullest


def local_drains(s: Situation) -> str:
    """Whether local copies of this framework version go on to the pool by themselves.

    Where they are saves of their own between those to the pool, a save that goes to both does not
    exist: staging is then no change to offer, two tiers are.
    """
    found = s.framework.capability("local")
    return "no" if found is not None and found.own_saves else "yes"


TIERS: Mapping[str, Computed] = {
    "tier_gain": ratio_value("Goodput that two tiers add at their best.", tier_needs, tier_gain),
    "drives_gain": ratio_value(
        "Goodput that drives not used yet add at their best.", tier_needs, drives_gain
    ),
    "best_pool_save": Computed(
        "text", "Which saves go to the pool at the best.", tier_needs, best_pool_save
    ),
    "peer_gain": ratio_value("Goodput that a partner copy adds.", tier_needs, peer_gain),
    "local_drains": Computed(
        "choice", "Whether node-local copies go on to the pool.", (), local_drains, YES_NO
    ),
    "peer_copies_bytes": size_value("Space of a node's part and a partner's.", peer_copies),
    "local_native": Computed(
        "choice",
        "Whether this framework version has node-local copies of its own.",
        ("framework",),
        native("local"),
        YES_NO,
    ),
    "local_alternative": Computed(
        "text", "Nearest to node-local copies.", ("framework",), alternative("local")
    ),
    "peer_native": Computed(
        "choice",
        "Whether this framework version has copies on other nodes of its own.",
        ("framework",),
        native("peer"),
        YES_NO,
    ),
    "peer_alternative": Computed(
        "text", "Nearest to copies on other nodes.", ("framework",), alternative("peer")
    ),
}
"""The computed values about tiers and peers, by name."""
