"""The JSON Schema of a session file with every fact by name, for editors that complete it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from advisor.facts.answers import UNKNOWN_TEXT
from advisor.facts.catalogue import Catalogue, FactSpec
from advisor.session.document import session_json_schema

_ANSWER = "#/$defs/AnswerTable"
"""Where the schema has the table of one answer."""


def editor_schema(catalogue: Catalogue, rules: Mapping[str, str]) -> dict[str, Any]:
    """The schema of the file, its answers named after the facts and its waivers after the rules.

    Args:
        catalogue: the declared facts: question, choices and an example go to the editor.
        rules: title by id; a waiver of another rule is no fault, it only counts for nothing.

    Returns:
        JSON Schema 2020-12, plain values.
    """
    schema = session_json_schema()
    about = dict(schema["properties"])
    about["answers"] = {
        **about["answers"],
        "properties": {name: _fact(spec) for name, spec in catalogue.facts.items()},
        "additionalProperties": False,
    }
    waiver = about["waivers"]["additionalProperties"]
    about["waivers"] = {
        **about["waivers"],
        "properties": {rule: {"allOf": [waiver], "title": title} for rule, title in rules.items()},
    }
    return {**schema, "properties": about}


def _fact(spec: FactSpec) -> dict[str, Any]:
    described: dict[str, Any] = {
        "allOf": [{"$ref": _ANSWER}],
        "title": spec.label,
        "description": f"{spec.question} {spec.why}",
    }
    if spec.kind == "choice":
        values: dict[str, Any] = {"enum": [*spec.choices, UNKNOWN_TEXT]}
    elif spec.hint:
        values = {"description": f"As typed: {spec.hint}"}
    else:
        return described
    return {**described, "properties": {"value": values}}
