from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network
from pathlib import Path

import pytest

from fabricgen.core.diagnostics import Report
from fabricgen.device import Role
from fabricgen.planning.addresses import AddressPlan, plan_addresses
from fabricgen.topology import Fabric
from tests.clusters import build, roce

NUMBERED = "servers_per_unit: 64\naddressing: {loopbacks: 10.0.0.0/24, servers: 10.64.0.0/12, links: 10.1.0.0/16}"


def plan(folder: Path, servers: int, extra: str = NUMBERED) -> tuple[Fabric, AddressPlan]:
    loaded, fabric = build(folder, roce(servers, 4, extra=extra))
    report = Report()
    found = plan_addresses(fabric, loaded, report)
    report.stop_on_errors()
    return fabric, found


def test_no_address_is_given_twice_and_all_lie_in_their_pools(tmp_path: Path) -> None:
    fabric, found = plan(tmp_path, 130)
    addresses = [*found.loopbacks.values(), *(end for link in found.links if link for end in (link.a, link.b))]
    assert len(addresses) == len(set(addresses)) == len(found.loopbacks) + 2 * len(fabric.cables)
    for address in found.loopbacks.values():
        assert address in IPv4Network("10.0.0.0/24")
    for cable, link in zip(fabric.cables, found.links, strict=True):
        assert link is not None
        assert int(link.a) // 2 == int(link.b) // 2, "both ends are in one /31"
        server = fabric.by_name[cable.a.device].role is Role.SERVER
        pool = found.server_blocks[cable.b.device] if server else IPv4Network("10.1.0.0/16")
        assert link.a in pool
        assert link.b in pool


def test_server_blocks_are_disjoint_and_one_rail_is_one_network(tmp_path: Path) -> None:
    fabric, found = plan(tmp_path, 130)
    blocks = list(found.server_blocks.values())
    assert not any(a.overlaps(b) for index, a in enumerate(blocks) for b in blocks[:index])
    part = IPv4Network("10.64.0.0/14")  # four rails share the /12
    assert {block.subnet_of(part) for name, block in found.server_blocks.items() if fabric.by_name[name].rail == 0} == {
        True
    }
    assert {block.subnet_of(part) for name, block in found.server_blocks.items() if fabric.by_name[name].rail} == {
        False
    }


def test_links_are_unnumbered_unless_a_pool_is_given(tmp_path: Path) -> None:
    fabric, found = plan(tmp_path, 4, "uplink_speed: 400G")
    kinds = {
        fabric.by_name[cable.a.device].role: link is None
        for cable, link in zip(fabric.cables, found.links, strict=True)
    }
    assert kinds == {Role.SERVER: False, Role.LEAF: True}


@pytest.mark.parametrize(("small", "large"), [(3, 64), (64, 65), (64, 200)])
def test_growing_renumbers_nothing(tmp_path: Path, small: int, large: int) -> None:
    before_fabric, before = plan(tmp_path, small)
    after_fabric, after = plan(tmp_path, large)
    assert before.loopbacks.items() <= after.loopbacks.items()
    assert before.asns.items() <= after.asns.items()
    assert before.server_blocks.items() <= after.server_blocks.items()
    grown = dict(zip(after_fabric.cables, after.links, strict=True))
    for cable, link in zip(before_fabric.cables, before.links, strict=True):
        if before_fabric.by_name[cable.a.device].role is Role.SERVER:
            assert grown[cable] == link


def test_spines_share_a_number_and_leaves_count_on(tmp_path: Path) -> None:
    _, found = plan(tmp_path, 4)
    assert found.asns == {
        "leaf-01": 4_200_010_001, "leaf-02": 4_200_010_002, "leaf-03": 4_200_010_003, "leaf-04": 4_200_010_004,
        "spine-01": 4_200_000_000, "spine-02": 4_200_000_000,
    }  # fmt: skip
    assert found.loopbacks["spine-01"] == IPv4Address("10.0.0.129")
