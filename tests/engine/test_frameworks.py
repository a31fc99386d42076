"""The framework files and the questions they answer.

Expected values are the published ones: tags and release notes of the projects, PyTorch's own
headers, and the documentation pages named in the files' sources.
"""

from __future__ import annotations

import re

import pytest

from advisor.engine.framework_file import CAPABILITIES, LEVERS, PLACEHOLDERS
from advisor.engine.frameworks import framework_id_of, framework_ids
from advisor.engine.launch_text import placeholders
from tests.engine.framework_support import FOLDER, VALUES, all_lines, framework


@pytest.mark.parametrize("name", framework_ids([FOLDER]))
class TestEveryFile:
    def test_loads_and_is_called_like_its_file(self, name: str) -> None:
        assert framework(name).id == name

    def test_answers_about_every_capability(self, name: str) -> None:
        one = framework(name)
        newest = one.version(None)
        answered = {c for c in CAPABILITIES if one.capability(c, newest) is not None}
        assert answered >= {"async", "sharded", "incremental", "compression", "local", "peer"}

    def test_sources_are_given_and_levers_are_known(self, name: str) -> None:
        one = framework(name)
        sources = [e.source for entries in one.capabilities.values() for e in entries]
        sources += [entry.source for entry in all_lines(one)]
        sources += [entry.source for entry in one.timeouts]
        sources += [entry.source for entry in one.all_traps]
        sources += [entry.source for entry in one.all_notes]
        assert all(len(source) > 10 for source in sources)
        assert set(one.changes) <= set(LEVERS)

    def test_what_is_missing_has_an_alternative(self, name: str) -> None:
        one = framework(name)
        for entries in one.capabilities.values():
            for entry in entries:
                if entry.status in {"none", "external"}:
                    assert len(entry.alternative) > 10

    def test_no_status_none_comes_with_lines_to_paste(self, name: str) -> None:
        one = framework(name)
        lever_of = {
            "async": "async_on",
            "incremental": "incremental",
            "compression": "compression",
            "peer": "peer_copy",
        }
        newest = one.version(None)
        for capability, lever in lever_of.items():
            found = one.capability(capability, newest)
            if found is None or found.status == "none":
                assert one.lines(lever, newest) is None

    def test_async_says_who_writes_and_what_it_holds(self, name: str) -> None:
        for entry in framework(name).capabilities["async"]:
            if entry.status != "none":
                assert entry.writer in {"thread", "process"}
                assert entry.host_copies is not None
                assert entry.plans_before_return is not None
                assert entry.blocks

    def test_every_text_takes_only_the_known_placeholders(self, name: str) -> None:
        one = framework(name)
        for lines in all_lines(one):
            filled = lines.filled(VALUES)
            for before, after in (
                (lines.text, filled.text),
                (lines.worked_if, filled.worked_if),
                (lines.undo, filled.undo),
                *zip(lines.notes, filled.notes, strict=True),
            ):
                used = placeholders(before)
                assert used <= PLACEHOLDERS
                assert all(VALUES[placeholder] in after for placeholder in used)
        for note in one.all_notes:
            assert placeholders(note.text) <= PLACEHOLDERS

    def test_every_entry_can_be_reached(self, name: str) -> None:
        # An entry shadowed by an earlier, wider range would never be printed.
        one = framework(name)
        for lever, entries in one.changes.items():
            for lines in entries:
                start = lines.versions.first
                version = one.version(str(start) if start is not None else "0.0.1")
                assert one.lines(lever, version) == lines
        for capability, found in one.capabilities.items():
            for entry in found:
                start = entry.versions.first
                at = one.capability(capability, one.version(str(start) if start else "0.0.1"))
                assert at is not None
                assert at.what == entry.what

    def test_no_range_starts_after_the_newest_version(self, name: str) -> None:
        one = framework(name)
        starts = [lines.versions.first for lines in all_lines(one)]
        assert all(start <= one.newest for start in starts if start is not None)

    def test_texts_are_plain(self, name: str) -> None:
        raw = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
        prose = [m.group(1) for m in re.finditer(r'^(?:what|text|worked_if) = "(.*)"$', raw, re.M)]
        assert prose
        assert not [line for line in prose if "!" in line and "!=" not in line]


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        # NVIDIA/Megatron-LM: core_v0.15.3 accepts --async-save alone, core_v0.16.0 switches it off.
        # Before that the forked writer runs, whose buffers NVIDIA/Megatron-LM#2288 is about.
        ("0.12.0", {"async_forked_writer"}),
        ("0.15.3", {"async_forked_writer"}),
        ("0.16.0", {"async_save_alone"}),
        ("core_v0.17.0", {"async_save_alone"}),
        ("0.20.0", {"async_save_alone"}),
        (None, {"async_save_alone"}),
    ],
)
def test_megatron_async_save_alone(version: str | None, expected: set[str]) -> None:
    one = framework("megatron-lm")
    traps = one.traps("--save-interval 500 --async-save", one.version(version))
    assert {trap.id for trap in traps} == expected
    assert {trap.effect for trap in traps} <= {"async_off", "dirty_buffers"}


def test_megatron_with_the_worker_is_no_trap() -> None:
    one = framework("megatron-lm")
    both = "--async-save --use-persistent-ckpt-worker"
    assert one.traps(both, one.version("0.16.0")) == ()


def test_megatron_async_is_missing_before_0_7_and_says_since_when() -> None:
    one = framework("megatron-lm")
    found = one.capability("async", one.version("0.6.0"))
    assert found is not None
    assert (found.status, found.since) == ("none", "0.7")
    assert "0.7" in found.alternative
    assert one.lines("async_on", one.version("0.6.0")) is None


def test_megatron_sharding_says_since_when_it_is_the_default() -> None:
    # Tags: opt-in with --use-dist-ckpt in 0.6 to 0.8, default with torch_dist from 0.9 on.
    one = framework("megatron-lm")
    found = one.capability("sharded", one.version("0.8.0"))
    assert found is not None
    assert (found.status, found.since) == ("opt_in", "0.9")
    newest = one.capability("sharded", one.version(None))
    assert newest is not None
    assert (newest.status, newest.since) == ("default_on", None)


@pytest.mark.parametrize(
    ("name", "version", "seconds"),
    [
        # ProcessGroupNCCL.hpp: 30 min up to 2.1, 10 min from 2.2 on.
        ("pytorch-dcp", "2.1.2", 1800),
        ("pytorch-dcp", "2.2.0", 600),
        ("pytorch-dcp", "2.9.1+cu124", 600),
        # DeepSpeed #8253 is in 0.19.6.
        ("deepspeed", "0.11.0", 1800),
        ("deepspeed", "0.19.5", 1800),
        ("deepspeed", "0.19.6", 600),
        ("torchtitan", "0.2.2", 100),
        ("torchtitan", "0.3.0", 100),
        ("megatron-lm", "0.16.0", 600),
        ("hf-trainer", "5.24.0", 1800),
        # TorchConfig(timeout_s=1800) in Ray, Manager(timeout=timedelta(seconds=60)) in torchft.
        ("ray-train", "2.60.0", 1800),
        ("torchft", "0.2.0", 60),
    ],
)
def test_default_timeouts(name: str, version: str, seconds: float) -> None:
    one = framework(name)
    timeout = one.timeout(one.version(version))
    assert timeout is not None
    assert timeout.seconds == seconds


@pytest.mark.parametrize(
    ("name", "version", "status"),
    [
        ("torchtitan", None, "opt_in"),
        ("pytorch-dcp", "2.2.2", "none"),
        ("pytorch-dcp", "2.3.1", "opt_in"),
        ("deepspeed", "0.17.0", "none"),
        ("deepspeed", "0.17.1", "opt_in"),
        ("orbax", None, "default_on"),
        ("maxtext", None, "default_on"),
        ("hf-trainer", None, "none"),
        ("megatron-lm", "0.7.0", "opt_in"),
        # LLNL/scr, config.rst: SCR_FLUSH_ASYNC is about the flush of the cache, not the save.
        ("scr", "3.1", "none"),
        # Wheels 2.49.0 and 2.50.0 of Ray, tags v0.4.4 to v0.4.7 of Colossal-AI.
        ("ray-train", "2.49.0", "none"),
        ("ray-train", "ray-2.50.0", "opt_in"),
        ("colossalai", "v0.4.6", "none"),
        ("colossalai", "v0.4.7", "opt_in"),
        # storage_type=StorageType.DISK and sync_mode = false are defaults in the sources.
        ("dlrover", "0.6.1", "default_on"),
        ("veloc", "veloc-1.8", "default_on"),
        # FTI guide: head = 0 by default. DMTCP's configure.ac: EXPERIMENTAL.
        ("fti", "1.6", "opt_in"),
        ("dmtcp", "4.1.1", "experimental"),
        # S3Mover of nanotron uploads what a blocking save wrote; torchft writes no files.
        ("nanotron", None, "none"),
        ("torchft", None, "none"),
        ("gromacs", "2026.3", "none"),
        ("lammps", "29Aug2024", "none"),
    ],
)
def test_async_status(name: str, version: str | None, status: str) -> None:
    one = framework(name)
    found = one.capability("async", one.version(version))
    assert found is not None
    assert found.status == status


@pytest.mark.parametrize(
    ("version", "seconds"),
    [("0.7.0", 300), ("0.8.0", 600), ("0.11.33", 600), ("0.11.34", 1200), ("0.12.4", 1200)],
)
def test_orbax_limits_the_background_save(version: str, seconds: float) -> None:
    # Orbax changelog: 300 s to 0.7.0, 600 s from 0.8.0, 1,200 s from 0.11.34.
    one = framework("orbax")
    found = one.capability("async", one.version(version))
    assert found is not None
    assert found.drain_limit == seconds


def test_the_same_status_later_is_no_reason_to_upgrade() -> None:
    one = framework("orbax")
    found = one.capability("async", one.version("0.7.0"))
    assert found is not None
    assert (found.status, found.since) == ("default_on", None)


def test_hf_trainer_has_no_async_and_names_the_nearest() -> None:
    one = framework("hf-trainer")
    found = one.capability("async", one.version("4.37.2"))
    assert found is not None
    assert (found.status, found.since) == ("none", None)
    assert "DLRover" in found.alternative
    assert one.lines("async_on", one.version("4.37.2")) is None


def test_deepspeed_hides_one_step_at_most() -> None:
    one = framework("deepspeed")
    found = one.capability("async", one.version(None))
    assert found is not None
    assert (found.one_step, found.drain_limit, found.host_copies) == (True, 300, 0)


@pytest.mark.parametrize(
    ("name", "unit", "default"),
    [
        ("torchtitan", "steps", 500),
        ("hf-trainer", "steps", 500),
        ("maxtext", "steps", 10_000),
        ("orbax", "steps", 1),
        ("megatron-lm", "steps", None),
        ("pytorch-dcp", "call_site", None),
        # gmx mdrun -cpt 15, restart 0, ckpt_L1 = 3, persistent_interval 0, --interval 0.
        ("gromacs", "minutes", 15),
        ("lammps", "steps", 0),
        ("fti", "minutes", 3),
        ("veloc", "seconds", 0),
        ("dmtcp", "seconds", 0),
        ("nanotron", "steps", None),
        ("ray-train", "call_site", None),
    ],
)
def test_interval_defaults(name: str, unit: str, default: float | None) -> None:
    one = framework(name)
    assert (one.interval_unit, one.interval_default) == (unit, default)


def test_capabilities_nobody_described_are_unknown() -> None:
    one = framework("torchtitan")
    assert one.capability("teleport", one.version(None)) is None


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("Colossal-AI", "colossalai"),
        ("Ray Train", "ray-train"),
        ("ray_train", "ray-train"),
        ("GROMACS", "gromacs"),
        ("Megatron LM", "megatron-lm"),
        ("pytorchdcp", "pytorch-dcp"),
        ("gromacs 2026", ""),
        ("-", ""),
        ("", ""),
    ],
)
def test_names_as_people_write_them(name: str, known: str) -> None:
    assert framework_id_of(name, framework_ids([FOLDER])) == known


@pytest.mark.parametrize(
    ("name", "settings", "expected"),
    [
        # FTI, configuration examples: head = 1 with inline_L2 to L4 = 1 leaves the work inline.
        ("fti", "head = 1\ninline_L2 = 1", {"head_alone"}),
        ("fti", "head = 1\ninline_l4 = 0", set()),
        ("veloc", "scratch = /nvme\npersistent = /pool", {"scratch_fills"}),
        ("veloc", "scratch = /nvme\nscratch_versions = 2", set()),
        ("veloc", "ec_interval = 0", {"no_erasure_code"}),
        ("veloc", "ec_interval = -1", set()),
        ("veloc", "ec_interval = 600\nthreaded = true", set()),
        # DLRover, _get_backup_ranks: groups of replica_count nodes, so 1 is the node alone.
        ("dlrover", "DdpCheckpointer(dir, replica_count=1)", {"one_replica"}),
        ("dlrover", "DdpCheckpointer(dir, replica_count=2)", set()),
        ("ray-train", "export RAY_TRAIN_V2_ENABLED=0", {"v2_off"}),
    ],
)
def test_traps_of_libraries(name: str, settings: str, expected: set[str]) -> None:
    one = framework(name)
    assert {trap.id for trap in one.traps(settings, one.version(None))} == expected


def test_only_fti_writes_increments() -> None:
    with_increments = {
        name
        for name in framework_ids([FOLDER])
        if (found := framework(name).capability("incremental", framework(name).version(None)))
        and found.status != "none"
    }
    assert with_increments == {"fti"}
