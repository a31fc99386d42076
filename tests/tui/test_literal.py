"""Text of people reaches the terminal as text: no markup, no escape codes."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from advisor.tui.literal import fitted, literal, literal_lines, short_path, wrapped
from tests.tui.support import interview, lines, press, settle, shows, text, write_session

HOSTILE = "[bold red]x[/] [link=file:///]y[/link] \x1b[31mred\x1b]52;c;aGk=\x07 \u202egnol"
"""Markup of Rich and Textual, a colour, an OSC 52 sequence, and a text turned round."""

SHOWN = r"[bold red]x[/] [link=file:///]y[/link] \x1b[31mred\x1b]52;c;aGk=\x07 \u202egnol"
"""The same as a person has to see it."""


def test_control_characters_are_written_out() -> None:
    assert literal(HOSTILE) == SHOWN


@given(st.text())
def test_nothing_comes_out_that_a_terminal_obeys(typed: str) -> None:
    hidden = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}  # the Unicode standard, chapter 4.5
    assert not any(unicodedata.category(sign) in hidden for sign in literal(typed))


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "S", "Zs"])))
def test_printable_text_stays_as_it_is(typed: str) -> None:
    plain = "".join(sign for sign in typed if sign.isprintable())
    assert literal(plain) == plain


@given(st.text(), st.integers(min_value=1, max_value=40))
def test_fitted_is_never_wider(typed: str, width: int) -> None:
    assert cell_len(fitted(literal(typed), width)) <= width


@given(st.lists(st.text(alphabet="ab\N{CJK UNIFIED IDEOGRAPH-8A9E}%1."), max_size=12))
def test_wrapped_loses_nothing_and_is_never_wider(words: list[str]) -> None:
    line = " ".join(words)
    parts = wrapped(line, 10)
    assert "".join(parts).replace(" ", "") == line.replace(" ", "")
    assert all(cell_len(part) <= 10 for part in parts)


def test_a_number_keeps_its_per_cent_sign() -> None:
    assert wrapped("lost: stall 11.5 %", 17) == ["lost: stall", "11.5 %"]


def test_the_indent_of_a_line_stays() -> None:
    assert wrapped("  to restarts  2.5 %", 40) == ["  to restarts  2.5 %"]


def test_lines_of_a_text() -> None:
    assert literal_lines("a\nb\x1bc\r\nd") == ["a", r"b\x1bc", "d"]


def test_paths_below_home_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert short_path(Path("/home/ann/x.toml")) == "~/x.toml"
    assert short_path(Path("/home/anna/x.toml")) == "/home/anna/x.toml"
    monkeypatch.setenv("HOME", "/")
    assert short_path(Path("/x.toml")) == "/x.toml"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
async def test_notes_and_names_show_literally_on_every_screen(
    home: Path, size: tuple[int, int]
) -> None:
    path = write_session(home / "[bold]job.toml", {"nodes": "128", "framework": HOSTILE}, HOSTILE)
    async with interview(path, size) as (app, pilot):
        assert "[bold]job" in text(app)
        app.interview.action_question("framework")
        await settle(app, pilot)
        shown = "\n".join(lines(app))
        assert "\x1b" not in shown
        assert r"[bold red]x[/]" in shown
        for key in ("f1", "escape", "f2", "escape", "f3", "escape", "f4", "escape"):
            await press(pilot, key)
            await settle(app, pilot)
            shown = "\n".join(lines(app))
            assert "\x1b" not in shown
            assert "\u202e" not in shown


async def test_what_is_typed_shows_literally_in_messages(home: Path) -> None:
    async with interview(home / "job.toml") as (app, pilot):
        await press(pilot, *"[b]12[/b] TB", "enter")
        await settle(app, pilot)
        assert "[b]12[/b] TB" in text(app)
        await press(pilot, "f2")
        await shows(app, "Not understood")
