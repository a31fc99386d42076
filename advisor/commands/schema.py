"""``ckpt-advisor schema``: the JSON Schema of the session file, or of the JSON export."""

from __future__ import annotations

import argparse

from advisor.commands.exit_codes import FINE
from advisor.commands.options import NO_SITE, add_common
from advisor.commands.output import complain, emit, write_output

SUMMARY = "the JSON Schema of the session file or of the JSON export, for editors and scripts"

WHICH = ("session", "advice")
"""What there is a schema of."""

_NOTES = """\
editors that know TOML schemas (taplo, Even Better TOML, tombi) then complete
facts, choices and keys, and mark what is wrong while you type:
  ckpt-advisor schema -o session.schema.json
and as the first line of a session file beside it:
  #:schema ./session.schema.json
it holds your own facts too where --rules names their folder."""


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``schema``."""
    parser.epilog = _NOTES
    parser.add_argument(
        "which",
        nargs="?",
        choices=WHICH,
        default="session",
        help="session: the session file (default); advice: export --format json",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="a file instead of stdout")
    add_common(parser, site=NO_SITE)


def run(arguments: argparse.Namespace) -> int:
    """Print or write the schema.

    Raises:
        Exception: one of ``known_faults``.
    """
    import json
    from pathlib import Path

    from advisor.commands.inputs import knowledge_of

    if arguments.which == "advice":
        from advisor.report.json_schema import advice_json_schema

        schema = advice_json_schema()
    else:
        from advisor.session.editor_schema import editor_schema

        knowledge = knowledge_of(arguments)
        titles = {rule.id: rule.title for rule in knowledge.pack.rules.values()}
        schema = editor_schema(knowledge.catalogue, titles)
    text = f"{json.dumps(schema, indent=2, ensure_ascii=False)}\n"
    if arguments.output in (None, "-"):
        emit(text)
        return FINE
    write_output(Path(arguments.output), text)
    if not arguments.quiet:
        complain(f"written to {arguments.output}")
    return FINE
