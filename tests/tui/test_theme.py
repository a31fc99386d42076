"""Our colours: on the grid of 256, and readable."""

from __future__ import annotations

import itertools

import pytest

from advisor.tui.theme import THEME

GREYS = {f"#{v:02x}{v:02x}{v:02x}" for v in range(0x08, 0xEF, 10)}
"""Slots 232 to 255 of xterm-256: 8, 18, ..., 238."""

CUBE = {
    f"#{r:02x}{g:02x}{b:02x}"
    for r, g, b in itertools.product((0x00, 0x5F, 0x87, 0xAF, 0xD7, 0xFF), repeat=3)
}
"""Slots 16 to 231 of xterm-256."""

QUIET = "#a8a8a8"
"""The colour of help and hints."""

LEAST = 7.0
"""Contrast of text, WCAG 2.1 level AAA."""


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.1 defines it."""

    def linear(part: int) -> float:
        share = part / 255
        return share / 12.92 if share <= 0.03928 else float(((share + 0.055) / 1.055) ** 2.4)

    red, green, blue = (linear(int(colour[n : n + 2], 16)) for n in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_contrast_formula() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)  # WCAG 2.1


def grounds() -> list[str]:
    return [str(THEME.background), str(THEME.surface), str(THEME.panel), str(THEME.boost)]


def test_every_colour_is_a_slot_of_the_grid() -> None:
    used = [*grounds(), THEME.primary, THEME.secondary, THEME.accent, THEME.foreground]
    used += [THEME.warning, THEME.error, THEME.success, QUIET]
    used += [v for v in THEME.variables.values() if v.startswith("#")]
    assert [colour for colour in used if colour not in GREYS | CUBE] == []


def test_grounds_are_told_apart() -> None:
    assert len(set(grounds())) == 4


@pytest.mark.parametrize("name", ["foreground", "warning", "error", "success", "primary"])
def test_texts_are_readable_on_every_ground(name: str) -> None:
    for ground in grounds():
        assert contrast(str(getattr(THEME, name)), ground) >= LEAST


def test_hints_are_readable() -> None:
    # Hints stand on the background, on the open question and in fields.
    for ground in grounds()[:3]:
        assert contrast(QUIET, ground) >= 6.3
