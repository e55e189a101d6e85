"""Rail-optimised: adapter i of every server of a scalable unit goes to that unit's leaf i.

Traffic between GPUs of equal rank stays below one leaf. Leaves are numbered unit by unit, and within a unit rail by
rail, so a new unit adds leaves at the end.
"""

from __future__ import annotations

from fabricgen.core.diagnostics import Report
from fabricgen.topology.clos import LeafPlan, build_two_tiers, servers_by_unit
from fabricgen.topology.designs.base import Design
from fabricgen.topology.fabric import Fabric
from fabricgen.topology.request import FabricRequest


def build(request: FabricRequest, report: Report) -> Fabric | None:
    """Build the fabric; FG132 where it does not fit."""
    rails = 1 + max(endpoint.rail for server in request.servers for endpoint in server.endpoints)
    per_server = max(
        sum(endpoint.rail == rail for endpoint in server.endpoints)
        for server in request.servers
        for rail in range(rails)
    )
    units = servers_by_unit(request, per_server, "on each rail", report)
    if units is None:
        return None
    leaves = [
        LeafPlan(
            unit=number,
            rail=rail,
            servers=tuple(
                (server, endpoint) for server in unit for endpoint in server.endpoints if endpoint.rail == rail
            ),
        )
        for number, unit in enumerate(units.servers, start=1)
        for rail in range(rails)
    ]
    return build_two_tiers(request, leaves, units.size * per_server, report)


DESIGN = Design("rail-optimized", "adapter i of every server goes to leaf i of its scalable unit", build)
