"""Leaf-spine: all ports of a server go to one leaf, and leaves fill up in order (top of rack)."""

from __future__ import annotations

from fabricgen.core.diagnostics import Report
from fabricgen.topology.designs.base import Design, build_spread, to_one_leaf
from fabricgen.topology.fabric import Fabric
from fabricgen.topology.request import FabricRequest


def build(request: FabricRequest, report: Report) -> Fabric | None:
    """Build the fabric; FG132 where it does not fit."""
    return build_spread(request, to_one_leaf(), report)


DESIGN = Design("leaf-spine", "all ports of a server go to one leaf", build)
