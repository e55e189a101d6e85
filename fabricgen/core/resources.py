"""Finds the files that stand beside the package in a checkout and inside it in an installed wheel."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


@cache
def resource_directory(name: str) -> Path:
    """Return the directory ``templates``, ``schemas`` or ``inventories``.

    Raises:
        FileNotFoundError: the installation is not whole.
    """
    for candidate in (_PACKAGE / "_resources" / name, _PACKAGE.parent / name):
        if candidate.is_dir():
            return candidate
    msg = f"the directory {name!r} is missing: reinstall fabricgen"
    raise FileNotFoundError(msg)
