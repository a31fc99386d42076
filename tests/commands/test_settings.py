"""``--set FACT=VALUE``: what each form gives."""

from __future__ import annotations

import pytest

from advisor.commands.inputs import with_settings
from advisor.commands.settings import setting
from advisor.engine.knowledge import load_knowledge
from advisor.facts.answers import Answer
from advisor.session.document import Session

CATALOGUE = load_knowledge().catalogue


@pytest.mark.parametrize(
    ("typed", "given"),
    [
        ("nodes=1,024", {"nodes": "1,024"}),
        (" mode = async ", {"mode": "async"}),
        ("pool_write=~90 GB/s", {"pool_write": "~90 GB/s"}),
        ("pool_write=80-125 GB/s", {"pool_write": "80-125 GB/s"}),
        ("interval=1h30m", {"interval": "1h30m"}),
        ("interval=440 steps @ 4.1 s", {"interval_steps": "440", "step_time": "4.1 s"}),
        ("interval=500 steps", {"interval_steps": "500"}),
        ("interval_steps=500", {"interval_steps": "500"}),
        ("state=2.3 TB", {"state_total": "2.3 TB"}),
        ("state=48 GB/node", {"state_per_node": "48 GB/node"}),
        ("failures=12 in 30 d", {"interruptions": "12", "observed_for": "30 d"}),
        ("restart=10 min + 5 min", {"detect_time": "10 min", "init_time": "5 min"}),
        ("framework_settings=--a=b c=d", {"framework_settings": "--a=b c=d"}),
    ],
)
def test_the_facts_a_setting_gives(typed: str, given: dict[str, str]) -> None:
    answers = setting(typed, CATALOGUE)
    assert {name: answer.value for name, answer in answers.items()} == given
    assert {answer.source for answer in answers.values()} == {"estimated"}


def test_parameters() -> None:
    assert list(setting("state=70B parameters", CATALOGUE)) == ["parameters"]


@pytest.mark.parametrize("typed", ["nodes=?", "state=?", "interval= ? "])
def test_not_known(typed: str) -> None:
    assert [answer.source for answer in setting(typed, CATALOGUE).values()] == ["unknown"]


def test_a_number_is_no_choice() -> None:
    """In the line interview 1 means the first choice; in a script it would be read as yes."""
    from advisor.commands.faults import UsageFault

    with pytest.raises(UsageFault, match="restore_tested"):
        setting("restore_tested=1", CATALOGUE)


def test_alternatives_of_the_file_go_and_those_of_the_command_line_stay() -> None:
    names = ("state_per_node", "parameters", "restart_time", "nodes")
    old = Session("a", answers={name: Answer("1", "measured") for name in names})
    typed = ["state_total=2 TB", "detect_time=1 min", "init_time=2 min", "nodes=8"]
    answers = with_settings(old, typed, CATALOGUE).answers
    assert list(answers) == ["state_total", "detect_time", "init_time", "nodes"]
    assert {answer.source for answer in answers.values()} == {"estimated"}


def test_the_last_of_two_settings_counts() -> None:
    answers = with_settings(Session("a"), ["nodes=8", "nodes=9"], CATALOGUE).answers
    assert answers == {"nodes": Answer("9")}
