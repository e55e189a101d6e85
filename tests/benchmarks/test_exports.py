"""How fast the exports and pictures of a large fabric are written; run by ``make bench``."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabricgen.planning.plan import FabricPlan
from fabricgen.report.diagrams import diagrams
from fabricgen.report.graphs import topology_graphml, topology_json
from tests.benchmarks.test_speed import clock
from tests.clusters import build, roce

pytestmark = pytest.mark.benchmark

#: Rail-optimised, three tiers, 64 ports of 400G: 32 servers to a unit, 4 units to a pod.
EXTRA = """\
servers_per_unit: 32
uplink_speed: 400G
link_speed: 400G
tiers: 3
units_per_pod: 4
core: {model: qm9700}
cables: {server: 3m, spine: 30m, core: 50m}"""


def large(folder: Path, servers: int) -> FabricPlan:
    """Return a plan with no more than exports need: the fabric, and the ports by the names that switches print."""
    text = roce(servers, 8, leaf="qm9700", extra=EXTRA).replace("    cables: {server: 3m, spine: 30m}\n", "")
    text = text.replace("type: rocev2", "type: infiniband").replace(", nos: sonic", "")
    text = text.replace("bluefield-3-b3140h", "connectx-7-osfp")
    _, fabric = build(folder, text)
    return FabricPlan(fabric, None, None, (), {}, ())


def total(plan: FabricPlan) -> float:
    """Print what each export takes, and return the seconds of all."""
    json, graphml = len(topology_json(plan)) / 1e6, len(topology_graphml(plan)) / 1e6
    seconds = clock(f"JSON, {json:.1f} MB", lambda: topology_json(plan), 3)
    seconds += clock(f"GraphML, {graphml:.1f} MB", lambda: topology_graphml(plan), 3)
    return seconds + clock("SVG, DOT and Mermaid", lambda: diagrams(plan.fabric), 3)


def test_exports(tmp_path: Path) -> None:
    """The floor: 5,120 switches, 8,192 servers and 196,608 links in 5 s, and no worse than linear."""
    print()
    totals = {}
    for servers in (1024, 8192):
        plan = large(tmp_path, servers)
        fabric = plan.fabric
        switches = sum(1 for _ in fabric.switches)
        print(f"  {servers:,} servers, {switches:,} switches, {len(fabric.cables):,} links")
        totals[servers] = total(plan)
        print(f"  all: {totals[servers]:.2f} s")
    print(f"  8 x the servers: {totals[8192] / totals[1024]:.1f} x the time")
