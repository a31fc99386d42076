"""The findings of one session as SARIF 2.1.0 (OASIS), for code scanning where sessions are in git.

What applies is a ``fail`` at the line of the answer it is about, what is waived the same with a
suppression, what needs an answer is ``open`` without a level. What does not apply is not a result:
the rules looked at are all listed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from advisor import __version__
from advisor.engine.advice import Advice, Finding, Severity
from advisor.engine.knowledge import Knowledge
from advisor.engine.pack import Rule
from advisor.engine.pack_site import RESERVED_RULE
from advisor.facts.catalogue import Catalogue
from advisor.facts.toml_text import TomlDocument, load_toml
from advisor.report import markdown
from advisor.report.characters import visible
from advisor.report.document import ALWAYS, Bullets, Document, Paragraph, Section, Strong, Text
from advisor.report.grounds import missing_names
from advisor.report.rule_reference import doc_paragraphs, titled
from advisor.report.sarif_place import SOURCE_ROOT, address, line_of, location, waiver_line
from advisor.report.words import lowered, one_line, sentence

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/cs01/schemas/sarif-schema-2.1.0.json"
"""Address of the schema of the standard, as its text gives it; only printed, never fetched."""

_LEVELS: Mapping[Severity, str] = {"note": "note", "warning": "warning", "error": "error"}
"""Levels of SARIF by severity."""

_FINGERPRINT = "ckptAdvisorFinding/v1"
"""Our own name of the fingerprint; another way to make it gets another number."""

_GITHUB_FINGERPRINT = "primaryLocationLineHash"
"""The one fingerprint GitHub looks at; left out, it is taken from the line, which moves."""


REDACTED_URI = "redacted.toml"
"""Stands for the session file in a redacted log."""


def render(advice: Advice, knowledge: Knowledge, path: Path, *, redact: bool = False) -> str:
    """The log as text: ASCII, two spaces of indent, the same for the same session and rules.

    Args:
        advice: on the session.
        knowledge: the rules it was given with.
        path: the session file, read again for the places of its answers.
        redact: name neither the file nor the packs of a site.

    Raises:
        TomlFault: the file cannot be read any more.
    """
    artifact = {"uri": REDACTED_URI} if redact else address(path)
    log = to_sarif(advice, knowledge, load_toml(path), artifact, redact=redact)
    return json.dumps(log, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def to_sarif(
    advice: Advice,
    knowledge: Knowledge,
    document: TomlDocument,
    artifact: dict[str, Any],
    *,
    redact: bool = False,
) -> dict[str, Any]:
    """The log as plain values; ``artifact`` is the location of the session file as it is shown."""
    rules = sorted({f.rule for f in advice.findings})
    places = _Places(advice, knowledge, document, artifact)
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "ckpt-advisor",
                "version": __version__,
                "rules": [_rule(knowledge.pack.rules[r], redact=redact) for r in rules],
                "properties": {
                    "rulesVersion": advice.knowledge.version,
                    "rulesDigest": advice.knowledge.digest,
                },
            }
        },
        # A slash at the end makes it a category: the log of one session replaces no other's.
        "automationDetails": {"id": f"ckpt-advisor/{visible(advice.session.id)}/"},
        "invocations": [_invocation(advice)],
        "artifacts": [{"location": artifact, "roles": ["analysisTarget"]}],
        "results": [places.result(f, rules.index(f.rule)) for f in _shown(advice)],
    }
    if "uriBaseId" in artifact:
        about = {"text": "The folder in which ckpt-advisor ran."}
        run["originalUriBaseIds"] = {SOURCE_ROOT: {"description": about}}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _shown(advice: Advice) -> Iterator[Finding]:
    """What applies, unless another finding says more; what is waived; what is undecided."""
    for found in advice.findings:
        if found.state in ("waived", "unknown") or (
            found.state == "hit" and not found.superseded_by
        ):
            yield found


def _rule(rule: Rule, *, redact: bool) -> dict[str, Any]:
    pack = "site" if redact and not rule.id.startswith(RESERVED_RULE) else rule.pack
    what = rule.doc.strip().split("\n")[0].removeprefix("What: ")
    text = "\n\n".join((rule.doc.strip(), *(f"Source: {one_line(s)}" for s in rule.sources)))
    return {
        "id": rule.id,
        "shortDescription": {"text": message_text(sentence(titled(rule)))},
        "fullDescription": {"text": message_text(what[:1].upper() + what[1:])},
        "help": {"text": message_text(text), "markdown": _braces(_markdown_help(rule))},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": ["checkpointing", pack]},
    }


def _markdown_help(rule: Rule) -> str:
    blocks = list(doc_paragraphs(rule))
    if rule.sources:
        sources = tuple((Text(one_line(s)),) for s in rule.sources)
        blocks += [Paragraph((Strong("Sources"),)), Bullets(sources)]
    return markdown.render(Document(rule.title, (Section("help", tuple(blocks), ALWAYS),)))


def _invocation(advice: Advice) -> dict[str, Any]:
    """That it ran, and the rules that could not be judged."""
    failed = [f for f in advice.findings if f.state == "error"]
    out: dict[str, Any] = {"executionSuccessful": not failed}
    if failed:
        out["toolExecutionNotifications"] = [
            {
                "level": "error",
                "message": {"text": message_text(f"Could not be judged: {one_line(f.message)}")},
                "associatedRule": {"id": f.rule},
            }
            for f in failed
        ]
    return out


class _Places:
    """Results of one session, with their places in its file."""

    def __init__(
        self,
        advice: Advice,
        knowledge: Knowledge,
        document: TomlDocument,
        artifact: dict[str, Any],
    ) -> None:
        self._advice, self._document, self._artifact = advice, document, artifact
        self._rules: Mapping[str, Rule] = knowledge.pack.rules
        self._facts: Catalogue = knowledge.catalogue

    def result(self, found: Finding, index: int) -> dict[str, Any]:
        """One finding as a result."""
        failed = found.state != "unknown"
        line = line_of(found, self._rules[found.rule], self._document, self._facts)
        mark = fingerprint(self._advice.session.id, found.rule)
        return {
            "ruleId": found.rule,
            "ruleIndex": index,
            "kind": "fail" if failed else "open",
            "level": _LEVELS[found.severity] if failed else "none",
            "message": {"text": message_text(self._words(found))},
            "locations": [location(self._artifact, line)],
            "partialFingerprints": {_FINGERPRINT: mark, _GITHUB_FINGERPRINT: f"{mark[:16]}:1"},
            "suppressions": self._suppressions(found),
        }

    def _words(self, found: Finding) -> str:
        if found.state == "unknown":
            needs = missing_names(self._advice, found.missing)
            return sentence(f"Undecided: {lowered(found.title)}") + f" Needs {needs}." * bool(needs)
        said = f"{sentence(found.title)} {one_line(found.message)}"
        return "\n\n".join((said, *(one_line(r) for r in found.remedy)))

    def _suppressions(self, found: Finding) -> list[dict[str, Any]]:
        """The waiver in force; an empty list says that there is none, which no list would not."""
        if found.state != "waived":
            return []
        # The waiver stands in the file that is looked at, so it is in the source.
        place = location(self._artifact, waiver_line(found.rule, self._document))
        words = visible(one_line(found.waiver))
        return [
            {"kind": "inSource", "status": "accepted", "justification": words, "location": place}
        ]


def fingerprint(session: str, rule: str) -> str:
    """What makes a finding the same one in the next run: the session and the rule.

    Answers do not count: an interval that went from 15 to 16 min and is still too short is the
    same finding, and keeps what people decided about it.
    """
    text = f"{session}\0{rule}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()


def message_text(text: str) -> str:
    """A plain text message that comes back as it was (SARIF 2.1.0, 3.11.5 and 3.11.6).

    Braces are doubled, since single ones hold arguments; a bracket that would end the words of a
    link is escaped.
    """
    return _braces(visible(text).replace("](", "\\]("))


def _braces(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
