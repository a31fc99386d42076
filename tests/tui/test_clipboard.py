"""Copying, and saying truthfully which way it went."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from advisor.tui.clipboard import OSC52_BYTES, copy


def test_outside_tmux_the_terminal_is_asked() -> None:
    sent: list[str] = []
    copied = copy("lines", sent.append)
    assert sent == ["lines"]
    assert not copied.sure
    assert "OSC 52" in copied.text


def test_a_text_too_long_for_a_terminal_is_not_sent() -> None:
    sent: list[str] = []
    copied = copy("x" * (OSC52_BYTES + 1), sent.append)
    assert sent == []
    assert copied.text.startswith("Not copied")


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_in_tmux_the_buffer_holds_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    socket = home / "tmux"
    server = ["tmux", "-S", str(socket), "-f", "/dev/null"]
    subprocess.run([*server, "new-session", "-d"], check=True)
    try:
        monkeypatch.setenv("TMUX", f"{socket},1,0")
        sent: list[str] = []
        copied = copy("--async-save\nsecond line", sent.append)
        buffer = subprocess.run([*server, "show-buffer"], capture_output=True, check=True)
    finally:
        subprocess.run([*server, "kill-server"], check=True)
    assert buffer.stdout == b"--async-save\nsecond line"
    assert copied.sure
    assert "load-buffer" in copied.text
    assert sent == []


def test_a_tmux_that_is_gone_is_not_called_copied(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMUX", f"{home / 'nowhere'},1,0")
    sent: list[str] = []
    assert copy("lines", sent.append).text.startswith("Not copied")
    monkeypatch.setenv("PATH", str(home))
    assert copy("lines", sent.append).text == "Not copied: tmux is not on the PATH."
