"""``ckpt-advisor simulate``: the closed form beside an event simulation of the same job."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Callable
from math import isfinite
from typing import TYPE_CHECKING

from advisor.commands.advise import add_set
from advisor.commands.exit_codes import FINE, SIGNAL, TOO_FEW
from advisor.commands.options import add_common, add_format
from advisor.commands.output import complain, emit

if TYPE_CHECKING:
    from advisor.commands.simulate_runs import Cases, Order

SUMMARY = "simulate one session, beside the closed form"

_NOTES = """\
the job as it is and the job after its plan, each with the closed form and the
simulated goodput with its 95 % interval. the same seed gives the same figures.

exit codes:
  3 too few facts for a goodput
  130 Ctrl-C: the runs that were complete are printed"""

YEAR = 365 * 86400.0
"""Seconds of ``--years 1``."""

_MOST_REPLICAS = 10_000_000
"""Runs; more would not fit into memory."""


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``simulate``."""
    parser.epilog = _NOTES
    parser.add_argument("session", nargs="?", metavar="SESSION", help="a session file, or its name")
    add_set(parser)
    parser.add_argument(
        "--replicas",
        type=_number(int, 2, _MOST_REPLICAS, "a whole number from 2"),
        default=2000,
        metavar="N",
        help="runs, each with its own luck (default 2000)",
    )
    length = parser.add_mutually_exclusive_group()
    length.add_argument(
        "--years",
        type=_number(float, 1e-6, 1e6, "a number of years above 0"),
        metavar="YEARS",
        help="simulated years of each run (default: 200 interruptions)",
    )
    length.add_argument(
        "--until", type=_duration, metavar="TIME", help='the same as a time, such as "90 d"'
    )
    parser.add_argument(
        "--seed",
        type=_number(int, 0, 2**63, "a whole number from 0"),
        default=1,
        metavar="N",
        help="of the random numbers (default 1)",
    )
    parser.add_argument(
        "--weibull",
        type=_number(float, 0.2, 10, "a number from 0.2 to 10"),
        default=1.0,
        metavar="SHAPE",
        help="shape of the gaps between interruptions; 0.5 to 0.7 is published, 1 is at random",
    )
    parser.add_argument(
        "--cluster",
        type=_number(float, 0, 0.9, "a number from 0 to 0.9"),
        default=0.0,
        metavar="P",
        help="chance that an interruption is followed by another one within minutes",
    )
    add_format(parser)
    add_common(parser)


def _number(
    kind: Callable[[str], float], low: float, high: float, wanted: str
) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            value = float("nan")
        if not isfinite(value) or not low <= value <= high:
            raise argparse.ArgumentTypeError(f'"{text}" is not {wanted}')
        return value

    return read


def _duration(text: str) -> float:
    from advisor.facts.quantity import QuantityError, parse

    try:
        value = parse(text, "duration").value
    except QuantityError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    if not value:
        raise argparse.ArgumentTypeError(f'"{text}" is not a time above 0, such as "90 d"')
    return value


def run(arguments: argparse.Namespace) -> int:
    """Simulate and print.

    Returns:
        0; 3 where the goodput cannot be computed; 130 after Ctrl-C, with what was complete.

    Raises:
        Exception: one of ``known_faults``.
    """
    from advisor.commands.inputs import job, knowledge_of
    from advisor.commands.progress import Progress
    from advisor.commands.simulate_runs import Order, cases_of, run_cases
    from advisor.engine.advise import advise, present

    knowledge = knowledge_of(arguments)
    session = job(arguments, knowledge)
    order = Order(
        replicas=arguments.replicas,
        seconds=arguments.years * YEAR if arguments.years else arguments.until,
        seed=arguments.seed,
        shape=arguments.weibull,
        cluster=arguments.cluster,
    )
    now = present(session.answers, knowledge).situation
    found = cases_of(advise(session, knowledge), now, order)
    if not found.cases:
        facts = knowledge.catalogue.facts
        names = ", ".join(f'"{facts[n].label}"' if n in facts else n for n in found.missing)
        complain(f"there is no goodput to simulate; not known: {names}")
        if arguments.format == "json":
            emit(_rendered(found, order, arguments.format, complete=True))
        return TOO_FEW
    stopped = False
    total = order.replicas * len(found.cases)
    with Progress(total, quiet=arguments.quiet) as progress:
        try:
            for _ in run_cases(found.cases, order, progress.at):
                pass
        except KeyboardInterrupt:
            stopped = True
    if stopped:
        done = sum(c.result.replicas for c in found.cases if c.result is not None)
        complain(f"stopped: {done:,} of {total:,} runs are complete")
    emit(_rendered(found, order, arguments.format, complete=not stopped))
    return SIGNAL + signal.SIGINT if stopped else FINE


def _rendered(found: Cases, order: Order, form: str, *, complete: bool) -> str:
    from advisor.commands.simulate_text import render_json, render_text

    if form == "json":
        return render_json(found, order, complete=complete)
    return render_text(found, order)
