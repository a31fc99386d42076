"""The interview line by line, driven by scripts of typed lines."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from advisor.commands.lines import MOST, EndOfInput, Lines
from advisor.commands.plain import run_plain
from advisor.commands.spoken import spoken
from advisor.engine.knowledge import load_knowledge
from advisor.facts.answers import Answer
from advisor.interview.flow import Checklist
from advisor.interview.meaning import interpret
from advisor.session.document import read_session
from advisor.session.editing import Editing
from advisor.session.errors import SessionLocked
from advisor.session.journal import Journal
from advisor.session.store import digest, load, save

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)

FIVE = ("12 TB", "1", "128", "1", "15 min", "3", "sync", "", "present", "")
"""The five with how sure each is: measured, measured, guessed, and the usual, estimated, twice."""


def clock() -> datetime:
    return NOW


class Script(io.StringIO):
    """Lines typed one after the other, while something happens at each of them."""

    def __init__(self, lines: Sequence[str], at_line: Callable[[str], object]) -> None:
        super().__init__("".join(f"{line}\n" for line in lines))
        self._at_line = at_line

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]  # of bytes there
        line = super().readline(-1 if size is None else size)
        self._at_line(line.strip())
        return line


def ctrl_c(line: str) -> None:
    """Ctrl-C once the lines have ended."""
    if not line:
        raise KeyboardInterrupt


def talk(path: Path | None, *typed: str, stdin: io.StringIO | None = None) -> tuple[int, str]:
    """The exit code of an interview with these lines typed, and what it said."""
    stdout = io.StringIO()
    code = run_plain(
        path,
        stdin=stdin or io.StringIO("".join(f"{line}\n" for line in typed)),
        stdout=stdout,
        now=clock,
        knowledge_loader=load_knowledge,
    )
    return code, stdout.getvalue()


def answers(path: Path) -> dict[str, tuple[str, str]]:
    return {name: (one.value, one.source) for name, one in read_session(path).answers.items()}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "job.toml"


def test_the_five_and_their_result(path: Path) -> None:
    code, said = talk(path, *FIVE, "no")
    assert code == 0
    assert answers(path) == {
        "state_total": ("12 TB", "measured"),
        "nodes": ("128", "measured"),
        "interval": ("15 min", "guessed"),
        "mode": ("sync", "estimated"),
        "nvme": ("present", "estimated"),
    }
    assert "Question 3 of 5. How often do you checkpoint, and who decided that interval?" in said
    assert "Interval: 15 min\n900 s.\nSure? 1 measured, 2 estimated, 3 guessed [2]: 3" in said
    assert "Burst: 12 TB from 128 nodes at once." in said
    assert "No goodput yet. Still needed: Pool write rate." in said
    assert f"The ticket: ckpt-advisor export {path} --format md" in said


def test_the_worked_illustration_line_by_line(path: Path) -> None:
    """84.7 % goodput, and $4.12M a year at $3 an hour: the figures of the illustration."""
    _with_the_rest(path)
    code, said = talk(path, "yes", "quit")
    assert code == 0
    assert "Goodput: 84.7 percent; lost: stall 11.5 percent, drain 0 percent" in said
    assert "Pool needed: 203 GB per second for a 60 s pause; the pool gives 100 GB per s" in said
    assert "Idle a year: $4.12 million." in said
    assert "15 min is 3.2 times shorter than the best interval" in said


def test_the_headline_comes_last(path: Path) -> None:
    _with_the_rest(path)
    _, said = talk(path, "no")
    headline = "cost this job 15.3 percent of its compute, $4.12 million a year. One change brings"
    assert headline in said
    assert said.index("Estimate so far.") < said.index(headline) < said.index("Saved in")


def _with_the_rest(path: Path) -> None:
    """The five, and what the illustration knows beside them, typed as follow-ups would be."""
    checklist = Checklist(load_knowledge().catalogue)
    rest = {
        "state": "12 TB",
        "nodes": "128",
        "interval": "15 min",
        "mode": "sync",
        "nvme": "present",
        "pool_write": "100 GB/s",
        "failures": "10 h",
        "restart": "15 min",
        "accelerator_hour": "$3/h",
        "acceptable_pause": "60 s",
        "host_memory_free": "1 TB",
        "framework": "megatron-lm",
        "framework_version": "0.16.0",
    }
    with Editing.open(path, catalogue=load_knowledge().catalogue, now=clock) as editing:
        for name, text in rest.items():
            editing.accept(interpret(checklist.question(name), text, "measured"))


def test_follow_ups_are_asked_skipped_and_answered(path: Path) -> None:
    # Answered: the rate of the pool. Skipped: failures, framework. Answered: the free host memory.
    _, said = talk(path, *FIVE, "yes", "100 GB/s", "1", "", "", "quit")
    given = answers(path)
    assert given["pool_write"] == ("100 GB/s", "measured")
    assert "More about Nodes." in said
    assert "job_mtbf" not in given
    assert "framework" not in given


def test_times_per_rank_are_typed_as_one_line(path: Path) -> None:
    talk(path, *FIVE, "no")
    checklist, known = Checklist(load_knowledge().catalogue), read_session(path).answers
    skips, question = 0, checklist.next_question(known, None)
    while question is not None and question.id != "slow_writers":
        skips, question = skips + 1, checklist.next_question(known, question.id)
    assert question is not None
    _, said = talk(path, "yes", *[""] * skips, "41 s", "41 s, 43 s, 62 s", "1", "quit")
    assert answers(path)["rank_times"] == ("41 s, 43 s, 62 s", "measured")
    assert "One time says nothing of how uneven the ranks are." in said
    assert "3 times, the usual one 43 s, the slowest 62 s." in said


def test_going_on_is_the_usual_choice_only_while_an_answer_is_missing(path: Path) -> None:
    _, said = talk(path, *FIVE, "", "100 GB/s", "1", "quit")
    assert "Go on: one answer is missing for a goodput, Pool write rate." in said
    assert "Go on with them? yes or no [yes]:" in said
    assert answers(path)["pool_write"] == ("100 GB/s", "measured")
    # With the rate there is a goodput, and nobody has to go on.
    _, said = talk(path, "", "quit")
    assert "missing for a goodput" not in said
    assert "Go on with them? yes or no [no]:" in said
    assert "cost this job" in said


def test_the_end_of_the_follow_ups_is_the_end(path: Path) -> None:
    """Skipping everything ends too: nothing that was skipped comes twice."""
    code, said = talk(path, *FIVE, "yes", *[""] * 200)
    assert code == 0
    assert said.count("How many complete copies of the model train side by side?") == 1
    assert "No goodput yet." in said


def test_going_back_and_keeping(path: Path) -> None:
    _, said = talk(path, "12 TB", "", "<", "", "128", "", "<", "64", "2", "quit")
    assert "State [12 TB]: " in said
    assert "Nodes [128]: 64" in said
    assert answers(path) == {
        "state_total": ("12 TB", "estimated"),
        "nodes": ("64", "estimated"),
    }


def test_the_first_question_has_none_before_it(path: Path) -> None:
    _, said = talk(path, "<", "12 TB", "", "quit")
    assert "This is the first question." in said
    # Only the prompt comes again, not the whole question.
    assert said.count("Question 1 of 5.") == 1


def test_do_not_know_is_taken_without_asking_how_sure(path: Path) -> None:
    talk(path, "?", "128", "", "quit")
    assert answers(path) == {"state_total": ("?", "unknown"), "nodes": ("128", "estimated")}


@pytest.mark.parametrize("text", ["~12 TB", "10-14 TB"])
def test_a_text_that_says_how_sure_it_is_is_not_asked(path: Path, text: str) -> None:
    talk(path, text, "128", "", "quit")
    assert answers(path)["state_total"] == (text, "estimated")


def test_a_wrong_unit_then_the_right_one(path: Path) -> None:
    _, said = talk(path, "12 Tb", "12 TB", "1", "quit")
    assert "12 Tb is bits, not bytes. Write TB for bytes." in said
    assert answers(path) == {"state_total": ("12 TB", "measured")}


def test_the_five_cannot_be_skipped(path: Path) -> None:
    _, said = talk(path, "", "12 TB", "", "quit")
    assert "State: \nType a value, or ? for don't know.\nState: 12 TB" in said


def test_steps_ask_for_the_time_of_one(path: Path) -> None:
    _, said = talk(path, "1 TB", "", "8", "", "500 steps", "", "", "4.1 s", "1", "quit")
    assert "More about Interval. How long does one training step take?" in said
    assert answers(path)["step_time"] == ("4.1 s", "measured")
    assert "Question 4 of 5." in said


def test_typing_an_answer_again_at_the_second_prompt(path: Path) -> None:
    _, said = talk(path, "12 TB", "<", "2 TB", "surely", "g", "quit")
    assert "Type 1, 2 or 3, or < to type the answer again." in said
    assert answers(path) == {"state_total": ("2 TB", "guessed")}


def test_notes_belong_to_the_answer_before(path: Path) -> None:
    _, said = talk(path, "note too early", "note", "12 TB", "1", "note du of the last", "quit")
    assert "There is no answer yet to add a note to." in said
    assert "Write the note behind it" in said
    assert "Noted with State of one save." in said
    assert read_session(path).answers["state_total"] == Answer(
        "12 TB", "measured", note="du of the last"
    )


def test_a_changed_answer_keeps_its_note_and_offers_its_certainty(path: Path) -> None:
    talk(path, "12 TB", "1", "note du", "quit")
    _, said = talk(path, "<", "14 TB", "", "quit")
    assert "Sure? 1 measured, 2 estimated, 3 guessed [1]:" in said
    assert read_session(path).answers["state_total"] == Answer("14 TB", "measured", note="du")


def test_help_and_list(path: Path) -> None:
    _, said = talk(path, "help", "list", "12 TB", "1", "list", "quit")
    assert "It decides the burst: bytes of one save over the pause" in said
    assert "How to find out: State of one save: du -sb" in said
    assert "No answers yet." in said
    assert "State of one save: 12 TB, measured\n" in said


def test_help_on_the_mode_names_the_log_lines_of_the_framework(path: Path) -> None:
    checklist = Checklist(load_knowledge().catalogue)
    given = {"state": "12 TB", "nodes": "128", "interval": "15 min", "framework": "torchtitan"}
    with Editing.open(path, catalogue=load_knowledge().catalogue, now=clock) as editing:
        for name, text in given.items():
            editing.accept(interpret(checklist.question(name), text, "measured"))
    _, said = talk(path, "help", "quit")
    assert "Question 4 of 5." in said
    assert 'Background save: "Finished staging the checkpoint in N seconds."' in said
    assert 'Blocking save: "Finished saving the checkpoint in N seconds."' in said


def test_choices_by_number(path: Path) -> None:
    _, said = talk(path, *FIVE[:6], "2", "", "quit")
    assert "2 async: asynchronous: written in the background" in said
    assert answers(path)["mode"] == ("async", "estimated")


@pytest.mark.parametrize("lines", [0, 1, 2, 5, 6, len(FIVE), len(FIVE) + 1])
def test_the_end_of_the_input_loses_nothing(path: Path, lines: int) -> None:
    """Cut anywhere: what was typed before is saved, sure or not."""
    code, said = talk(path, *[*FIVE, "no"][:lines])
    assert code == 0
    given = answers(path) if path.exists() else {}
    assert len(given) == min((lines + 1) // 2, 5)
    wanted = "Saved in" if given else "Nothing was answered, so nothing was saved."
    assert wanted in said


@pytest.mark.parametrize("lines", [0, 1, 2, 7])
def test_ctrl_c_loses_nothing(path: Path, lines: int) -> None:
    code, said = talk(path, stdin=Script(FIVE[:lines], ctrl_c))
    assert code == 130
    assert "Left with Ctrl-C." in said
    assert len(answers(path) if path.exists() else {}) == (lines + 1) // 2
    # The lock is free again.
    Editing.open(path, catalogue=load_knowledge().catalogue, now=clock).close()


def test_resuming_goes_on_where_it_was_left(path: Path) -> None:
    talk(path, *FIVE[:4], "quit")
    _, said = talk(path, "15 min", "", "quit")
    assert "Going on with 2 of 5 known." in said
    assert "Question 1 of 5." not in said
    assert list(answers(path)) == ["state_total", "nodes", "interval"]


def test_the_same_script_writes_the_same_bytes(tmp_path: Path) -> None:
    script = [*FIVE, "yes", "4", "1", "note why", "", "", "", "one", "1", "quit"]
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        talk(tmp_path / folder / "job.toml", *script)
    one, two = (tmp_path / folder / "job.toml" for folder in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


def test_the_bytes_are_those_of_the_same_answers_elsewhere(tmp_path: Path) -> None:
    """What the screen does with the same answers at the same clock: interpret and accept."""
    (tmp_path / "other").mkdir()
    plain, other = tmp_path / "job.toml", tmp_path / "other" / "job.toml"
    talk(plain, *FIVE, "no")
    catalogue = load_knowledge().catalogue
    checklist = Checklist(catalogue)
    with Editing.open(other, catalogue=catalogue, now=clock) as editing:
        for name, text in (("state", "12 TB"), ("nodes", "128")):
            editing.accept(interpret(checklist.question(name), text, "measured"))
        editing.accept(interpret(checklist.question("interval"), "15 min", "guessed"))
        for name, text in (("mode", "sync"), ("nvme", "present")):
            editing.accept(interpret(checklist.question(name), text, None))
    assert plain.read_bytes() == other.read_bytes()


def test_a_session_open_elsewhere(path: Path) -> None:
    with (
        Editing.open(path, catalogue=load_knowledge().catalogue, now=clock),
        pytest.raises(SessionLocked),
    ):
        talk(path)


def test_somebody_else_saves_meanwhile(path: Path) -> None:
    def meddle(line: str) -> None:
        if line == "128":
            session, known = load(path)
            session = session.with_answer("pool_write", Answer("50 GB/s"), NOW)
            save(session, path, expected_digest=known)

    code, said = talk(path, stdin=Script(["12 TB", "", "128", "", "quit"], meddle))
    assert code == 0
    assert "Take care: somebody else saved this session since it was read." in said
    assert "It was read again, with your answer on top: Nodes in the job." in said
    assert set(answers(path)) == {"state_total", "pool_write", "nodes"}


def test_answers_that_cannot_be_saved_are_kept_for_the_next_start(tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    path = folder / "job.toml"
    typed = ["12 TB", "1", "128", "1", "15 min", "1", "quit"]

    def vanish(line: str) -> None:
        if line == "128":
            folder.rename(tmp_path / "gone")

    code, said = talk(path, stdin=Script(typed, vanish))
    assert code == 2
    # Said once when it begins and once at the end, not at each answer.
    assert said.count("not saved: there is no such folder") == 2
    assert "The answers are kept and offered when you open it again." in said
    (tmp_path / "gone").rename(folder)
    code, said = talk(path, "yes", "quit")
    assert "Nodes in the job, Interval between saves." in said
    assert answers(path) == {
        "state_total": ("12 TB", "measured"),
        "nodes": ("128", "measured"),
        "interval": ("15 min", "measured"),
    }


def test_left_over_answers_can_be_refused(path: Path) -> None:
    talk(path, "12 TB", "1", "quit")
    Journal(path, digest(path)).record("nodes", Answer("128"), NOW)
    _, said = talk(path, "maybe", "no", "quit")
    assert "Type yes or no." in said
    assert list(answers(path)) == ["state_total"]
    assert "Question 2 of 5." in said


def test_what_people_typed_has_no_power_over_the_terminal(path: Path) -> None:
    _, said = talk(path, "12 TB", "1", "note \x1b[2Jgone", "list", "quit")
    assert "\x1b" not in said
    assert "\\x1b[2Jgone" in said
    assert read_session(path).answers["state_total"].note == "\x1b[2Jgone"


def test_bytes_of_another_encoding_are_refused_not_fatal(path: Path) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(b"12 T\xff\n12 TB\n1\nquit\n"), encoding="utf-8")
    stdout = io.StringIO()
    run_plain(path, stdin=stdin, stdout=stdout, now=clock, knowledge_loader=load_knowledge)
    assert "It has a character that cannot be read." in stdout.getvalue()
    assert answers(path) == {"state_total": ("12 TB", "measured")}


def test_a_line_without_end_is_cut_and_refused(path: Path) -> None:
    # What is over the limit would be an answer by itself.
    _, said = talk(path, "1" * (3 * MOST) + "2 TB", "12 TB", "1", "quit")
    assert said.count("over 10,000 characters long") == 1
    assert "State: 2 TB" not in said
    assert answers(path) == {"state_total": ("12 TB", "measured")}


def test_lines_end_with_the_input() -> None:
    stdout = io.StringIO()
    lines = Lines(io.StringIO("  one \nlast"), stdout)
    assert [lines.ask("A:"), lines.ask("B:")] == ["one", "last"]
    with pytest.raises(EndOfInput):
        lines.ask("C:")
    assert stdout.getvalue() == "A: one\nB: last\nC: \n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("84.7 %", "84.7 percent"),
        ("75% of it", "75 percent of it"),
        ("3.2x shorter", "3.2 times shorter"),
        ("440 steps x 4.1 s", "440 steps x 4.1 s"),
        ("100 GB/s", "100 GB per second"),
        ("20k/s.", "20k/s."),
        ("20,000/s.", "20,000 per second."),
        ("$4.12M a year", "$4.12 million a year"),
        ("$46.1k", "$46.1 thousand"),
        ("$3/h", "$3 per hour"),
        ("48 GB/node", "48 GB/node"),
    ],
)
def test_signs_as_words(text: str, said: str) -> None:
    assert spoken(text) == said


def test_no_control_codes_and_no_box_drawing(path: Path) -> None:
    _, said = talk(path, *FIVE, "yes", *[""] * 100)
    assert all(char == "\n" or char.isprintable() for char in said)
    assert not any("\u2500" <= char <= "\u28ff" for char in said)


def test_a_real_ctrl_c_and_a_real_end(path: Path, home: Path) -> None:
    """The command in a process of its own: interrupted while it waits for the second answer."""
    command = [sys.executable, "-m", "advisor", "interview", str(path), "--plain"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "CKPT_ADVISOR_HOME": str(home)},
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write("12 TB\n1\n")
        running.stdin.flush()
        while "Question 2 of 5" not in running.stdout.readline():
            pass
        running.send_signal(signal.SIGINT)
        rest = running.communicate(timeout=20)[0]
    assert running.returncode == 130
    assert "Left with Ctrl-C." in rest
    assert answers(path) == {"state_total": ("12 TB", "measured")}
