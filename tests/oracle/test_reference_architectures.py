"""Counts of switches and links that vendors and operators publish, reproduced from inventories of ours.

Each table is copied from the page named above it. Switches that differ from one of the catalog's only in the number or
speed of their ports are made from it here, so that a row stands on its own figures.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from fabricgen.catalog import Catalog, load_catalog
from fabricgen.catalog.models import Breakout, CageGroup, Switch
from fabricgen.core.diagnostics import FabricgenError
from fabricgen.device import Role
from fabricgen.topology import Fabric
from tests.clusters import build


def _switch(base: Switch, ports: int, speed_gbps: int, *breakouts: tuple[int, int]) -> Switch:
    """Return a switch of single-port cages."""
    splits = tuple(Breakout(ports=legs, speed_gbps=gbps) for legs, gbps in breakouts)
    cages = CageGroup(first=1, count=ports, connector="OSFP", lanes=8, speed_gbps=speed_gbps, breakouts=splits)
    changes = {"cages": (cages,), "max_logical_ports": ports * 8, "pipelines": (), "sonic": None}
    return base.model_copy(update=changes)


def _catalog() -> Catalog:
    ours = load_catalog()
    ethernet, infiniband = ours.switches["sn5600"], ours.switches["qm9700"]
    switches = {
        "qm9700": infiniband,
        "sn5600": ethernet,
        "xdr-144": _switch(infiniband, 144, 800),
        "400g-32": _switch(ethernet, 32, 400),
        "400g-64": _switch(ethernet, 64, 400, (2, 200)),
        "400g-128": _switch(ethernet, 128, 400, (2, 200)),
        "800g-64": _switch(ethernet, 64, 800, (2, 400), (4, 200)),
    }
    two_ports = ours.adapters["connectx-7-2p400"]
    xdr = ours.adapters["connectx-7-module"].ports.model_copy(update={"infiniband_gbps": (400, 800)})
    adapters = {
        "one-port": ours.adapters["bluefield-3-b3140h"],
        "two-ports": two_ports,
        "two-200g": ours.adapters["bluefield-3-b3220"],
        "xdr": ours.adapters["connectx-7-module"].model_copy(update={"ports": xdr}),
        **{name: ours.adapters[name] for name in ("connectx-7-module", "connectx-7-2p400")},
    }
    return replace(ours, switches=switches, adapters=adapters)


CATALOG = _catalog()


@dataclass(frozen=True)
class Counts:
    """What a published row gives."""

    leaves: int
    spines: int
    cores: int
    server_links: int
    leaf_spine_links: int
    spine_core_links: int


def counts(fabric: Fabric) -> Counts:
    roles = Counter(device.role for device in fabric.devices)
    links = Counter(fabric.by_name[cable.a.device].role for cable in fabric.cables)
    return Counts(
        roles[Role.LEAF], roles[Role.SPINE], roles[Role.CORE], links[Role.SERVER], links[Role.LEAF], links[Role.SPINE]
    )


def fabric_of(
    folder: Path,
    *,
    servers: str,
    fabric: str,
    kind: str = "rocev2",
    endpoints: str = "{servers: gpu, adapters: compute}",
) -> Fabric:
    text = f"name: published\nservers:\n{_indent(servers, 2)}fabrics:\n  compute:\n    type: {kind}\n"
    text += f"    endpoints: [{endpoints}]\n    cables: {{server: 3m, spine: 20m, core: 40m}}\n{_indent(fabric, 4)}"
    return build(folder, text, CATALOG)[1]


def _indent(lines: str, by: int) -> str:
    return "".join(f"{' ' * by}{line.strip()}\n" for line in lines.strip().splitlines())


def gpu(count: int, adapter: str = "one-port", per_server: int = 8) -> str:
    return (
        f"gpu: {{model: supermicro-sys-821ge-tnhr, count: {count}, "
        f"adapters: {{compute: {{adapter: {adapter}, count: {per_server}}}}}}}"
    )


# DGX SuperPOD H100, NVIDIA docs.nvidia.com/dgx-superpod/reference-architecture-scalable-infrastructure-h100, table of
# compute fabric components: (SU, nodes, leaves, spines, node and UFM cables, leaf-spine cables)
H100 = [(1, 31, 8, 4, 252, 256), (2, 63, 16, 8, 508, 512), (3, 95, 24, 16, 764, 768), (4, 127, 32, 16, 1020, 1024)]


@pytest.mark.parametrize("row", H100, ids=lambda row: f"{row[0]} SU")
def test_superpod_h100(row: tuple[int, ...], tmp_path: Path) -> None:
    """The place of one server in the first unit goes to the UFM appliances: four ports on rails of their own."""
    _, nodes, leaves, spines, server_links, leaf_spine_links = row
    fabric = fabric_of(
        tmp_path,
        kind="infiniband",
        servers=f"""
            dgx: {{model: dgx-h100, count: {nodes}}}
            ufm: {{model: supermicro-as-4125gs-tnrt, count: 4,
            adapters: {{manage: {{adapter: connectx-7-module, count: 1}}}}}}""",
        endpoints="{servers: ufm, adapters: manage, share_slot: true}, {servers: dgx, adapters: compute}",
        fabric="""
            design: rail-optimized
            leaf: {model: qm9700}
            spine: {model: qm9700}
            servers_per_unit: 32""",
    )
    assert counts(fabric) == Counts(leaves, spines, 0, server_links, leaf_spine_links, 0)
    units = Counter(fabric.by_name[cable.b.device].unit for cable in fabric.cables if cable.a.device.startswith("dgx"))
    assert units[1] == 31 * 8, "31 nodes in the first unit"
    assert all(found == 32 * 8 for unit, found in units.items() if unit != 1)


# DGX SuperPOD B200, the same page of docs.nvidia.com/dgx-superpod/reference-architecture-scalable-infrastructure-b200:
# (SU, nodes, leaves, spines, cores, node-leaf, leaf-spine, spine-core cables)
B200 = [
    (2, 64, 16, 8, 0, 512, 512, 0),
    (4, 128, 32, 16, 0, 1024, 1024, 0),
    (8, 256, 64, 32, 0, 2048, 2048, 0),
    (16, 512, 128, 128, 64, 4096, 4096, 4096),
    (32, 1024, 256, 256, 128, 8192, 8192, 8192),
    (64, 2048, 512, 512, 256, 16384, 16384, 16384),
]


@pytest.mark.parametrize("row", B200, ids=lambda row: f"{row[0]} SU")
def test_superpod_b200(row: tuple[int, ...], tmp_path: Path) -> None:
    """Row 16 is also the 512-node cluster that apetops publishes: 128 leaves, 128 spines, 64 cores."""
    fabric = fabric_of(
        tmp_path,
        kind="infiniband",
        servers=f"gpu: {{model: dgx-h100, count: {row[1]}}}",
        fabric="""
            design: rail-optimized
            leaf: {model: qm9700}
            spine: {model: qm9700}
            core: {model: qm9700}
            servers_per_unit: 32""",
    )
    assert counts(fabric) == Counts(*row[2:])


# DGX SuperPOD B300 with Spectrum-4 (two planes), docs.nvidia.com: (SU, nodes, leaves, spines, node-leaf, leaf-spine
# cables). A cable there is an 800G one of two 400G links.
B300_SPECTRUM = [
    (1, 64, 16, 8, 512, 512),
    (2, 128, 32, 16, 1024, 1024),
    (4, 256, 64, 32, 2048, 2048),
    (8, 512, 128, 64, 4096, 4096),
    (16, 1024, 256, 128, 8192, 8192),
]


@pytest.mark.parametrize("row", B300_SPECTRUM, ids=lambda row: f"{row[0]} SU")
def test_superpod_b300_spectrum(row: tuple[int, ...], tmp_path: Path) -> None:
    fabric = fabric_of(
        tmp_path,
        servers=gpu(row[1], "two-ports"),
        fabric="""
            design: multi-plane
            leaf: {model: sn5600}
            spine: {model: sn5600}
            uplink_speed: 400G
            servers_per_unit: 64""",
    )
    assert counts(fabric) == Counts(row[2], row[3], 0, 2 * row[4], 2 * row[5], 0)


# DGX SuperPOD B300 with Quantum-X800, docs.nvidia.com: (SU, nodes, leaves, spines, node-leaf, leaf-spine cables). The
# page prints 9216 GPUs for 18 SU; 1296 nodes of 8 and its own 10368 cables say 10368.
B300_XDR = [
    (1, 72, 8, 4, 576, 576),
    (2, 144, 16, 8, 1152, 1152),
    (4, 288, 32, 18, 2304, 2304),
    (8, 576, 64, 36, 4608, 4608),
    (18, 1296, 144, 72, 10368, 10368),
]


@pytest.mark.parametrize("row", B300_XDR, ids=lambda row: f"{row[0]} SU")
def test_superpod_b300_xdr(row: tuple[int, ...], tmp_path: Path) -> None:
    fabric = fabric_of(
        tmp_path,
        kind="infiniband",
        servers=gpu(row[1], "xdr"),
        fabric="""
            design: rail-optimized
            leaf: {model: xdr-144}
            spine: {model: xdr-144}
            servers_per_unit: 72""",
    )
    assert counts(fabric) == Counts(row[2], row[3], 0, row[4], row[5], 0)
    assert row[4] == 8 * row[1]


# Juniper validated design "AI data center network with Juniper Apstra": a stripe of eight leaves at 1:1 holds
# (switch, ports of 400G, servers, GPUs)
STRIPES = [("400g-32", 32, 16, 128), ("400g-64", 64, 32, 256), ("800g-64", 128, 64, 512)]


@pytest.mark.parametrize("row", STRIPES, ids=lambda row: f"{row[1]} ports")
def test_juniper_stripes(row: tuple[str, int, int, int], tmp_path: Path) -> None:
    switch, ports, servers, gpus = row

    def stripe(count: int) -> Fabric:
        return fabric_of(
            tmp_path,
            servers=gpu(count),
            fabric=f"""
                design: rail-optimized
                leaf: {{model: {switch}}}
                spine: {{model: {switch}}}
                uplink_speed: 400G""",
        )

    full = stripe(servers)
    assert full.sizing.leaves == 8
    assert full.rooms["leaf"].down == ports // 2 == servers
    assert counts(full).server_links == gpus
    assert stripe(servers + 1).sizing.leaves == 16, "one server more begins a second stripe"


def test_amd_single_switch(tmp_path: Path) -> None:
    """AMD Instinct MI3xx cluster reference: 16 nodes, 128 GPUs, are what one 51.2T switch of 400G ports holds."""
    fabric = "design: single-switch\nleaf: {model: 800g-64}\nlink_speed: 400G"
    assert counts(fabric_of(tmp_path, servers=gpu(16), fabric=fabric)) == Counts(1, 0, 0, 128, 0, 0)
    with pytest.raises(FabricgenError):
        fabric_of(tmp_path, servers=gpu(17), fabric=fabric)


HPN = """
    design: dual-tor
    leaf: {model: 400g-128}
    spine: {model: 400g-128}
    core: {model: 400g-128}
    tiers: 3
    servers_per_unit: 128
    units_per_pod: 15
    oversubscription: 16:15
    spine_oversubscription: 15:1
    uplink_speed: 400G
    core_speed: 400G"""


def test_alibaba_hpn(tmp_path: Path) -> None:
    """Qian et al., "Alibaba HPN", SIGCOMM 2024: a pod of 15 segments, 1,920 hosts, 15,360 GPUs.

    Of the outputs: 240 ToRs, 120 aggregation switches in two planes, 30,720 links of 200G, 14,400 of 400G; a ToR has
    60 uplinks, an aggregation switch 120 links down and 8 up. SimAI's generator gives the same 30,720 and 14,400.
    """
    fabric = fabric_of(tmp_path, servers=gpu(1920, "two-200g"), fabric=HPN)
    found = counts(fabric)
    assert (found.leaves, found.spines, found.server_links, found.leaf_spine_links) == (240, 120, 30720, 14400)
    assert fabric.sizing.planes == 2
    assert fabric.sizing.uplinks_per_leaf == 60
    assert fabric.sizing.uplinks_per_spine == 8
    assert found.leaf_spine_links // found.spines == 120
    tors = {cable.b.device for cable in fabric.cables if cable.a.device == "gpu-001"}
    assert len(tors) == 16, "16 ToRs serve a segment"


def test_simai_single_plane_does_not_fit(tmp_path: Path) -> None:
    """SimAI's single-plane HPN gives each ToR 120 uplinks of 400G beside 128 ports of 200G: 73.6 Tb/s of 51.2."""
    with pytest.raises(FabricgenError, match="FG132"):
        fabric_of(
            tmp_path,
            servers=gpu(1920, "two-200g"),
            fabric=HPN.replace("oversubscription: 16:15", "oversubscription: 8:15") + "\nplanes: 1",
        )


# SimAI's topology generator (aliyun/SimAI, astra-sim-alibabacloud/inputs/topo): Spectrum-X-like rail fabrics of 64
# uplinks to 64 spines: (GPUs, leaves, spines, NIC links, switch links)
SIMAI_RAIL = [(512, 8, 64, 512, 512), (1024, 16, 64, 1024, 1024), (4096, 64, 64, 4096, 4096)]


@pytest.mark.parametrize("row", SIMAI_RAIL, ids=lambda row: f"{row[0]} GPUs")
def test_simai_spectrum_x(row: tuple[int, ...], tmp_path: Path) -> None:
    fabric = fabric_of(
        tmp_path,
        servers=gpu(row[0] // 8),
        fabric="""
            design: rail-optimized
            leaf: {model: 400g-128}
            spine: {model: 400g-128, count: 64}
            servers_per_unit: 64""",
    )
    assert counts(fabric) == Counts(row[1], row[2], 0, row[3], row[4], 0)


DCN = """
    leaf: {model: 400g-128}
    spine: {model: 400g-128, count: 8}
    uplink_speed: 400G"""


def test_simai_single_tor(tmp_path: Path) -> None:
    """SimAI's DCN+ of 512 GPUs: 8 leaves, 8 spines, 512 NIC links, 64 links between the tiers."""
    fabric = "design: leaf-spine\nservers_per_unit: 8\noversubscription: 8:1" + DCN
    assert counts(fabric_of(tmp_path, servers=gpu(64), fabric=fabric)) == Counts(8, 8, 0, 512, 64, 0)


def test_simai_dual_tor(tmp_path: Path) -> None:
    """The same with two ToRs for each NIC: 1,024 links of 200G; four pairs of ToRs, each for 16 servers."""
    how = "planes: 1\nleaf_per_rail: false\nservers_per_unit: 16\noversubscription: 8:1"
    fabric = fabric_of(tmp_path, servers=gpu(64, "two-200g"), fabric=f"design: dual-tor\n{how}{DCN}")
    assert counts(fabric) == Counts(8, 8, 0, 1024, 64, 0)


def test_meta_24k_pods(tmp_path: Path) -> None:
    """Meta's 24K-GPU RoCE cluster (Gangidi et al., SIGCOMM 2024; engineering.fb.com, March 2024).

    16 GPUs to a rack switch, 192 racks to a pod, 8 pods, 24,576 GPUs, 7:1 between pods. How many cluster switches a pod
    has is not published; the chassis here is a stand-in with ports enough.
    """
    catalog = replace(CATALOG, switches={**CATALOG.switches, "chassis": _switch(CATALOG.switches["sn5600"], 448, 400)})
    text = """
name: meta
servers:
  gpu: {model: supermicro-sys-821ge-tnhr, count: 3072, adapters: {compute: {adapter: one-port, count: 8}}}
fabrics:
  compute:
    type: rocev2
    design: leaf-spine
    endpoints: [{servers: gpu, adapters: compute}]
    leaf: {model: 400g-64}
    spine: {model: chassis}
    core: {model: chassis}
    tiers: 3
    servers_per_unit: 2
    units_per_pod: 192
    spine_oversubscription: 7:1
    cables: {server: 3m, spine: 20m, core: 40m}
"""
    _, fabric = build(tmp_path, text, catalog)
    assert fabric.sizing.leaves == 1536
    assert fabric.sizing.pods == 8
    per_pod = Counter(leaf.pod for leaf in fabric.of_role(Role.LEAF))
    assert set(per_pod.values()) == {192}
    assert counts(fabric).server_links == 24576
    down = counts(fabric).leaf_spine_links / counts(fabric).spine_core_links
    assert 6 < down <= 7, "7:1 between pods, to the next whole link"


def test_kedios_and_asterfusion(tmp_path: Path) -> None:
    """Two small fabrics of vendors.

    Asterfusion CX864E: 64 nodes of 4 GPUs, 4 leaves, 2 spines. Kedios: 32 B300 nodes on Q3400-RA, 8 leaves and the 4
    spines of a whole unit; 32 nodes would need but 2, so the count is given.
    """
    fabric = fabric_of(
        tmp_path,
        servers=gpu(64, per_server=4),
        fabric="""
            design: rail-optimized
            leaf: {model: 800g-64}
            spine: {model: 800g-64}""",
    )
    assert (fabric.sizing.leaves, fabric.sizing.spines) == (4, 2)
    for spine, spines in (("{model: xdr-144}", 2), ("{model: xdr-144, count: 4}", 4)):
        fabric = fabric_of(
            tmp_path,
            kind="infiniband",
            servers=gpu(32, "xdr"),
            fabric=f"""
                design: rail-optimized
                leaf: {{model: xdr-144}}
                spine: {spine}""",
        )
        assert (fabric.sizing.leaves, fabric.sizing.spines) == (8, spines)


def test_imbue(tmp_path: Path) -> None:
    """Imbue, "From bare metal to a 70B model": 511 nodes, 4,088 GPUs, three layers; a node's ports go to UFM."""
    fabric = fabric_of(
        tmp_path,
        kind="infiniband",
        servers="""
            dgx: {model: dgx-h100, count: 511}
            ufm: {model: supermicro-as-4125gs-tnrt, count: 4,
            adapters: {manage: {adapter: connectx-7-module, count: 1}}}""",
        endpoints="{servers: ufm, adapters: manage, share_slot: true}, {servers: dgx, adapters: compute}",
        fabric="""
            design: rail-optimized
            leaf: {model: qm9700}
            spine: {model: qm9700}
            core: {model: qm9700}
            servers_per_unit: 32""",
    )
    assert sum(cable.a.device.startswith("dgx") for cable in fabric.cables) == 4088
    assert fabric.sizing.leaves == 128, "16 units of 32, one place taken by UFM"
    assert fabric.sizing.cores == 64


def test_megascale(tmp_path: Path) -> None:
    """Jiang et al., "MegaScale", NSDI 2024, 3.6: 64-port switches with 32 links down and 32 up in three layers.

    At the ToR a 400G port is split into two of 200G, and 64 servers share a set of ToRs.
    """
    fabric = fabric_of(
        tmp_path,
        servers=gpu(128, "two-200g"),
        endpoints="{servers: gpu, adapters: compute, ports: [1]}",
        fabric="""
            design: rail-optimized
            leaf: {model: 400g-64}
            spine: {model: 400g-64}
            core: {model: 400g-64}
            tiers: 3
            uplink_speed: 400G""",
    )
    assert fabric.rooms["leaf"].down == 64
    assert fabric.rooms["leaf"].up == 32
    assert fabric.sizing.units == 2, "64 servers to a set of ToRs"
    assert fabric.sizing.uplinks_per_leaf == 32
    ends = [end for cable in fabric.cables for end in (cable.a, cable.b)]
    assert {end.legs for end in ends if fabric.by_name[end.device].role is Role.LEAF} == {1, 2}
