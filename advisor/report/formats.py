"""The export formats: name, what each is for, and how it is made; one entry per format.

Nothing heavy is imported until a format is used, so that the help of a command can list them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from advisor.engine.advice import Advice
    from advisor.engine.knowledge import Knowledge


@dataclass(frozen=True, slots=True)
class Exported:
    """What a format may draw on.

    Attributes:
        advice: on the session.
        knowledge: the advice was given with.
        path: the session file.
    """

    advice: Advice
    knowledge: Knowledge
    path: Path


@dataclass(frozen=True, slots=True)
class Format:
    """One export format.

    Attributes:
        purpose: a few words for the help.
        render: the whole export as text, ending in one line end.
    """

    purpose: str
    render: Callable[[Exported], str]


def _markdown(source: Exported) -> str:
    from advisor.report import markdown
    from advisor.report.build import build_report

    return markdown.render(build_report(source.advice))


def _text(source: Exported) -> str:
    from advisor.report import text
    from advisor.report.build import build_report

    return text.render(build_report(source.advice))


def _html(source: Exported) -> str:
    from advisor.report import html
    from advisor.report.build import build_report
    from advisor.report.figures import with_figures

    return html.render(with_figures(build_report(source.advice), source.advice))


def _json(source: Exported) -> str:
    from advisor.report import json_export

    return json_export.render(source.advice)


def _sarif(source: Exported) -> str:
    from advisor.report import sarif

    return sarif.render(source.advice, source.knowledge, source.path)


FORMATS: Mapping[str, Format] = {
    "md": Format("tickets", _markdown),
    "text": Format("mail", _text),
    "html": Format("an archive, with charts", _html),
    "json": Format("scripts", _json),
    "sarif": Format("code scanning", _sarif),
}
"""All formats by name, in the order of the help; the first is the default."""
