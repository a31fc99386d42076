"""Versions as people type them, and the ranges they are looked up in (PEP 440)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.version import Version

from advisor.engine.versions import parse_range, parse_version
from tests.engine.framework_support import framework


@pytest.mark.parametrize(
    ("text", "prefixes", "expected"),
    [
        ("core_v0.17.0", ("core_v", "core_r", "v"), "0.17.0"),
        ("core_r0.16.0", ("core_v", "core_r", "v"), "0.16.0"),
        ("0.16", (), "0.16"),
        ("v2.9.1", ("v",), "2.9.1"),
        ("2.9.1+cu124", (), "2.9.1"),
        ("torch==2.9.1", ("v",), "2.9.1"),
        ("Megatron core 0.16.0", ("core_v",), "0.16.0"),
        (" 5.24.0 ", (), "5.24.0"),
        ("maxtext-v0.2.4", ("maxtext-v", "v"), "0.2.4"),
        ("29Aug2024", ("stable_",), "2024.8.29"),
        ("stable_2Aug2023_update1", ("stable_",), "2023.8.2"),
        ("LAMMPS (2 Aug 2023)", (), "2023.8.2"),
    ],
)
def test_versions_as_people_type_them(text: str, prefixes: tuple[str, ...], expected: str) -> None:
    assert str(parse_version(text, prefixes)) == expected


@pytest.mark.parametrize(
    "text",
    ["", "  ", "main", "d98e8a64", "latest", "1" * 300, "0.16 or so", "32Xyz2024", "1\u017fep2024"],
)
def test_other_texts_are_no_version(text: str) -> None:
    assert parse_version(text) is None


@given(st.text())
def test_reading_a_version_never_fails(text: str) -> None:
    version = parse_version(text, ("core_v", "v"))
    assert version is None or version.local is None


@pytest.mark.parametrize("text", ["0.7", "=>0.7", "==0.2.*", ">=x", "latest", "===0.7"])
def test_bad_ranges_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"version range|wildcard"):
        parse_range(text)


@pytest.mark.parametrize(
    ("text", "inside", "outside", "first"),
    [
        (">=0.7", "0.7", "0.6.9", "0.7"),
        (">=0.12,<0.16", "0.15.3", "0.16.0", "0.12"),
        ("<2.2", "2.1.2", "2.2", None),
        ("==0.2.2", "0.2.2", "0.2.1", "0.2.2"),
        (">=0.7,>=0.9", "0.9", "0.8", "0.9"),
        (">=0.16", "0.17.0", "0.16.0rc1", "0.16"),  # PEP 440: a candidate is before its release
        ("<0.16", "0.16.0rc1", "0.16.0", None),  # so it has the facts before it, not none at all
    ],
)
def test_ranges(text: str, inside: str, outside: str, first: str | None) -> None:
    found = parse_range(text)
    assert found.holds(Version(inside))
    assert not found.holds(Version(outside))
    assert (None if found.first is None else str(found.first)) == first


def test_the_empty_range_holds_for_everything() -> None:
    assert parse_range("").holds(Version("0.0.1"))


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        (None, "No version"),
        ("?", "No version"),
        ("", "No version"),
        ("main", '"main" is not a version'),
        ("1.3", "newer than 0.20.0"),
    ],
)
def test_an_unknown_version_is_assumed_visibly(typed: str | None, why: str) -> None:
    known = framework("megatron-lm").version(typed)
    assert known.assumed
    assert known.text == "0.20.0"
    assert why in known.sentence


def test_a_known_version_is_not_assumed() -> None:
    known = framework("megatron-lm").version("core_v0.16.1")
    assert (known.assumed, known.sentence, known.text) == (False, "", "0.16.1")
