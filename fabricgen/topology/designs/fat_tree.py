"""Fat tree: three tiers of switches, leaves filled in order.

With equal switches of k ports this is the k-ary fat tree: k pods of k/2 leaves and k/2 spines, (k/2)^2 cores, k^3/4
ports for servers (Al-Fares, Loukissas and Vahdat, SIGCOMM 2008, section 3). Pods that no server needs are left out.
"""

from __future__ import annotations

from fabricgen.core.diagnostics import Report
from fabricgen.inventory.kinds import DESIGN_REFUSES
from fabricgen.topology.designs.base import Design, build_spread, to_one_leaf
from fabricgen.topology.fabric import Fabric
from fabricgen.topology.request import FabricRequest


def build(request: FabricRequest, report: Report) -> Fabric | None:
    """Build the fabric; FG132 where it does not fit, FG147 without a core, FG148 where two tiers are asked for."""
    if request.intent.tiers == 2:
        report.add(
            request.finding(
                DESIGN_REFUSES, ("tiers",), "a fat tree has three tiers", "remove `tiers`, or set `design: leaf-spine`"
            )
        )
        return None
    return build_spread(request, to_one_leaf(), report, three_tiers=True)


DESIGN = Design("fat-tree", "three tiers: pods of leaves and spines, joined by cores", build)
