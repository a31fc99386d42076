"""Every trap of every framework file reaches the user, with its cure and its source."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import pytest

from advisor.engine.advice import Advice
from advisor.engine.framework_types import Effect
from advisor.engine.framework_words import marked, trap_text
from advisor.engine.frameworks import Trap, framework_ids
from tests.engine.framework_support import FOLDER, framework
from tests.engine.sessions import advice
from tests.ticket_job import TICKET

RULES: dict[Effect, tuple[str, ...]] = {
    "async_off": ("CKA05", "CKA10"),
    "async_ruled_out": ("CKA10",),
    "one_writer": ("CKS06",),
    "timeout_unchanged": ("CKX05",),
    "dirty_buffers": ("CKA08",),
    "other": ("CKA11",),
}
"""Which rule tells of a trap of each effect."""


def every_trap() -> Iterator[tuple[str, Trap]]:
    for name in framework_ids([FOLDER]):
        for trap in framework(name).all_traps:
            yield name, trap


TRAPS = list(every_trap())


def met(name: str, trap: Trap, mode: str = "async") -> Advice:
    """The advice for a job whose settings are just those the trap needs, in a version with it."""
    one = framework(name)
    newest = trap.versions.holds(one.newest)
    version = str(one.newest if newest else trap.versions.first)
    facts = {"framework": name, "framework_version": version, "mode": mode}
    given = {**TICKET, **facts, "framework_settings": "\n".join(trap.has)}
    return advice(**given)


def test_every_effect_has_a_rule() -> None:
    assert set(RULES) == set(get_args(Effect))
    assert {trap.effect for _, trap in TRAPS} == set(RULES)


@pytest.mark.parametrize(("name", "trap"), TRAPS, ids=[f"{n}-{t.id}" for n, t in TRAPS])
def test_a_trap_is_told_with_cure_and_source(name: str, trap: Trap) -> None:
    found = met(name, trap)
    hits = [f for f in found.hits() if f.rule in RULES[trap.effect]]
    assert len(hits) == 1
    assert trap.text.removesuffix(".") in hits[0].message
    assert f"Cure: {trap.cure.removesuffix('.')}." in hits[0].message
    assert any(trap.source in text for text in hits[0].remedy)


NO_HELP = [(n, t) for n, t in TRAPS if t.effect == "async_ruled_out"]


@pytest.mark.parametrize("mode", ["sync", "async"])
@pytest.mark.parametrize(("name", "trap"), NO_HELP, ids=[f"{n}-{t.id}" for n, t in NO_HELP])
def test_where_asynchronous_saves_cannot_help_they_are_not_offered(
    name: str, trap: Trap, mode: str
) -> None:
    found = met(name, trap, mode)
    assert found.before.path == "pool"
    assert all(step.settings.get("mode") != "async" for step in found.plan)
    assert all(f.lever != "async_on" for f in found.hits())


def test_a_version_without_asynchronous_saves_gets_no_lever_from_a_trap() -> None:
    given = {"framework": "deepspeed", "framework_version": "0.16.0", "mode": "async"}
    settings = {"framework_settings": '"nebula": {"enabled": true}'}
    found = advice(**{**TICKET, **given, **settings})
    assert found.finding("CKA10").state == "hit"
    assert found.finding("CKA10").config == ()
    assert all(step.lever != "async_on" for step in found.plan)


def test_the_same_trap_offers_the_lever_where_it_helps() -> None:
    given = {"framework": "deepspeed", "framework_version": "0.17.1", "mode": "async"}
    settings = {"framework_settings": '"nebula": {"enabled": true}'}
    found = advice(**{**TICKET, **given, **settings})
    assert found.finding("CKA05").state == "hit"
    assert found.finding("CKA10").state == "clear"
    assert '"decoupled"' in found.finding("CKA05").config[0].text


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        ("source", "It blocks."),
        ("measured", "It blocks."),
        ("inferred", "It blocks (inferred, not read in the source)."),
        ("recalled", "It blocks (from memory, not checked)."),
    ],
)
def test_what_nobody_read_is_marked(read: str, expected: str) -> None:
    assert marked("It blocks.", read) == expected  # type: ignore[arg-type]  # one of the four


def test_an_inferred_trap_says_so() -> None:
    trap = next(t for t in framework("megatron-lm").all_traps if t.id == "async_legacy_format")
    assert trap_text(trap) == (
        "Asynchronous saves do not work with the old format --ckpt-format torch "
        "(inferred, not read in the source). Cure: --ckpt-format torch_dist."
    )
