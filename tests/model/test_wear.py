"""Drive writes per day and the years they leave, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.model.wear import drive_writes_per_day, excess, years_to_wear_out


def test_a_save_every_five_minutes_on_thirty_terabytes() -> None:
    # 100 GB every 300 s is 288 saves a day, 28.8 TB on 30 TB: 0.96 drive writes a day.
    used = drive_writes_per_day(100e9, 300.0, 30e12)
    assert used == pytest.approx(0.96)
    # A drive rated for 1 a day over 5 years lasts 5/0.96 years, one for 0.3 a day 1.56.
    assert years_to_wear_out(1.0, used, 5.0) == pytest.approx(5.2083333)
    assert years_to_wear_out(0.3, used, 5.0) == pytest.approx(1.5625)
    # Rated for 0.3, 3.2 sets are used up in the time one should last: 2.2 more.
    assert excess(0.3, used) == pytest.approx(2.2)
    assert excess(1.0, used) == 0


def test_drives_never_written_never_wear_out() -> None:
    assert years_to_wear_out(1.0, 0.0, 5.0) == np.inf


@given(st.floats(1e3, 1e15), st.floats(1, 1e8), st.floats(1e6, 1e15), st.floats(1.01, 100))
def test_a_partner_copy_or_a_shorter_interval_wears_as_much(
    written: float, tau: float, size: float, factor: float
) -> None:
    more = drive_writes_per_day(written * factor, tau, size)
    assert more == pytest.approx(float(drive_writes_per_day(written, tau / factor, size)))
    assert more > drive_writes_per_day(written, tau, size)
