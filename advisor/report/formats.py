"""The export formats: name, what each is for, and how it is made; one entry per format.

Nothing heavy is imported until a format is used, so that the help of a command can list them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.report.lengths import JIRA_LIMIT, SLACK_LIMIT, Length

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
        redact: names, hosts, paths and notes must not show.
    """

    advice: Advice
    knowledge: Knowledge
    path: Path
    redact: bool = False


@dataclass(frozen=True, slots=True)
class Format:
    """One export format.

    Attributes:
        purpose: a few words for the help.
        module: of ``advisor.report``, whose ``render`` prints the report; "" with ``make``.
        limit: most characters its target takes; None where there is no limit to keep.
        length: taken unless another one is asked for.
        make: prints a format of its own kind from the whole advice, which has one length.
    """

    purpose: str
    module: str = ""
    limit: int | None = None
    length: Length = "full"
    make: Callable[[Exported], str] | None = None

    def render(self, source: Exported, length: Length | None = None) -> str:
        """The whole export as text, ending in one line end.

        Args:
            source: what to print.
            length: the whole ticket or its short form; None for the usual one.

        Raises:
            TooLongError: not even what is never cut fits into the limit.
        """
        if self.make is not None:
            return self.make(source)
        from advisor.report.build import build_report

        render: Callable[..., str] = import_module(f"advisor.report.{self.module}").render
        return render(build_report(source.advice, length=length or self.length), limit=self.limit)


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

    return sarif.render(source.advice, source.knowledge, source.path, redact=source.redact)


FORMATS: Mapping[str, Format] = {
    "md": Format("tickets of GitHub, GitLab and the like", "markdown"),
    "jira": Format("Jira Server and Data Center, as wiki markup", "jira", JIRA_LIMIT),
    "adf": Format("Jira Cloud and Confluence Cloud, as JSON", "adf", JIRA_LIMIT),
    "slack": Format("the text of a message", "slack", SLACK_LIMIT, "summary"),
    "text": Format("mail", "text"),
    "html": Format("an archive, with charts", make=_html),
    "json": Format("scripts", make=_json),
    "sarif": Format("code scanning", make=_sarif),
}
"""All formats by name, in the order of the help; the first is the default."""
