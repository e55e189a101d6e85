"""Dual ToR: the two ports of every adapter go to two leaves, so that no leaf is a single point of failure.

With two planes, which is the default, the leaves of port 1 and those of port 2 have spines of their own: Alibaba's
HPN 7.0 (Qian et al., "Alibaba HPN: A Data Center Network for Large Language Model Training", SIGCOMM 2024, section 5).
With ``planes: 1`` both leaves of a pair are joined to the same spines; with ``leaf_per_rail: false`` a pair takes all
adapters of its servers.
"""

from __future__ import annotations

from fabricgen.core.diagnostics import Report
from fabricgen.topology.designs.base import Design, build_spread, planes_of, spread_ports
from fabricgen.topology.fabric import Fabric
from fabricgen.topology.request import FabricRequest

_TORS = 2


def build(request: FabricRequest, report: Report) -> Fabric | None:
    """Build the fabric; FG132 where it does not fit, FG148 for adapters without two ports, or for more planes."""
    planes = planes_of(request, report, least_ports=_TORS, most_planes=_TORS)
    if planes is None:
        return None
    return build_spread(request, spread_ports(request, planes, _TORS // planes), report, planes=planes)


DESIGN = Design("dual-tor", "the two ports of every adapter go to two leaves, in two planes or one", build)
