"""Single switch: one switch takes every server port."""

from __future__ import annotations

from fabricgen.core.diagnostics import Report
from fabricgen.inventory.kinds import TOO_FEW_PORTS
from fabricgen.topology.designs.base import Design, build_spread, refuse, to_one_leaf
from fabricgen.topology.endpoints import server_ports
from fabricgen.topology.fabric import Fabric
from fabricgen.topology.request import FabricRequest


def build(request: FabricRequest, report: Report) -> Fabric | None:
    """Build the fabric; FG132 where it does not fit, FG148 for what takes a second switch."""
    unused = ("spine", "core", "other_leaves", "planes", "tiers", "servers_per_unit", "uplink_speed")
    if refuse(request, report, unused, "it is one switch"):
        return None
    ports, room = sum(1 for _ in server_ports(request.leaf.slots)), request.leaf.down.capacity
    if ports > room:
        report.add(
            request.finding(
                TOO_FEW_PORTS,
                ("leaf", "model"),
                f"{ports} server ports, and the {request.leaf.switch.model} has {room} of {request.leaf.link_gbps}G",
                "choose a switch with more ports, or `design: rail-optimized` with a spine",
            )
        )
        return None
    return build_spread(request, to_one_leaf(), report)


DESIGN = Design("single-switch", "one switch takes every server port", build)
