"""Settings as they are pasted, the traps in them, and the placeholders of what we print."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.engine.launch_text import fill, placeholders, settings_terms, term
from tests.engine.framework_support import framework


def trap_ids(name: str, settings: str, version: str) -> set[str]:
    one = framework(name)
    return {trap.id for trap in one.traps(settings, one.version(version))}


@pytest.mark.parametrize(
    ("name", "settings", "version", "expected"),
    [
        ("megatron-lm", "--ckpt-format=torch", "0.17", {"format_torch"}),
        ("megatron-lm", "--ckpt-format torch", "0.17", {"format_torch"}),
        ("megatron-lm", "--ckpt-format torch_dist", "0.17", set()),
        ("megatron-lm", "--no-async-saved --my--async-save x", "0.17", set()),
        ("megatron-lm", "--dist-ckpt-workers=4", "0.20.0", {"workers_sync"}),
        (
            "megatron-lm",
            "--async-save --use-persistent-ckpt-worker --dist-ckpt-workers 4",
            "0.20.0",
            {"workers_structure"},
        ),
        (
            "megatron-lm",
            "--distributed-timeout-minutes 60 --distributed-timeout-seconds-after-init 300",
            "0.16",
            {"timeout_after_init"},
        ),
        ("torchtitan", "[comm]\ninit_timeout_seconds = 1800", "0.2.2", {"init_timeout_only"}),
        (
            "torchtitan",
            "[comm]\ninit_timeout_seconds = 1800\ntrain_timeout_seconds = 1800",
            "0.2.2",
            set(),
        ),
        (
            "torchtitan",
            "--comm.init_timeout_seconds 1800",
            "0.3.0",
            {"init_timeout_only_flag"},
        ),
        (
            "pytorch-dcp",
            'init_process_group(backend="cpu:gloo,cuda:nccl")',
            "2.9.1",
            {"combined_backend"},
        ),
        (
            "pytorch-dcp",
            'init_process_group("cpu:gloo,cuda:nccl", timeout=timedelta(minutes=10))',
            "2.9.1",
            set(),
        ),
        (
            "pytorch-dcp",
            "DefaultSavePlanner(dedup_save_to_lowest_rank=True)",
            "2.9.1",
            {"dedup_lowest_rank"},
        ),
        ("deepspeed", '{"nebula": {"enabled": true}}', "0.16.0", {"nebula"}),
        (
            "deepspeed",
            '{"zero_optimization": {"stage3_gather_16bit_weights_on_model_save": true}}',
            "0.19.6",
            {"gather_16bit"},
        ),
        ("hf-trainer", '--fsdp "full_shard auto_wrap"', "5.24.0", {"fsdp_default"}),
        (
            "hf-trainer",
            """--fsdp full_shard --fsdp_config '{"state_dict_type": "SHARDED_STATE_DICT"}'""",
            "5.24.0",
            set(),
        ),
        (
            "hf-trainer",
            "fsdp_config:\n  fsdp_state_dict_type: FULL_STATE_DICT",
            "5.24.0",
            {"full_state_dict_accelerate"},
        ),
        ("maxtext", "async_checkpointing=false", "0.2.4", {"async_off"}),
        ("orbax", "enable_async_checkpointing = False", "0.12.4", {"async_off"}),
        ("orbax", "enable_async_checkpointing=True", "0.12.4", set()),
    ],
)
def test_traps(name: str, settings: str, version: str, expected: set[str]) -> None:
    assert trap_ids(name, settings, version) == expected


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ("cfg.checkpoint.async_save = True", "async_save=true"),
        ("checkpoint.async_save=true", "async_save=True"),
        ("CheckpointConfig(async_save=True)", "async_save=True"),
        ('model.dist_ckpt_format="zarr"', "dist_ckpt_format=zarr"),
        ("model.dist_ckpt_format: zarr", "model.dist_ckpt_format"),
    ],
)
def test_a_setting_is_found_under_its_last_name_and_in_python_and_yaml(
    settings: str, word: str
) -> None:
    assert term(word) in settings_terms(settings)


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ("--comm.init_timeout_seconds 1800", "init_timeout_seconds"),  # a flag is one name
        ("cfg.checkpoint.async_save = False", "async_save=True"),
        ("cfg.checkpoint.async_save_all = True", "async_save"),
    ],
)
def test_another_setting_is_not_taken_for_it(settings: str, word: str) -> None:
    assert term(word) not in settings_terms(settings)


def test_megatron_one_writer_traps_are_marked_as_such() -> None:
    one = framework("megatron-lm")
    traps = one.traps("--no-ckpt-fully-parallel-save", one.version("0.17"))
    assert [trap.effect for trap in traps] == ["one_writer"]


@given(st.text())
def test_settings_of_any_text_can_be_read(text: str) -> None:
    assert "" not in settings_terms(text)


WORD = st.from_regex(r"--[a-z][a-z0-9-]{0,12}", fullmatch=True)
VALUE = st.from_regex(r"[a-z0-9_/.]{1,8}", fullmatch=True)


@given(st.lists(st.tuples(WORD, VALUE, st.sampled_from(["=", " ", "  "])), max_size=6))
def test_every_flag_of_a_launch_line_is_found_in_either_form(
    flags: list[tuple[str, str, str]],
) -> None:
    terms = settings_terms(" ".join(f"{flag}{gap}{value}" for flag, value, gap in flags))
    for flag, value, _ in flags:
        assert term(flag) in terms
        assert term(f"{flag} {value}") in terms


def test_notes_go_with_their_lever_and_version() -> None:
    one = framework("torchtitan")
    at = {note.id for note in one.notes("raise_timeout", one.version("0.2.2"))}
    later = {note.id for note in one.notes("raise_timeout", one.version("0.3.0"))}
    assert "resumed_timeout" in at
    assert "resumed_timeout" not in later
    assert one.notes("keep", one.version(None)) == ()


def test_a_placeholder_without_a_value_is_left_to_the_reader() -> None:
    assert fill("--save-interval {interval_steps}", {}) == "--save-interval INTERVAL_STEPS"


def test_a_literal_brace_is_doubled() -> None:
    assert fill('{{"keep": {keep}}}', {"keep": "3"}) == '{"keep": 3}'


@pytest.mark.parametrize("text", ["{", "a }", "{keep:>8}", "{keep!r}", "{keep.real}", "{0}", "{}"])
def test_more_than_a_name_is_no_placeholder(text: str) -> None:
    with pytest.raises(ValueError, match=r"brace|name|encountered|expected|Single"):
        placeholders(text)
