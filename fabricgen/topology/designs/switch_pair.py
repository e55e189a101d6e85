"""Switch pair: two switches take every port, and links between the two join them (a collapsed core).

NVIDIA's Enterprise Reference Architectures are built so up to a few scalable units (repository NVIDIA/enterprise-ras,
spectrum-era): adapters alternate between the switches, storage, out-of-band switches and the customer's edge are joined
to both, and the inter-switch links carry as much as the compute adapters of one switch.
"""

from __future__ import annotations

from fabricgen.core.diagnostics import Report
from fabricgen.inventory.kinds import DESIGN_REFUSES, TOO_FEW_PORTS
from fabricgen.topology.designs.base import NO_CLOS, Design, refuse, refuse_share_slot
from fabricgen.topology.fabric import Fabric
from fabricgen.topology.pair import SWITCHES, build_pair
from fabricgen.topology.pair_request import PairRequest, resolve_pair


def build(request: PairRequest, report: Report) -> Fabric | None:
    """Build the fabric; FG132 and FG133 where it does not fit, FG148 for what a pair cannot have."""
    refused = refuse(request, report, NO_CLOS, "it is two switches")
    refused |= refuse_share_slot(request, report)
    refused |= _refuse_more(request, report)
    return None if refused else build_pair(request, report)


def _refuse_more(request: PairRequest, report: Report) -> bool:
    """Report what only this design refuses; return whether there was anything."""
    findings = []
    if request.kind == "infiniband":
        summary = "`switch-pair` is an Ethernet design: its inter-switch links are equal paths of BGP"
        remedy = "choose `design: leaf-spine` with one spine, or `type: rocev2`"
        findings.append(request.finding(DESIGN_REFUSES, ("design",), summary, remedy))
    if request.intent.leaf.count not in {None, SWITCHES}:
        summary = f"a pair is two switches and `count` says {request.intent.leaf.count}"
        findings.append(request.finding(TOO_FEW_PORTS, ("leaf", "count"), summary, f"set it to {SWITCHES}"))
    for finding in findings:
        report.add(finding)
    return bool(findings)


DESIGN = Design("switch-pair", "two joined switches take every server; a port to each in turn", build, resolve_pair)
