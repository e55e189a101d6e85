"""Real programs that judge what fabricgen writes."""

from __future__ import annotations

import os
import shutil
from typing import NoReturn

import pytest


def require(*programs: str) -> None:
    """Skip the test if a program is missing; fail it where the environment says that all must be there."""
    search = os.environ.get("PATH", "") + ":/usr/sbin:/sbin:/usr/lib/frr"
    missing = [program for program in programs if shutil.which(program, path=search) is None]
    if missing:
        skip_or_fail(f"not installed: {', '.join(missing)}")


def skip_or_fail(reason: str) -> NoReturn:
    """Skip the test, or fail it where the environment says that everything must be there."""
    if os.environ.get("FABRICGEN_REQUIRE_PEERS") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
