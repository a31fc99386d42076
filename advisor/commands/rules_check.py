"""``rules check DIR``: everything that is wrong with a site's packs, for a terminal and for CI."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from advisor.commands.exit_codes import BAD_USE, FINE
from advisor.commands.output import complain, emit
from advisor.engine.asking import asking_faults
from advisor.engine.frameworks import FrameworkError
from advisor.engine.knowledge import FRAMEWORKS_FOLDER, load_knowledge
from advisor.engine.levers import LEVERS
from advisor.engine.pack import Rule, load_packs
from advisor.engine.rule_fixtures import (
    FIXTURES_FOLDER,
    Fixture,
    fixture_faults,
    fixture_paths,
    read_fixture,
)
from advisor.engine.rule_lint import lint_fixtures, lint_rule
from advisor.facts.catalogue_check import check_catalogue
from advisor.facts.catalogue_file import read_catalogue
from advisor.facts.folders import CATALOGUE_FILE, builtin_rules
from advisor.facts.toml_text import TomlDocument, TomlFault, load_toml


def check(folders: tuple[Path, ...]) -> int:
    """Check folders of packs and print what is wrong with them, each fault with its place.

    Args:
        folders: of a site; later ones are checked over the earlier ones.

    Returns:
        The exit code: 0, or 2 where there is a fault.
    """
    faults, rules, fixtures = check_folders(folders)
    for fault in faults:
        complain(fault.render())
    if faults:
        complain(f"{_many(len(faults), 'fault')} in {', '.join(str(f) for f in folders)}")
        return BAD_USE
    emit(f"{_many(rules, 'rule')} and {_many(fixtures, 'fixture')}: nothing is wrong.")
    return FINE


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def check_folders(folders: tuple[Path, ...]) -> tuple[list[TomlFault], int, int]:
    """All faults of some folders, and how many rules and fixtures were checked."""
    faults = [*_declarations(folders), *_packs(folders), *_frameworks(folders)]
    # Everything else that is read, storage layers, needs the questions and the frameworks.
    faults = faults or _whole(folders)
    if faults:
        # What is not well-formed cannot be tried.
        return faults, 0, 0
    knowledge = load_knowledge(folders)
    documents = dict(rule_documents(folders))
    rules = {rule: knowledge.pack.rules[rule] for rule in documents if rule in knowledge.pack.rules}
    for rule_id, rule in rules.items():
        faults += lint_rule(rule, documents[rule_id], knowledge)
    found = _fixtures(folders, rules, faults)
    if not faults:
        for rule_id, rule in rules.items():
            own = found[rule_id]
            faults += [fault for one in own for fault in fixture_faults(one, rule, knowledge)]
            if not faults:
                faults += lint_fixtures(rule, own, documents[rule_id], knowledge)
    return faults, len(rules), sum(len(own) for own in found.values())


def _whole(folders: tuple[Path, ...]) -> list[TomlFault]:
    try:
        load_knowledge(folders)
    except TomlFault as fault:
        return [fault]
    return []


def _declarations(folders: tuple[Path, ...]) -> list[TomlFault]:
    paths = [f / CATALOGUE_FILE for f in (builtin_rules(), *folders)]
    there = [path for path in paths if path.is_file()]
    try:
        faults = list(check_catalogue(there))
        return faults or asking_faults(read_catalogue(there)[1])
    except TomlFault as fault:
        return [fault]


def _packs(folders: tuple[Path, ...]) -> list[TomlFault]:
    faults: list[TomlFault] = []
    every = (builtin_rules(), *folders)
    catalogues = [f / CATALOGUE_FILE for f in every if (f / CATALOGUE_FILE).is_file()]
    paths = [p for f in every for p in sorted(f.glob("*.toml")) if p.name != CATALOGUE_FILE]
    site = [path for path in paths if path.parent in folders]
    try:
        catalogue, _ = read_catalogue(catalogues)
    except TomlFault:
        # Told by the check of the declarations.
        return []
    load_packs(paths, catalogue, tuple(LEVERS), site=site, collect=faults)
    return faults


def _frameworks(folders: tuple[Path, ...]) -> Iterator[TomlFault]:
    from advisor.engine.framework_file import read_framework

    for folder in folders:
        for path in sorted((folder / FRAMEWORKS_FOLDER).glob("*.toml")):
            try:
                read_framework(path)
            except FrameworkError as error:
                # It is always raised from the fault in the file.
                if isinstance(error.__cause__, TomlFault):
                    yield error.__cause__


def rule_documents(folders: tuple[Path, ...]) -> Iterator[tuple[str, TomlDocument]]:
    """The id of each rule in some folders, with the file it stands in.

    Raises:
        TomlFault: a file that is not TOML.
    """
    for folder in folders:
        for path in sorted(folder.glob("*.toml")):
            document = load_toml(path)
            for rule in document.data.get("rule", {}):
                yield rule, document


def _fixtures(
    folders: tuple[Path, ...], rules: dict[str, Rule], faults: list[TomlFault]
) -> dict[str, list[Fixture]]:
    found: dict[str, list[Fixture]] = defaultdict(list)
    for folder in folders:
        for path in fixture_paths(folder / FIXTURES_FOLDER):
            try:
                fixture = read_fixture(path)
            except TomlFault as fault:
                faults.append(fault)
                continue
            if fixture.rule not in rules:
                message = f"there is no rule {fixture.rule} in these packs"
                faults.append(fixture.document.fault((), message, "rename the folder"))
            found[fixture.rule].append(fixture)
    return found
