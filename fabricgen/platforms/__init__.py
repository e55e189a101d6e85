"""Targets: each package emits device models as files and reads such files back.

A platform is the module-level value ``PLATFORM`` of its package; :func:`platforms` collects them. Vendor differences
live here and nowhere else.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache

from fabricgen.core.plugins import collect
from fabricgen.platforms.base import Feature, Platform, PortNaming, ReadResult

__all__ = ["Feature", "Platform", "PortNaming", "ReadResult", "platforms"]


@cache
def platforms() -> Mapping[str, Platform]:
    """Return every platform by name."""
    return collect(sys.modules[__name__], Platform, lambda platform: platform.name)
