"""The drawings of a report, each in the section it belongs to."""

from __future__ import annotations

from dataclasses import replace

from advisor.engine.advice import Advice
from advisor.report.document import ALWAYS, Document, Heading, Section, text
from advisor.report.drawing import Figure
from advisor.report.figure_interval import interval_figure
from advisor.report.figure_losses import losses_figure
from advisor.report.figure_thresholds import thresholds_figure
from advisor.report.figure_time_out import time_out_figure

_AFTER = ("what this rests on", "the open questions", "the versions")
"""Sections that come after the drawings with a section of their own."""


def with_figures(document: Document, advice: Advice) -> Document:
    """The report with its drawings.

    Args:
        document: the report of the advice, as ``build_report`` gives it.
        advice: the same advice.
    """
    inside = {
        "the table of figures": losses_figure(advice),
        "the interval": interval_figure(advice),
    }
    sections = [
        replace(section, figures=(found,)) if (found := inside.get(section.name)) else section
        for section in document.sections
    ]
    own = [_section(f) for f in (time_out_figure(advice), thresholds_figure(advice)) if f]
    place = next((i for i, s in enumerate(sections) if s.name in _AFTER), len(sections))
    return replace(document, sections=(*sections[:place], *own, *sections[place:]))


def _section(figure: Figure) -> Section:
    return Section(figure.title.lower(), (Heading(3, text(figure.title)),), ALWAYS, (figure,))
