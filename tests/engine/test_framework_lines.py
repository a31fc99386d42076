"""What is printed to be pasted: right for the version, and usable as it stands.

First and last versions of a flag are those of the projects' tags and release notes.
"""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from configparser import ConfigParser
from types import SimpleNamespace

import pytest

from advisor.engine.framework_file import LEVERS
from advisor.engine.launch_text import fill
from advisor.engine.versions import parse_range, parse_version
from tests.engine.framework_support import VALUES, all_lines, framework, text_at

FLAGS = (
    # framework, text that is printed, first version with it, first version without it again
    ("megatron-lm", "--async-save", "0.7", None),
    ("megatron-lm", "--use-persistent-ckpt-worker", "0.12", None),
    ("megatron-lm", "--async-strategy", "0.17", None),
    ("megatron-lm", "--use-dist-ckpt", "0.6", "0.9"),
    ("megatron-lm", "--ckpt-fully-parallel-save", "0.6", "0.8"),
    ("megatron-lm", "--ckpt-assume-constant-structure", "0.7", None),
    ("megatron-lm", "--replication", "0.11", None),
    ("megatron-lm", "--save-retain-interval", "0.14", None),
    ("torchtitan", "[checkpoint]", "0", "0.3"),
    ("torchtitan", "[comm]", "0", "0.3"),
    ("torchtitan", "--checkpoint.", "0.3", None),
    ("torchtitan", "--comm.", "0.3", None),
    ("torchtitan", "enable_checkpoint", "0", "0.2"),
    ("torchtitan", "enable = true", "0.2", "0.3"),
    ("pytorch-dcp", "async_save", "2.3", None),
    ("pytorch-dcp", "AsyncCheckpointerType", "2.7", None),
    ("pytorch-dcp", "enable_plan_caching", "2.7", None),
    ("pytorch-dcp", "_extensions", "2.7", None),
    ("pytorch-dcp", "StagingOptions", "2.9", None),
    ("deepspeed", "DEEPSPEED_TIMEOUT", "0.12", None),
    ("deepspeed", '"writer"', "0.17.1", None),
    ("deepspeed", "use_node_local_storage", "0.7.5", None),
    ("deepspeed", "pipeline_stage", "0.7.4", None),
    ("orbax", "emergency", "0.5.11", None),
    ("ray-train", "CheckpointUploadMode", "2.50", None),
    ("ray-train", "get_preemption_info", "2.60", None),
    ("colossalai", "use_async", "0.4.7", None),
)
VERSIONS = {
    "megatron-lm": "0.4.0 0.6.0 0.7.0 0.8.0 0.9.0 0.11.0 0.12.0 0.14.0 0.15.3 0.16.0 0.17.0 0.20.0",
    "torchtitan": "0.1.0 0.2.0 0.2.2 0.3.0",
    "pytorch-dcp": "1.13.1 2.0.1 2.1.2 2.2.2 2.3.1 2.4.1 2.6.0 2.7.1 2.8.0 2.9.1 2.12.1 2.14.1",
    "deepspeed": "0.7.0 0.7.4 0.7.5 0.11.0 0.12.0 0.17.0 0.17.1 0.18.1 0.19.5 0.19.6 0.19.7",
    "orbax": "0.5.10 0.5.11 0.7.0 0.8.0 0.11.33 0.11.34 0.12.4",
    "ray-train": "2.49.0 2.50.0 2.51.0 2.60.0",
    "colossalai": "0.4.4 0.4.6 0.4.7 0.5.0",
}


@pytest.mark.parametrize(("name", "flag", "first", "ends"), FLAGS)
def test_no_flag_is_printed_outside_its_versions(
    name: str, flag: str, first: str, ends: str | None
) -> None:
    allowed = parse_range(f">={first}" + (f",<{ends}" if ends else ""))
    printed = set()
    for text in VERSIONS[name].split():
        version = parse_version(text)
        assert version is not None
        for lever in LEVERS:
            # A comment says what to take out of the launch line, it is nothing to paste.
            pasted = re.sub(r"(?m)^#.*$", "", text_at(name, lever, text))
            if flag in pasted:
                assert allowed.holds(version), f"{flag} is printed for {text}"
                printed.add(text)
    assert printed, f"{flag} is printed for no version at all"


def test_megatron_0_16_gets_both_flags_and_no_strategy() -> None:
    words = text_at("megatron-lm", "async_on", "0.16.1").split()
    assert {"--async-save", "--use-persistent-ckpt-worker"} <= set(words)
    assert "--async-strategy" not in words


@pytest.mark.parametrize("version", VERSIONS["deepspeed"].split())
def test_deepspeed_settings_are_json(version: str) -> None:
    for lever in ("async_on", "sharded_save", "parallel_save", "local_staging"):
        if text := text_at("deepspeed", lever, version):
            assert set(json.loads(text)) == {"checkpoint"}


def test_deepspeed_async_is_the_decoupled_fast_writer() -> None:
    settings = json.loads(text_at("deepspeed", "async_on", "0.17.1"))
    assert settings["checkpoint"]["writer"]["type"] == "fast"
    assert settings["checkpoint"]["writer"]["decoupled"] is True


def test_torchtitan_settings_are_toml_before_0_3() -> None:
    assert tomllib.loads(text_at("torchtitan", "async_on", "0.2.2")) == {
        "checkpoint": {"enable": True, "async_mode": "async"}
    }
    assert tomllib.loads(text_at("torchtitan", "raise_timeout", "0.2.2")) == {
        "comm": {"train_timeout_seconds": int(VALUES["timeout_s"])}
    }


@pytest.mark.parametrize("name", ["pytorch-dcp", "orbax", "ray-train"])
def test_python_snippets_compile(name: str) -> None:
    compiled = 0
    for lines in all_lines(framework(name)):
        text = fill(lines.text, VALUES)
        shell = [line for line in text.splitlines() if line.startswith("export ")]
        body = "\n".join(line for line in text.splitlines() if line not in shell)
        indented = "\n".join(f"    {line}" for line in body.splitlines())
        compile(f"while True:\n{indented}\n", lines.lever, "exec")
        compiled += 1
    assert compiled > 5


@pytest.mark.parametrize("name", ["megatron-lm", "hf-trainer", "maxtext"])
def test_shell_lines_split_into_words(name: str) -> None:
    for lines in all_lines(framework(name)):
        assert shlex.split(fill(lines.text, VALUES), comments=False)


def test_settings_files_of_libraries_are_ini() -> None:
    # FTI has sections, VELOC has none; both read with an INI reader that knows no lists.
    for lever in ("longer_interval", "async_on", "tiering", "peer_copy", "incremental"):
        parser = ConfigParser()
        parser.read_string(text_at("fti", lever, "1.6"))
        assert parser.sections() == ["basic"]
    for lever in ("async_on", "local_staging", "tiering", "peer_copy", "keep"):
        parser = ConfigParser()
        parser.read_string("[veloc]\n" + text_at("veloc", lever, "1.8"))
        assert dict(parser["veloc"])


def test_nanotron_settings_are_yaml_of_two_levels() -> None:
    text = text_at("nanotron", "local_staging", "0.4")
    sections = [line for line in text.splitlines() if not line.startswith(" ")]
    assert sections == ["checkpoints:", "s3_upload:"]
    assert all(re.match(r"  \w+: \S", line) for line in text.splitlines() if line not in sections)


def test_dlrover_tiers_send_every_kth_save_to_disk() -> None:
    # The snippet run with k = 4 and every 10 steps: 10, 20, 30 to memory, 40 to disk.
    lines = framework("dlrover").lines("tiering", framework("dlrover").version("0.6.1"))
    assert lines is not None
    body = fill(lines.text, {"interval_steps": "10", "pool_every": "4"})
    saved: list[tuple[int, str]] = []
    names = {
        "StorageType": SimpleNamespace(DISK="disk", MEMORY="memory"),
        "checkpointer": SimpleNamespace(
            save_checkpoint=lambda step, *_, storage_type: saved.append((step, storage_type))
        ),
        "state_dict": {},
        "CHECKPOINT_PATH": "",
    }
    for step in range(1, 81):
        exec(body, {**names, "step": step})  # noqa: S102  # the shipped snippet as it is
    assert [kind for _, kind in saved] == ["memory", "memory", "memory", "disk"] * 2
    assert [step for step, _ in saved] == list(range(10, 81, 10))


def test_two_tiers_multiply_the_interval() -> None:
    text = text_at("megatron-lm", "tiering", "0.17.0")
    product = f"$(( {VALUES['pool_every']} * {VALUES['interval_steps']} ))"
    assert f"--save-interval {product}" in text
    assert f"--non-persistent-save-interval {VALUES['interval_steps']}" in text
