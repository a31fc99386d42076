"""The exit codes of every command; scripts depend on them."""

from __future__ import annotations

FINE = 0
"""Everything went well."""

HIT = 1
"""Something at or above ``--fail-on``, or a replay that differs."""

BAD_USE = 2
"""Bad use, a bad file or a bad pack."""

TOO_FEW = 3
"""Too few facts for the result that was asked for."""

LOCKED = 4
"""The session is open in another ckpt-advisor."""

SIGNAL = 128
"""Added to the number of the signal that ended the command, as shells do."""
