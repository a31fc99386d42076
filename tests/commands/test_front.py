"""Which command is meant, what help and version cost, and how a bad call is told."""

from __future__ import annotations

import sys

import pytest

import advisor
from advisor.cli import COMMANDS, build
from advisor.commands.faults import UsageFault
from advisor.commands.words import arranged
from tests.commands.support import ROOT, inside, outside

HEAVY = (
    *("textual", "rich", "numpy", "pydantic", "packaging", "tomli_w", "platformdirs", "filelock"),
    *("shtab", "multiprocessing"),
)


@pytest.mark.parametrize(
    "words", [["--help"], ["--version"], ["-v"], ["replay", "--help"], ["completion", "--help"]]
)
def test_help_and_version_import_nothing_heavy(words: list[str]) -> None:
    import subprocess

    program = (
        "import sys; from advisor.__main__ import main; code = main();"
        f"print([n for n in {HEAVY!r} if n in sys.modules], code, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, cwd=ROOT, check=True
    )
    assert done.stderr.decode().strip() == "[] 0"
    assert done.stdout


def test_version_alone_is_the_number() -> None:
    assert outside("--version").out == f"ckpt-advisor {advisor.__version__}\n"
    assert outside("-v").out == f"{advisor.__version__}\n"


def test_help_names_every_command_and_every_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    ran = inside(capsys, "--help")
    assert ran.code == 0
    for word in (*COMMANDS, "0 fine", "1 a finding", "2 bad use", "3 too few", "4 the", "130"):
        assert word in ran.out
    assert max(map(len, ran.out.split("\n"))) <= 80


@pytest.mark.parametrize("command", [*COMMANDS])
def test_every_command_has_help_and_the_common_options(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = inside(capsys, command, "--help")
    assert ran.code == 0
    for option in ("--rules DIR", "--site FILE", "--no-color", "--quiet"):
        assert option in ran.out


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("", "interview"),
        ("job.toml", "interview job.toml"),
        ("--plain job.toml", "interview --plain job.toml"),
        ("--rules advise job.toml", "interview --rules advise job.toml"),
        ("--rules=advise job.toml", "interview --rules=advise job.toml"),
        ("advise job.toml", "advise job.toml"),
        ("--rules x --quiet advise job.toml", "advise --rules x --quiet job.toml"),
        ("-- advise", "interview -- advise"),
        ("-q", "interview -q"),
        ("./advise", "interview ./advise"),
        ("--help", "--help"),
        ("--help job.toml", "--help"),
        ("--help advise", "advise --help"),
        ("advise --version x", "advise --version x"),
        ("--quiet --version", "--version"),
    ],
)
def test_which_command_is_meant(typed: str, meant: str) -> None:
    assert arranged(typed.split(), COMMANDS) == meant.split()


def test_a_word_that_is_no_command_gets_a_suggestion() -> None:
    with pytest.raises(UsageFault, match='no command "advice"') as fault:
        arranged(["advice"], COMMANDS)
    assert fault.value.hint == 'did you mean "advise"?'


def test_options_are_not_hidden_by_the_inner_command() -> None:
    both = build("rules").parse_args(["rules", "--quiet", "--rules", "a", "list"])
    assert (both.quiet, both.rules) == (True, ["a"])
    inner = build("rules").parse_args(["rules", "list", "--rules", "b"])
    assert (inner.quiet, inner.rules, inner.family) == (False, ["b"], None)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["replay"], "ckpt-advisor replay: the following arguments are required: PATH"),
        (["advise", "--format", "x\x1b[31m"], r"invalid choice: 'x\x1b[31m'"),
        (["advise", "--fail-on", "bad"], "invalid choice: 'bad'"),
        (["advise", "--sett", "a=b"], "unrecognized arguments: --sett"),
        (["export"], "required: SESSION"),
        (["rules", "lost"], "invalid choice: 'lost'"),
        (["advise"], "there is nothing to advise on"),
    ],
)
def test_a_bad_call_is_one_message_and_exit_2(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = inside(capsys, *words)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert "\x1b" not in ran.err
