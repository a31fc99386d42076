"""The job of the example ticket, which most tests ask about."""

from __future__ import annotations

from collections.abc import Mapping

TICKET: Mapping[str, str] = {
    "nodes": "128",
    "state_total": "12 TB",
    "pool_write": "100 GB/s",
    "interval": "15 min",
    "interval_decided_by": "habit",
    "mode": "sync",
    "nvme": "present",
    "job_mtbf": "10 h",
    "restart_time": "15 min",
    "accelerator_hour": "$3/h",
    "acceptable_pause": "60 s",
    "host_memory_free": "1 TB",
    "framework": "megatron-lm",
    "framework_version": "0.16.0",
}
"""Its answers as typed: 84.7 % goodput, 94.1 % with asynchronous saves, $4.12M lost a year."""
