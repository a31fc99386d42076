"""Start of the command ``ckpt-advisor``."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line and return its exit code; Ctrl-C ends with 130, never a traceback."""
    try:
        from advisor.cli import run

        return run(sys.argv[1:])
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
