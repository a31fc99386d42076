"""All the knowledge of one run: facts, rules, frameworks and storage layers, with their digest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from advisor.engine.advice import KnowledgeId
from advisor.engine.asking import asking_faults
from advisor.engine.frameworks import (
    Framework,
    folded,
    framework_aliases,
    framework_id_of,
    framework_ids,
    load_framework,
)
from advisor.engine.layer_types import Layer
from advisor.engine.layers import load_layers
from advisor.engine.levers import LEVERS
from advisor.engine.pack import Pack, load_packs
from advisor.engine.pack_site import changed_text
from advisor.facts.catalogue import Catalogue, Constant
from advisor.facts.catalogue_file import read_catalogue
from advisor.facts.catalogue_tables import faults_of
from advisor.facts.folders import CATALOGUE_FILE, builtin_rules

FRAMEWORKS_FOLDER = "frameworks"
"""The sub-folder of a rules folder that holds the framework files."""

LAYERS_FOLDER = "storage"
"""The sub-folder of a rules folder that holds the files of the storage layers."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything an advice rests on beside the session."""

    folders: tuple[Path, ...]
    catalogue: Catalogue
    pack: Pack
    layers: Mapping[str, Layer]
    id: KnowledgeId

    @property
    def framework_folders(self) -> tuple[Path, ...]:
        """Folders with framework files, built-in ones first."""
        return tuple(folder / FRAMEWORKS_FOLDER for folder in self.folders)

    def frameworks(self) -> tuple[str, ...]:
        """Ids of the frameworks there are files for."""
        return framework_ids(self.framework_folders)

    def framework_id(self, name: str) -> str:
        """Id of the framework people mean by a name, its id or another one; "" for none."""
        known = framework_id_of(name, self.frameworks())
        return known or _aliases(self.framework_folders).get(folded(name), "")

    def framework(self, framework_id: str) -> Framework:
        """One framework file.

        Raises:
            FrameworkError: unknown id, or a faulty file.
        """
        return _framework(self.framework_folders, framework_id)


@lru_cache(maxsize=64)
def _framework(folders: tuple[Path, ...], framework_id: str) -> Framework:
    """Read once per run: the live panel asks at every key."""
    return load_framework(folders, framework_id)


@lru_cache(maxsize=64)
def _aliases(folders: tuple[Path, ...]) -> Mapping[str, str]:
    """Read once per run, and only for a name that is no id."""
    return framework_aliases(folders)


def _digest(paths: Sequence[Path], folders: Sequence[Path]) -> str:
    """sha256 over the names and contents of every knowledge file, sub-folders included."""
    every = list(paths)
    for folder in folders:
        for inner in (FRAMEWORKS_FOLDER, LAYERS_FOLDER):
            every += sorted((folder / inner).glob("*.toml"))
    total = hashlib.sha256()
    for path in every:
        total.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()


def _constants(before: Mapping[str, Constant], catalogue: Catalogue) -> Iterator[str]:
    """What a site's declarations changed of our constants, a sentence each."""
    for name, ours in before.items():
        theirs = catalogue.constants[name]
        if theirs.value != ours.value:
            yield changed_text("the site", name, ours.value, theirs.value, ours.unit)


@lru_cache(maxsize=8)
def load_knowledge(site_folders: tuple[Path, ...] = ()) -> Knowledge:
    """Load the built-in rules and the folders of a site over them.

    Args:
        site_folders: folders in the same form; what they declare comes on top.

    Raises:
        TomlFault: a faulty file, with its place.
    """
    folders = (builtin_rules(), *site_folders)
    catalogues = [f / CATALOGUE_FILE for f in folders if (f / CATALOGUE_FILE).is_file()]
    packs = [p for f in folders for p in sorted(f.glob("*.toml")) if p.name != CATALOGUE_FILE]
    catalogue, declared = read_catalogue(catalogues)
    if faults := declared.faults or asking_faults(declared):
        raise faults_of(faults)
    ours = folders[0]
    site = frozenset(path for path in packs if path.parent != ours)
    pack = load_packs(packs, catalogue, tuple(LEVERS), site=site)
    layers = load_layers(
        [f / LAYERS_FOLDER for f in folders],
        catalogue.facts["pool_kind"].choices,
        framework_ids([f / FRAMEWORKS_FOLDER for f in folders]),
    )
    return Knowledge(
        folders=folders,
        catalogue=catalogue,
        pack=pack,
        layers=layers,
        id=KnowledgeId(
            version=pack.version,
            digest=_digest([*catalogues, *packs], folders),
            changes=(*pack.changes, *_constants(declared.constants_before, catalogue)),
        ),
    )
