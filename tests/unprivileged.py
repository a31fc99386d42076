"""Root without its right to read and write everything, so that modes count for it as for others."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

VERSION = 0x20080522
"""Of the calls: _LINUX_CAPABILITY_VERSION_3, two words of 32 rights each (linux/capability.h)."""

OVERRIDE, READ_SEARCH = 1, 2
"""Numbers of CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH (linux/capability.h)."""


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Rights(ctypes.Structure):
    _fields_ = (
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    )


@contextmanager
def unprivileged() -> Iterator[None]:
    """In this thread the modes of files count, whoever runs the tests; everybody else as always."""
    if os.geteuid() != 0:
        yield
        return
    if sys.platform != "linux":
        pytest.skip("root cannot give up its rights over files here")
    libc = ctypes.CDLL(None, use_errno=True)
    header, rights = _Header(VERSION, 0), (_Rights * 2)()
    assert libc.capget(ctypes.byref(header), rights) == 0, os.strerror(ctypes.get_errno())
    before = rights[0].effective
    rights[0].effective = before & ~(1 << OVERRIDE | 1 << READ_SEARCH)
    assert libc.capset(ctypes.byref(header), rights) == 0, os.strerror(ctypes.get_errno())
    try:
        yield
    finally:
        rights[0].effective = before
        assert libc.capset(ctypes.byref(header), rights) == 0
