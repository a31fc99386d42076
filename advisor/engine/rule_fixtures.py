"""Fixtures of rules: facts as typed, and what one rule must say about them.

A folder per rule, files named after their outcome: ``ACME001/hit.one-save-a-minute.toml``. Ours are
beside the tests, a site's in ``fixtures`` beside its packs; ``rules check`` runs them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from advisor.engine.advice import Finding
from advisor.engine.advise import advise, present
from advisor.engine.conditions import Values
from advisor.engine.findings import findings, outcomes
from advisor.engine.knowledge import Knowledge
from advisor.engine.pack import Rule
from advisor.engine.situation import Situation
from advisor.engine.strict_table import near
from advisor.engine.waivers import Waiver
from advisor.facts.answers import CERTAINTIES, Answer, Certainty
from advisor.facts.resolve import AnswerError
from advisor.facts.toml_text import TomlDocument, TomlFault, load_toml

FIXTURES_FOLDER = "fixtures"
"""Where a site keeps them, beside its packs."""

KINDS = ("hit", "clear", "unknown", "edge")
"""What a fixture shows; the first word of its file name."""

_EDGE_STEPS = 3
"""States of an edge: the edge itself and one step to each side."""

_TOP = ("facts", "sources", "expect", "edge")
_EXPECT = ("state", "severity", "message", "missing", "goodput_gain", "tolerance")


@dataclass(frozen=True, slots=True)
class Fixture:
    """One file.

    Attributes:
        document: the file.
        rule: id of the rule, the name of its folder.
        kind: hit, clear, unknown or edge.
        facts: as typed, by name.
        sources: certainties other than "measured", by fact.
        expect: what the rule must say.
        edge_fact: of an edge, the fact that varies.
        edge_states: of an edge, the outcome for each of its values as typed.
    """

    document: TomlDocument
    rule: str
    kind: str
    facts: Mapping[str, str]
    sources: Mapping[str, str] = field(default_factory=dict)
    expect: Mapping[str, Any] = field(default_factory=dict)
    edge_fact: str = ""
    edge_states: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Folder and file, for people."""
        path = Path(self.document.path)
        return f"{self.rule}/{path.stem}"

    def variants(self) -> Iterator[Mapping[str, str]]:
        """The facts, or of an edge the facts with each value of the one that varies."""
        if not self.edge_states:
            yield self.facts
        for text in self.edge_states:
            yield {**self.facts, self.edge_fact: text}


@dataclass(frozen=True, slots=True)
class PlainSession:
    """The least that an advice takes."""

    answers: Mapping[str, Answer]
    id: str = "fixture"
    title: str = "Fixture"
    tags: tuple[str, ...] = ()
    updated: datetime | None = None
    waivers: Mapping[str, Waiver] = field(default_factory=dict)


def fixture_paths(folder: Path) -> list[Path]:
    """The files of all rules below a folder, sorted."""
    return sorted(folder.glob("*/*.toml"))


def read_fixture(path: Path) -> Fixture:
    """Read one file strictly.

    Raises:
        TomlFault: anything that is not as it should be.
    """
    document, kind = load_toml(path), path.name.split(".")[0]
    data = document.data
    for key in data:
        if key not in _TOP:
            raise document.fault((key,), f'the table "{key}" is not known here', near(key, _TOP))
    edge = data.get("edge", {})
    wanted = "edge" if kind == "edge" else "expect"
    if kind not in KINDS:
        hint = f"begin its name with one of {', '.join(KINDS)} and a dot"
        raise document.fault((), f'"{path.name}" names no outcome', hint)
    if wanted not in data or "facts" not in data:
        raise document.fault((), "it needs the tables [facts] and [expect] (of an edge, [edge])")
    for table, texts in (("facts", data["facts"]), ("edge.states", edge.get("states", {}))):
        if not isinstance(texts, dict) or not all(isinstance(t, str) for t in texts.values()):
            raise document.fault((table,), "holds texts in quotes, as typed")
    expect = data.get("expect", {})
    for key in expect:
        if key not in _EXPECT:
            hint = near(key, _EXPECT)
            raise document.fault(("expect", key), f'the key "{key}" is not known here', hint)
    return Fixture(
        document=document,
        rule=path.parent.name,
        kind=kind,
        facts=data["facts"],
        sources=data.get("sources", {}),
        expect=expect,
        edge_fact=edge.get("fact", ""),
        edge_states=edge.get("states", {}),
    )


def fixture_answers(facts: Mapping[str, str], sources: Mapping[str, str]) -> dict[str, Answer]:
    """Typed facts as answers, measured where nothing else is said."""
    certainty: dict[str, Certainty] = {word: word for word in CERTAINTIES}
    return {
        name: Answer(text, certainty.get(sources.get(name, "measured"), "measured"))
        for name, text in facts.items()
    }


def fixture_situation(given: Mapping[str, Answer], knowledge: Knowledge) -> Situation:
    """The job of a fixture, evaluated.

    Raises:
        AnswerError: a fact that cannot be read.
    """
    return present(given, knowledge).situation


def fixture_finding(rule: Rule, given: Mapping[str, Answer], knowledge: Knowledge) -> Finding:
    """What one rule says about a fixture.

    Raises:
        AnswerError: a fact that cannot be read.
    """
    pack, now = knowledge.pack, fixture_situation(given, knowledge)
    return findings(outcomes(now, pack, [rule]), now, pack, {}, None)[0]


def fixture_faults(fixture: Fixture, rule: Rule, knowledge: Knowledge) -> list[TomlFault]:
    """Every way in which a rule does not say what its fixture expects."""
    try:
        if fixture.kind == "edge":
            return list(_edge_faults(fixture, rule, knowledge))
        return [*_outcome_faults(fixture, rule, knowledge), *_gain_faults(fixture, rule, knowledge)]
    except AnswerError as error:
        keys = ("facts", error.name)
        return [fixture.document.fault(keys, error.message, error.hint, at_value=True)]


def decided(fixture: Fixture, rule: Rule, knowledge: Knowledge) -> set[int]:
    """Which comparisons of a rule, by index, alone decide it in some variant of a fixture."""
    found: set[int] = set()
    for facts in fixture.variants():
        now = fixture_situation(fixture_answers(facts, fixture.sources), knowledge)
        traces = rule.when.trace(Values(now, knowledge.pack))
        found |= {index for index, trace in enumerate(traces) if trace.decisive}
    return found


def _outcome_faults(fixture: Fixture, rule: Rule, knowledge: Knowledge) -> Iterator[TomlFault]:
    expect, fault = fixture.expect, fixture.document.fault
    given = fixture_answers(fixture.facts, fixture.sources)
    found = fixture_finding(rule, given, knowledge)
    if expect.get("state") != fixture.kind:
        yield fault(("expect", "state"), f'the file is named "{fixture.kind}"')
    wanted: dict[str, object] = {"state": found.state, "missing": list(found.missing)}
    if found.state == "hit":
        wanted |= {"message": found.message, "severity": found.severity}
    for key in ("state", "missing", "message", "severity"):
        default: object = [] if key == "missing" else ""
        said, due = wanted.get(key, default), expect.get(key, default)
        if said != due:
            yield fault(("expect", key), f"expected {due!r}, the rule gives {said!r}")


def _edge_faults(fixture: Fixture, rule: Rule, knowledge: Knowledge) -> Iterator[TomlFault]:
    states, fault = fixture.edge_states, fixture.document.fault
    if len(states) < _EDGE_STEPS or len(set(states.values())) != 2:
        yield fault(
            ("edge", "states"),
            "an edge has at least three values and two outcomes",
            "the edge itself and one step to each side",
        )
    for text, state in states.items():
        facts = {**fixture.facts, fixture.edge_fact: text}
        found = fixture_finding(rule, fixture_answers(facts, fixture.sources), knowledge)
        if found.state != state:
            keys = ("edge", "states", text)
            yield fault(keys, f"expected {state!r}, the rule gives {found.state!r}")


def _gain_faults(fixture: Fixture, rule: Rule, knowledge: Knowledge) -> Iterator[TomlFault]:
    due = fixture.expect.get("goodput_gain")
    if due is None:
        return
    fault, tolerance = fixture.document.fault, fixture.expect.get("tolerance", 0)
    session = PlainSession(fixture_answers(fixture.facts, fixture.sources))
    steps = {step.rule: step for step in advise(session, knowledge).plan}
    if rule.id not in steps:
        yield fault(("expect", "goodput_gain"), "no step of the plan comes from this rule")
    elif not abs(steps[rule.id].goodput_gain - due) <= tolerance:
        gain = steps[rule.id].goodput_gain
        message = f"expected {due:g} within {tolerance:g}, the plan gains {gain:.6g}"
        yield fault(("expect", "goodput_gain"), message)
