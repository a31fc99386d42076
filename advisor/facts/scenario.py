"""All facts of one job as numbers, ready for the model: what was given, and defaults for the rest.

A default can depend on a choice (what survives depends on the redundancy), so defaults are looked
up when they are read: a lever that changes the choice changes the default with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from advisor.facts.catalogue import Catalogue, Default, FactSpec, Kind
from advisor.facts.quantity import parse
from advisor.facts.times import parse_times

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Number: TypeAlias = "float | NDArray[np.float64]"
"""One job's value or an array of jobs, samples or sweep points."""

Value: TypeAlias = "Number | str"

_T = TypeVar("_T")


Row: TypeAlias = tuple[str, str, str]
"""Typed texts of a default and the two ends of its range, empty where there is none."""


@lru_cache(maxsize=4096)
def parsed(text: str, kind: Kind) -> float | None:
    """The number in a typed text, for texts of the knowledge that are checked when loaded."""
    return parse(text, kind).value


@dataclass(frozen=True, slots=True)
class Calibration:
    """How the measured save compares with the modelled one, carried to what keeps the path.

    Attributes:
        save: measured over modelled time of the save (the barrier, or the drain when async).
        stall: measured over modelled stall of the configuration as it is.
        implied: whether the pool's rate was taken from the measured save, which then agrees with
            the model by construction and says nothing about the rated bandwidth.
        interval: work between saves at which the share of changed bytes was seen, s.
        reads: bytes read at a restart over a full copy for each replica, in the job as it is: a
            restart time that was given includes them.
        queued: whether a restart of the job as it is waits for a node, for lack of spares: a
            restart time that was given includes that too.
    """

    save: Number = 1.0
    stall: Number = 1.0
    implied: bool = False
    interval: Number | None = None
    reads: Number = 1.0
    queued: bool = False


@dataclass(frozen=True, slots=True)
class Scenario:
    """The facts of one job (or, with arrays, of many that share their choices).

    Attributes:
        catalogue: the declared facts, with their defaults and constants.
        given: facts with a value: numbers in the unit of their kind, choices and texts as text.
        suggested: values that a framework file suggests, used before the catalogue's defaults.
        calibration: measured over modelled, held while facts are varied.
        drawn: facts that are assumed, with what is taken instead of their default: samples of its
            range, or one end of it. The range is that of the row the choices select, so a change of
            a choice changes the samples with it.
    """

    catalogue: Catalogue
    given: Mapping[str, Value]
    suggested: Mapping[str, Value] = field(default_factory=dict)
    calibration: Calibration = field(default_factory=Calibration)
    drawn: Mapping[str, Callable[[Row], Number | None]] = field(default_factory=dict)
    _found: dict[object, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What was found out about this job before: an advice asks the same thousands of times."""

    def value(self, name: str) -> Value | None:
        """Value of a fact: given, suggested by the framework, or its default; None if unknown."""
        given = self.given.get(name)
        if given is not None:
            return given
        if name in self.suggested:
            return self.suggested[name]
        if name not in self._found:
            spec = self.catalogue.facts[name]
            self._found[name] = self._default(spec, spec.default) if spec.default else None
        found: Value | None = self._found[name]
        return found

    def once(self, question: Callable[[Scenario], _T]) -> _T:
        """The answer to a question about this job, asked once.

        Args:
            question: a pure function; its answer must not be changed by whoever gets it.
        """
        if question not in self._found:
            self._found[question] = question(self)
        found: _T = self._found[question]
        return found

    def _default(self, spec: FactSpec, default: Default) -> Value | None:
        if default.follows:
            value = self.value(default.follows)
            if value is None or isinstance(value, str) or default.at_least is None:
                return value
            if isinstance(value, float):
                return max(value, default.at_least)
            import numpy as np

            return np.maximum(value, default.at_least)
        row = default_row(default, {name: self.word(name) for name in default.on})
        text, draw = row[0], self.drawn.get(spec.name)
        if draw is not None:
            return draw(row)
        if not text:
            return None
        return parsed(text, spec.kind) if spec.is_number else text

    def number(self, name: str) -> Number | None:
        """Value of a numeric fact in the unit of its kind, None if unknown."""
        value = self.value(name)
        if isinstance(value, str):
            raise TypeError(f"{name} is not a number")
        return value

    def require(self, name: str) -> Number:
        """Value of a numeric fact that has a default.

        Raises:
            LookupError: it is unknown after all.
        """
        value = self.number(name)
        if value is None:
            raise LookupError(name)
        return value

    def word(self, name: str) -> str | None:
        """Value of a choice or a text, None if unknown."""
        value = self.value(name)
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{name} is a number")
        return value

    def times(self, name: str) -> tuple[float, ...] | None:
        """The entries of a list of times, s, in the order typed; None if unknown."""
        text = self.word(name)
        return None if text is None else parse_times(text)

    def is_given(self, name: str) -> bool:
        """Whether somebody gave a value (or a lever set one), as opposed to a default."""
        return name in self.given

    def constant(self, name: str) -> float:
        """A constant of the model by name."""
        return self.catalogue.constants[name].value

    def changed(self, settings: Mapping[str, Value | None]) -> Scenario:
        """The same job with some facts set, or removed where the value is None."""
        given = {k: v for k, v in self.given.items() if k not in settings}
        given.update({k: v for k, v in settings.items() if v is not None})
        return replace(self, given=given)

    def drawing(self, draws: Mapping[str, Callable[[Row], Number | None]]) -> Scenario:
        """The same job with other values for some facts while they are assumed."""
        return replace(self, drawn={**self.drawn, **draws})

    def calibrated(self, calibration: Calibration) -> Scenario:
        """The same job with another measured-over-modelled ratio."""
        return replace(self, calibration=calibration)


def default_row(default: Default, choices: Mapping[str, str | None]) -> Row:
    """Text, low and high of a default, by the choices its table depends on.

    Args:
        default: the declaration.
        choices: value of each fact in ``default.on``; None where unknown.

    Returns:
        Three typed texts, empty where there is none.
    """
    if not default.on:
        return default.text, default.low, default.high
    have = [choices.get(name) for name in default.on]
    for key, row in default.table.items():
        if all(part in ("*", want) for part, want in zip(key.split("/"), have, strict=True)):
            return row
    return default.text, default.low, default.high
