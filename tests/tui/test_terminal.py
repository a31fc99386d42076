"""A real terminal: tmux shows what is left on the screen after a signal, a crash and an end."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from advisor.session.lock import SessionLock
from advisor.session.places import sessions_folder
from tests.tui.support import saved_answers, write_session

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")

MOST_WAIT = 20.0
"""Seconds until a wait is given up; the slowest, a cold start, takes about two."""

START = """
import os, sys
from pathlib import Path
from advisor.tui import accepting
from advisor.tui.app import run_interview
Path(__file__).with_name("pid").write_text(str(os.getpid()))
"""
"""Before the call of the interview; leaves the process id in a file."""


class Terminal:
    """A shell in a tmux server of its own."""

    def __init__(self, home: Path) -> None:
        self._socket = str(home / "tmux")
        self._program = home / "program.py"
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "CKPT_ADVISOR_HOME": str(home / "home"),
            "PYTHONPATH": os.getcwd(),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
        }
        shell = "env -u TMUX bash --norc --noprofile"
        subprocess.run(
            [*f"tmux -S {self._socket} -f /dev/null new-session -d -x 80 -y 24".split(), shell],
            env=environment,
            check=True,
        )

        self.type("PS1='prompt> '; clear", "Enter")
        self.waits(lambda shown: shown.startswith("prompt>"), "the shell")

    def tmux(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-S", self._socket, *words], capture_output=True, text=True, check=True
        )
        return done.stdout

    def screen(self) -> str:
        return self.tmux("capture-pane", "-p")

    def mode(self) -> str:
        """Alternate screen, any mouse mode: "0 0" for a terminal as a shell leaves it."""
        return self.tmux("display", "-p", "#{alternate_on} #{mouse_any_flag}").strip()

    def type(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def run(self, call: str, before: str = "") -> None:
        """Start the interview and show its exit code when it ends."""
        self._program.write_text(f"{START}\n{before}\nsys.exit({call})\n")
        self.type(f"{sys.executable} {self._program}; echo code=$?", "Enter")

    def kill(self, signal: str) -> None:
        subprocess.run(
            ["kill", f"-{signal}", self._program.with_name("pid").read_text()], check=True
        )

    def waits(self, sign: Callable[[str], bool], what: str) -> str:
        end = time.monotonic() + MOST_WAIT
        while not sign(shown := self.screen()):
            assert time.monotonic() < end, f"waited in vain for {what}:\n{shown}"
            time.sleep(0.05)
        return shown

    def shows(self, sentence: str) -> str:
        return self.waits(lambda shown: sentence in shown, sentence)


@pytest.fixture
def terminal(home: Path) -> Iterator[Terminal]:
    shell = Terminal(home)
    yield shell
    shell.tmux("kill-server")


@pytest.mark.parametrize(("signal", "code"), [("TERM", 143), ("HUP", 129), ("INT", 130)])
def test_a_signal_leaves_a_clean_terminal_and_all_answers(
    terminal: Terminal, signal: str, code: int
) -> None:
    terminal.run("run_interview(None)")
    terminal.shows("0 of 5 known")
    assert terminal.mode().startswith("1")
    terminal.type("12 TB", "Enter")
    terminal.shows("1 of 5 known")
    terminal.type("12x")
    terminal.shows("12x")
    terminal.kill(signal)
    shown = terminal.shows(f"code={code}")
    assert terminal.mode() == "0 0"
    assert "prompt>" in shown
    assert "Traceback" not in shown
    (path,) = sessions_folder().glob("*.toml")
    assert saved_answers(path) == {"state_total": ("12 TB", "estimated")}
    # The next start offers it, and the draft is there too.
    terminal.type("clear", "Enter")
    terminal.run("run_interview(None)")
    terminal.shows("Your last session")
    terminal.type("Enter")
    assert "1 of 5 known" in terminal.shows("12x")
    terminal.type("C-q")
    terminal.shows("code=0")
    assert terminal.mode() == "0 0"


def test_a_killed_terminal_loses_no_accepted_answer(terminal: Terminal) -> None:
    terminal.run("run_interview(None)")
    terminal.shows("0 of 5 known")
    terminal.type("12 TB", "Enter")
    terminal.waits(lambda shown: bool(re.search(r"saved \d\d:", shown)), "the time of saving")
    terminal.kill("KILL")
    (path,) = sessions_folder().glob("*.toml")
    assert saved_answers(path) == {"state_total": ("12 TB", "estimated")}


def test_a_fault_of_ours_is_reported_without_anybodys_answers(
    terminal: Terminal, home: Path
) -> None:
    terminal.run("run_interview(None)", before="accepting.accept_draft = lambda *_: 1 / 0")
    terminal.shows("0 of 5 known")
    terminal.type("12345 TB", "Enter")
    shown = terminal.shows("code=70")
    assert terminal.mode() == "0 0"
    assert "ckpt-advisor failed (ZeroDivisionError)" in shown
    assert "Traceback" not in shown
    (report,) = (home / "home" / "state" / "crashes").iterdir()
    assert "ZeroDivisionError" in report.read_text()
    assert "12345" not in report.read_text()
    assert "12345" not in shown


def test_a_session_open_elsewhere_is_a_message_and_code_4(terminal: Terminal, home: Path) -> None:
    path = write_session(home / "job.toml")
    with SessionLock(path):
        terminal.run(f"run_interview(Path('{path}'))")
        shown = terminal.shows("code=4")
    assert "open in another ckpt-advisor" in " ".join(shown.split())
    assert terminal.mode() == "0 0"


def test_leaving_with_unsaved_answers_says_so(terminal: Terminal) -> None:
    full = """
import errno
import advisor.session.store as store
def replace_file(*_, **__):
    raise OSError(errno.ENOSPC, "full")
store.replace_file = replace_file
"""
    terminal.run("run_interview(None)", before=full)
    terminal.shows("0 of 5 known")
    terminal.type("12 TB", "Enter")
    terminal.shows("not saved: the disk is full")
    terminal.type("C-q")
    # The terminal breaks lines within words.
    shown = "".join(terminal.shows("code=2").split())
    assert "lacksanswers:notsaved:thediskisfull" in shown
    assert "Theyareofferedwhenyouopenitagain." in shown


def test_without_colour_the_screen_says_the_same(terminal: Terminal, home: Path) -> None:
    path = write_session(home / "job.toml")
    terminal.run(f"run_interview(Path('{path}'), no_color=True)")
    terminal.shows("Goodput")
    coloured = terminal.tmux("capture-pane", "-p", "-e")
    terminal.type("C-q")
    terminal.shows("code=0")
    # Greys only: in every colour sequence red, green and blue are the same, or it is a grey of 256.
    for red, green, blue in re.findall(r"[34]8;2;(\d+);(\d+);(\d+)", coloured):
        assert red == green == blue
    for index in re.findall(r"[34]8;5;(\d+)", coloured):
        assert int(index) in {0, 7, 8, 15, 16, 59, 102, 145, 188, 231} or 232 <= int(index) <= 255


def test_the_last_line_says_where_the_session_is(terminal: Terminal) -> None:
    terminal.run("run_interview(None)")
    terminal.shows("0 of 5 known")
    terminal.type("C-q")
    assert "Nothing was answered or saved." in terminal.shows("code=0")
    terminal.type("clear", "Enter")
    terminal.run("run_interview(None)")
    terminal.shows("0 of 5 known")
    terminal.type("12 TB", "Enter")
    terminal.shows("1 of 5 known")
    terminal.type("F1")
    terminal.shows("Keys and help")
    terminal.type("C-q")
    shown = terminal.shows("code=0")
    (path,) = sessions_folder().glob("*.toml")
    (line,) = [line for line in shown.splitlines() if line.startswith("Saved in ")]
    assert line == f"Saved in ~/home/data/sessions/{path.name}."


def test_quiet_leaves_without_a_word(terminal: Terminal) -> None:
    terminal.run("run_interview(None, quiet=True)")
    terminal.shows("0 of 5 known")
    terminal.type("C-q")
    assert "saved" not in terminal.shows("code=0")
