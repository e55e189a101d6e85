"""Multi-plane: port p of every adapter goes to plane p, and the planes share nothing but the servers.

Each plane is a rail-optimised fabric, or a leaf-spine one with ``leaf_per_rail: false``. This is how a ConnectX-8 of
2 x 400G joins a Spectrum-X fabric (DGX SuperPOD B300 reference architecture with Spectrum-4): half of a GPU's bandwidth
survives the loss of a whole plane.
"""

from __future__ import annotations

from fabricgen.core.diagnostics import Report
from fabricgen.topology.designs.base import Design, build_spread, planes_of, spread_ports
from fabricgen.topology.fabric import Fabric
from fabricgen.topology.request import FabricRequest


def build(request: FabricRequest, report: Report) -> Fabric | None:
    """Build the fabric; FG132 where it does not fit, FG148 where the adapters have too few ports."""
    planes = planes_of(request, report)
    if planes is None:
        return None
    return build_spread(request, spread_ports(request, planes), report, planes=planes)


DESIGN = Design("multi-plane", "port p of every adapter goes to plane p; planes share no switch", build)
