"""Every framework file in every version it tells apart: what is assumed, and what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.version import Version

from advisor.engine.framework_file import CAPABILITIES
from advisor.engine.frameworks import Framework, KnownVersion, framework_ids, load_framework
from tests.engine.framework_support import FOLDER, framework
from tests.engine.test_framework_file import SMALL, write

SILENT = {"gds"}
"""What a file may say nothing about: then nothing is claimed either way."""


def versions(one: Framework) -> Iterator[KnownVersion]:
    """Each version at which some fact of the file changes, the one before it, and the ends."""
    ranges = [e.versions for entries in one.capabilities.values() for e in entries]
    ranges += [e.versions for entries in one.changes.values() for e in entries]
    bounds = {Version(spec.version) for r in ranges for spec in r.specifiers}
    texts = {"0.0.1.dev0", str(one.newest), *(str(b) for b in bounds)}
    texts |= {f"{b.base_version}.dev0" for b in bounds}
    for text in sorted(texts, key=Version):
        if Version(text) <= one.newest:
            yield one.version(text)


@pytest.mark.parametrize("name", framework_ids([FOLDER]))
class TestEveryFile:
    @pytest.mark.parametrize("typed", [None, "", "?", "the one of last week", "latest"])
    def test_an_unknown_version_is_the_newest_known_and_says_so(
        self, name: str, typed: str | None
    ) -> None:
        one = framework(name)
        taken = one.version(typed)
        assert (taken.version, taken.assumed, taken.newer) == (one.newest, True, False)
        assert one.title in taken.sentence
        assert str(one.newest) in taken.sentence

    def test_a_newer_version_is_the_newest_known_and_says_so(self, name: str) -> None:
        one = framework(name)
        taken = one.version("9999.9")
        assert (taken.version, taken.assumed, taken.newer) == (one.newest, True, True)
        assert f"{one.title} 9999.9 is newer than {one.newest}" in taken.sentence

    def test_a_known_version_is_taken_as_it_is(self, name: str) -> None:
        one = framework(name)
        for version in versions(one):
            assert not version.assumed
            assert version.sentence == ""

    @pytest.mark.parametrize("capability", CAPABILITIES)
    def test_what_a_version_lacks_is_said_with_the_nearest_there_is(
        self, name: str, capability: str
    ) -> None:
        one = framework(name)
        for version in versions(one):
            found = one.capability(capability, version)
            if found is None:
                assert capability in SILENT
                continue
            if found.status not in {"none", "external"}:
                continue
            entries = one.capabilities[capability]
            listed = any(e.versions.holds(version.version) for e in entries)
            if not listed:
                there = f"; since {found.since}" if found.since else ""
                assert found.what == f"Not in {one.title} {version.text}{there}."
            # The upgrade is one way; the other has to be there for who cannot upgrade.
            upgrade = f"{one.title} {found.since} or newer."
            assert len(found.alternative.removeprefix(upgrade).strip()) > 10
            if found.since:
                assert found.since in found.alternative

    def test_since_is_a_later_version_that_has_it_better(self, name: str) -> None:
        one = framework(name)
        for capability in one.capabilities:
            for version in versions(one):
                found = one.capability(capability, version)
                assert found is not None
                if found.since is None:
                    continue
                later = one.capability(capability, one.version(found.since))
                assert later is not None
                assert Version(found.since) > version.version
                assert later.status != found.status
                assert later.status != "none"


def test_a_version_in_an_alternative_is_not_found_inside_a_longer_one(tmp_path: Path) -> None:
    # 1.2 begins like 1.20, which is what the sentence of the file is about.
    text = SMALL.replace('">=1.0"', '">=1.2"').replace(
        'what = "Background saves."', 'what = "Background saves."\nalternative = "Other 1.20."'
    )
    one = load_framework([write(tmp_path, text)], "mine")
    found = one.capability("async", one.version("1.1"))
    assert found is not None
    assert found.what == "Not in Mine 1.1; since 1.2."
    assert found.alternative == "Mine 1.2 or newer. Other 1.20."
