"""Facts of Lightning, NeMo, Megatron-Bridge, Composer and the smaller savers, by version.

Expected values are those of the published wheels and repositories the files name as their sources.
"""

from __future__ import annotations

import ast
import shlex

import pytest

from advisor.engine.framework_file import LEVERS
from advisor.engine.launch_text import fill
from tests.engine.framework_support import VALUES, all_lines, framework, text_at

PYTHON = ("pytorch-fsdp", "nvrx", "nemo2", "megatron-bridge", "torchsnapshot")
"""Frameworks whose lines are Python, but for a launcher and exports."""


@pytest.mark.parametrize(
    ("name", "version", "status", "since"),
    [
        # plugins/io/async_plugin.py: absent in 1.6.0, without a copy in 2.5.3, with one in 2.5.4.
        ("lightning", "1.6.0", "none", "2.5.4"),
        ("lightning", "2.5.3", "none", "2.5.4"),
        # For one-file saves only, so the plan must not offer it to a job that saves sharded.
        ("lightning", "2.5.4", "external", None),
        ("lightning", "2.6.6", "external", None),
        # MegatronStrategy(ckpt_async_save: bool = True) in every 2.x wheel.
        ("nemo2", "2.0.0", "default_on", None),
        ("nemo2", "2.7.3", "default_on", None),
        # exp_manager.py: no async_save in 1.23.0, False by default in 2.0.0.
        ("nemo1", "1.23.0", "none", "2.0"),
        ("nemo1", "2.0.0", "opt_in", None),
        ("megatron-bridge", "0.3.0", "opt_in", None),
        ("composer", "0.32.1", "none", None),
        ("t5x", None, "default_on", None),
        ("bytecheckpoint", "0.0.2", "opt_in", None),
        ("torchsnapshot", "0.1.0", "opt_in", None),
        # dcp.async_save is in torch 2.3, not in 2.2.2.
        ("pytorch-fsdp", "2.2.2", "none", "2.3"),
        ("pytorch-fsdp", "2.3.1", "opt_in", None),
        # No checkpointing package in 0.1.3.
        ("nvrx", "0.1.3", "none", "0.2"),
        ("nvrx", "0.2.0", "opt_in", None),
        ("nvrx", "0.4.1", "opt_in", None),
    ],
)
def test_async_by_version(name: str, version: str | None, status: str, since: str | None) -> None:
    one = framework(name)
    found = one.capability("async", one.version(version))
    assert found is not None
    assert (found.status, found.since) == (status, since)


@pytest.mark.parametrize(
    ("name", "version", "seconds"),
    [
        # PyTorch's own: 30 min up to 2.1, 10 min for nccl from 2.2 on.
        ("pytorch-fsdp", "2.1.2", 1800),
        ("pytorch-fsdp", "2.2.0", 600),
        # Lightning hands default_pg_timeout on, so nccl gets 30 min as well.
        ("lightning", "1.7.0", 1800),
        ("lightning", "2.6.6", 1800),
        # Lightning sets up the group up to 2.2; 2.3 passes nothing on, 2.4 an environment variable.
        ("nemo2", "2.2.1", 1800),
        ("nemo2", "2.3.3", 600),
        ("nemo2", "2.4.1", 600),
        ("nemo1", "2.0.0", 1800),
        ("megatron-bridge", "0.3.1", 600),
        ("composer", "0.20.0", 300),
        ("composer", "0.32.1", 300),
    ],
)
def test_default_timeouts(name: str, version: str, seconds: float) -> None:
    one = framework(name)
    timeout = one.timeout(one.version(version))
    assert timeout is not None
    assert timeout.seconds == seconds


@pytest.mark.parametrize("name", ["nvrx", "t5x", "bytecheckpoint", "torchsnapshot"])
def test_a_saver_without_a_group_of_its_own_states_no_collective_timeout(name: str) -> None:
    one = framework(name)
    assert one.timeout(one.version(None)) is None


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("pytorch-fsdp", 1800),  # gloo group of dcp.async_save
        ("t5x", 600),  # AsyncOptions.timeout_secs in checkpoints.py
        ("bytecheckpoint", 1800),  # BYTECHECKPOINT_WRITE_CKPT_TIMEOUT
        ("torchsnapshot", 1800),  # PendingSnapshot.DEFAULT_BARRIER_TIMEOUT
        ("nemo2", None),
        ("megatron-bridge", None),
        ("lightning", None),
    ],
)
def test_limit_of_the_background_save(name: str, limit: float | None) -> None:
    one = framework(name)
    found = one.capability("async", one.version(None))
    assert found is not None
    assert found.drain_limit == limit


@pytest.mark.parametrize(
    ("name", "settings", "version", "expected"),
    [
        (
            "lightning",
            'FSDPStrategy(state_dict_type="sharded")\nplugins=[AsyncCheckpointIO()]',
            "2.6.6",
            {"async_sharded"},
        ),
        ("lightning", "Trainer(plugins=[AsyncCheckpointIO()])", "2.5.3", {"async_no_copy"}),
        ("lightning", "Trainer(plugins=[AsyncCheckpointIO()])", "2.5.4", set()),
        ("lightning", "Trainer(strategy=FSDPStrategy(), devices=8)", "2.6.6", {"full_state"}),
        ("lightning", 'Trainer(strategy="fsdp")', "2.6.6", {"full_state_by_name"}),
        (
            "lightning",
            'Trainer(strategy=FSDPStrategy(state_dict_type="sharded"))',
            "2.6.6",
            set(),
        ),
        (
            "lightning",
            "Trainer(strategy=ModelParallelStrategy(), plugins=[AsyncCheckpointIO()])",
            "2.6.6",
            {"async_model_parallel"},
        ),
        ("nemo2", "nl.MegatronStrategy(ckpt_async_save=False)", "2.5.0", {"async_off"}),
        ("nemo2", "nl.MegatronStrategy(ckpt_async_save=True)", "2.5.0", set()),
        ("nemo2", "callbacks=[EMA(decay=0.999)]", "2.5.0", {"ema"}),
        ("nemo2", "callbacks=[EMA()], ckpt_async_save=False", "2.5.0", {"async_off"}),
        (
            "nemo1",
            "exp_manager.checkpoint_callback_params.async_save=true model.dist_ckpt_format=zarr",
            "2.0.0",
            {"zarr"},
        ),
        ("nemo1", "model:\n  dist_ckpt_parallel_save: False", "2.0.0", {"parallel_save_off"}),
        (
            "megatron-bridge",
            'cfg.checkpoint.async_save = True\ncfg.checkpoint.ckpt_format = "fsdp_dtensor"',
            "0.3.1",
            {"no_async_format"},
        ),
        (
            "megatron-bridge",
            "checkpoint.async_save=true checkpoint.replication=true",
            "0.3.1",
            {"async_local_replication"},
        ),
        (
            "megatron-bridge",
            "CheckpointConfig(async_save=True, use_persistent_ckpt_worker=False)",
            "0.3.1",
            {"no_worker"},
        ),
        ("megatron-bridge", "cfg.checkpoint.async_save = True", "0.3.1", set()),
        ("megatron-bridge", "cfg.checkpoint.fully_parallel_save=False", "0.3.1",
         {"parallel_save_off"}),
        ("composer", "fsdp_config:\n  sharding_strategy: FULL_SHARD", "0.32.1", {"default_full"}),
        ("composer", "fsdp_config:\n  state_dict_type: full", "0.32.1", {"full_state"}),
        ("composer", "fsdp_config:\n  state_dict_type: sharded", "0.32.1", set()),
        (
            "pytorch-fsdp",
            "FSDP.set_state_dict_type(model, StateDictType.FULL_STATE_DICT)",
            "2.9.1",
            {"full_state", "full_on_every_rank"},
        ),
        (
            "pytorch-fsdp",
            "FSDP.set_state_dict_type(model, StateDictType.SHARDED_STATE_DICT)",
            "2.9.1",
            set(),
        ),
        (
            "nvrx",
            "manager.save(s, i, is_async=True)  # LocalCheckpointManager\nAsyncCallsQueue()",
            "0.4.1",
            {"local_persistent_queue"},
        ),
        (
            "nvrx",
            "# LocalCheckpointManager\nAsyncCallsQueue(persistent=False)",
            "0.4.1",
            set(),
        ),
    ],
)  # fmt: skip
def test_traps(name: str, settings: str, version: str, expected: set[str]) -> None:
    one = framework(name)
    assert {trap.id for trap in one.traps(settings, one.version(version))} == expected


@pytest.mark.parametrize("name", PYTHON)
def test_python_lines_parse(name: str) -> None:
    for lines in all_lines(framework(name)):
        text = fill(lines.text, VALUES)
        kept = [row for row in text.splitlines() if not row.startswith(("export ", "ft_launcher "))]
        ast.parse("\n".join(kept))


@pytest.mark.parametrize("name", ["nemo1", "t5x"])
def test_command_line_settings_are_name_and_value(name: str) -> None:
    for lines in all_lines(framework(name)):
        text = fill(lines.text, VALUES)
        words = shlex.split(text, comments=True)
        assert bool(words) != text.startswith("#")
        assert all(word.count("=") == 1 for word in words)


def test_lightning_lines_are_python_but_for_slurm() -> None:
    for lines in all_lines(framework("lightning")):
        text = fill(lines.text, VALUES)
        if not text.startswith("\n#SBATCH") and not text.startswith("#SBATCH"):
            ast.parse(text)


@pytest.mark.parametrize(
    ("name", "version", "flag"),
    [
        ("lightning", "2.5.3", "AsyncCheckpointIO"),  # no copy before 2.5.4: never offered
        ("lightning", "2.0.9", "sharded"),  # FSDPStrategy(state_dict_type=) is in 2.1.0
        ("nemo2", "2.2.1", "LocalCheckpointCallback"),  # local_ckpt.py is in 2.3.0
        ("nemo2", "2.3.3", "TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC"),  # read from 2.4.1 on
        ("nemo1", "1.23.0", "async_save"),
        ("composer", "0.20.0", ".lz4"),  # compression.py is in 0.21.3
        ("composer", "0.23.0", "dedup_save_to_lowest_rank"),  # in 0.24.0
        ("pytorch-fsdp", "2.2.2", "async_save"),
        ("nvrx", "0.3.0", "--ft-rank_section_timeouts"),  # spelled --ft-param- in 0.3.0
        ("nvrx", "0.2.0", "AsyncCallsQueue"),
        ("megatron-bridge", "0.3.1", "storage_writers_per_rank"),
    ],
)
def test_nothing_is_printed_that_the_version_does_not_have(
    name: str, version: str, flag: str
) -> None:
    assert [lever for lever in LEVERS if flag in text_at(name, lever, version)] == []
    newest = str(framework(name).newest)
    assert [lever for lever in LEVERS if flag in text_at(name, lever, newest)]


@pytest.mark.parametrize("name", ["nemo2", "megatron-bridge", "nvrx"])
def test_two_tiers_save_both_ways(name: str) -> None:
    text = text_at(name, "tiering", str(framework(name).newest))
    assert VALUES["pool_every"] in text
    assert VALUES["interval_steps"] in text
    assert "NODE_LOCAL_DIR" in text


def test_composer_file_names_keep_their_braces() -> None:
    text = text_at("composer", "compression", "0.32.1")
    assert text == "save_filename: ep{epoch}-ba{batch}-rank{rank}.pt.lz4"


def test_what_is_from_memory_is_marked_so() -> None:
    # The reference has the gin flag and the FSDP switch of old versions from memory only.
    t5x, fsdp = framework("t5x"), framework("pytorch-fsdp")
    lines = [t5x.lines("longer_interval", t5x.version(None))]
    lines.append(fsdp.lines("sharded_save", fsdp.version("2.1.2")))
    assert [entry.read for entry in lines if entry is not None] == ["recalled", "recalled"]
