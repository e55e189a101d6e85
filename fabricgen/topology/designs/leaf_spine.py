"""Leaf-spine: all ports of a server go to one leaf, and leaves fill up in order (top of rack)."""

from __future__ import annotations

from fabricgen.core.diagnostics import Report
from fabricgen.topology.clos import LeafPlan, build_two_tiers, servers_by_unit
from fabricgen.topology.designs.base import Design
from fabricgen.topology.fabric import Fabric
from fabricgen.topology.request import FabricRequest


def build(request: FabricRequest, report: Report) -> Fabric | None:
    """Build the fabric; FG132 where it does not fit."""
    per_server = max(len(server.endpoints) for server in request.servers)
    units = servers_by_unit(request, per_server, "each", report)
    if units is None:
        return None
    leaves = [
        LeafPlan(
            unit=number,
            rail=None,
            servers=tuple((server, endpoint) for server in unit for endpoint in server.endpoints),
        )
        for number, unit in enumerate(units.servers, start=1)
    ]
    return build_two_tiers(request, leaves, units.size * per_server, report)


DESIGN = Design("leaf-spine", "all ports of a server go to one leaf", build)
