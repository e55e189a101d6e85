"""Out of band: the management ports of all devices, dealt to some switches in turn.

A plain Ethernet network for BMCs and consoles (``type: ethernet``), as in the wiremaps of NVIDIA's Enterprise Reference
Architectures (repository NVIDIA/enterprise-ras, spectrum-era): each port goes to the next switch, so that the loss of
one takes a part of every server's ports only. The switches' uplinks belong to the fabric that they lead to.
"""

from __future__ import annotations

from fabricgen.core.diagnostics import Report
from fabricgen.inventory.kinds import DESIGN_REFUSES
from fabricgen.topology.dealt import DealtRequest, build_dealt, resolve_dealt
from fabricgen.topology.designs.base import NO_CLOS, Design, refuse, refuse_placements, refuse_share_slot
from fabricgen.topology.fabric import Fabric


def build(request: DealtRequest, report: Report) -> Fabric | None:
    """Build the fabric; FG132 where it does not fit, FG148 for what it cannot have."""
    refused = refuse(request, report, (*NO_CLOS, "isl", "oversubscription"), "its switches are not joined")
    refused |= refuse_placements(request, report)
    refused |= refuse_share_slot(request, report)
    if request.kind != "ethernet":
        summary = "`out-of-band` is for networks that are cabled and not configured"
        report.add(request.finding(DESIGN_REFUSES, ("type",), summary, "set `type: ethernet`"))
        refused = True
    return None if refused else build_dealt(request, report)


DESIGN = Design("out-of-band", "management ports, dealt to some switches in turn", build, resolve_dealt)
