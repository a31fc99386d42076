"""Leaving cleanly on SIGTERM, SIGHUP and SIGINT: Textual alone would leave the terminal broken."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from functools import partial

SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
"""What a scheduler, a lost connection and a kill from another shell send."""

AFTER_SIGNAL = 128
"""Exit codes after a signal are this plus its number, as shells report them."""


LONGEST = 15.0
"""Seconds for saving and restoring the terminal after a signal, before the process is ended."""


def install(leave: Callable[[int], None]) -> None:
    """Call ``leave`` with 128 + n on signal n, inside the running event loop."""
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        loop.add_signal_handler(number, partial(_leave, leave, AFTER_SIGNAL + number))


def _leave(leave: Callable[[int], None], code: int) -> None:
    """End, and see that the process does: reading a terminal that is gone may never return."""
    last = threading.Timer(LONGEST, os._exit, (code,))
    last.daemon = True
    last.start()
    leave(code)


def remove() -> None:
    """Give the signals back to Python."""
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        loop.remove_signal_handler(number)
