"""Scenarios for tests, from typed answers over the real catalogue."""

from __future__ import annotations

from functools import cache

from advisor.facts.answers import Answer
from advisor.facts.catalogue import Catalogue
from advisor.facts.catalogue_file import load_catalogue
from advisor.facts.folders import CATALOGUE_FILE, builtin_rules
from advisor.facts.resolve import resolve
from advisor.facts.scenario import Scenario
from advisor.model.calibrate import calibrate


@cache
def catalogue() -> Catalogue:
    """The built-in declarations."""
    return load_catalogue([builtin_rules() / CATALOGUE_FILE])


def job(**answers: str) -> Scenario:
    """A calibrated scenario from typed answers, all measured."""
    given = {name: Answer(text, "measured") for name, text in answers.items()}
    return calibrate(resolve(given, catalogue()).scenario())


TICKET = {
    "nodes": "128",
    "state_total": "12 TB",
    "pool_write": "100 GB/s",
    "interval": "15 min",
    "mode": "sync",
    "nvme": "present",
    "job_mtbf": "10 h",
    "restart_time": "15 min",
    "acceptable_pause": "60 s",
    "host_memory_free": "1 TB",
}
"""The job of the ticket illustration: 128 nodes x 8, 12 TB, every 15 min, synchronous."""
