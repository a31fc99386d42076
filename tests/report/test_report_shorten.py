"""A length limit takes whole sections, the least needed first, and says which."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.facts.answers import Answer
from advisor.report import markdown
from advisor.report import text as plain
from advisor.report.build import build_report
from advisor.report.document import ALWAYS, Code, Document, Paragraph, Section, text
from advisor.report.lengths import GITHUB_LIMIT
from tests.report.support import advice_on, case, parsed, session
from tests.ticket_job import TICKET as EXAMPLE


def three(length: int) -> Document:
    return Document(
        "t",
        (
            Section("the headline", (Paragraph(text("first")),), ALWAYS),
            Section("the lines", (Code("x" * length),), 50),
            Section("all facts", (Paragraph(text("y" * length)),), 10),
            Section("the versions", (Paragraph(text("last")),), ALWAYS),
        ),
    )


def test_nothing_is_cut_that_fits() -> None:
    whole = markdown.render(three(100))
    assert markdown.render(three(100), limit=len(whole)) == whole


def test_the_least_needed_goes_first_and_is_named() -> None:
    cut = markdown.render(three(100), limit=200)
    assert "y" * 100 not in cut
    assert "x" * 100 in cut
    assert cut.endswith("last\n\nShortened: all facts left out to fit 200 characters.\n")


def test_more_goes_until_it_fits() -> None:
    cut = markdown.render(three(400), limit=200)
    note = "Shortened: the lines and all facts left out to fit 200 characters."
    assert cut == f"first\n\nlast\n\n{note}\n"


def test_what_fits_after_all_comes_back() -> None:
    """The short section goes first, which is not enough; without the long one it has room."""
    sections = list(three(400).sections)
    sections[2] = Section("all facts", (Paragraph(text("short")),), 10)
    cut = markdown.render(Document("t", tuple(sections)), limit=200)
    note = "Shortened: the lines left out to fit 200 characters."
    assert cut == f"first\n\nshort\n\nlast\n\n{note}\n"


def test_a_limit_below_what_always_stays_is_refused() -> None:
    with pytest.raises(ValueError, match="20 characters are too few"):
        markdown.render(three(400), limit=20)


@pytest.mark.parametrize("render", [markdown.render, plain.render])
def test_a_report_with_huge_notes_fits_a_tracker(render) -> None:  # type: ignore[no-untyped-def]  # two renderers with different signatures
    notes = {"nodes": Answer("128", "measured", note="very long | note " * 8000)}
    document = build_report(advice_on(session({**EXAMPLE, **notes})))
    assert len(render(document)) > GITHUB_LIMIT
    cut = render(document, limit=GITHUB_LIMIT)
    assert len(cut) <= GITHUB_LIMIT
    assert "--async-save" in cut
    assert "sha256" in cut
    assert re.search(r"Shortened: .*all\s+facts", cut)


@settings(deadline=None, max_examples=30)
@given(st.integers(600, 30_000))
def test_any_limit_is_kept_and_no_fence_is_left_open(limit: int) -> None:
    cut = markdown.render(build_report(case("two steps")), limit=limit)
    assert len(cut) <= limit
    assert cut.startswith("**Checkpoints and failures cost")
    fences = [t for t in parsed(cut) if t.type == "fence"]
    assert cut.count("```") == 2 * len(fences)
    assert cut.count("<details>") == cut.count("</details>")
