"""An HTML page read from outside: parsed strictly by the standard, and seen as a reader sees it."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

import html5lib  # type: ignore[import-untyped]  # it ships no types

SVG = "{http://www.w3.org/2000/svg}"
"""How the parser writes the names of drawings."""

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

ALLOWED = frozenset(
    (
        *("html", "head", "meta", "title", "style", "body", "main", "section", *HEADINGS),
        *("p", "span", "strong", "code", "a", "ul", "ol", "li", "pre", "details", "summary"),
        *("div", "table", "thead", "tbody", "tr", "th", "td", "figure", "figcaption"),
        *(f"{SVG}{n}" for n in ("svg", "title", "desc", "polyline", "rect", "circle", "text")),
    )
)
"""Every element a page may have: none that runs, loads, or takes input."""

ATTRIBUTES = frozenset(
    (
        *("lang", "charset", "name", "content", "http-equiv", "class", "tabindex", "role"),
        *("aria-label", "aria-labelledby", "id", "href", "rel", "scope", "viewBox"),
        *("points", "x", "y", "width", "height", "cx", "cy", "r", "text-anchor"),
    )
)
"""Every attribute a page may have."""

HELD = str.maketrans("\N{NO-BREAK SPACE}", " ")
"""Between a number and its unit the page has a space that does not break."""


def page(html: str) -> Element:
    """The document; fails at the first thing the standard calls an error, or nobody allowed."""
    root: Element = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(html)
    for element in root.iter():
        assert element.tag in ALLOWED, element.tag
        assert set(element.attrib) <= ATTRIBUTES, element.attrib
        if "href" in element.attrib:
            assert element.attrib["href"].startswith(("https://", "http://", "mailto:"))
    ids = [e.attrib["id"] for e in root.iter() if "id" in e.attrib]
    assert len(ids) == len(set(ids))
    return root


def words(element: Element) -> str:
    """All text of an element, with ordinary spaces between numbers and units."""
    return "".join(element.itertext()).translate(HELD)


def texts(root: Element, *tags: str) -> list[str]:
    """The text of every element of some names, in order."""
    return [words(e) for e in root.iter() if e.tag in tags]


def said(root: Element) -> Iterator[str]:
    """Every piece of text a reader or a screen reader meets, lines to paste left out."""
    for tag in ("p", "li", "td", "th", "summary", "figcaption", *HEADINGS):
        yield from texts(root, tag)
    yield from texts(root, f"{SVG}title", f"{SVG}desc", f"{SVG}text")
