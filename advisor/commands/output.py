"""Results to stdout, everything else to stderr; a reader that has gone away is no fault."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

from advisor.facts.toml_fault import printable

if TYPE_CHECKING:
    from pathlib import Path


def emit(text: str) -> None:
    """Write a result to stdout, with a newline at its end.

    Where the reader has gone away (``| head -1``) the rest is dropped, so that the exit code is
    still the computed one.

    Raises:
        StoreError: stdout cannot be written, as on a full disk.
    """
    if sys.stdout is None:
        return
    try:
        sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        _drop(sys.stdout)
    except OSError as error:
        from advisor.session.errors import store_error

        _drop(sys.stdout)
        raise store_error("the output", error) from error


def complain(text: str) -> None:
    """Write a message to stderr, control characters shown escaped."""
    if sys.stderr is None:
        return
    try:
        for line in text.split("\n"):
            sys.stderr.write(f"{printable(line)}\n")
        sys.stderr.flush()
    except OSError:
        # Nobody can be told that nobody can be told.
        _drop(sys.stderr)


def settle() -> None:
    """Write out what is still buffered, so that Python has nothing left to fail on at its end."""
    for stream in (sys.stdout, sys.stderr):
        if stream is None or stream.closed:
            continue
        try:
            stream.flush()
        except OSError:
            _drop(stream)


def tolerant(stream: TextIO | None) -> None:
    """Let a stream show characters its encoding lacks as escapes rather than fail on them."""
    import io

    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is there, open, and a terminal."""
    return stream is not None and not stream.closed and stream.isatty()


def table(rows: list[tuple[str, ...]]) -> str:
    """Rows as aligned columns, two spaces apart; the last column is as long as its text."""
    columns = range(max((len(row) for row in rows), default=0))
    shown = [tuple(printable(cell) for cell in row) for row in rows]
    widths = [max(len(row[at]) for row in shown) for at in columns]
    lines = ["  ".join(cell.ljust(widths[at]) for at, cell in enumerate(row)) for row in shown]
    return "\n".join(line.rstrip() for line in lines)


def write_output(path: Path, text: str) -> None:
    """Write a result to a file: whole or not at all.

    A link keeps pointing at the file that is replaced; a device or a pipe is written to.

    Raises:
        StoreError: the file cannot be written; an old one is then untouched.
    """
    from advisor.session.atomic import write_to
    from advisor.session.errors import StoreError, store_error

    data = text.encode("utf-8", errors="backslashreplace")
    try:
        if path.is_dir():
            raise StoreError(path, "this is a folder", "name a file in it")
        write_to(path, data)
    except (OSError, RuntimeError, ValueError) as error:
        raise store_error(path, error) from error


def _drop(stream: TextIO) -> None:
    """Point a stream nowhere, so that Python does not fail again when it closes it."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        stream.close()
