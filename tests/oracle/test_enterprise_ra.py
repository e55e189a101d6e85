"""NVIDIA's Enterprise Reference Architectures on two core switches, port for port, from inventories of ours.

``make_wiremap_facts`` makes the CSVs from the public repository's wiremaps (PDF) and simulated topologies; the first
line of each is its source. The inventories are in ``era/``. What is named otherwise than in the wiremaps:

- nodes count on from 1, where the wiremaps count them unit by unit (``su-02-node-01`` is our ``node-05``);
- adapters are called by purpose and number, where the wiremaps give PCIe slots, which differ from server to server;
- a cage's ports count from 1 (``4/1``), where Cumulus counts from 0 (``swp4s0``);
- the uplinks of an out-of-band switch, which the core switches see, are a device of their own (``oob-uplinks-01``);
- ``su-04node-02`` of 2-4-3-200 is a misprint for ``su-04-node-02``; those of 1G ports are named with their test.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from fabricgen import api
from fabricgen.core.diagnostics import FabricgenError, Report
from fabricgen.topology import Fabric, build_fabrics

HERE = Path(__file__).parent
NODES_PER_UNIT = 4


@dataclass(frozen=True, order=True)
class End:
    """The far end of a core switch's port."""

    speed_gbps: int
    device: str
    port: str


Document = dict[str, Any]

Links = dict[tuple[str, str], End]
"""By core switch and port."""


def rows(file: str, architecture: str, switches: str = "core") -> list[dict[str, str]]:
    """Return the links of the core switches, or of the out-of-band switches' own ports."""
    with (HERE / "data" / file).open(encoding="utf-8") as lines:
        next(lines)
        found = [row for row in csv.DictReader(lines) if row["architecture"] == architecture]
    return [
        {**row, "device": row["device"].replace("su-04node", "su-04-node")}
        for row in found
        if row["switch"].startswith(switches)
    ]


def unit_name(number: int) -> str:
    unit, node = divmod(number - 1, NODES_PER_UNIT)
    return f"su-{unit + 1:02d}-node-{node + 1:02d}"


def switch_port(label: str) -> str:
    cage, _, leg = label.partition("/")
    return f"swp{cage}s{int(leg) - 1}"


def device(name: str) -> str:
    node = re.fullmatch(r"node-(\d+)", name)
    return unit_name(int(node[1])) if node else name.replace("oob-uplinks", "oob-switch")


def far_port(label: str) -> str:
    """Return a port of ours as the wiremaps call it; adapters by number, as :func:`by_number` leaves them."""
    front = re.fullmatch(r"(swp|eth)1/(\d+)", label)
    if front:
        return f"swp{front[2]}" if front[1] == "swp" else f"eth{int(front[2]):02d}"
    return switch_port(label) if label[0].isdigit() else label


def ours(fabric: Fabric) -> Links:
    """Return the links by the first core's port where both ends are cores."""
    links = {}
    for cable in fabric.cables:
        near, far = cable.b, cable.a
        if fabric.by_name[far.device].hardware == "sn5600":
            near, far = far, near
        links[near.device, switch_port(near.label)] = End(cable.speed_gbps, device(far.device), far_port(far.label))
    return links


def by_number(found: list[dict[str, str]]) -> Links:
    """Return the links of a wiremap, with adapters by purpose and number in the order of their slots."""
    slots: dict[str, list[int]] = {}
    for row in found:
        if slot := re.match(r"B3140 .*?(\d+) P", row["device_port"]):
            slots.setdefault(row["device"], []).append(int(slot[1]))
    links = {}
    for row in found:
        name, port = row["device"], row["device_port"]
        if slot := re.match(r"B3140 .*?(\d+) P", port):
            port = f"compute{sorted(slots[name]).index(int(slot[1])) + 1}"
        elif re.match(r"B3220", port):
            port = f"in-band1/{port[-1]}"
        links[row["switch"], row["port"]] = End(int(row["speed_gbps"]), name, port)
    return links


def inventory(architecture: str) -> Document:
    text = (HERE / "era" / f"{architecture}.yaml").read_text(encoding="utf-8")
    document: Document = YAML(typ="safe").load(text)
    return {**document, "catalog": str(HERE / "era" / "catalog")}


def build(folder: Path, document: Document) -> dict[str, Fabric]:
    file = folder / "fabric.yaml"
    with file.open("w", encoding="utf-8") as lines:
        YAML(typ="safe").dump(document, lines)
    cluster = api.load(file)
    report = Report()
    fabrics = build_fabrics(cluster.loaded, cluster.catalog, report)
    report.stop_on_errors()
    return {fabric.name: fabric for fabric in fabrics}


# architecture: nodes, links by kind (hardware.yaml, era_289_400_wiremap and era_285_200_wiremap; 2-4-3-200 counted)
WIREMAPS = {
    "2-4-3-200": {"core": 32, "node 400G": 64, "node 200G": 64, "support": 10, "oob": 10, "edge": 8},
    "2-8-5-200": {"core": 40, "node 400G": 80, "node 200G": 40, "support": 16, "oob": 12, "storage": 20, "edge": 36},
    "2-8-9-400": {"core": 48, "node 400G": 96, "node 200G": 24, "support": 16, "oob": 12, "storage": 12, "edge": 24},
}


@pytest.mark.parametrize("architecture", WIREMAPS)
def test_every_port_of_the_wiremap(architecture: str, tmp_path: Path) -> None:
    published = by_number(rows("era_wiremaps.csv", architecture))
    fabric = build(tmp_path, inventory(architecture))["converged"]
    assert ours(fabric) == published
    assert Counter(kind(end) for end in published.values()) == WIREMAPS[architecture]


def kind(end: End) -> str:
    if end.device.startswith("su-"):
        return f"node {end.speed_gbps}G"
    word = re.split(r"-(?:switch-|net-)?", end.device)[0]
    return {"bcme": "support", "k8s": "support", "cust": "edge"}.get(word, word)


# links by kind of far end, with one unit attached (hardware.yaml, era_air_topology_links); those of an out-of-band
# switch to a core's management port, two in each, are not counted here
AIR = {
    "2-4-3-200": {"core": 32, "su": 16, "support": 10, "storage": 4, "oob": 4, "edge": 8},
    "2-8-5-200": {"core": 40, "su": 24, "support": 16, "storage": 20, "oob": 12, "edge": 36},
    "2-8-9-400": {"core": 48, "su": 40, "support": 16, "storage": 12, "oob": 12, "edge": 24},
}


@pytest.mark.parametrize("architecture", AIR)
def test_the_simulated_topology_with_one_unit(architecture: str, tmp_path: Path) -> None:
    """All but the first unit is missing, and no port of the rest has moved: room was kept for the others.

    Support servers are numbered in one row there. That of 2-4-3-200 has two out-of-band switches, and two storage
    servers in the support servers' cage, which its wiremap has not.
    """
    published = {
        (row["switch"], row["port"]): row["device"]
        for row in rows("era_air_links.csv", architecture)
        if row["port"] != "eth0"  # the switch's management port
    }
    document = inventory(architecture)
    servers, endpoints = document["servers"], document["fabrics"]["converged"]["endpoints"]
    servers["node"]["count"] = NODES_PER_UNIT
    if architecture == "2-4-3-200":
        servers["oob"]["count"] = 2
        servers["storage"] = {**servers["support"], "count": 2, "name": "storage-{n:02d}"}
        endpoints.insert(3, {"servers": "storage", "adapters": "in-band"})
    fabric = build(tmp_path, document)["converged"]
    links = ours(fabric)
    supporters = dict.fromkeys(end.device for end in links.values() if re.match("bcme|k8s|support", end.device))
    names = {name: f"support-{number:02d}" for number, name in enumerate(supporters, start=1)}
    assert {key: names.get(end.device, end.device) for key, end in links.items()} == published
    kinds = Counter(re.split(r"-(?:net-)?", name)[0].replace("cust", "edge") for name in published.values())
    assert kinds == AIR[architecture]


# hardware.yaml, era_isl_rule: architecture, units, compute adapters of a node, inter-switch links of 400G
ISL = [("2-4-3-200", 8, 2, 32), ("2-8-5-200", 5, 4, 40), ("2-8-9-400", 3, 8, 48)]


@pytest.mark.parametrize(("architecture", "units", "adapters", "links"), ISL)
def test_inter_switch_links_follow_from_the_compute_adapters(
    architecture: str, units: int, adapters: int, links: int, tmp_path: Path
) -> None:
    """400G links = units x 4 nodes x (compute adapters / 2); the inventories give no number."""
    document = inventory(architecture)
    assert "links" not in document["fabrics"]["converged"]["isl"]
    fabric = build(tmp_path, document)["converged"]
    assert fabric.sizing.uplinks_per_leaf == links == units * NODES_PER_UNIT * adapters // 2
    assert sum(cable.a.device == "core-01" for cable in fabric.cables) == links


# hardware.yaml, era_tiers: architecture, units, out-of-band switches (an input of ours), whether two cores hold it
TIERS = [
    *(("2-4-3-200", units, oob, True) for units, oob in [(1, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4)]),
    *(("2-8-5-200", units, oob, True) for units, oob in [(1, 2), (4, 2), (5, 3)]),
    *(("2-8-5-200", units, 3, False) for units in [6, 7]),
    *(("2-8-9-400", units, oob, True) for units, oob in [(1, 2), (2, 2), (3, 3)]),
    *(("2-8-9-400", units, 3, False) for units in [4, 5]),
]


@pytest.mark.parametrize(("architecture", "units", "oob", "fits"), TIERS)
def test_two_core_switches_hold_what_is_published_and_no_more(
    architecture: str, units: int, oob: int, fits: bool, tmp_path: Path
) -> None:
    """Beyond the published units the cages run out even without gaps between the groups: another tier is needed."""
    document = inventory(architecture)
    document["servers"]["node"]["count"] = units * NODES_PER_UNIT
    document["servers"]["oob"]["count"] = oob
    fabric = document["fabrics"]["converged"]
    for place in (fabric["isl"], *(entry.get("placement", {}) for entry in fabric["endpoints"])):
        place.pop("first_cage", None)
        place.pop("room_for", None)
    if fits:
        built = build(tmp_path, document)["converged"]
        assert built.sizing.leaves == 2
        assert len({cable.a.device for cable in built.cables if cable.a.device.startswith("oob-")}) == oob
    else:
        with pytest.raises(FabricgenError) as refused:
            build(tmp_path, document)
        assert {found.code for found in refused.value.diagnostics} == {"FG132"}
        assert "the cages that are left hold" in refused.value.diagnostics[0].summary


# hardware.yaml, era_tiers, 2-8-9-800: two GPU leaves in each of two planes hold one to four units
@pytest.mark.parametrize("units", [1, 4, 5])
def test_the_planes_of_the_dual_plane_architecture(units: int, tmp_path: Path) -> None:
    """Four units fill two SN5600 to the last cage: half for the nodes, half for the inter-switch links."""

    def plane(number: int) -> Document:
        return {
            "type": "rocev2",
            "design": "switch-pair",
            "endpoints": [{"servers": "node", "adapters": "compute", "ports": [number]}],
            "leaf": {"model": "sn5600", "nos": "cumulus", "name": f"p{number}-leaf-{{n:02d}}"},
            "isl": {"speed": "400G"},
            "cables": {"server": "5m", "isl": "2m"},
            "addressing": {"loopbacks": f"10.{number}.0.0/19", "servers": f"10.{64 * number}.0.0/12"},
        }

    adapters = {"compute": {"adapter": "connectx-8-qsfp112-2p400", "count": 8}}
    node = {"model": "dell-xe9680", "count": units * NODES_PER_UNIT, "adapters": adapters}
    document = {"name": "era", "servers": {"node": node}, "fabrics": {f"plane-{n}": plane(n) for n in (1, 2)}}
    if units > 4:
        with pytest.raises(FabricgenError, match="FG132"):
            build(tmp_path, document)
        return
    fabrics = build(tmp_path, document)
    assert [fabric.sizing.leaves for fabric in fabrics.values()] == [2, 2]
    for fabric in fabrics.values():
        assert len({cable.b.cage for cable in fabric.cables}) == 16 * units


_ALL = ("nic1", "nic2", "in-band", "bmc")

# ours: the management ports of a device by number, and what they are in the wiremaps
MANAGEMENT: dict[str, dict[str, tuple[str, ...]]] = {
    "2-4-3-200": {"node": ("in-band", "compute1", "compute2", "nic1", "nic2"), "support": ("in-band", "nic1", "nic2")},
    "2-8-5-200": dict.fromkeys(("node", "bcme", "k8s"), _ALL),
    "2-8-9-400": dict.fromkeys(("node", "bcme", "k8s"), _ALL),
}

# architecture: out-of-band switches, 1G links that are compared, ports of groups that are not
OUT_OF_BAND: dict[str, tuple[int, int, dict[str, tuple[str, ...]]]] = {
    # the BMCs of the five support servers start two ports further on, without a reason
    "2-4-3-200": (5, 32 * 6 + 5 * 3, {"support": ("bmc",)}),
    "2-8-5-200": (3, 20 * 4 + 8 * 4, {}),
    # the wiremap has up to eight ports of support servers in one (oob-switch-01 swp31)
    "2-8-9-400": (3, 12 * 4, {"bcme": _ALL, "k8s": _ALL}),
}

#: Of 2-8-9-400: oob-switch-01 swp7 is given to two ports and swp8 to none.
TWICE = (("oob-switch-01", "swp7"), End(1, "su-02-node-02", "nic2"), ("oob-switch-01", "swp8"))


@pytest.mark.parametrize("architecture", OUT_OF_BAND)
def test_every_management_port(architecture: str, tmp_path: Path) -> None:
    """Management ports are dealt to the out-of-band switches in turn: device and port at every 1G port."""
    switches, number, left_out = OUT_OF_BAND[architecture]
    published = []
    for row in rows("era_wiremaps.csv", architecture, "oob-switch"):
        group = re.split(r"-\d", row["device"].replace("su-", "node-"))[0]
        end = End(1, row["device"], management(row["device_port"]))
        if end.port not in left_out.get(group, ()):
            port = (row["switch"], row["port"])
            published.append((TWICE[2] if (port, end) == TWICE[:2] else port, end))
    fabric = build(tmp_path, inventory(architecture))["out-of-band"]
    found = []
    for cable in fabric.cables:
        group = fabric.by_name[cable.a.device].group
        word = "bmc" if cable.a.label.startswith("bmc") else MANAGEMENT[architecture][group][cable.a.leg - 1]
        if word not in left_out.get(group, ()):
            found.append(((cable.b.device, f"swp{cable.b.label}"), End(1, device(cable.a.device), word)))
    assert fabric.sizing.leaves == switches
    assert sorted(found) == sorted(published)
    assert len(found) == number


def management(label: str) -> str:
    """Return what a 1G port of a wiremap is: of a NIC, of an adapter, or of the BMC."""
    if label.startswith("B3220"):
        return "in-band"
    if label.startswith("B3140"):
        slot = int(re.findall(r"Slot (\d+)", label)[0])
        return "compute1" if slot <= 3 else "compute2"
    nic = re.search(r"P(?:ort )?(\d)$", label)
    return f"nic{nic[1]}" if nic else "bmc"
