"""The ticket and the JSON export on a framework without a tier of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from advisor.engine.advice import Advice
from advisor.report.build import build_report
from advisor.report.json_export import render as render_json
from advisor.report.markdown import render as render_markdown
from advisor.report.text import render as render_text
from tests.report.support import job, seen
from tests.ticket_job import TICKET

LACKING: Mapping[str, str | None] = {
    "framework": "pytorch-dcp",
    "framework_version": "2.9",
    "pool_kind": "lustre",
    "host_memory_free": "50 GB",
}

KEYS = {
    "rule", "lever", "layer", "title", "what", "survives_lost_node", "lost_node", "needs",
    "gotchas", "config", "notes", "checks", "undo", "source",
}  # fmt: skip


def lacking(**changes: str) -> Advice:
    """The example job in a framework without a tier, without memory for asynchronous saves."""
    return job(TICKET, **{**LACKING, **changes})


def test_markdown_shows_the_lines_and_what_is_lost() -> None:
    blocks = list(seen(render_markdown(build_report(lacking()))))
    code = next(block for block in blocks if "lctl pcc add" in block)
    assert "NODE_LOCAL_DIR" in code
    head = blocks[blocks.index(code) - 1]
    assert head.startswith("An alternative: Lustre PCC (Persistent Client Cache) >=2.13. ")
    assert head.endswith("A copy in it is lost with its node.")
    rest = blocks[blocks.index(code) + 1 :]
    for start in ("Needs: Lustre 2.13", "Worked if: ", "Undo: lctl pcc del", "Lines from: lustre"):
        assert any(block.startswith(start) for block in rest), start


def test_each_layer_stands_once() -> None:
    text = render_text(build_report(lacking()))
    assert text.count("An alternative: Lustre PCC") == 1
    assert text.count("An alternative: BeeOND") == 1


@pytest.mark.parametrize("changes", [{"pool_kind": "gpfs"}, {"framework": "megatron-lm"}])
def test_a_layer_that_does_not_fit_is_not_in_the_ticket(changes: dict[str, str]) -> None:
    assert "lctl pcc" not in render_text(build_report(lacking(**changes)))


def test_the_plan_that_is_as_good_is_said() -> None:
    text = render_text(build_report(lacking(host_memory_free="1 TB")))
    assert "An alternative" not in text
    assert "The plan is as" in text


def test_json_has_the_lines_the_keys_and_the_lost_node() -> None:
    found = json.loads(render_json(lacking()))
    pcc = next(one for one in found["alternatives"] if one["layer"] == "lustre-pcc")
    assert set(pcc) == KEYS
    assert set(pcc["config"]) == {"framework", "versions", "text", "read"}
    assert (pcc["rule"], pcc["lever"], pcc["survives_lost_node"]) == ("CKT09", "tiering", "no")
    assert "lost with its node" in pcc["lost_node"]
    assert "lctl pcc add" in pcc["config"]["text"]


def test_json_names_none_where_the_framework_has_its_own() -> None:
    assert json.loads(render_json(job()))["alternatives"] == []
