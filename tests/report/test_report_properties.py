"""Any job gives a report that reads well: no holes, no shouting, no line ends in the middle."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import jsonschema  # type: ignore[import-untyped]  # it ships no types
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from advisor.facts.answers import Answer, Certainty
from advisor.report import json_export, markdown
from advisor.report import text as plain
from advisor.report.build import build_report
from advisor.report.json_schema import advice_json_schema
from tests.report.support import CASES, advice_on, case, inline_text, parsed, rows, seen, session
from tests.report.test_report_json import check_missing
from tests.report.test_report_markdown import HOSTILE

HOLES = re.compile(r"\bNone\b|\b[Nn]a[Nn]\b|\binf\b|!|\b[Ii]nfinity\b|\de[+-]\d\d")
"""What no reader should meet: a value of Python, an exclamation mark, a power of ten."""

OPTIONS = {
    "nodes": ["1", "16", "4096"],
    "state_total": ["10 GB", "12 TB", "?"],
    "pool_write": ["1 GB/s", "100 GB/s", "5 TB/s", "?"],
    "pool_write_basis": ["aggregate", "data_sheet", "per_writer"],
    "interval": ["30 s", "15 min", "8 h"],
    "interval_basis": ["work", "clock"],
    "interval_decided_by": ["habit", "policy", "unknown"],
    "mode": ["sync", "async"],
    "nvme": ["none", "present", "used"],
    "job_mtbf": ["20 min", "10 h", "60 d"],
    "restart_time": ["20 s", "15 min"],
    "acceptable_pause": ["1 s", "60 s"],
    "host_memory_free": ["10 GB", "1 TB"],
    "accelerators_per_node": ["0", "8"],
    "framework": ["megatron-lm", "hf-trainer", "pytorch-dcp", "not-known"],
    "job_length": ["1 h", "60 d"],
    "pool_every": ["0", "1", "10"],
    "goodput_target": ["90%"],
    "measured_save": ["2 min", "3 h"],
    "writers": ["every_rank", "one"],
    "keep": ["1", "20"],
    "pool_free": ["1 TB", "1 PB"],
}
"""Answers to draw from, far apart on purpose."""

SOURCES: tuple[Certainty, ...] = ("measured", "estimated", "guessed")

SCHEMA = advice_json_schema()

answers = st.fixed_dictionaries(
    {},
    optional={
        name: st.builds(Answer, st.sampled_from(values), st.sampled_from(SOURCES))
        for name, values in OPTIONS.items()
    },
)


def sentences(markdown: str) -> Iterator[str]:
    """Everything but the lines to paste, which may hold any language's words."""
    for token in parsed(markdown):
        if token.type == "inline":
            yield inline_text(token)


# Shrinking would compute hundreds of advices; the failing answers are few enough to read.
@settings(
    deadline=None,
    max_examples=50,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow],
)
@given(answers)
def test_no_report_has_a_hole(given_answers: dict[str, Answer]) -> None:
    advice = advice_on(session(given_answers))
    document = build_report(advice)
    for words in sentences(markdown.render(document)):
        assert HOLES.search(words) is None, words
        assert "  " not in words.strip(), words
    for length in ("full", "summary"):
        lines = plain.render(build_report(advice, length=length)).split("\n")
        assert [ln for ln in lines if len(ln) > 72 and not ln.startswith("    ")] == []
    exported = json.loads(json_export.render(advice))
    jsonschema.validate(exported, SCHEMA)
    check_missing(exported)


@pytest.mark.parametrize("name", CASES)
def test_no_known_kind_of_job_has_a_hole(name: str) -> None:
    for words in sentences(markdown.render(build_report(case(name)))):
        assert HOLES.search(words) is None, words


@pytest.mark.parametrize("typed", [h for h in HOSTILE if "\n" not in h])
def test_what_people_typed_is_read_back_from_the_ticket(typed: str) -> None:
    facts = {
        "nodes": Answer("16", "measured", note=typed),
        "framework_settings": Answer(typed.strip() or "x", "measured"),
    }
    advice = advice_on(session(facts, name="id", title=typed))
    printed = markdown.render(build_report(advice))
    listed = {row[1]: row for row in rows(printed) if len(row) == 5}
    assert listed["nodes"][4] == typed
    assert listed["framework_settings"][2] == typed.strip()
    last = [words for words in seen(printed) if words.startswith("ckpt-advisor")]
    assert f"session id ({' '.join(typed.split())})" in last[0]
    assert json_export.to_json(advice)["session"]["title"] == typed
