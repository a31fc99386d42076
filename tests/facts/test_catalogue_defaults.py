"""What is assumed while a fact is unknown: published values, their ranges, and the constants."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.facts.catalogue import Catalogue, FactSpec
from advisor.facts.catalogue_check import check_catalogue
from advisor.facts.catalogue_file import load_catalogue
from advisor.facts.quantity import parse

RULES = Path(__file__).parents[2] / "rules" / "interview.toml"

DEFAULTS = {
    "bytes_per_parameter": 14,
    "replicas": 1,
    "changed_fraction": 1,
    "compressed_fraction": 1,
    "accelerators_per_node": 8,
    "pool_share": 1,
    "unusable_share": 0,
    "restart_time": 900,
    "detection_window": 4 * 3600,
    "announced_share": 0,
    "preemption_notice": 30,
    "snapshot_rate": 15e9,
    "nvme_write": 5e9,
    "nvme_tail_ratio": 1.2,
    "pool_every": 1,
    "accelerator_hour": 3,
    "duty": 1,
}
"""Published defaults in the unit of the kind, typed from their table."""

NO_DEFAULT = (
    "collective_timeout pool_write node_link client_write storage_targets pool_creates pool_free"
    " host_memory_free measured_stall measured_save nodes state_total interval job_mtbf"
    " interruptions node_mtbf pool_read keep acceptable_pause"
)
"""What nobody can assume honestly."""


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue([RULES])


SPECS = tuple(load_catalogue([RULES]).facts.values())
every_fact = pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)


@pytest.mark.parametrize(("name", "value"), DEFAULTS.items())
def test_published_defaults(catalogue: Catalogue, name: str, value: float) -> None:
    spec = catalogue.facts[name]
    assert spec.default is not None
    assert parse(spec.default.text, spec.kind).value == pytest.approx(value)


def test_no_default_is_invented(catalogue: Catalogue) -> None:
    assert [n for n in NO_DEFAULT.split() if catalogue.facts[n].default is not None] == []


@every_fact
def test_number_defaults_have_a_source_and_a_range(spec: FactSpec) -> None:
    default = spec.default
    if default is None:
        return
    assert default.source.endswith(".")
    assert "!" not in default.source
    if not spec.is_number or default.follows:
        return
    rows = default.table.values() if default.on else [(default.text, default.low, default.high)]
    for text, low, high in rows:
        # Settings are exact, and 0 or 1 where it changes nothing needs no published range.
        neutral = parse(text, spec.kind).value in (0, 1)
        assert (low and high) or neutral or not spec.world


def test_defaults_parse_and_lie_in_their_limits() -> None:
    assert [str(fault) for fault in check_catalogue([RULES])] == []


def test_table_defaults(catalogue: Catalogue) -> None:
    drain = catalogue.facts["drain_slowdown"].default
    share = catalogue.facts["survivable_share"].default
    assert drain is not None
    assert share is not None
    # Published: 0.1 with a process and a cached plan, 0.3 with threads.
    assert {key: float(row[0]) for key, row in drain.table.items()} == {"process": 0.1, "*": 0.3}
    assert share.on == ("local_survives", "redundancy")
    for kept in ("partner", "xor", "rs"):
        assert share.table[f"*/{kept}"] == ("0.85", "0.6", "0.95")
    assert share.table["nothing/*"][0] == "0"
    assert next(iter(share.table)) == "nothing/*", "a wiped drive decides before the redundancy"


def test_constants(catalogue: Catalogue) -> None:
    # Typed from the published table of constants, SI.
    expected = {
        "data_sheet_efficiency": (0.45, 0.40, 0.52),
        "flat_band": (0.001, None, None),
        "shared_fabric_slowdown": (0.05, None, None),
        "single_stream_write": (0.7e9, 0.4e9, 1.5e9),
        "interruptions_per_1000_accelerator_days": (1.0, 0.4, 3.0),
        "memory_fine": (0.5, None, None),
        "memory_refuse": (0.8, None, None),
        "duty_limit": (0.5, None, None),
        "usable_lustre": (0.85, 0.8, 0.9),
        "usable_nfs": (0.9, None, None),
        "usable_object": (1.0, None, None),
        "page_cache_factor": (1.2, None, None),
        "slow_save_factor": (3.0, None, None),
        "hours_per_year": (8760.0, None, None),
        "gds_bounce_rate": (15e9, 15e9, 25e9),
        "background_window_reduction": (6.5, None, None),
        "compressible_fraction": (0.83, 0.83, 1.0),
        "longest_chain": (32.0, None, None),
        "rated_drive_years": (5.0, None, None),
    }
    got = {name: catalogue.constants[name] for name in expected}
    assert {name: (c.value, c.low, c.high) for name, c in got.items()} == expected
    # 436 s became 67 s.
    assert got["background_window_reduction"].value == pytest.approx(436 / 67, rel=0.01)
