"""``ckpt-advisor sessions``: the saved sessions."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from advisor.commands.exit_codes import FINE
from advisor.commands.options import NO_SITE, add_common, add_format
from advisor.commands.output import complain, emit, table

if TYPE_CHECKING:
    from advisor.session.store import SessionSummary

SUMMARY = "list the saved sessions"


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``sessions``."""
    add_format(parser)
    add_common(parser, site=NO_SITE)


def run(arguments: argparse.Namespace) -> int:
    """Print the list, last changed first; files that cannot be read come last, with the fault.

    Raises:
        StoreError: the folder cannot be read, or there is no home folder.
    """
    from advisor.session.places import sessions_folder
    from advisor.session.store import list_sessions

    folder = sessions_folder(create=False)
    found = list_sessions(folder)
    if arguments.format == "json":
        import json

        emit(json.dumps({"schema_version": 1, "sessions": [_json(one) for one in found]}, indent=2))
    elif found:
        emit(table([("name", "changed", "answers", "title"), *(_cells(one) for one in found)]))
    if not found and not arguments.quiet:
        complain(f"there is no saved session in {folder}")
    return FINE


def _cells(one: SessionSummary) -> tuple[str, ...]:
    if one.session is None:
        return one.path.stem, "-", "-", f"cannot be read: {_fault(one)}"
    changed = one.session.updated
    day = changed.strftime("%Y-%m-%d %H:%M") if changed else "-"
    tags = " ".join(f"[{tag}]" for tag in one.session.tags)
    title = f"{one.session.title or one.session.id} {tags}".strip()
    return one.path.stem, day, str(len(one.session.answers)), title


def _fault(one: SessionSummary) -> str:
    fault = one.fault
    if fault is None:
        return ""
    place = f"{fault.path}:{fault.line}:{fault.column}: " if fault.line else ""
    return f"{place}{fault.message}"


def _json(one: SessionSummary) -> dict[str, Any]:
    session = one.session
    return {
        "path": str(one.path),
        "id": session.id if session else None,
        "title": session.title if session else None,
        "tags": list(session.tags) if session else [],
        "created": session.created.isoformat() if session and session.created else None,
        "updated": session.updated.isoformat() if session and session.updated else None,
        "answers": len(session.answers) if session else None,
        "newer": one.is_newer,
        "fault": _fault(one) or None,
    }
