"""What a rule must have beside being well-formed: words, sources, and fixtures that try it all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from advisor.engine.expression import Comparison
from advisor.engine.expression_comparisons import NumberComparison
from advisor.engine.knowledge import Knowledge
from advisor.engine.pack import Rule
from advisor.engine.rule_fixtures import Fixture, decided
from advisor.facts.toml_text import TomlDocument, TomlFault

DOC_PARTS = ("What: ", "Why: ", "When it does not apply: ")
"""How the lines of a rule's doc begin that every rule has."""

LEAST_DOC = 10
"""Characters behind such a beginning that are no more than a word or two."""

_ZERO = re.compile(r"> ('\$?0( s)?'|0)$")
"""A comparison that only asks for the value to be there; nothing decides at an edge."""

_PLACEHOLDER = re.compile(r"\{[a-z_0-9]+:[a-z_]+\}|\d")
"""A figure in a message, written or filled in."""

_SETTING = re.compile(r"--[a-z][\w-]*|\b[a-z]+(?:_[a-z0-9]+)+\b|\b\w+(?==\w)")
"""What looks like a setting in a remedy: ``--flag``, ``snake_case`` or ``key=value``."""

_FILLED = re.compile(r"\{[^}]*\}")
"""Placeholders, whose names are no settings."""

_END = re.compile(r"(\.|\{[a-z_0-9]+:text\})$")
"""How a sentence ends; a text that is filled in is one of its own."""

_SOURCE = re.compile(r".{6,}, .{4,}")
"""A title and where it is found."""


def has_edge(comparison: Comparison) -> bool:
    """Whether a comparison turns round at a number."""
    return isinstance(comparison, NumberComparison) and not _ZERO.search(comparison.text)


@lru_cache(maxsize=4)
def _framework_texts(folders: tuple[Path, ...]) -> str:
    """All that the framework files say."""
    return "\n".join(p.read_text("utf-8") for f in folders for p in sorted(f.glob("*.toml")))


def lint_rule(rule: Rule, document: TomlDocument, knowledge: Knowledge) -> Iterator[TomlFault]:
    """What is missing in the words of a rule, and settings nobody declared."""

    def fault(key: str, message: str, hint: str = "") -> TomlFault:
        return document.fault(("rule", rule.id, key), message, hint)

    if not _PLACEHOLDER.search(rule.message):
        hint = "fill in the figure that decides: {interval:duration}"
        yield fault("message", "the message has no figure", hint)
    for key, texts in (("message", (rule.message,)), ("remedy", rule.remedy)):
        for text in texts:
            if not _END.search(text) or "!" in text:
                yield fault(key, "write sentences that end with a full stop", text)
    known = _framework_texts(knowledge.framework_folders)
    for text in rule.remedy:
        for setting in _SETTING.findall(_FILLED.sub("", text)):
            if setting not in known and setting not in knowledge.pack.settings:
                hint = f'declare it where it is no framework\'s: [pack] settings = ["{setting}"]'
                yield fault("remedy", f"no framework file knows the setting {setting}", hint)
    for start in DOC_PARTS:
        line = next((line for line in rule.doc.splitlines() if line.startswith(start)), "")
        if len(line) <= len(start) + LEAST_DOC or not line.endswith("."):
            yield fault("doc", f'a line "{start.strip()}" with a sentence is missing')
    for source in rule.sources:
        if not _SOURCE.fullmatch(source):
            yield fault("sources", f'"{source}" does not say where it is found')


def lint_fixtures(
    rule: Rule, fixtures: Sequence[Fixture], document: TomlDocument, knowledge: Knowledge
) -> Iterator[TomlFault]:
    """Which outcomes and which comparisons of a rule no fixture tries."""
    kinds = {fixture.kind for fixture in fixtures}
    needed = ["hit", "clear", "unknown"]
    needed += ["edge"] if any(has_edge(c) for c in rule.when.comparisons) else []
    lacking = [kind for kind in needed if kind not in kinds]
    if lacking:
        hint = f"add {rule.id}/{lacking[0]}.some-words.toml to the fixtures"
        message = f"there is no fixture for: {', '.join(lacking)}"
        yield document.fault(("rule", rule.id), message, hint)
    tried = set[int]().union(*(decided(fixture, rule, knowledge) for fixture in fixtures))
    for index, comparison in enumerate(rule.when.comparisons):
        if fixtures and index not in tried:
            message = f'"{comparison.text}" never decides a fixture'
            hint = "add a fixture in which it does, or leave the comparison out"
            yield document.fault(("rule", rule.id, "when"), message, hint)
