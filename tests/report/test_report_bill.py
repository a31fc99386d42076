"""The bill in the report and in the JSON export."""

from __future__ import annotations

import re

import jsonschema  # type: ignore[import-untyped]  # it ships no types
import pytest

from advisor.engine.advice import Advice
from advisor.report.build import build_report
from advisor.report.json_export import to_json
from advisor.report.json_schema import advice_json_schema
from advisor.report.markdown import render
from tests.report.support import job, parsed, rows, seen
from tests.ticket_job import TICKET as EXAMPLE

# Prices of the example's 128 nodes: $1M, 4 x 12 TB x $250, $900 each, drives that last.
PRICES = {
    "pool_committed": "$1M/year",
    "pool_per_tb": "$250/TB-year",
    "keep": "4",
    "nvme_committed": "$900/node-year",
    "nvme_capacity": "30 TB",
    "nvme_dwpd": "3",
}


def priced(**changes: str | None) -> Advice:
    """The advice on the example with all prices, some of them changed."""
    answers = {**EXAMPLE, **PRICES, **changes}
    return job({k: v for k, v in answers.items() if v is not None})


def table(**changes: str | None) -> list[list[str]]:
    """The bill's rows in the Markdown, without its heading."""
    found = rows(render(build_report(priced(**changes))))
    start = next(i for i, row in enumerate(found) if row[0] == "storage, a year")
    return found[start + 1 : start + 3]


def words(**changes: str | None) -> str:
    return " ".join(seen(render(build_report(priced(**changes)))))


def test_one_row_for_each_option() -> None:
    pool, drives = table()
    assert pool[:3] == ["the pool", "$1M", "$12k"]
    # $900 x 128; the drives outlast their rating.
    assert drives[:3] == ["drives in the nodes", "$115k", "$0"]
    for row in (pool, drives):
        lost, together = (float(cell.strip("$M")) for cell in row[3:])
        assert together > lost > 0


def test_the_columns_add_up() -> None:
    found = priced().bill
    for line in found.values():
        assert line.total == pytest.approx(
            (line.committed or 0) + (line.per_unit or 0) + (line.misbehaviour or 0)
        )
    text = words()
    assert "Cheapest at this size: drives in the nodes." in text
    assert "The pool that drives in the nodes drain to is not in their line." in text


def test_a_change_of_the_cheapest_is_said_in_nodes() -> None:
    # At $9,000 a node the drives cost more than the pool from 1,012,000/9,000 = 112 nodes on, and
    # less below, since both lose nearly the same compute once saves are asynchronous.
    found = priced(nvme_committed="$9000/node-year")
    (below,) = (c for c in found.bill_changes if c.direction == "below")
    assert below.option == "node_local"
    assert below.nodes == pytest.approx(112, abs=2)
    text = words(nvme_committed="$9000/node-year")
    assert re.search(r"With 11\d nodes or fewer: drives in the nodes\.", text)


def test_an_unknown_price_is_a_word_and_has_a_name() -> None:
    pool, drives = table(pool_per_tb=None)
    assert pool[2] == pool[4] == "unknown"
    assert drives[4] != "unknown"
    assert "Unknown: Pool price per TB." in words(pool_per_tb=None)


def test_one_option_is_no_comparison() -> None:
    found = priced(nvme_committed=None, nvme="none")
    assert set(found.bill) == {"pool"}
    markdown = render(build_report(found))
    assert not any("one bill" in token.content for token in parsed(markdown))


def test_the_export_has_the_lines_and_what_they_lack() -> None:
    found = to_json(priced(nvme_dwpd=None))
    jsonschema.validate(found, advice_json_schema())
    assert set(found["bill"]) == {"pool", "node_local"}
    pool, drives = found["bill"]["pool"], found["bill"]["node_local"]
    assert set(pool) == {"committed", "per_unit", "misbehaviour"}
    assert (pool["committed"], pool["per_unit"]) == (1e6, 12e3)
    assert (drives["committed"], drives["per_unit"]) == (115_200, None)
    bills = {k: v for k, v in found["missing"].items() if k.startswith("bill")}
    assert bills == {"bill.node_local.per_unit": ["nvme_dwpd"]}


def test_without_a_price_the_export_names_them() -> None:
    found = to_json(job())
    assert found["bill"] == {}
    assert found["missing"]["bill"] == ["pool_committed", "nvme_committed", "remote_committed"]
