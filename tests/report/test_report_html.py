"""The HTML page judged from outside: by the standard's own parser, and by the contrast rule."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.report.build import build_report
from advisor.report.document import (
    ALWAYS,
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
    Section,
    Strong,
    Table,
    Text,
    plain,
    text,
)
from advisor.report.drawing import Drawing, Figure, Label
from advisor.report.figures import with_figures
from advisor.report.html import render
from tests.report.html_judge import HEADINGS, HELD, SVG, page, said, texts, words
from tests.report.support import CASES, advice_on, case, session
from tests.report.test_report_markdown import HOSTILE
from tests.report.test_report_properties import HOLES

ATTACKS = (
    *HOSTILE,
    "</title><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onload='alert(1)",
    "</pre></code></details></main></body></html>",
    "<!-- <![CDATA[ ]]> -->",
    "<svg onload=alert(1)><foreignObject>",
    "&lt;&#60;&notin;&copy",
    "{title}{style}{0}%s",
)
"""Texts that mean something to HTML, or to what fills in the page."""

anything = st.text(max_size=40) | st.sampled_from(ATTACKS)
runs_of = st.lists(
    st.one_of(
        st.builds(Text, anything),
        st.builds(Strong, anything),
        st.builds(Mono, anything),
        st.builds(Link, anything, anything | st.just("https://a.example/?b=1&c=<d>")),
    ),
    max_size=3,
).map(tuple)
rows_of = st.integers(1, 5).flatmap(
    lambda n: st.builds(
        Table,
        st.tuples(*[runs_of] * n),
        st.lists(st.tuples(*[runs_of] * n), max_size=3).map(tuple),
    )
)
flat = st.one_of(
    st.builds(Heading, st.integers(1, 6), runs_of),
    st.builds(Paragraph, runs_of),
    st.builds(Callout, st.sampled_from(["note", "warning", "danger"]), runs_of),
    st.builds(Bullets, st.lists(runs_of, max_size=3).map(tuple)),
    st.builds(Numbered, st.lists(runs_of, max_size=3).map(tuple)),
    st.builds(Code, anything, anything),
    rows_of,
)
blocks_of = flat | st.builds(Details, anything, st.lists(flat, max_size=3).map(tuple))


def one(*blocks: Block, title: str = "t", figures: tuple[Figure, ...] = ()) -> str:
    return render(Document(title, (Section("s", blocks, ALWAYS, figures),)))


def drawn(name: str) -> str:
    return render(with_figures(build_report(case(name)), case(name)))


def printed(char: str) -> bool:
    """Whether a character has a picture, so that it comes back as itself."""
    return char.isprintable() or char == "\n"


@given(anything, st.lists(blocks_of, max_size=6))
def test_any_document_is_valid_and_brings_no_markup_of_its_own(
    title: str, blocks: list[Block]
) -> None:
    page(one(*blocks, title=title))


@given(st.lists(st.integers(1, 6), max_size=8), st.booleans())
def test_headings_are_in_order_whatever_the_levels(levels: list[int], folded: bool) -> None:
    blocks: list[Block] = [Heading(level, text("h")) for level in levels]
    html = one(Details("d", tuple(blocks))) if folded else one(*blocks)
    found = [HEADINGS.index(str(e.tag)) for e in page(html).iter() if e.tag in HEADINGS]
    assert found[0] == 0
    assert found.count(0) == 1
    assert all(b <= a + 1 for a, b in pairwise(found))


@given(anything.filter(lambda s: s.strip() != "" and all(map(printed, s))))
def test_every_text_comes_back_as_it_was(typed: str) -> None:
    name = Figure("f", typed, typed, Drawing(9, 9, (Label(1, 1, typed),)), typed)
    runs: tuple[Run, ...] = (Text(typed), Strong(typed), Mono(typed))
    html = one(
        Paragraph(runs),
        Bullets((text(typed),)),
        Code(typed),
        Details(typed, ()),
        Table((text(typed), ()), ((text(typed), (Link(typed, "https://a.example"),)),)),
        title=typed,
        figures=(name,),
    )
    root, same = page(html), typed.translate(HELD)
    flat = same.replace("\n", " ")
    assert texts(root, "h1") == texts(root, "title") == [flat]
    assert texts(root, "p", "li") == [same * 3, same]
    assert texts(root, "pre") == [same.rstrip("\n")]
    assert texts(root, "summary", "th", "td", "a") == [same, same, "", same, same, same]
    assert texts(root, f"{SVG}title", f"{SVG}desc", f"{SVG}text") == [flat] * 3


def test_what_has_no_picture_is_shown_as_its_code() -> None:
    typed = "a\x00b\x1b[1mc\u202ed\ufffee\ufdd0f\ud800g\x0ch"
    expected = r"a\x00b\x1b[1mc\u202ed\ufffee\ufdd0f\ud800g\x0ch"
    assert texts(page(one(Paragraph(text(typed)))), "p") == [expected]


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "data:text/html,x", "//a.example", "https://a b", "file:///x", ""],
)
def test_a_link_leads_to_the_web_or_mail_only(url: str) -> None:
    root = page(one(Paragraph((Link("here", url),))))
    assert texts(root, "p") == ["here"]
    assert texts(root, "a") == []


@pytest.mark.parametrize("typed", [a for a in ATTACKS if "\n" not in a])
def test_what_people_typed_is_read_back_from_the_page(typed: str) -> None:
    advice = advice_on(session({"nodes": "16", "state_total": "2 TB"}, name="id", title=typed))
    root = page(render(with_figures(build_report(advice), advice)))
    assert " ".join(typed.split()) in " ".join(texts(root, "h1")[0].split())


@pytest.mark.parametrize("name", CASES)
def test_every_kind_of_job_reads_well(name: str) -> None:
    root = page(drawn(name))
    for piece in said(root):
        assert HOLES.search(piece) is None, piece
    assert root.attrib["lang"] == "en"
    assert all(e.text for e in root.iter() if e.tag in (*HEADINGS, "th", "summary", "title"))


def test_the_example_in_the_order_of_reading() -> None:
    root = page(drawn("example"))
    assert texts(root, "h1", "h2", "h3") == [
        "Checkpoints of llama-b: 15.3 % of the compute lost, 5.9 % after change 1",
        "1. Save asynchronously",
        "The interval: keep 15 min",
        "No storage purchase is needed",
        "Looked at, not in the plan",
        "Next largest loss: restarts, 2.5 %",
        "Saves against the time-out",
        "Where the verdicts flip",
        "What this rests on",
        "Open questions",
    ]
    assert texts(root, "pre") == [
        "--async-save --use-persistent-ckpt-worker --ckpt-format torch_dist "
        "--ckpt-assume-constant-structure"
    ]
    assert texts(root, "summary") == ["All facts", "All rules"]


def test_the_page_says_everything_the_document_says() -> None:
    document = build_report(case("two steps"))
    seen = words(page(render(document)))
    for block in document.blocks:
        match block:
            case Paragraph(runs) | Heading(_, runs) | Callout(_, runs):
                assert plain(runs).translate(HELD) in seen
            case Bullets(items) | Numbered(items):
                assert all(plain(runs).translate(HELD) in seen for runs in items)
            case Code(code, _):
                assert code.rstrip("\n") in seen


def test_nothing_is_loaded_and_nothing_runs() -> None:
    html = drawn("example")
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', html)
    assert policy == "default-src &#x27;none&#x27;; style-src &#x27;unsafe-inline&#x27;"
    style = files("advisor.report").joinpath("page.css").read_text()
    assert re.search(r"url\(|@import|@font-face|expression|<", style) is None
    assert style in html


def test_drawings_have_a_title_and_a_text_that_their_names_lead_to() -> None:
    root = page(drawn("example"))
    drawings = [e for e in root.iter() if e.tag == f"{SVG}svg"]
    assert len(drawings) == 4
    for one_drawing in drawings:
        title, text_of = (e for e in one_drawing if e.tag in (f"{SVG}title", f"{SVG}desc"))
        names = one_drawing.attrib["aria-labelledby"].split()
        assert names == [title.attrib["id"], text_of.attrib["id"]]
        assert one_drawing.attrib["role"] == "img"
        assert words(title)
        assert words(text_of).endswith(".")


def palettes() -> dict[str, dict[str, str]]:
    """The colours of the style sheet: in light, in dark, on paper."""
    style = files("advisor.report").joinpath("page.css").read_text()
    blocks = re.findall(r":root \{([^}]*)\}", style)
    assert len(blocks) == 3
    found = [dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", block)) for block in blocks]
    return dict(zip(("light", "dark", "paper"), found, strict=True))


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_contrast_rule_itself() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("name", ["light", "dark", "paper"])
@pytest.mark.parametrize("ground", ["page", "panel"])
def test_every_colour_of_words_stands_out(name: str, ground: str) -> None:
    palette = palettes()[name]
    inks = set(palette) - {"page", "panel", "rule"}
    assert inks == {"text", "quiet", "link", "now", "after", "limit", "note", "warning", "danger"}
    for ink in inks:
        assert contrast(palette[ink], palette[ground]) >= 4.5, ink


def test_no_colour_stands_outside_of_the_palettes() -> None:
    style = files("advisor.report").joinpath("page.css").read_text()
    rest = re.sub(r":root \{[^}]*\}", "", style)
    assert re.search(r"#[0-9a-f]{3}|rgb|hsl|: *(black|white|red|grey|gray)\b", rest) is None
