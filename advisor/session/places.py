"""Where our files live: sessions (data), journal and locks (state), site file and keys (config).

``CKPT_ADVISOR_HOME`` puts all three into one folder, for tests and containers.
"""

from __future__ import annotations

import os
from pathlib import Path

from advisor.session.errors import StoreError, store_error

APP = "ckpt-advisor"
"""Name of our folder among those of other programs."""

HOME_VARIABLE = "CKPT_ADVISOR_HOME"
"""Environment variable with one folder for everything."""

PRIVATE = 0o700
"""Mode of new folders, as the XDG base directory specification asks for."""


def sessions_folder(*, create: bool = True) -> Path:
    """Where new sessions go. Raises StoreError where there is no usable place."""
    return _folder("data", "sessions", create=create)


def state_folder(name: str, *, create: bool = True) -> Path:
    """Where the machine's own notes live, such as "journal". Raises StoreError."""
    return _folder("state", name, create=create)


def config_folder(*, create: bool = False) -> Path:
    """Where people keep their settings. Raises StoreError."""
    return _folder("config", "", create=create)


def site_file() -> Path:
    """The facts that never change between interviews; the file need not be there."""
    return config_folder() / "site.toml"


def rules_folder() -> Path:
    """The person's own rules, used without being named; the folder need not be there."""
    return config_folder() / "rules"


def keymap_file() -> Path:
    """The keys somebody chose; the file need not be there."""
    return config_folder() / "keymap.toml"


def ensure_folder(folder: Path) -> Path:
    """Create a folder and what is missing above it, private to the user. Raises StoreError."""
    try:
        missing = [part for part in (folder, *folder.parents) if not part.is_dir()]
        for part in reversed(missing):
            part.mkdir(mode=PRIVATE, exist_ok=True)
    except OSError as error:
        found = store_error(folder, error)
        hint = f"make it writable, or set {HOME_VARIABLE} to a folder that is"
        raise StoreError(folder, found.message, hint) from error
    return folder


def _folder(purpose: str, name: str, *, create: bool) -> Path:
    folder = _base(purpose) / name
    return ensure_folder(folder) if create else folder


def _base(purpose: str) -> Path:
    chosen = os.environ.get(HOME_VARIABLE, "")
    if chosen:
        return Path(chosen).expanduser().absolute() / purpose
    import platformdirs

    # Depending on its version, platformdirs takes a HOME that is none for the root of the disk.
    home = os.environ.get("HOME", "/")
    if not os.path.isabs(home) and not os.environ.get(f"XDG_{purpose.upper()}_HOME"):
        raise _homeless(home)
    directories = platformdirs.PlatformDirs(APP, appauthor=False)
    try:
        place = {
            "data": directories.user_data_path,
            "state": directories.user_state_path,
            "config": directories.user_config_path,
        }[purpose]
    except RuntimeError as error:
        raise _homeless("~") from error
    if not place.is_absolute():
        raise _homeless(str(place))
    return place


def _homeless(place: str) -> StoreError:
    hint = f"set HOME, or {HOME_VARIABLE} to a folder for its files"
    return StoreError(place or "HOME", "there is no home folder", hint)
