"""The JSON export against its own published schema, and against the list of keys it promises."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import inf, nan
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it ships no types
import pytest

from advisor.report.json_export import render, to_json
from advisor.report.json_schema import advice_json_schema
from tests.report.support import CASES, case

# The keys of the contract, typed from its description.
TOP = (
    "schema_version advisor_version knowledge session missing facts before after findings plan "
    "verdict purchases bill unknowns"
)
VIEW = (
    "configuration goodput goodput_p10 goodput_p90 ceiling no_checkpoint_goodput best_interval_s "
    "best_pool_every best_goodput flat_band_s loss save required_pool_write_Bps "
    "required_pool_write_p99_Bps simple_required_pool_write_Bps required_because "
    "interruptions_per_year rework_per_interruption_s pool_duty host_memory_share "
    "idle_cost_per_year"
)
SAVE = (
    "bytes_total path_Bps nominal_s barrier_p50_s barrier_mean_s barrier_p99_s stall_s pool_lag_s "
    "local_lag_s wait_s measured_over_modelled timeout_probability timeouts_per_year"
)
STEP = (
    "order rule lever effort settings goodput_gain saves_per_year chance_it_pays thresholds "
    "conditions config checks"
)


def names(words: str) -> set[str]:
    return set(words.split())


def export(name: str) -> dict[str, Any]:
    """One export, read back from its text by the standard library."""
    loaded: dict[str, Any] = json.loads(render(case(name)))
    return loaded


def nulls(value: Any, path: str = "") -> Iterator[str]:
    """Dotted keys of everything that is null."""
    if value is None:
        yield path
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from nulls(item, f"{path}.{key}" if path else key)


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return advice_json_schema()


@pytest.mark.parametrize("name", CASES)
def test_every_export_is_valid(name: str, schema: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(export(name), schema)


def test_the_schema_refuses_what_is_not_in_the_contract(schema: dict[str, Any]) -> None:
    good = export("example")
    for bad in (
        {**good, "extra": 1},
        {k: v for k, v in good.items() if k != "missing"},
        {**good, "before": {**good["before"], "goodput": "84.7 %"}},
        {**good, "verdict": {**good["verdict"], "interval": "maybe"}},
        {**good, "facts": {"nodes": {**good["facts"]["nodes"], "source": "heard"}}},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, schema)


def test_the_keys_are_those_of_the_contract() -> None:
    found = export("example")
    extras = names("headline further refused contradictions brought_up waiver_notes alternatives")
    assert set(found) == names(TOP) | extras | {"framework", "traps"}
    for side in ("before", "after"):
        assert set(found[side]) == names(VIEW)
        assert set(found[side]["save"]) == names(SAVE)
        assert set(found[side]["loss"]) == {"stall", "drain", "restart", "rework"}
        assert set(found[side]["configuration"]) == names(
            "writers path payload redundancy interval_s pool_every"
        )
    assert set(found["facts"]["nodes"]) == names("value low high unit source")
    said = names("state severity message missing") | {"superseded_by"}
    assert set(found["findings"]["CKA01"]) == said
    assert set(found["knowledge"]) == names("version digest") | {"changes"}
    (step,) = found["plan"]
    assert set(step) == names(STEP) | {"in_words"}
    assert set(step["config"][0]) == names("framework versions text") | {"read"}
    assert set(step["thresholds"][0]) == names("fact at unit direction kind")
    assert set(found["purchases"][0]) == names(STEP) | {"in_words", "verdict"}
    assert set(found["verdict"]) == {"interval", "text"}
    assert set(found["unknowns"][0]) == names("fact worth_per_year how") | {"goodput_swing"}


def test_the_example_in_si_units() -> None:
    found = export("example")
    before, after = found["before"], found["after"]
    # Worked out with the published model apart from this code, three digits.
    assert before["goodput"] == pytest.approx(0.847, abs=5e-4)
    assert after["goodput"] == pytest.approx(0.941, abs=5e-4)
    assert before["idle_cost_per_year"] == pytest.approx(4.12e6, rel=2e-3)
    # 12 TB over 100 GB/s, over 60 s; 12 TB / 128 / 15 GB/s; 15 min.
    assert before["save"]["nominal_s"] == pytest.approx(120)
    assert before["simple_required_pool_write_Bps"] == pytest.approx(200e9)
    assert after["save"]["stall_s"] == pytest.approx(6.25)
    assert before["configuration"]["interval_s"] == 900
    # 8760 h / 10 h.
    assert before["interruptions_per_year"] == pytest.approx(876)
    assert found["facts"]["state_total"] == {
        "value": 12e12,
        "low": None,
        "high": None,
        "unit": "B",
        "source": "measured",
    }
    (step,) = found["plan"]
    limits = [t for t in step["thresholds"] if t["kind"] == "limit"]
    # 12 TB / 128 over 0.8 of the free memory.
    assert limits == [
        {
            "fact": "host_memory_free",
            "at": pytest.approx(12e12 / 128 / 0.8, rel=1e-6),
            "unit": "B",
            "direction": "below",
            "kind": "limit",
        }
    ]
    assert found["verdict"]["interval"] == "longer"


def check_missing(found: Mapping[str, Any]) -> None:
    """Every null is named, and every fact named is one that is really unknown."""
    for side in ("before", "after", "verdict", "session"):
        for key in nulls(found[side], side):
            assert key in found["missing"], key
    for part in ("plan", "further", "purchases", "unknowns"):
        for item in found[part]:
            empty = {k for k, v in item.items() if v is None}
            assert {f"{part}.{k}" for k in empty} <= set(found["missing"])
    known = {n for n, fact in found["facts"].items() if fact["value"] is not None}
    for key, facts in found["missing"].items():
        assert set(facts) <= set(found["facts"]), key
        assert not set(facts) & known, key


@pytest.mark.parametrize("name", CASES)
def test_every_null_is_named_with_the_facts_it_needs(name: str) -> None:
    check_missing(export(name))


def test_an_answer_named_as_missing_brings_the_figure() -> None:
    assert export("no pool rate")["missing"]["before.goodput"] == ["pool_write"]
    assert export("example")["before"]["goodput"] is not None
    assert export("example")["missing"]["before.no_checkpoint_goodput"] == ["job_length"]
    assert export("short")["before"]["no_checkpoint_goodput"] is not None


def test_figures_that_are_no_numbers_become_null() -> None:
    advice = case("example")
    broken = replace(
        advice,
        before=replace(advice.before, goodput_p10=nan, ceiling=inf, flat_band=(1.0, inf)),
    )
    found = json.loads(render(broken))["before"]
    assert (found["goodput_p10"], found["ceiling"], found["flat_band_s"]) == (None, None, None)
    assert "NaN" not in render(broken)
    assert "Infinity" not in render(broken)


def test_the_text_is_ascii_in_the_order_of_the_contract() -> None:
    text = render(case("contradiction"))
    assert text.isascii()
    assert text.startswith('{\n  "schema_version": 1,\n  "advisor_version": "')
    assert text.endswith("}\n")
    assert list(to_json(case("example"))["before"]) == VIEW.split()


def test_a_contradiction_is_exported_with_both_values() -> None:
    # 440 steps of 4.1 s against 15 min.
    assert export("contradiction")["contradictions"] == [
        {
            "kept": "interval",
            "kept_value": 900.0,
            "dropped": "interval_steps",
            "dropped_value": pytest.approx(1804),
            "unit": "s",
        }
    ]


def test_a_list_of_times_is_a_list_of_seconds() -> None:
    found = export("times per rank")["facts"]["rank_times"]
    assert found == {
        "value": [90.0, 92.0, 100.0, 95.0], "low": None, "high": None, "unit": "s",
        "source": "measured",
    }  # fmt: skip
    assert export("example")["facts"]["rank_times"]["value"] is None
