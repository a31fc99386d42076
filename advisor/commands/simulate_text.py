"""The result of ``ckpt-advisor simulate``, for people and for scripts."""

from __future__ import annotations

import json
from typing import Any

from advisor.commands.output import table
from advisor.commands.simulate_runs import Case, Cases, Order
from advisor.engine.message import points
from advisor.facts.display import format_value


def share(value: float) -> str:
    """A share with the digits a simulation has: "84.68 %"."""
    return f"{100 * value:.2f} %"


def law_text(order: Order) -> str:
    """How interruptions arrive, in words."""
    said = "at random" if order.shape == 1 else f"with Weibull gaps of shape {order.shape:g}"
    if order.cluster > 0:
        said += f", {100 * order.cluster:g} % of them followed by another soon"
    return said


def render_text(found: Cases, order: Order) -> str:
    """Closed form beside the simulated value, one line per configuration, then the remarks."""
    rows: list[tuple[str, ...]] = [
        ("goodput", "closed form", "simulated", "95 % interval", "interruptions", "computed in")
    ]
    for case in found.cases:
        got = case.result
        if got is None:
            rows.append((case.name, share(case.closed), "no run is complete", "", "", ""))
            continue
        rows.append(
            (
                case.name,
                share(case.closed),
                share(got.goodput),
                f"{share(got.low)} to {share(got.high)}",
                f"{got.interruptions:,}",
                f"{case.took:.2f} s",
            )
        )
    lines = [table(rows), ""]
    for case in found.cases:
        until = format_value(case.until, "duration")
        done = 0 if case.result is None else case.result.replicas
        lines.append(f"{case.name}: {done:,} runs of {until} each, interruptions {law_text(order)}")
        lines += _remarks(case, order)
    if found.remark:
        lines.append(found.remark)
    lines.append(f"seed {order.seed}")
    return "\n".join(lines)


def _remarks(case: Case, order: Order) -> list[str]:
    out = []
    if case.without:
        out.append(
            f"  left out of both figures: {' and '.join(case.without)}; with them the closed form"
            f" is {share(case.whole)}"
        )
    if not case.holds:
        out.append(f"  take the simulated value: {_reason(case)}")
    if order.shape != 1 or order.cluster > 0:
        out.append("  the closed form is for interruptions at random, with the same mean")
    return out


def _reason(case: Case) -> str:
    if case.estimated <= 0:
        return (
            "interruptions come faster than pool copies here, and the closed form takes the mean"
            " delay of each"
        )
    off = points(case.estimated)
    return (
        f"the closed form is about {off} too high here, for saves that a time-out kills at"
        " their end"
    )


def render_json(found: Cases, order: Order, *, complete: bool) -> str:
    """The same for scripts; SI, the unit in the key."""
    data: dict[str, Any] = {
        "schema_version": 1,
        "seed": order.seed,
        "weibull_shape": order.shape,
        "cluster_probability": order.cluster,
        "complete": complete,
        "missing": list(found.missing),
        "now": None,
        "after": None,
        "remark": found.remark,
    }
    for case in found.cases:
        data["now" if case.name == "now" else "after"] = _json(case)
    return json.dumps(data, indent=2)


def _json(case: Case) -> dict[str, Any]:
    got = case.result
    return {
        "interval_s": case.interval,
        "closed_form": case.closed,
        "closed_form_whole": case.whole,
        "closed_form_holds": case.holds,
        "closed_form_excess": case.estimated,
        "left_out": list(case.without),
        "simulated": None if got is None else got.goodput,
        "standard_error": None if got is None else got.error,
        "low": None if got is None else got.low,
        "high": None if got is None else got.high,
        "interruptions": 0 if got is None else got.interruptions,
        "runs": 0 if got is None else got.replicas,
        "run_s": case.until,
        "computing_s": case.took,
    }
