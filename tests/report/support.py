"""Jobs the report tests share, and what reads an export from outside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from advisor.engine.advice import Advice
from advisor.engine.advise import advise
from advisor.engine.knowledge import load_knowledge
from advisor.facts.answers import Answer
from advisor.session.document import Session, Waiver
from tests.ticket_job import TICKET as EXAMPLE


def session(
    answers: Mapping[str, str | Answer],
    *,
    name: str = "llama-b",
    title: str = "",
    waivers: Mapping[str, Waiver] | None = None,
) -> Session:
    """A session; plain texts count as measured."""
    given = {k: Answer(v, "measured") if isinstance(v, str) else v for k, v in answers.items()}
    return Session(id=name, title=title, answers=given, waivers=waivers or {})


def advice_on(one: Session, today: date | None = None) -> Advice:
    return advise(one, load_knowledge(), today)


@cache
def _job(answers: tuple[tuple[str, str], ...]) -> Advice:
    return advice_on(session(dict(answers)))


def job(base: Mapping[str, str] = EXAMPLE, **changes: str | None) -> Advice:
    """The advice on a job: a base with some answers changed, or taken away with None."""
    answers = {**base, **changes}
    return _job(tuple((k, v) for k, v in answers.items() if v is not None))


CASES: Mapping[str, tuple[Mapping[str, str], Mapping[str, str | None]]] = {
    "example": (EXAMPLE, {}),
    "no answers": ({}, {}),
    "two answers": ({}, {"nodes": "16", "state_total": "2 TB"}),
    "no pool rate": (EXAMPLE, {"pool_write": None}),
    "policy": (EXAMPLE, {"interval_decided_by": "policy"}),
    "async already": (EXAMPLE, {"mode": "async"}),
    "two steps": (EXAMPLE, {"framework": None, "framework_version": None, "interval": "2 min"}),
    "one writer": (EXAMPLE, {"writers": "one", "single_stream_write": "1 GB/s"}),
    "counted steps": (EXAMPLE, {"interval": None, "interval_steps": "440", "step_time": "4.1 s"}),
    "times per rank": (EXAMPLE, {"rank_times": "90 s, 92 s, 100 s, 95 s"}),
    "contradiction": (EXAMPLE, {"interval_steps": "440", "step_time": "4.1 s"}),
    "offer": (EXAMPLE, {"mode": "async", "upgrade_write": "400 GB/s", "upgrade_price": "$3M"}),
    "only on the nodes": (EXAMPLE, {"nvme": "used", "pool_every": "0"}),
    "short": (EXAMPLE, {"job_length": "2 h"}),
    "data sheet": (EXAMPLE, {"pool_write_basis": "data_sheet", "keep": "1", "pool_free": "10 TB"}),
    "no price": (EXAMPLE, {"accelerators_per_node": "0", "accelerator_hour": None}),
    "processors": (
        EXAMPLE,
        {"accelerators_per_node": "0", "accelerator_hour": None, "node_hour": "$1/h"},
    ),
}
"""One job of each kind a report has to read well for."""


def case(name: str) -> Advice:
    base, changes = CASES[name]
    return job(base, **changes)


def parsed(markdown: str) -> list[Token]:
    """The tokens of an independent CommonMark parser with GitHub's tables and strikethrough."""
    return (
        MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(markdown)
    )


def inline_text(token: Token) -> str:
    """What a reader sees of one inline token."""
    return "".join(
        "\n" if child.type in ("softbreak", "hardbreak") else child.content
        for child in token.children or ()
    )


def seen(markdown: str) -> Iterator[str]:
    """The text of every block, in order."""
    for token in parsed(markdown):
        if token.type == "inline":
            yield inline_text(token)
        elif token.type in ("fence", "code_block", "html_block"):
            yield token.content


def rows(markdown: str) -> list[list[str]]:
    """The cells of every table row, the heading first."""
    out: list[list[str]] = []
    for token, following in zip(parsed(markdown), parsed(markdown)[1:], strict=False):
        if token.type == "tr_open":
            out.append([])
        elif token.type in ("th_open", "td_open"):
            out[-1].append(inline_text(following))
    return out
