"""What happens when the program itself fails: a report on disk, a short message, exit code 70."""

from __future__ import annotations

import platform
import traceback
from datetime import datetime
from pathlib import Path

from advisor import __version__
from advisor.session.errors import StoreError
from advisor.session.places import state_folder

CRASH_CODE = 70
"""EX_SOFTWARE of sysexits.h: the fault is ours, not the person's."""


def write_report(error: BaseException, now: datetime) -> Path | None:
    """Write a report without the values of variables, and without the person's answers.

    Returns:
        The file, or None where it cannot be written.
    """
    frames = "".join(traceback.format_tb(error.__traceback__))
    text = (
        f"ckpt-advisor {__version__}, Python {platform.python_version()}, {platform.platform()}\n"
        f"{now.isoformat(timespec='seconds')}\n\n{frames}{type(error).__name__}\n"
    )
    try:
        path = state_folder("crashes") / f"crash-{now:%Y%m%d-%H%M%S}.txt"
        path.write_text(text)
    except (StoreError, OSError):
        return None
    return path


def crash_message(error: BaseException, report: Path | None) -> str:
    """What the person is told, in a few lines."""
    where = (
        f"The report is {report}: please send it along."
        if report
        else "The report could not be written."
    )
    return (
        f"ckpt-advisor failed ({type(error).__name__}). Every accepted answer is saved; "
        f"start it again to go on.\n{where}\n"
    )
