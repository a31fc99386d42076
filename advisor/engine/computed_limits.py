"""Values computed about a longer time-out: which one is enough, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from advisor.engine.computed_job import save_needs
from advisor.engine.computed_risks import drains, limit_name, timeout_needs
from advisor.engine.computed_types import Computed, time_value
from advisor.engine.message import percent, points
from advisor.engine.situation import Situation, number
from advisor.facts.display import format_value
from advisor.model.configuration import configure

_LONGEST = 1e9
"""Time-outs tried at most, over one typical save: the widest tail admitted ends far below."""

_STEPS = 500
"""Time-outs tried: each 4 % longer than the one before."""


def limit_wanted(s: Situation) -> float | None:
    """Shortest time-out that saves outlast no oftener than is tolerated, to 4 %."""
    c, saves = s.estimate.configuration, s.estimate.saves_per_year
    if c is None or c.pool is None or saves is None:
        return None
    tried = float(c.pool.p50) * np.geomspace(1, _LONGEST, _STEPS)
    there = configure(s.scenario.changed({limit_name(s.scenario): tried}))
    if there is None or there.kill is None:
        return None
    rare = there.kill * saves <= s.scenario.constant("timeouts_tolerated")
    return float(tried[np.argmax(rare)]) if np.any(rare) else float(tried[-1])


def hang_cost(s: Situation) -> str | None:
    """What that time-out on the training itself costs: each hang is found that much later.

    The restart grows by the share of hangs times the increase, so the goodput loses about rate
    times share times increase.
    """
    sc, c, wanted = s.scenario, s.estimate.configuration, limit_wanted(s)
    if drains(sc):
        return "it is not the one that this save runs into"
    limit = number(sc.number("collective_timeout"))
    if c is None or wanted is None or limit is None:
        return None
    later, share = max(wanted - limit, 0.0), number(sc.require("hang_share")) or 0.0
    lost = (number(c.rates.soft + c.rates.hard) or 0.0) * share * later
    time = format_value(later, "duration")
    return (
        f"{percent(share)} of the interruptions are hangs, found {time} later then, {points(lost)} "
        "of goodput"
    )


LIMITS: Mapping[str, Computed] = {
    "limit_wanted": time_value(
        "Time-out that saves hardly ever outlast.", save_needs, limit_wanted
    ),
    "hang_cost": Computed(
        "text", "What it costs on the training itself.", timeout_needs, hang_cost
    ),
}
"""Everything about a longer time-out that a condition or a message may name."""
