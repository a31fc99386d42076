"""A TOML table read strictly: every wrong type, missing or unknown key is a fault with a place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from advisor.engine.launch_text import placeholders
from advisor.engine.versions import VersionRange, parse_range
from advisor.facts.toml_text import TomlDocument, TomlFault, suggest

T = TypeVar("T")


class StrictTable:
    """A table of the file that knows its place, and which of its keys were asked for."""

    def __init__(self, document: TomlDocument, keys: tuple[str, ...], data: Mapping[str, Any]):
        self.document = document
        self.keys = keys
        self._data = data
        self._asked: set[str] = set()

    def fault(self, key: str, message: str, hint: str = "") -> TomlFault:
        """A fault at ``key`` of this table, to be raised by the caller."""
        return self.document.fault((*self.keys, key), message, hint)

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def get(self, key: str, kind: type | tuple[type, ...], name: str, default: Any) -> Any:
        """The value at ``key``, checked to be of ``kind`` ("a text"); None: required."""
        self._asked.add(key)
        if key not in self._data:
            if default is not None:
                return default
            raise self.document.fault(self.keys, f'the key "{key}" is missing')
        value = self._data[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.fault(key, f"must be {name}")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        """A text; an empty one only where there is a default."""
        value: str = self.get(key, str, "a text in quotes", default)
        if not value.strip() and default is None:
            raise self.fault(key, "is empty")
        return value

    def choice(self, key: str, known: Iterable[str]) -> Any:
        """A text that is one of ``known``."""
        value = self.text(key)
        if value not in (known := tuple(known)):
            raise self.fault(key, f'"{value}" is not known here', near(value, known))
        return value

    def number(self, key: str) -> float | None:
        """A number of at least 0, or None where the key is absent."""
        value = self.get(key, (int, float), "a number", -1)
        if key in self and not 0 <= value < float("inf"):
            raise self.fault(key, "must be a number of at least 0")
        return float(value) if key in self else None

    def flag(self, key: str) -> bool | None:
        """True or false, or None where the key is absent."""
        value: bool = self.get(key, bool, "true or false", False)
        return value if key in self else None

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; empty where the key is absent."""
        values = self.get(key, list, "a list of texts", [])
        if not all(isinstance(value, str) and value.strip() for value in values):
            raise self.fault(key, "must be a list of texts in quotes")
        return tuple(values)

    def versions(self) -> VersionRange:
        """The version range at ``versions``; every version where it is absent."""
        try:
            return parse_range(self.text("versions", ""))
        except ValueError as error:
            raise self.fault(
                "versions", str(error), 'write ">=0.7,<0.16", or "" for all'
            ) from error

    def template(self, key: str, names: Iterable[str], default: str | None = None) -> str:
        """A text whose placeholders are all among ``names``."""
        return self.checked(key, self.text(key, default), names)

    def checked(self, key: str, text: str, names: Iterable[str]) -> str:
        """``text``, found at ``key``, once its placeholders are known to be among ``names``."""
        known = frozenset(names)
        try:
            used = placeholders(text)
        except ValueError as error:
            raise self.fault(key, str(error), "write a literal brace twice") from error
        for name in sorted(used - known):
            raise self.fault(key, f"{{{name}}} is not a placeholder", near(name, known))
        return text

    def tables(
        self, key: str, known: Iterable[str] | None = None
    ) -> Iterable[tuple[str, StrictTable]]:
        """The tables below ``key`` by their id; none where it is absent."""
        for name, value in self.get(key, dict, "a table", {}).items():
            place = StrictTable(self.document, (*self.keys, key), {})
            if not isinstance(value, dict):
                raise place.fault(name, "must be a table")
            if known is not None and name not in known:
                raise place.fault(name, f'"{name}" is not known here', near(name, known))
            yield name, StrictTable(self.document, (*self.keys, key, name), value)

    def labelled(self, build: Callable[[StrictTable], T]) -> tuple[T, ...]:
        """Build one entry of every table in this one, in the order of the file."""
        entries = []
        for label in self._data:
            self._asked.add(label)
            value = self._data[label]
            if not isinstance(value, dict):
                raise self.fault(label, "must be a table", "put a label behind the last dot")
            entries.append(build(StrictTable(self.document, (*self.keys, label), value)))
        return tuple(entries)

    def done(self) -> None:
        """Refuse keys nobody asked for."""
        for key in self._data:
            if key not in self._asked:
                raise self.fault(key, f'the key "{key}" is not known here', near(key, self._asked))


def near(word: str, known: Iterable[str]) -> str:
    """The hint for a word that is not known: the nearest one, or all there are."""
    known = sorted(known)
    return suggest(word, known) or f"known: {', '.join(known) or 'none'}"
