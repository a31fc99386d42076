"""Texts of framework files: placeholders to fill, and settings as a person pastes them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import Formatter


def placeholders(text: str) -> frozenset[str]:
    """The names in braces of a text; a literal brace is written twice.

    Raises:
        ValueError: a brace stands alone, or a placeholder is more than a name.
    """
    names: set[str] = set()
    for _, name, spec, conversion in Formatter().parse(text):
        if name is None:
            continue
        if spec or conversion or not name.isidentifier():
            raise ValueError(f"{{{name}}} is more than a name: double a literal brace")
        names.add(name)
    return frozenset(names)


def fill(text: str, values: Mapping[str, str]) -> str:
    """Fill the placeholders; one without a value is printed in capitals, to be filled by hand."""
    known = {name: values.get(name, name.upper()) for name in placeholders(text)}
    return text.format_map(known)


def settings_terms(settings: str) -> frozenset[str]:
    """The words of a launch line, a TOML, YAML or JSON snippet, and their ``key=value`` pairs.

    ``--flag=value``, ``--flag value``, ``key: value`` and ``key = "value"`` all give the key and
    ``key=value``, so a trap may name either. A dotted key (``cfg.checkpoint.async_save``) is found
    by its last part too, and ``True`` is ``true``: one setting is written in Python and in YAML.
    """
    tokens = re.split(r"[\s,;(){}\[\]]+", _equals(settings.replace('"', "").replace("'", "")))
    terms: set[str] = set()
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        terms |= _prefixes(token)
        if token.startswith("-") and "=" not in token and following[:1] not in {"", "-"}:
            terms |= _prefixes(f"{token}={following}")
    return frozenset(terms - {""})


def _equals(text: str) -> str:
    return re.sub(r"[ \t]*[=:][ \t]*", "=", text)


def term(word: str) -> str:
    """One setting as ``settings_terms`` would give it: ``--ckpt-format torch`` is one pair."""
    return "=".join(_parts(re.sub(r"\s+", "=", _equals(word.strip()))))


def _parts(token: str) -> list[str]:
    return [part.lower() if part in {"True", "False"} else part for part in token.split("=")]


def _prefixes(token: str) -> set[str]:
    key, *values = _parts(token)
    keys = {key} if key.startswith("-") else {key, key.rpartition(".")[2]}
    return {"=".join([name, *values[:end]]) for name in keys for end in range(len(values) + 1)}
