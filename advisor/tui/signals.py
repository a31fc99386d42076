"""Leaving cleanly on SIGTERM, SIGHUP and SIGINT: Textual alone would leave the terminal broken."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from functools import partial

SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
"""What a scheduler, a lost connection and a kill from another shell send."""

AFTER_SIGNAL = 128
"""Exit codes after a signal are this plus its number, as shells report them."""


def install(leave: Callable[[int], None]) -> None:
    """Call ``leave`` with 128 + n on signal n, inside the running event loop."""
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        loop.add_signal_handler(number, partial(leave, AFTER_SIGNAL + number))


def remove() -> None:
    """Give the signals back to Python."""
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        loop.remove_signal_handler(number)
