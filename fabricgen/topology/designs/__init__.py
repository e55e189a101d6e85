"""Topology designs, one module each; :func:`designs` collects them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache

from fabricgen.core.plugins import collect
from fabricgen.topology.designs.base import Design

__all__ = ["Design", "designs"]


@cache
def designs() -> Mapping[str, Design]:
    """Return every design by name."""
    return collect(sys.modules[__name__], Design, lambda design: design.name)
