"""Where the built-in knowledge lies: inside the installed package, or beside it in a checkout."""

from __future__ import annotations

from pathlib import Path

CATALOGUE_FILE = "interview.toml"
"""The file of a rules folder that declares facts; every other TOML file in it is a pack."""


def builtin_rules() -> Path:
    """The folder of the built-in rules.

    A wheel carries it inside the package; an editable install finds it at the root of the checkout.
    """
    package = Path(__file__).resolve().parent.parent
    inside = package / "rules"
    return inside if inside.is_dir() else package.parent / "rules"
