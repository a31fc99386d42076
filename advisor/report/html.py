"""One HTML file that holds everything: no network, no script, light and dark, on paper and phone.

Every text is escaped as it is written; the policy in the head forbids a browser to load or run
anything even if one were not. Between a number and its unit stands a space that keeps them on one
line; lines to paste and names keep theirs.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files
from itertools import count

from advisor.report import svg
from advisor.report.addresses import is_address
from advisor.report.characters import visible
from advisor.report.document import (
    Block,
    Bullets,
    Callout,
    Code,
    Details,
    Document,
    Heading,
    Link,
    Mono,
    Numbered,
    Paragraph,
    Run,
    Runs,
    Section,
    Strong,
    Table,
    plain,
)
from advisor.report.drawing import Figure
from advisor.report.wrap import glued

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Nothing may be loaded or run; the style stands in the file itself."""

_HEAD = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>{heading}</h1>
"""

_LEVEL_CALLED = {"note": "Note", "warning": "Warning", "danger": "Danger"}
"""How a callout is announced to those who cannot see its colour."""

_WIDE = 5
"""Columns from which a table keeps its width and scrolls in its box on a small screen."""


def render(document: Document) -> str:
    """The document as one HTML file, ending in one line end.

    Headings below the title are numbered by what is used: the largest in the document becomes a
    second-level one, and none is deeper than one below the heading before it.

    Args:
        document: the report; its figures are drawn where it has any.
    """
    page = _Page(document)
    body = "\n".join(page.section(section) for section in document.sections)
    title = visible(document.title).replace("\n", " ")
    head = _HEAD.format(
        policy=escape(_POLICY), title=_words(title), heading=_words(glued(title)), style=_style()
    )
    return f"{head}{body}\n</main>\n</body>\n</html>\n"


@cache
def _style() -> str:
    return files("advisor.report").joinpath("page.css").read_text(encoding="utf-8")


class _Page:
    """One page while it is written: the levels of its headings and the ids of its tables."""

    def __init__(self, document: Document) -> None:
        used = sorted({b.level for b in _all(document.blocks) if isinstance(b, Heading)})
        self._levels = {level: i for i, level in enumerate(used, 2)}
        self._before = 1
        self._tables = count(1)

    def section(self, section: Section) -> str:
        """One section with its figures."""
        said = {plain(b.runs) for b in section.blocks if isinstance(b, Heading)}
        parts = [self.block(block) for block in section.blocks]
        parts += [_figure(f, titled=f.title not in said) for f in section.figures]
        return "<section>\n{}\n</section>".format("\n".join(parts))

    def block(self, block: Block) -> str:
        """One block; nothing in it is left as markup of its own."""
        match block:
            case Heading(level, runs):
                self._before = min(self._levels[level], self._before + 1, 6)
                return f"<h{self._before}>{line(runs)}</h{self._before}>"
            case Paragraph(runs):
                return f"<p>{line(runs)}</p>"
            case Callout(level, runs):
                called = f'<span class="level">{_LEVEL_CALLED[level]}: </span>'
                return f'<p class="callout {level}">{called}{line(runs)}</p>'
            case Bullets(items):
                return _list("ul", items)
            case Numbered(items):
                return _list("ol", items)
            case Table(header, rows):
                return self._table(header, rows)
            case Code(text, _):
                code = _words(text.rstrip("\n"))
                return f'<pre tabindex="0"><code>{code}</code></pre>'
            case Details(summary, inner):
                blocks = "\n".join(self.block(b) for b in inner)
                head = f"<summary>{_words(summary)}</summary>"
                return f"<details>\n{head}\n{blocks}\n</details>"

    def _table(self, header: tuple[Runs, ...], rows: tuple[tuple[Runs, ...], ...]) -> str:
        label = ", ".join(w for w in (plain(cell) for cell in header) if w) or "figures"
        name = f"Table {next(self._tables)}: {label}"
        head = "".join(_cell(cell, "col") for cell in header)
        body = "\n".join(
            f"<tr>{_cell(row[0], 'row')}{''.join(_cell(cell) for cell in row[1:])}</tr>"
            for row in rows
            if row
        )
        wide = ' class="wide"' if len(header) >= _WIDE else ""
        return (
            f'<div class="scroll" role="region" tabindex="0" aria-label="{_words(name)}">\n'
            f"<table{wide}>\n<thead>\n<tr>{head}</tr>\n</thead>\n<tbody>\n{body}\n</tbody>\n</table>\n"
            "</div>"
        )


def _all(blocks: Iterable[Block]) -> Iterable[Block]:
    for block in blocks:
        yield block
        if isinstance(block, Details):
            yield from _all(block.blocks)


def _figure(figure: Figure, *, titled: bool) -> str:
    """A figure with its caption, which begins with the title unless a heading has just said it."""
    title = f"<strong>{_words(figure.title)}.</strong> " if titled else ""
    caption = _words(glued(figure.caption))
    return f"<figure>\n{svg.render(figure)}\n<figcaption>{title}{caption}</figcaption>\n</figure>"


def _list(tag: str, items: tuple[Runs, ...]) -> str:
    inside = "\n".join(f"<li>{line(runs)}</li>" for runs in items)
    return f"<{tag}>\n{inside}\n</{tag}>"


def _cell(runs: Runs, scope: str = "") -> str:
    """A cell; a heading cell without words is an ordinary one, so that nothing empty is read."""
    if not scope or not plain(runs):
        return f"<td>{line(runs)}</td>"
    return f'<th scope="{scope}">{line(runs)}</th>'


def line(runs: Runs) -> str:
    """Some runs as inline HTML."""
    return "".join(_run(run) for run in runs if run.text)


def _run(run: Run) -> str:
    words = _words(glued(run.text))
    match run:
        case Strong():
            return f"<strong>{words}</strong>"
        case Mono():
            return f"<code>{_words(run.text)}</code>"
        case Link(_, url) if is_address(url):
            return f'<a href="{_words(url)}" rel="noreferrer">{words}</a>'
        case _:
            return words


def _words(text: str) -> str:
    return escape(visible(text))
