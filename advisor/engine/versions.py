"""Framework versions as people type them, and the ranges framework files state facts for.

Ranges and order are PEP 440 (the ``packaging`` library). A local part such as ``+cu124`` names a
build, not another release, and is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

_LONGEST_TEXT = 200
"""Characters of a typed version that are looked at: longer text is not a version."""

_NAME_BEFORE = re.compile(r"[\s=]+")
"""What stands between a name and its version ("torch==2.9.1", "Megatron core 0.16.0")."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
"""The months as release names have them, January first."""

_DATED = re.compile(
    rf"(?<![0-9])([0-9]{{1,2}}) ?({'|'.join(_MONTHS)})[a-z]* ?([0-9]{{4}})",
    re.ASCII | re.IGNORECASE,
)
"""A release named by its day ("29Aug2024", "stable_2Aug2023_update1"), as LAMMPS has them."""

_LOWER_BOUNDS = frozenset({">=", "==", "~=", "==="})
"""Operators that name the first version of a range."""


@dataclass(frozen=True, slots=True)
class KnownVersion:
    """The version facts are looked up for.

    Attributes:
        version: the parsed version, without a build part.
        text: the version as it should be printed.
        assumed: whether it was taken because none, or none we know, was given.
        sentence: why it was taken; "" unless ``assumed``.
        newer: whether the version in use is newer than the newest known.
    """

    version: Version
    text: str
    assumed: bool = False
    sentence: str = ""
    newer: bool = False


@dataclass(frozen=True, slots=True)
class VersionRange:
    """A PEP 440 specifier set; the empty text holds for every version."""

    text: str
    specifiers: SpecifierSet

    def holds(self, version: Version) -> bool:
        """Whether ``version`` is inside; a pre-release sorts before its release, as in PEP 440.

        PEP 440 itself leaves the pre-releases of 2.0 out of ``<2.0``; here every version falls on
        one side, or 2.0rc1 would have neither the facts before 2.0 nor those from it on.
        """
        return all(
            version < Version(spec.version)
            if spec.operator == "<"
            else spec.contains(version, prereleases=True)
            for spec in self.specifiers
        )

    @property
    def first(self) -> Version | None:
        """The version the range starts at, or None where it has no stated lower end."""
        bounds = [Version(s.version) for s in self.specifiers if s.operator in _LOWER_BOUNDS]
        return max(bounds) if bounds else None


def parse_range(text: str) -> VersionRange:
    """Read a specifier set such as ``>=0.12,<0.16``.

    Raises:
        ValueError: the text is not a PEP 440 specifier set, or uses a wildcard.
    """
    try:
        specifiers = SpecifierSet(text)
    except InvalidSpecifier as error:
        raise ValueError(f"{text!r} is not a version range") from error
    if "*" in text or "===" in text:
        raise ValueError(f"{text!r} uses a wildcard or ===: write both ends of the range")
    return VersionRange(text, specifiers)


def parse_version(text: str, prefixes: Sequence[str] = ()) -> Version | None:
    """Read one version, or None where there is none in the text.

    Args:
        text: as typed: ``2.9.1+cu124``, ``v2.9.1``, ``torch==2.9.1``, ``core_v0.17.0``; a day
            (``29Aug2024``) is read as year.month.day.
        prefixes: tag prefixes of this framework, stripped first (``core_v``).
    """
    if len(text) > _LONGEST_TEXT or not text.strip():
        return None
    if dated := _DATED.search(text):
        day, month, year = dated.groups()
        return Version(f"{year}.{_MONTHS.index(month.lower()) + 1}.{day}")
    word = _NAME_BEFORE.split(text.strip())[-1]
    for prefix in sorted(prefixes, key=len, reverse=True):
        if word.lower().startswith(prefix.lower()):
            word = word[len(prefix) :]
            break
    try:
        return Version(Version(word).public)
    except InvalidVersion:
        return None


def known_version(
    text: str | None, newest: Version, title: str, prefixes: Sequence[str] = ()
) -> KnownVersion:
    """The version to look facts up for; the newest known one, visibly, where it must be assumed.

    Args:
        text: the version as typed, or None (also "" and "?") when nobody gave one.
        newest: the newest version the facts were read at.
        title: the framework's name, for the sentence.
        prefixes: as for ``parse_version``.
    """
    if text is None or text.strip() in {"", "?"}:
        why = f"No version of {title} was given: facts of {newest}, the newest known, are used."
        return KnownVersion(newest, str(newest), assumed=True, sentence=why)
    version = parse_version(text, prefixes)
    if version is None:
        shown = text.strip()[:40]
        why = f'"{shown}" is not a version of {title} we can read: facts of {newest} are used.'
        return KnownVersion(newest, str(newest), assumed=True, sentence=why)
    if version > newest:
        why = (
            f"{title} {version} is newer than {newest}, the newest version the facts were read at: "
            f"facts of {newest} are used. Check the flags."
        )
        return KnownVersion(newest, str(newest), assumed=True, sentence=why, newer=True)
    return KnownVersion(version, str(version))
