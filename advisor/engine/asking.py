"""The conditions under which the interview asks a follow-up, compiled and checked."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.engine.expression import Expression, ExpressionError, Name, compile_expression
from advisor.engine.pack_places import fault_inside
from advisor.engine.strict_table import StrictTable
from advisor.facts.catalogue import Catalogue, FactSpec
from advisor.facts.catalogue_tables import Declared
from advisor.facts.toml_text import TomlFault

_LANGUAGE = 'write a condition over facts, as in mode == "async"'
"""What to do about a condition that cannot be read, where nothing better is known."""


def asking_conditions(catalogue: Catalogue) -> dict[str, Expression]:
    """The condition of every fact that has one, by the name of the fact.

    Raises:
        ExpressionError: one that cannot be read; ``asking_faults`` names its place.
    """
    names = _names(catalogue.facts)
    return {
        name: compile_expression(spec.ask_if, names)
        for name, spec in catalogue.facts.items()
        if spec.ask_if
    }


def asking_faults(declared: Declared) -> list[TomlFault]:
    """Every condition that cannot be read, with the place in its file."""
    names, faults = _names(declared.facts), []
    for name, spec in declared.facts.items():
        try:
            if spec.ask_if:
                compile_expression(spec.ask_if, names)
        except ExpressionError as error:
            table = declared.tables["fact", name]
            strict = StrictTable(table.document, table.keys, table.data)
            place, hint = (error.line, error.column), error.hint or _LANGUAGE
            faults.append(fault_inside(strict, "ask_if", spec.ask_if, place, error.message, hint))
    return faults


def _names(facts: Mapping[str, FactSpec]) -> dict[str, Name]:
    return {name: Name(spec.kind, tuple(spec.choices)) for name, spec in facts.items()}
