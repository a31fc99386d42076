"""The list of the results and the pages behind it, from an advice written by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.engine.advice import Alternative, ConfigText, Finding, Threshold
from advisor.tui.results_pages import Page, pages, threshold_text
from advisor.tui.results_tables import now_and_after
from tests.tui.ticket import ticket_advice


def words(page: Page) -> str:
    return " ".join(block.text for block in page.blocks)


def test_errors_first_purchases_last() -> None:
    titles = [page.title for page in pages(ticket_advice())]
    assert titles == [
        "! Errors: 1",
        "1 Save asynchronously",
        "Interval, as it is now: make it longer",
        "Now and after the changes",
        "Warnings: 1",
        "Assumed or guessed: 1, most telling first",
        "Open questions: 1",
        "Then: Restart in 5 min",
        "Buy: A pool of 200 GB/s",
        "Ruled out",
    ]


def test_a_change_shows_gain_lines_thresholds_and_checks() -> None:
    page = pages(ticket_advice())[1]
    assert (page.gain, page.saves, page.effort) == ("+9.4 points", "$2.53M/year", "configuration")
    assert page.lines == "--async-save --use-persistent-ckpt-worker --ckpt-format torch_dist"
    shown = words(page)
    assert "Goodput 84.7 % → 94.1 %: adds 9.4 points, saves $2.53M a year." in shown
    assert "Pays in over 99 of 100 samples." in shown
    # 0.9 / 0.1 = 9, and 1 TB / 117 GB = 8.5.
    assert "Stops paying if Slow-down is above 90 % (now 10 %, 9x away)" in shown
    assert "Stops being possible if Free host memory is below 117 GB (now 1 TB, 8.5x away)" in shown
    assert "Does not depend on Nodes in the job, between 1 and 1M" in shown
    assert "Only if The drain ends before the next save begins." in shown
    assert "Worked if save-checkpoint drops" in shown
    assert "Undo: remove the flags." in shown


def test_a_storage_layer_shows_its_lines_and_what_is_lost_with_a_node() -> None:
    advice = ticket_advice()
    config = ConfigText("A cache", ">=2", "cache start DIR", notes=("Root only.",), undo="Stop it.")
    layer = Alternative(
        layer="cache",
        title="A cache",
        lever="tiering",
        what="Keeps saves on the drives.",
        survives="no",
        copy="A copy in it is lost with its node.",
        needs=("A drive.",),
        gotchas=("It fills up.",),
        config=config,
        checks=("Saves get shorter.",),
    )
    lacking = Finding(
        rule="ACME001",
        title="No tier",
        state="hit",
        severity="note",
        message="2 points.",
        nearest=(layer,),
        with_plan="With the plan: 1 point.",
    )
    (page,) = (
        page
        for page in pages(replace(advice, findings=(*advice.findings, lacking)))
        if "No tier" in words(page)
    )
    assert page.lines == "cache start DIR"
    shown = words(page)
    for text in (
        "2 points. With the plan: 1 point.",
        "A cache: Keeps saves on the drives. A copy in it is lost with its node.",
        "Needs: A drive.",
        "Lines for A cache >=2",
        "Root only.",
        "Undo: Stop it.",
        "It fills up.",
        "Worked if Saves get shorter.",
    ):
        assert text in shown


def test_figures_now_and_after_side_by_side() -> None:
    rows = [row.split("  ") for row in now_and_after(ticket_advice())]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    assert ["Goodput", "84.7 %", "94.1 %"] in cells
    assert ["Pause per save", "2 min", "6 s"] in cells
    assert ["Pool rate needed", "200 GB/s", "27 GB/s"] in cells
    assert ["Pool rate you have", "100 GB/s", "100 GB/s"] in cells
    assert ["Save, 1 in 100", "3 min", "3 min"] in cells


def test_what_is_unknown_is_said_and_never_a_zero() -> None:
    advice = ticket_advice()
    empty = replace(advice.before, goodput=None, loss=None, idle_cost_per_year=None)
    rows = now_and_after(replace(advice, before=empty, plan=()))
    assert "not known" in rows[1]
    assert any(row.startswith("Lost, a year") and "no price given" in row for row in rows)
    assert not any("None" in row for row in rows)


def test_no_change_means_keep() -> None:
    titles = [page.title for page in pages(replace(ticket_advice(), plan=(), findings=()))]
    assert titles[0] == "None: keep the configuration"


def test_open_questions_say_how_to_find_out() -> None:
    page = next(p for p in pages(ticket_advice()) if p.title == "Open questions: 1")
    assert "How much space is free for checkpoints in the pool" in words(page)
    assert "df -B1" in words(page)


@pytest.mark.parametrize(
    ("at", "away"), [(7.021, "0.3 % away"), (7.5, "7.1 % away"), (9.1, "1.3x away")]
)
def test_a_flip_that_is_near_says_how_near_in_per_cent(at: float, away: str) -> None:
    day = 86400.0
    flip = Threshold("job_mtbf", "Time", 7 * day, at * day, "duration", "above", "gain")
    assert threshold_text(flip).endswith(f"(now 7 d, {away})")


def test_beside_a_change_of_the_interval_its_page_is_about_the_time_before() -> None:
    advice = ticket_advice()
    (plain,) = [page.title for page in pages(advice) if page.title.startswith("Interval, ")]
    assert plain.startswith("Interval, as it is now: ")
    (step,) = advice.plan
    retuned = replace(step, order=2, settings={"interval": 2400.0})
    both = replace(advice, plan=(step, retuned))
    (title,) = [page.title for page in pages(both) if page.title.startswith("Interval, ")]
    assert title.startswith("Interval, before the changes: ")
