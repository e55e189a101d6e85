from __future__ import annotations

from collections import Counter
from pathlib import Path

import networkx as nx
import pytest

from fabricgen.catalog import load_catalog
from fabricgen.core.diagnostics import Report
from fabricgen.device import Role
from fabricgen.inventory import load_inventory
from fabricgen.topology import Fabric, build_fabrics
from tests.clusters import build, infiniband, roce


def sample(inventories: Path, name: str) -> list[Fabric]:
    report = Report()
    fabrics = build_fabrics(load_inventory(inventories / name, report), load_catalog(), report)
    report.stop_on_errors()
    return list(fabrics)


def links(fabric: Fabric) -> Counter[str]:
    return Counter(
        "server" if fabric.by_name[cable.a.device].role is Role.SERVER else "fabric" for cable in fabric.cables
    )


def test_one_superpod_unit(inventories: Path) -> None:
    (fabric,) = sample(inventories, "ib-dgx-h100-1su")
    assert Counter(device.role for device in fabric.devices) == {Role.SERVER: 32, Role.LEAF: 8, Role.SPINE: 4}
    assert links(fabric) == {"server": 256, "fabric": 256}
    # GPU 0 is on OSFP4 P2 (DGX H100 user guide), and rail 1 is leaf 1
    first = fabric.cables[0]
    assert (first.a.device, first.a.label, first.b.device) == ("dgx-01", "OSFP4 P2", "leaf-01")


def test_rails_of_h200(inventories: Path) -> None:
    (fabric,) = sample(inventories, "roce-h200-32")
    assert Counter(device.role for device in fabric.devices) == {Role.SERVER: 32, Role.LEAF: 8, Role.SPINE: 2}
    assert links(fabric) == {"server": 256, "fabric": 128}


def test_two_fabrics_join_the_same_servers(inventories: Path) -> None:
    compute, storage = sample(inventories, "pcie-as4125gs-8")
    names = {device.name for device in compute.of_role(Role.SERVER)}
    assert names == {device.name for device in storage.of_role(Role.SERVER)}
    assert {cable.a.leg for cable in storage.cables if cable.a.device in names} == {1}


def test_rail_i_touches_rail_i_leaves_only(tmp_path: Path) -> None:
    _, fabric = build(tmp_path, roce(130, 8, extra="servers_per_unit: 64"))
    for cable in fabric.cables:
        if fabric.by_name[cable.a.device].role is Role.SERVER:
            assert fabric.by_name[cable.b.device].rail == cable.rail == cable.a.cage - 1
    assert [leaf.unit for leaf in fabric.of_role(Role.LEAF)] == [1] * 8 + [2] * 8 + [3] * 8


@pytest.mark.parametrize("text", [roce(130, 8), roce(96, 4, design="leaf-spine"), infiniband(95)])
def test_invariants(tmp_path: Path, text: str) -> None:
    _, fabric = build(tmp_path, text)
    used = Counter((port.device, port.number) for cable in fabric.cables for port in (cable.a, cable.b))
    assert set(used.values()) == {1}, "no port is used twice"
    places = Counter((port.device, port.cage, port.leg) for cable in fabric.cables for port in (cable.a, cable.b))
    assert set(places.values()) == {1}
    assert all(cable.a.speed_gbps == cable.b.speed_gbps == cable.speed_gbps for cable in fabric.cables)
    assert nx.is_connected(fabric.graph)
    for leaf in fabric.of_role(Role.LEAF):
        up = Counter(cable.b.device for _, cable in fabric.ports(leaf.name) if cable.a.device == leaf.name)
        assert set(up.values()) == {fabric.sizing.links_per_spine}
        assert len(up) == fabric.sizing.spines >= 2
        down = sum(cable.speed_gbps for _, cable in fabric.ports(leaf.name) if cable.b.device == leaf.name)
        assert down <= sum(up.values()) * next(iter(fabric.cables[::-1])).speed_gbps, "the promised 1:1 holds"


@pytest.mark.parametrize(("small", "large"), [(3, 4), (20, 33), (64, 128), (64, 129)])
def test_growing_moves_no_server_cable_and_renames_nothing(tmp_path: Path, small: int, large: int) -> None:
    _, before = build(tmp_path, roce(small, 4, extra="servers_per_unit: 64"))
    _, after = build(tmp_path, roce(large, 4, extra="servers_per_unit: 64"))
    assert {device.name for device in before.devices} <= {device.name for device in after.devices}
    assert set(before.cables[: small * 4]) <= set(after.cables)
    if before.sizing.spines == after.sizing.spines:
        assert set(before.cables) <= set(after.cables)


def test_a_single_leaf_has_no_spine(tmp_path: Path) -> None:
    _, fabric = build(tmp_path, roce(4, 1))
    assert fabric.sizing.spines == 0
    assert fabric.sizing.reasons == ("a single leaf needs no spine",)


def test_the_reason_is_said(tmp_path: Path) -> None:
    _, fabric = build(tmp_path, infiniband(32))
    assert fabric.sizing.reasons == (
        "32 server links of 400G on each leaf at 1:1 need 32 uplinks of 400G",
        "8 leaves x 32 uplinks / 64 ports of a QM9700 / QM9790 = 4 spines at least",
        "4 spines take 8 links from every leaf",
    )


def test_every_cable_knows_who_asked_for_it(tmp_path: Path) -> None:
    _, fabric = build(tmp_path, roce())
    origins = {
        (cable.origin.path, cable.length_origin.path) for cable in fabric.cables if cable.origin and cable.length_origin
    }
    assert origins == {
        ("fabrics.compute.endpoints", "fabrics.compute.cables.server"),
        ("fabrics.compute.spine", "fabrics.compute.cables.spine"),
    }
