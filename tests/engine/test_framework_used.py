"""What an advice says about the framework it rests on, and a change without lines to paste."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from advisor.engine.advice import Advice, Step
from advisor.engine.advise import present
from advisor.engine.framework_used import default_text, save_signs
from advisor.engine.frameworks import framework_ids
from advisor.engine.knowledge import load_knowledge
from advisor.engine.lines import config_lines
from advisor.engine.lines_in_words import in_words
from tests.engine.framework_support import FOLDER, framework
from tests.engine.sessions import advice, job
from tests.ticket_job import TICKET


def on(framework_id: str, version: str = "", **changes: str) -> Advice:
    """The ticket's job in another framework."""
    facts: Mapping[str, str] = {**TICKET, "framework": framework_id, **changes}
    given = {**facts, "framework_version": version}
    return advice(**{name: text for name, text in given.items() if text})


def step(found: Advice, lever: str) -> Step:
    return next(s for s in found.plan if s.lever == lever)


@pytest.mark.parametrize("name", framework_ids([FOLDER]))
def test_every_framework_is_named_with_the_age_of_its_facts(name: str) -> None:
    one, used = framework(name), on(name).framework
    assert used is not None
    assert (used.id, used.version, used.newest) == (name, str(one.newest), str(one.newest))
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", used.as_of)
    assert used.assumed.startswith(f"No version of {one.title} was given")
    assert not used.newer


def test_a_version_newer_than_the_facts_is_said_to_be() -> None:
    used = on("torchtitan", "1.7").framework
    assert used is not None
    assert (used.newer, used.version) == (True, "0.3.0")
    assert "torchtitan 1.7 is newer than 0.3.0" in used.assumed


def test_a_version_that_is_known_needs_no_assumption() -> None:
    used = on("torchtitan", "0.2.2").framework
    assert used is not None
    assert (used.newer, used.version, used.assumed) == (False, "0.2.2", "")


def test_without_a_file_there_is_none() -> None:
    assert on("in-house").framework is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # checkpoint.interval is 500, and the file has no words beside it.
        ("torchtitan", "500 steps."),
        ("hf-trainer", "500 steps. With --save_strategy steps; a number below 1 is a share of "),
        ("maxtext", "10,000 steps. Local checkpoints"),
        # The number stands in the words already.
        ("gromacs", "Left unset, a checkpoint is written every 15 minutes."),
        # 0 is no interval: the words say what it means.
        ("lammps", "restart 0, the default: no restart files are written."),
        ("megatron-lm", "There is no default"),
        ("orbax", "1 step. Left unset, every step is saved."),
    ],
)
def test_defaults_in_words(name: str, expected: str) -> None:
    assert default_text(framework(name)).startswith(expected)


@pytest.mark.parametrize("name", framework_ids([FOLDER]))
def test_every_framework_says_something_of_its_default(name: str) -> None:
    assert default_text(framework(name)).endswith(".")


def test_the_finding_on_a_default_gives_it_in_words_too() -> None:
    found = on("hf-trainer", "5.24.0", interval_decided_by="framework_default").finding("CKI05")
    assert "(Hugging Face Trainer / Accelerate 5.24.0, --save_steps: 500 steps)" in found.message
    assert found.remedy[0] == (
        "Default of Hugging Face Trainer / Accelerate: 500 steps. "
        "With --save_strategy steps; a number below 1 is a share of the run."
    )


def test_a_framework_without_a_default_is_not_given_one() -> None:
    found = on("megatron-lm", "0.16.0", interval_decided_by="framework_default").finding("CKI05")
    assert found.message == (
        "15 min between saves is a default of the framework; nobody here chose it."
    )
    assert "There is no default: --save-interval must be given with --save." in found.remedy[0]


def test_the_log_tells_background_saves_from_blocking_ones() -> None:
    assert save_signs(framework("torchtitan")) == (
        'Background save: "Finished staging the checkpoint in N seconds." '
        'Blocking save: "Finished saving the checkpoint in N seconds."'
    )
    assert save_signs(framework("scr")) == ""
    assert step(on("torchtitan", "0.3.0"), "async_on").signs == save_signs(framework("torchtitan"))


def test_only_a_change_of_the_mode_needs_the_signs() -> None:
    found = on("torchtitan", "0.3.0", interval="2 min", mode="async")
    assert [s.signs for s in found.plan if s.lever == "longer_interval"] == [""]


def test_lines_from_memory_are_marked() -> None:
    # Flags of 0.8 are in the reference from memory only; those of 0.16 were read.
    assert step(on("megatron-lm", "0.8.0"), "async_on").config[0].read == "recalled"
    assert step(on("megatron-lm", "0.16.0"), "async_on").config[0].read == "source"


def test_assumed_facts_from_memory_are_marked() -> None:
    note = on("orbax", "0.7.0").facts["async_writer"].note
    assert note.endswith("since 0.2 or 0.3 (from memory, not checked).")
    assert "from memory" not in on("orbax", "0.12.4").facts["async_writer"].note


def test_an_inferred_time_out_is_marked() -> None:
    note = on("nemo2", "2.2.1").facts["collective_timeout"].note
    assert note.endswith("; inferred, not read in the source)")


SHORT = {"interval": "", "interval_steps": "30", "step_time": "6 s", "pool_write": "400 GB/s"}
"""A save of 30 s every 3 min: the interval is far too short."""


def test_an_interval_without_lines_is_said_in_words() -> None:
    found = step(on("deepspeed", "0.19.7", **SHORT), "longer_interval")
    assert found.config == ()
    steps = found.settings["interval_steps"]
    assert found.in_words == (
        f"No lines known for DeepSpeed 0.19.7; in words: Save every {steps:.0f} steps; that is "
        "set with the call of save_checkpoint in the client script "
        "(--save-interval in Megatron-DeepSpeed)."
    )


def test_a_change_with_lines_needs_no_words() -> None:
    found = on("megatron-lm", "0.16.0", **SHORT)
    assert {s.lever for s in found.plan} >= {"longer_interval"}
    assert all(s.config and not s.in_words for s in found.plan)


def test_a_capability_without_lines_is_said_with_the_words_of_the_file() -> None:
    # SCR writes a file per process whatever the application does: there is no switch to paste.
    found = step(on("scr", "3.1.0", writers="one", single_stream_write="2 GB/s"), "sharded_save")
    sharded = framework("scr").capabilities["sharded"][0].what
    assert found.in_words == f"No lines known for SCR 3.1.0; in words: {sharded}"


def test_a_change_no_file_describes_takes_the_words_of_its_rule() -> None:
    # A process instead of threads: Orbax has no switch for it, the rule says what it is about.
    slow = {"mode": "async", "drain_slowdown": "0.5", "interval": "60 min"}
    found = step(on("orbax", "0.12.4", **slow), "async_process")
    assert found.in_words == (
        "No lines known for Orbax 0.12.4; in words: Write from a separate process and cache the "
        "save plan; threads compete with the trainer for the interpreter."
    )


def test_a_framework_without_a_file_gets_words_as_well() -> None:
    found = step(on("in-house"), "async_on")
    assert found.config == ()
    assert found.in_words.startswith("No lines known for in-house; in words: Measure tokens/s")


def test_where_no_framework_was_named_nothing_is_said_of_it() -> None:
    assert {s.in_words for s in on("").plan} == {""}


CAPABLE = ("async_on", "sharded_save", "local_staging", "tiering", "peer_copy", "incremental")
"""Changes that use a capability of the framework."""


@pytest.mark.parametrize("name", framework_ids([FOLDER]))
def test_every_change_has_lines_or_words(name: str) -> None:
    given = job(**{**TICKET, "framework": name, "framework_version": str(framework(name).newest)})
    now = present(given.answers, load_knowledge()).situation
    for lever in (*CAPABLE, "compression", "longer_interval", "shorter_interval"):
        words = in_words(lever, now)
        assert bool(config_lines(lever, now)) != bool(words)
        assert not words or re.fullmatch(r"No lines known for .+; in words: \S.*[.)]", words)


def test_a_version_that_lacks_it_says_since_when_and_what_else_there_is() -> None:
    # Local checkpoints and their copies came to Megatron Core with 0.11.
    given = job(**{**TICKET, "framework_version": "0.8.0"})
    assert in_words("peer_copy", present(given.answers, load_knowledge()).situation) == (
        "No lines known for Megatron-LM / Megatron Core 0.8.0; in words: "
        "Not in Megatron-LM / Megatron Core 0.8.0; since 0.11. "
        "Nearest: Megatron-LM / Megatron Core 0.11 or newer. "
        "Saves to the pool, which outlive a lost node, until the version can be changed."
    )
