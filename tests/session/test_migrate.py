"""The mechanism of migrations, on a table of its own: the product has one version so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from advisor.session.migrate import SCHEMA_VERSION, STEPS, migrate


def rename(data: Mapping[str, Any]) -> dict[str, Any]:
    return {("title" if key == "name" else key): value for key, value in data.items()}


def add(data: Mapping[str, Any]) -> dict[str, Any]:
    return {**data, "tags": []}


def test_steps_are_applied_in_order_up_to_the_current_version() -> None:
    old = {"schema_version": 1, "name": "a"}
    assert migrate(old, steps={2: add, 1: rename}, current=3) == {
        "schema_version": 3,
        "title": "a",
        "tags": [],
    }
    assert old == {"schema_version": 1, "name": "a"}


def test_later_versions_skip_the_earlier_steps() -> None:
    data = {"schema_version": 2, "name": "a"}
    found = migrate(data, steps={1: rename, 2: add}, current=3)
    assert found == {"schema_version": 3, "name": "a", "tags": []}


def test_a_gap_in_the_table_is_an_error() -> None:
    with pytest.raises(KeyError):
        migrate({"schema_version": 1}, steps={2: add}, current=3)


def test_the_table_of_the_product_has_no_gap() -> None:
    assert sorted(STEPS) == list(range(1, SCHEMA_VERSION))
    data = {"schema_version": SCHEMA_VERSION, "x": 1}
    assert migrate(data) == data
