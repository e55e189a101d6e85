"""Rail-optimised: adapter i of every server of a scalable unit goes to that unit's leaf i.

Traffic between GPUs of equal rank stays below one leaf. Leaves are numbered unit by unit, and within a unit rail by
rail, so a new unit adds leaves at the end. Two tiers while they hold all leaves, three where a core is given.
"""

from __future__ import annotations

from fabricgen.core.diagnostics import Report
from fabricgen.topology.designs.base import Design, build_spread, to_rails
from fabricgen.topology.fabric import Fabric
from fabricgen.topology.leaves import rails_of
from fabricgen.topology.request import FabricRequest


def build(request: FabricRequest, report: Report) -> Fabric | None:
    """Build the fabric; FG132 where it does not fit, FG147 where a tier is missing."""
    return build_spread(request, to_rails(rails_of(request.leaf.slots)), report)


DESIGN = Design("rail-optimized", "adapter i of every server goes to leaf i of its scalable unit", build)
