"""Copying text out of a terminal, and saying truthfully which way it went."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass

TMUX_WAIT = 2.0
"""Seconds for ``tmux load-buffer``; it takes milliseconds unless the server hangs."""

OSC52_BYTES = 74_994
"""Bytes of text that fit into one OSC 52 sequence: xterm and tmux stop at 100,000 of base64."""


@dataclass(frozen=True, slots=True)
class Copied:
    """How a copy went.

    Attributes:
        sure: whether the receiving side confirmed it.
        text: one sentence for the person.
    """

    sure: bool
    text: str


def copy(text: str, osc52: Callable[[str], None]) -> Copied:
    """Copy a text to the clipboard.

    In tmux through ``load-buffer -w``, since tmux drops OSC 52 with its default settings; elsewhere
    through OSC 52, which no terminal acknowledges.

    Args:
        text: what to copy.
        osc52: sends one OSC 52 sequence to the terminal.
    """
    if os.environ.get("TMUX"):
        failure = _through_tmux(text)
        if not failure:
            return Copied(True, "Copied through tmux (load-buffer); paste with prefix ].")
        return Copied(False, f"Not copied: {failure}.")
    if len(text.encode()) > OSC52_BYTES:
        return Copied(False, "Not copied: the text is too long for a terminal to take.")
    osc52(text)
    return Copied(False, "Sent to the terminal's clipboard (OSC 52), if it accepts that.")


def _through_tmux(text: str) -> str:
    """Hand the text to tmux; what went wrong, or ""."""
    tmux = shutil.which("tmux")
    if tmux is None:
        return "tmux is not on the PATH"
    try:
        done = subprocess.run(  # noqa: S603 - the program found on the PATH, without a shell
            [tmux, "load-buffer", "-w", "-"],
            input=text.encode(),
            capture_output=True,
            timeout=TMUX_WAIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "tmux does not answer"
    except OSError as error:
        return f"tmux cannot be started ({error.strerror})"
    return "" if done.returncode == 0 else "tmux refused the text"
