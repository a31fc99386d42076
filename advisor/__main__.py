"""Start of the command ``ckpt-advisor``."""

from __future__ import annotations

import os
import sys

# The arrays are small: threads of the linear algebra cost more than they bring, and on a busy
# machine ten times as much. Read when NumPy is loaded, so it is set before.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main() -> int:
    """Run the command line and return its exit code; Ctrl-C ends with 130, never a traceback."""
    try:
        from advisor.cli import run

        return run(sys.argv[1:])
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
