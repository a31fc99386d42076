"""A session and its file: what was answered, waived and advised.

The values are plain and frozen. Reading and writing import pydantic and tomli-w only when called,
so that a first screen does not wait for them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import category

from advisor.facts.answers import UNKNOWN_TEXT, Answer
from advisor.facts.toml_text import TomlDocument, load_toml
from advisor.session.errors import NewerSchema
from advisor.session.migrate import SCHEMA_VERSION, migrate

if TYPE_CHECKING:
    from advisor.facts.catalogue import Catalogue
    from advisor.session.schema import SessionFile

_UTC_STAMP = re.compile(r"^((?:created|updated) = \d{4}-\d\d-\d\d) (\S+)\+00:00$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Waiver:
    """A rule that is not applied for now.

    Attributes:
        reason: why.
        until: the last day on which it is waived; None for no end.
        by: who decided it.
    """

    reason: str
    until: date | None = None
    by: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """One interview about one job.

    Attributes:
        id: its name, unique in its folder.
        title: what people call the job.
        created: when it began, with its time zone; None where the file does not say.
        updated: when an answer last changed; None where the file does not say.
        tags: words to find it by.
        answers: by fact, in the order in which they were first given.
        waivers: by rule id.
        advice: what was advised when it was saved, in SI with the unit in the key; None for none.
    """

    id: str
    title: str = ""
    created: datetime | None = None
    updated: datetime | None = None
    tags: tuple[str, ...] = ()
    answers: Mapping[str, Answer] = field(default_factory=dict)
    waivers: Mapping[str, Waiver] = field(default_factory=dict)
    advice: Mapping[str, Any] | None = None

    def with_answer(self, name: str, answer: Answer, now: datetime) -> Session:
        """This session with one answer given or changed; a changed one keeps its place."""
        answers = {**self.answers, name: _settled(answer)}
        return replace(self, answers=answers, updated=_whole_second(now))

    def without_answer(self, name: str, now: datetime) -> Session:
        """This session without one answer; the same session where it was not given."""
        if name not in self.answers:
            return self
        answers = {key: answer for key, answer in self.answers.items() if key != name}
        return replace(self, answers=answers, updated=_whole_second(now))


def read_session(path: Path, catalogue: Catalogue | None = None) -> Session:
    """Read a session file.

    Args:
        path: the file.
        catalogue: the declared facts; without it, names and values are not checked.

    Raises:
        NewerSchema: a newer ckpt-advisor wrote it.
        TomlFault: anything else that is wrong, with line, column and what to do.
    """
    return session_from(load_toml(path), catalogue)


def session_from(document: TomlDocument, catalogue: Catalogue | None = None) -> Session:
    """The session in a parsed document. Raises as ``read_session`` does."""
    check_version(document)
    from pydantic import ValidationError

    from advisor.session.faults import answer_faults, first_of, schema_fault
    from advisor.session.schema import SessionFile

    try:
        file = SessionFile.model_validate(migrate(document.data))
    except ValidationError as error:
        found = error.errors(include_url=False)
        raise first_of([schema_fault(document, detail) for detail in found]) from None
    session = _session_of(file)
    if catalogue is not None:
        faults = answer_faults(document, session.answers, catalogue)
        if faults:
            raise first_of(faults)
    return session


def render_session(session: Session) -> str:
    """The text of a session file; one changed answer changes only its own lines.

    Values of None in the advice are left out: TOML has none.
    """
    import tomli_w

    return _UTC_STAMP.sub(r"\1T\2Z", _harmless(tomli_w.dumps(session_tables(session))))


def session_tables(session: Session) -> dict[str, Any]:
    """What stands in a session file, in its order."""
    about = {
        "id": session.id,
        "title": session.title,
        "created": session.created,
        "updated": session.updated,
        "tags": list(session.tags),
    }
    data: dict[str, Any] = {"schema_version": SCHEMA_VERSION, "session": _filled(about)}
    if session.answers:
        data["answers"] = {name: _answer_table(one) for name, one in session.answers.items()}
    if session.waivers:
        data["waivers"] = {
            rule: _filled({"reason": one.reason, "until": one.until, "by": one.by})
            for rule, one in session.waivers.items()
        }
    if session.advice is not None:
        data["advice"] = _without_none(session.advice)
    return data


def table_lines(table: Mapping[str, Any]) -> list[str]:
    """The lines of some keys of one table, as a session file has them."""
    import tomli_w

    text = _UTC_STAMP.sub(r"\1T\2Z", _harmless(tomli_w.dumps(dict(table))))
    return text.rstrip("\n").split("\n")


def render_advice(session: Session) -> str:
    """The text of the advice tables alone, "" where nothing was advised."""
    import tomli_w

    if session.advice is None:
        return ""
    return _harmless(tomli_w.dumps({"advice": _without_none(session.advice)}))


def _harmless(text: str) -> str:
    """TOML with control and direction signs escaped: a terminal that shows the file obeys none.

    The writer puts every text between double quotes and escapes what TOML demands; tabs, the C1
    codes and the signs that turn the reading direction are left, and mean the same when escaped.
    """
    text = text.replace("\t", "\\t")
    if text.isascii():
        return text
    return "".join(
        f"\\U{ord(sign):08x}" if category(sign) in ("Cc", "Cf") and sign != "\n" else sign
        for sign in text
    )


def session_json_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the session file."""
    from advisor.session.schema import SessionFile

    schema = SessionFile.model_json_schema(by_alias=True)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "Session file of ckpt-advisor",
    }


def check_version(document: TomlDocument) -> None:
    """Raise a fault where the file is of no version that is read here."""
    version = document.data.get("schema_version")
    wanted = f"schema_version = {SCHEMA_VERSION}"
    keys = ("schema_version",)
    if version is None:
        hint = f"a session file starts with {wanted}"
        raise document.fault(keys, "this is not a session file: it has no schema_version", hint)
    if type(version) is not int:
        hint = f"write {wanted}, without quotes"
        kind = "a text" if isinstance(version, str) else "not a whole number"
        raise document.fault(keys, f"the version is {kind}", hint, at_value=True)
    if version > SCHEMA_VERSION:
        fault = document.fault(keys, "", at_value=True)
        versions = f"schema {version}; this one reads {SCHEMA_VERSION}"
        raise NewerSchema(
            fault.path,
            f"written by a newer ckpt-advisor ({versions}): upgrade ckpt-advisor",
            line=fault.line,
            column=fault.column,
            key=fault.key,
            source_line=fault.source_line,
        )
    if version < 1:
        hint = f"write {wanted}"
        raise document.fault(keys, f"there is no version {version}", hint, at_value=True)


def _session_of(file: SessionFile) -> Session:
    answers = {name: _settled(Answer(**table.model_dump())) for name, table in file.answers.items()}
    waivers = {rule: Waiver(one.reason, one.until, one.by) for rule, one in file.waivers.items()}
    about = file.session
    return Session(
        about.id,
        about.title,
        _zoned(about.created),
        _zoned(about.updated),
        about.tags,
        answers,
        waivers,
        file.advice,
    )


def _settled(answer: Answer) -> Answer:
    unknown = answer.value.strip() == UNKNOWN_TEXT
    return replace(answer, source="unknown") if unknown else answer


def _zoned(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment


def _whole_second(moment: datetime) -> datetime:
    return moment.replace(microsecond=0)


def _answer_table(answer: Answer) -> dict[str, Any]:
    origin = "" if answer.origin == "person" else answer.origin
    optional = {
        "note": answer.note,
        "evidence": answer.evidence,
        "said_by": answer.said_by,
        "from": origin,
    }
    return {"value": answer.value, "source": answer.source, **_filled(optional)}


def _filled(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in table.items() if value not in (None, "", [])}


def _without_none(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_none(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_without_none(item) for item in value if item is not None]
    return value
