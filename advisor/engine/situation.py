"""One configuration evaluated: the scenario, its estimate, its requirement, and its framework."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.engine.framework_types import ASYNC_OFF
from advisor.engine.frameworks import Capability, Framework, KnownVersion, Trap
from advisor.facts.scenario import Scenario
from advisor.model.estimate import Estimate, estimate
from advisor.model.required import Requirement, required_rate


@dataclass(frozen=True, slots=True)
class FrameworkFacts:
    """What is known of the framework in use, in the version in use.

    Attributes:
        framework: the file, None where no framework was named.
        version: the version looked up.
        traps: settings typed that do not do what they seem to.
        named: the framework as it was named, "" where nobody did.
    """

    framework: Framework | None = None
    version: KnownVersion | None = None
    traps: tuple[Trap, ...] = ()
    named: str = ""

    def capability(self, name: str) -> Capability | None:
        """What this version has of a capability; None where nothing is known."""
        if self.framework is None or self.version is None:
            return None
        return self.framework.capability(name, self.version)

    def status(self, name: str) -> str:
        """default_on, opt_in, experimental, external, none, or unasked."""
        found = self.capability(name)
        return "unasked" if found is None else found.status

    @property
    def async_on_paper(self) -> bool:
        """Whether no save runs in the background with the flags typed, whatever they ask for."""
        return any(trap.effect in ASYNC_OFF for trap in self.traps)


@dataclass(frozen=True, slots=True)
class Situation:
    """A calibrated scenario with everything computed from it once."""

    scenario: Scenario
    estimate: Estimate
    required: Requirement | None
    required_p99: Requirement | None
    framework: FrameworkFacts


def evaluate(sc: Scenario, framework: FrameworkFacts) -> Situation:
    """Evaluate one calibrated scenario of one job."""
    return Situation(
        scenario=sc,
        estimate=estimate(sc),
        required=required_rate(sc, "mean"),
        required_p99=required_rate(sc, "p99"),
        framework=framework,
    )


def number(value: object) -> float | None:
    """A scalar array, float or None as a float or None; NaN is unknown."""
    if value is None:
        return None
    out = float(np.asarray(value, dtype=np.float64))
    return None if np.isnan(out) else out
