"""Rail-only: every rail is a network of its own, and no spine joins two rails.

GPUs of different rank reach one another over NVLink inside a server (Wang et al., "Rail-only: A Low-Cost
High-Performance Network for Training LLMs with Trillion Parameters", HOTI 2024). A rail with one leaf has no spine.
"""

from __future__ import annotations

from fabricgen.core.diagnostics import Report
from fabricgen.topology.designs.base import Design, build_spread, refuse
from fabricgen.topology.fabric import Fabric
from fabricgen.topology.leaves import LeafPlace, Spread, rails_of
from fabricgen.topology.request import FabricRequest


def build(request: FabricRequest, report: Report) -> Fabric | None:
    """Build the fabric; FG132 where it does not fit, FG148 for what would join the rails."""
    if refuse(request, report, ("other_leaves", "planes"), "its rails are networks of their own"):
        return None
    rails = rails_of(request.leaf.slots)
    places = tuple(LeafPlace(rail, rail) for rail in range(rails))
    spread = Spread(places, lambda endpoint: places[endpoint.rail])
    return build_spread(request, spread, report, planes=rails)


DESIGN = Design("rail-only", "every rail is a network of its own, without spines across rails", build)
