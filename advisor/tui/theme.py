"""Our colours: greys of the xterm-256 grid, so that a screen over SSH looks like a local one."""

from __future__ import annotations

from textual.theme import Theme

THEME = Theme(
    name="ckpt-advisor",
    primary="#afd7ff",
    secondary="#87afaf",
    accent="#afd7ff",
    warning="#ffd787",
    error="#ffafaf",
    success="#afd787",
    foreground="#e4e4e4",
    background="#121212",
    surface="#1c1c1c",
    panel="#262626",
    boost="#303030",
    dark=True,
    # Mixed colours fall between the slots of the grid.
    text_alpha=1.0,
    variables={
        "input-cursor-background": "#e4e4e4",
        "input-cursor-foreground": "#121212",
        "input-cursor-text-style": "none",
        "input-selection-background": "#5f5f87",
        "input-selection-foreground": "#ffffff",
        "block-cursor-background": "#303030",
        "block-cursor-foreground": "#ffffff",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-background": "#262626",
        "block-cursor-blurred-foreground": "#e4e4e4",
        "block-cursor-blurred-text-style": "none",
        "scrollbar": "#444444",
        "scrollbar-hover": "#585858",
        "scrollbar-active": "#afd7ff",
        "scrollbar-background": "#121212",
        "scrollbar-background-hover": "#121212",
        "scrollbar-background-active": "#121212",
        "border": "#585858",
        "border-blurred": "#444444",
    },
)
"""Every pair of text and ground used has a contrast of at least 7:1; a test computes it."""
