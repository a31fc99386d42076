"""A command that is asked to end does so cleanly, with the exit code of the signal."""

from __future__ import annotations

import signal
from types import FrameType
from typing import NoReturn

from advisor.commands.exit_codes import SIGNAL


def end_on_signals() -> None:
    """Turn SIGTERM and SIGHUP into SystemExit with 128 + n, so that files are left whole."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # Under nohup the hang-up stays ignored.
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    # A second signal must not stop the clean-up that the first one started.
    signal.signal(number, signal.SIG_IGN)
    raise SystemExit(SIGNAL + number)
