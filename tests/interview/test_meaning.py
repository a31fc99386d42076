"""What typed answers mean: every form, every refusal, and how they are read back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.engine.knowledge import load_knowledge
from advisor.facts.answers import Answer, Certainty
from advisor.facts.resolve import AnswerError, read_answer
from advisor.interview.flow import Checklist
from advisor.interview.meaning import Meaning, interpret
from advisor.interview.wording import alternatives, find, hint, label, prompt, why

CHECKLIST = Checklist(load_knowledge().catalogue)


def read(question: str, text: str, certainty: Certainty | None = None) -> Meaning:
    return interpret(CHECKLIST.question(question), text, certainty)


def values(meaning: Meaning) -> dict[str, str]:
    return {name: answer.value for name, answer in meaning.answers.items()}


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("state", "2.3 TB", {"state_total": "2.3 TB"}),
        ("state", " 2.3 TB in all ", {"state_total": "2.3 TB"}),
        ("state", "2 TiB total", {"state_total": "2 TiB"}),
        ("state", "48 GB/node", {"state_per_node": "48 GB/node"}),
        ("state", "48 GB per node", {"state_per_node": "48 GB per node"}),
        ("state", "70B parameters", {"parameters": "70B"}),
        ("state", "70B params", {"parameters": "70B"}),
        ("state", "671e9 parameters", {"parameters": "671e9"}),
        ("interval", "30 min", {"interval": "30 min"}),
        ("interval", "every 2 h", {"interval": "2 h"}),
        ("interval", "1-02:00:00", {"interval": "1-02:00:00"}),
        ("interval", "500 steps", {"interval_steps": "500"}),
        ("interval", "440 steps @ 4.1 s", {"interval_steps": "440", "step_time": "4.1 s"}),
        ("interval", "440 x 4.1 s", {"interval_steps": "440", "step_time": "4.1 s"}),
        ("interval", "440 steps × 4.1 s", {"interval_steps": "440", "step_time": "4.1 s"}),
        ("interval", "every 440 steps at 4.1 s", {"interval_steps": "440", "step_time": "4.1 s"}),
        ("failures", "12 in 30 d", {"interruptions": "12", "observed_for": "30 d"}),
        (
            "failures",
            "12 interruptions in 30 days",
            {"interruptions": "12", "observed_for": "30 days"},
        ),
        ("failures", "466 in the last 54 d", {"interruptions": "466", "observed_for": "54 d"}),
        ("failures", "0 in 30 d", {"interruptions": "0", "observed_for": "30 d"}),
        ("failures", "12", {"interruptions": "12"}),
        ("failures", "12 failures", {"interruptions": "12"}),
        ("failures", "10 h", {"job_mtbf": "10 h"}),
        ("failures", "every 10 h", {"job_mtbf": "10 h"}),
        ("failures", "3 years/node", {"node_mtbf": "3 years"}),
        ("failures", "3 years per node", {"node_mtbf": "3 years"}),
        ("restart", "15 min", {"restart_time": "15 min"}),
        ("slow_writers", "41 s, 43 s, 62 s", {"rank_times": "41 s, 43 s, 62 s"}),
        ("slow_writers", "41, 43, 62 s", {"rank_times": "41, 43, 62 s"}),
        ("slow_writers", "2x", {"tail_ratio": "2x"}),
        ("slow_writers", "1.5-3", {"tail_ratio": "1.5-3"}),
        ("restart", "10 min + 5 min", {"detect_time": "10 min", "init_time": "5 min"}),
        ("nodes", "1,024", {"nodes": "1,024"}),
        ("pool_write", "400 Gb/s", {"pool_write": "400 Gb/s"}),
        ("mode", "sync", {"mode": "sync"}),
        ("mode", "Asynchronous", {"mode": "async"}),
        ("mode", "asynchronous: written in the background", {"mode": "async"}),
        ("mode", "a", {"mode": "async"}),
        ("mode", "2", {"mode": "async"}),
        ("nvme", "no drive", {"nvme": "none"}),
        ("nvme", "3", {"nvme": "used"}),
        # A whole member wins over the longer ones that begin like it.
        ("writers", "one", {"writers": "one"}),
        ("writers", "one-per-node", {"writers": "one_per_node"}),
        ("framework", "megatron-lm", {"framework": "megatron-lm"}),
    ],
)
def test_every_form(question: str, text: str, expected: dict[str, str]) -> None:
    meaning = read(question, text)
    assert values(meaning) == expected
    assert {answer.source for answer in meaning.answers.values()} == {"estimated"}
    members = {spec.name for spec in CHECKLIST.question(question).specs}
    # The other alternatives go, companions such as the time of a step stay.
    assert set(meaning.clears) == members - set(expected)


@pytest.mark.parametrize(
    ("question", "text", "message", "wanted"),
    [
        ("state", "", "Nothing was typed.", "?"),
        ("state", "18G", "G is not a unit.", "GB or GiB"),
        ("state", "400 Gb", "400 Gb is bits, not bytes.", "GB"),
        ("state", "48", "48 has no unit.", "48 GB/node"),
        # 70B as a size would be 70 bytes.
        ("state", "70B", "70B could be bytes or parameters.", "70B parameters"),
        ("state", "70 parsecs/node", "parsecs/node is not a unit for a size.", "18 GB"),
        ("state", "2 EB", "2 EB is over the most, 1 EB.", "Write it like 2.3 TB"),
        ("interval", "500", "500 has no unit.", "500 steps"),
        ("interval", "440 steps @ 4.1", "4.1 has no unit.", "4.1 s"),
        ("interval", "4.5 steps", "4.5 is not a whole number.", "500"),
        ("interval", "-3 min", "The value is negative.", "30 min"),
        ("failures", "12 in a month", "does not start with a number", "30 min"),
        ("failures", "12 in 30 GB", "30 GB is a size, not a time.", "30 min"),
        ("restart", "10 min + 5", "5 has no unit.", "5 s"),
        ("nodes", "0", "0 is under the least, 1.", "Write it like 8, 128, 2,048."),
        ("nodes", "15,5", "A comma stands only before three digits.", "15.5"),
        ("slow_writers", "41 s", "One time says nothing", "41 s, 43 s, 62 s"),
        ("slow_writers", "41 s, 1 us", "0.000001 s is under the least", "Write it like 41 s;"),
        ("slow_writers", "41 GB, 43 GB", "41 GB is a size, not a time.", "41 s, 43 s"),
        ("mode", "x", '"x" is not one of the choices.', "sync, async, or ?"),
        ("mode", "3", '"3" is not one of the choices.', "sync"),
        ("writers", "o", '"o" fits more than one choice.', "one_per_node or one_replica or one"),
        ("framework", "\ud800", "It has a character that cannot be read.", "plain letters"),
    ],
)
def test_every_refusal(question: str, text: str, message: str, wanted: str) -> None:
    with pytest.raises(AnswerError) as caught:
        read(question, text)
    assert message in caught.value.message
    assert wanted in caught.value.hint


@pytest.mark.parametrize(
    ("question", "text", "echo"),
    [
        # By hand: 30 x 60; 26 h x 3,600; 48 x 48 GB = 2,304 GB; 440 x 4.1 s = 1,804 s = 30.07 min.
        ("interval", "30 min", "= 1,800 s"),
        ("interval", "1-02:00:00", "= 93,600 s"),
        ("interval", "1800 s", "= 30 min"),
        ("interval", "90 s", ""),
        ("interval", "440 steps @ 4.1 s", "440 steps x 4.1 s = 30.1 min"),
        ("interval", "500 steps", ""),
        ("pool_write", "400 Gb/s", "= 50 GB/s"),
        ("pool_write", "100 GB/s", ""),
        # Geometric mean of 50 and 80: the root of 4,000 is 63.2.
        ("pool_write", "50-80 GB/s", "= 63.2 GB/s, from 50 GB/s to 80 GB/s"),
        ("state", "48 GB/node", "48 nodes x 48 GB = 2.3 TB"),
        ("state", "9.6 TB", "= 9.6 TB in all, 200 GB a node"),
        ("state", "70B parameters", "= 70 B parameters"),
        ("state", "7,241,732,096 params", "= 7,241,732,096 parameters"),
        ("state", "176B params", "= 176 B parameters"),
        ("state", "350M parameters", "= 350 M parameters"),
        ("step_time", "500 steps @ 3.2 s", "= 3.2 s"),
        # 30 d / 12 = 2.5 d; 3 x 365 d / 48 = 22.8 d.
        ("failures", "12 in 30 d", "30 d / 12 = one in 2.5 d"),
        ("failures", "0 in 30 d", "none in 30 d"),
        ("failures", "3 years/node", "3 years / 48 nodes = 22.8 d"),
        ("restart", "10 min + 5 min", "10 min + 5 min = 15 min"),
        ("slow_writers", "4, 1, 2 min", "= 3 times, the usual one 2 min, the slowest 4 min"),
        ("pool_share", "0.75", "= 75 %"),
        ("observed_for", "30 d", "= 720 h"),
        ("job_length", "1 y", "= 365 d"),
        ("mode", "sync", "= synchronous: training waits"),
        ("framework", "orbax", ""),
        ("nodes", "?", "= don't know"),
    ],
)
def test_how_an_answer_is_read_back(question: str, text: str, echo: str) -> None:
    known = {"nodes": Answer("48")}
    assert interpret(CHECKLIST.question(question), text, None, known=known).echo == echo


@pytest.mark.parametrize("nodes", ["?", "many"])
def test_no_product_with_an_unknown_number_of_nodes(nodes: str) -> None:
    question = CHECKLIST.question("state")
    known = {"nodes": Answer(nodes)}
    assert interpret(question, "48 GB/node", None, known=known).echo == "= 48 GB"
    assert interpret(question, "9.6 TB", None, known=known).echo == "= 9.6 TB in all"


@pytest.mark.parametrize(
    ("text", "chosen", "source", "vague"),
    [
        ("15 GB", None, "estimated", False),
        ("15 GB", "measured", "measured", False),
        ("15 GB", "guessed", "guessed", False),
        ("~15 GB", None, "estimated", True),
        ("10-20 GB", None, "estimated", True),
        ("~15 GB", "guessed", "guessed", True),
        ("?", None, "unknown", True),
        ("?", "measured", "unknown", True),
        ("15 GB", "unknown", "unknown", True),
    ],
)
def test_how_sure_it_is(text: str, chosen: Certainty | None, source: str, vague: bool) -> None:
    meaning = read("state", text, chosen)
    assert meaning.answers["state_total"].source == source
    assert meaning.vague is vague
    assert (meaning.answers["state_total"].value == "?") is (source == "unknown")


def test_do_not_know_takes_the_place_of_every_alternative() -> None:
    meaning = read("state", "?")
    assert values(meaning) == {"state_total": "?"}
    assert set(meaning.clears) == {"state_per_node", "parameters"}


def test_a_note_stays_with_the_first_fact() -> None:
    question = CHECKLIST.question("failures")
    meaning = interpret(question, "12 in 30 d", "measured", "sacct", "Kim")
    assert meaning.answers["interruptions"] == Answer("12", "measured", "sacct", said_by="Kim")
    assert meaning.answers["observed_for"] == Answer("30 d", "measured", said_by="Kim")


def test_every_example_shown_can_be_typed() -> None:
    everything = dict.fromkeys(load_knowledge().catalogue.facts, Answer("?"))
    shown = 0
    for question in CHECKLIST.questions(everything):
        assert not hint(question).endswith("?")
        for example in hint(question).split(", "):
            interpret(question, example, None)
            shown += 1
    assert shown > 200


def test_wording_of_the_five_and_of_follow_ups() -> None:
    state, pool = CHECKLIST.question("state"), CHECKLIST.question("pool_write")
    assert label(state) == "State"
    assert prompt(state) == "How much state does one save write?"
    assert label(pool) == "Pool write rate"
    assert prompt(pool).startswith("How fast can the pool take")
    assert hint(CHECKLIST.question("mode")) == "sync, async"
    assert alternatives(state) == ("State written per node", "Parameters of the model")
    assert alternatives(pool) == ()
    assert why(pool).startswith("It decides how long a save takes")
    assert len(find(pool)) == 2
    assert find(state)[0].startswith("State of one save: du -sb")


QUESTIONS = ["state", "interval", "failures", "restart", "mode", "slow_writers"]


@given(st.text(max_size=40), st.sampled_from(QUESTIONS))
def test_any_text_is_an_answer_that_reads_back_or_is_refused(text: str, name: str) -> None:
    question = CHECKLIST.question(name)
    specs = {spec.name: spec for spec in (*question.specs, *question.companions)}
    refused, meaning = "", None
    try:
        meaning = interpret(question, text, None)
    except AnswerError as error:
        refused = f"{error.message} {error.hint}"
    if meaning is None:
        assert len(refused) > len("  ")
        return
    for fact, answer in meaning.answers.items():
        read_answer(specs[fact], answer)
    assert not set(meaning.answers) & set(meaning.clears)


@pytest.mark.parametrize("text", ["500 steps @ 3.2 s", "500 x 3.2 s", "3.2 s"])
def test_the_time_of_a_step_is_taken_from_an_interval_in_steps(text: str) -> None:
    meaning = interpret(CHECKLIST.question("step_time"), text, None)
    assert {name: one.value for name, one in meaning.answers.items()} == {"step_time": "3.2 s"}


def test_a_step_without_a_unit_is_refused_under_its_own_name() -> None:
    with pytest.raises(AnswerError) as refused:
        interpret(CHECKLIST.question("step_time"), "500 steps @ 3.2", None)
    assert refused.value.name == "step_time"
    assert "unit" in refused.value.message
