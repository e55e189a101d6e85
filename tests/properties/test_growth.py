"""Growing a cluster renames, readdresses and recables nothing that stood before."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from fabricgen import api
from fabricgen.device import Role
from fabricgen.planning.plan import FabricPlan
from tests.clusters import infiniband, roce


def plan(text: str) -> FabricPlan:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "fabric.yaml"
        file.write_text(text, encoding="utf-8")
        (fabric,) = api.plan(api.load(file)).fabrics
        return fabric


def links(found: FabricPlan, *roles: Role) -> set[tuple[str, str]]:
    """Return both ends of the cables whose lower end has one of the roles."""
    fabric = found.fabric
    return {(str(link.a), str(link.b)) for link in found.links if fabric.by_name[link.a.device].role in roles}


@settings(max_examples=10, deadline=None)
@given(
    before=st.integers(1, 30),
    more=st.integers(1, 30),
    adapters=st.sampled_from([1, 2, 8]),
    design=st.sampled_from(["rail-optimized", "leaf-spine"]),
)
def test_roce(before: int, more: int, adapters: int, design: str) -> None:
    extra = "servers_per_unit: 8\nlink_speed: 400G\naddressing: {links: 10.128.0.0/12}"
    small = plan(roce(before, adapters, design=design, extra=extra))
    large = plan(roce(before + more, adapters, design=design, extra=extra))
    assert links(small, Role.SERVER) <= links(large, Role.SERVER)
    assert {device.name for device in small.fabric.devices} <= {device.name for device in large.fabric.devices}
    assert small.addresses is not None
    assert large.addresses is not None
    assert small.addresses.loopbacks.items() <= large.addresses.loopbacks.items()
    assert small.addresses.server_blocks.items() <= large.addresses.server_blocks.items()
    assert small.addresses.asns.items() <= large.addresses.asns.items()
    if small.fabric.sizing.spines == large.fabric.sizing.spines:
        assert links(small, Role.LEAF) <= links(large, Role.LEAF), "with the same spines, no link moves at all"


@settings(max_examples=8, deadline=None)
@given(before=st.integers(1, 30), more=st.integers(1, 30))
def test_infiniband(before: int, more: int) -> None:
    small = plan(infiniband(before, extra="servers_per_unit: 32"))
    large = plan(infiniband(before + more, extra="servers_per_unit: 32"))
    assert links(small, Role.SERVER) <= links(large, Role.SERVER)
    assert small.guids is not None
    assert large.guids is not None
    assert small.guids.switches.items() <= large.guids.switches.items()
    assert small.guids.adapters.items() <= large.guids.adapters.items()
    assert small.guids.lids.items() <= large.guids.lids.items()
