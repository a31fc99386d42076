"""The files of the storage layers: the shipped ones, and what is said about a faulty one."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.engine.framework_file import PLACEHOLDERS
from advisor.engine.knowledge import load_knowledge
from advisor.engine.launch_text import placeholders
from advisor.facts.toml_text import TomlFault
from tests.engine.layer_support import SMALL, loaded, write

WRITTEN = {
    "alluxio", "beeond", "daos", "gekkofs", "gke-multi-tier", "gpudirect-storage", "juicefs",
    "lustre-ost-pools", "lustre-pcc", "nebula", "s3-connector-pytorch", "sagemaker-hyperpod",
    "unifyfs",
}  # fmt: skip
"""The thirteen that are shipped."""

LAYERS = load_knowledge().layers


def test_all_of_them_are_there() -> None:
    assert set(LAYERS) == WRITTEN


@pytest.mark.parametrize("name", sorted(WRITTEN))
class TestEveryFile:
    def test_names_its_sources(self, name: str) -> None:
        one = LAYERS[name]
        sources = [one.source, one.copy_source, *(lines.source for lines in one.lines.values())]
        assert all(len(source) > 10 for source in sources)

    def test_ends_its_sentences(self, name: str) -> None:
        one = LAYERS[name]
        texts = [one.what, one.copy, *one.needs, *one.gotchas]
        texts += [one.instead] if one.deprecated else []
        for lines in one.lines.values():
            texts += [*lines.notes, lines.worked_if]
        assert one.needs
        assert one.gotchas
        assert [t for t in texts if not t.endswith(".") or "!" in t] == []

    def test_one_in_use_says_how_it_is_switched_on_and_off(self, name: str) -> None:
        one = LAYERS[name]
        for lines in one.lines.values():
            assert lines.worked_if
            assert lines.undo
            # A pause or a time-out of the plan says nothing about a layer that is not in it.
            assert placeholders(lines.text) <= {"interval_steps"} < PLACEHOLDERS
        assert bool(one.lines) != one.deprecated

    def test_its_places_are_capitals_to_fill_in(self, name: str) -> None:
        # Nothing that is pasted may name a folder of somebody's own machine.
        texts = [lines.text for lines in LAYERS[name].lines.values()]
        for word in ("/mnt", "/local", "/home", "/scratch", "/data", "s3://", "gs://"):
            assert all(word not in text for text in texts)


def test_only_nebula_is_gone_and_names_what_to_use() -> None:
    gone = [one for one in LAYERS.values() if one.deprecated]
    assert [one.id for one in gone] == ["nebula"]
    assert "async_save" in gone[0].instead


def test_a_mirrored_beeond_has_lines_of_its_own() -> None:
    # The help text of beeond: -k mirrors storage targets, -j metadata servers.
    one = LAYERS["beeond"]
    plain, mirrored = one.lines_for("tiering"), one.lines_for("peer_copy")
    assert plain is not None
    assert mirrored is not None
    assert " -k " not in plain.text
    assert " -k -j " in mirrored.text


def test_a_small_file_says_what_was_written(tmp_path: Path) -> None:
    one = loaded(write(tmp_path), tmp_path / "absent")["mine"]
    assert (one.gives, one.survives, one.deprecated) == (("tiering", "peer_copy"), "no", False)
    assert one.copy == "A copy in it is lost with its node."
    twice, usual = one.lines_for("peer_copy"), one.lines_for("tiering")
    assert (twice and twice.text) == "mine start DIR --twice"
    assert (usual and usual.lever) == "all"


@pytest.mark.parametrize(
    ("pools", "frameworks", "pool", "framework", "fits"),
    [
        ('["nfs"]', '["any"]', "nfs", "scr", True),
        ('["nfs"]', '["any"]', "lustre", "scr", False),
        ('["nfs"]', '["any"]', None, "scr", False),
        ('["any"]', '["scr"]', None, "scr", True),
        ('["any"]', '["scr"]', "nfs", "pytorch-dcp", False),
        ('["any"]', "[]", "nfs", "scr", False),
    ],
)
def test_what_it_fits(
    tmp_path: Path, pools: str, frameworks: str, pool: str | None, framework: str, fits: bool
) -> None:
    text = SMALL.replace('pools = ["nfs"]', f"pools = {pools}")
    text = text.replace('frameworks = ["any"]', f"frameworks = {frameworks}")
    assert loaded(write(tmp_path, text))["mine"].fits(pool, framework) is fits


@pytest.mark.parametrize(
    ("old", "new", "key", "message"),
    [
        ("schema_version = 1", "schema_version = 2", "schema_version", "must be 1"),
        ('id = "mine"', 'id = "yours"', "layer.id", "name of the file"),
        ('kind = "cache"', 'kind = "cash"', "layer.kind", 'did you mean "cache"'),
        ('title = "Mine"', "title = 3", "layer.title", "a text"),
        ('title = "Mine"', "", "layer", '"title" is missing'),
        ("as_of", "colour = 1\nas_of", "layer.colour", "not known"),
        ('"peer_copy"]', '"pear_copy"]', "layer.gives", 'did you mean "peer_copy"'),
        ('gives = ["tiering", "peer_copy"]', "", "layer", '"gives" is missing'),
        ('"nfs"', '"nfss"', "fits.pools", 'did you mean "nfs"'),
        ('frameworks = ["any"]', 'frameworks = ["scar"]', "fits.frameworks", 'did you mean "scr"'),
        ("[fits]", "[fit]", "", '"fits" is missing'),
        ('survives = "no"', 'survives = "maybe"', "copy.survives", "not known"),
        ('survives = "no"', 'survives = "only_with"', "copy.survives", '"with"'),
        ('survives = "no"', 'survives = "no"\nwith = "-k."', "copy.survives", '"with"'),
        ('read = "inferred"', 'read = "seen"', "copy.read", "not known"),
        ("{pool_every}", "{pool_evry}", "lines.all.text", 'did you mean "pool_every"'),
        ("[lines.all]", "[lines.local_staging]", "lines.local_staging", "not among what"),
        ("[lines.all]", "[lines.tiering]", "", "[lines.all] is missing"),
        ("[lines.peer_copy]", "[lines.pear_copy]", "lines.pear_copy", 'did you mean "peer_copy"'),
        ("as_of", "deprecated = true\nas_of", "layer.deprecated", "what to use instead"),
        ("as_of", 'instead = "x."\nas_of', "layer.instead", "what to use instead"),
    ],
)
def test_faults_name_the_place_and_what_to_do(
    tmp_path: Path, old: str, new: str, key: str, message: str
) -> None:
    assert old in SMALL
    with pytest.raises(TomlFault) as caught:
        loaded(write(tmp_path, SMALL.replace(old, new, 1)))
    fault = caught.value
    assert fault.key == key
    assert message in f"{fault.message} {fault.hint}"
    assert str(fault).startswith(f"{tmp_path / 'mine.toml'}:{fault.line}:{fault.column}: ")


def test_a_fault_names_its_line_and_column(tmp_path: Path) -> None:
    # Counted by hand in SMALL: the empty first line is 1, kind is on 6.
    with pytest.raises(TomlFault) as caught:
        loaded(write(tmp_path, SMALL.replace('"cache"', '"cash"')))
    assert (caught.value.line, caught.value.column) == (6, 1)


def test_the_same_id_twice_names_both_files(tmp_path: Path) -> None:
    first, second = write(tmp_path / "rules"), write(tmp_path / "site")
    with pytest.raises(TomlFault, match="already in") as caught:
        loaded(first, second)
    assert str(first / "mine.toml") in str(caught.value)
    assert caught.value.path == str(second / "mine.toml")
    assert caught.value.line == 4


def test_a_site_may_add_layers_and_the_digest_covers_them(tmp_path: Path) -> None:
    site, other = tmp_path / "site", tmp_path / "other"
    write(site / "storage")
    write(other / "storage", SMALL.replace("A cache.", "Another cache."))
    found, changed = load_knowledge((site,)), load_knowledge((other,))
    assert set(found.layers) == WRITTEN | {"mine"}
    digests = {load_knowledge().id.digest, found.id.digest, changed.id.digest}
    assert len(digests) == 3


def test_a_faulty_site_layer_stops_the_knowledge(tmp_path: Path) -> None:
    write(tmp_path / "storage", SMALL.replace('"nfs"', '"floppy"'))
    with pytest.raises(TomlFault, match="floppy"):
        load_knowledge((tmp_path,))
