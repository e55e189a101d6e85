"""FRR boots the tiny inventory from the emitted frr.conf: sessions come up, and the planned paths are there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fabricgen import api
from fabricgen.device import Role
from tests.clusters import roce
from tests.peer.frr_lab import FrrLab, boot, wait_for

pytestmark = pytest.mark.peer

NUMBERED = roce(4, 2, extra="uplink_speed: 400G\naddressing: {links: 10.1.0.0/20}")


@pytest.fixture(scope="module", params=["unnumbered", "numbered"])
def lab(
    request: pytest.FixtureRequest, inventories: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[FrrLab, api.Plans]]:
    location = inventories / "tiny"
    if request.param == "numbered":
        location = tmp_path_factory.mktemp("numbered") / "fabric.yaml"
        location.write_text(NUMBERED, encoding="utf-8")
    with boot(location) as running:
        yield running


def test_every_session_comes_up(lab: tuple[FrrLab, api.Plans]) -> None:
    running, plans = lab
    for model in plans.fabrics[0].models:
        assert model.bgp is not None
        expected = len(model.bgp.neighbors)
        assert expected > 0
        assert wait_for(lambda name=model.name, number=expected: running.established(name) == number, 60), model.name  # type: ignore[misc]


def test_leaves_reach_each_other_by_every_planned_path(lab: tuple[FrrLab, api.Plans]) -> None:
    running, plans = lab
    (plan,) = plans.fabrics
    assert plan.addresses is not None
    planned = plan.fabric.sizing.uplinks_per_leaf
    leaves = [device.name for device in plan.fabric.of_role(Role.LEAF)]
    for leaf in leaves:
        for other in leaves:
            if leaf == other:
                continue
            for prefix in (f"{plan.addresses.loopbacks[other]}/32", str(plan.addresses.server_blocks[other])):
                assert wait_for(lambda a=leaf, p=prefix: len(running.next_hops(a, p)) == planned, 30), (  # type: ignore[misc]
                    f"{leaf} has {len(running.next_hops(leaf, prefix))} paths to {prefix} of {other}, planned {planned}"
                )


def test_server_links_are_announced_as_their_block_only(lab: tuple[FrrLab, api.Plans]) -> None:
    running, plans = lab
    (plan,) = plans.fabrics
    assert plan.addresses is not None
    routes = running.show("spine-01", "bgp ipv4 unicast")["routes"]
    expected = {f"{address}/32" for address in plan.addresses.loopbacks.values()}
    expected |= {str(block) for block in plan.addresses.server_blocks.values()}
    # all spines share an AS number, so one spine never learns another's loopback
    expected -= {f"{plan.addresses.loopbacks['spine-02']}/32"}
    assert set(routes) == expected


def test_a_failed_link_moves_traffic_to_the_others_and_makes_no_valley(lab: tuple[FrrLab, api.Plans]) -> None:
    running, plans = lab
    (plan,) = plans.fabrics
    assert plan.addresses is not None
    planned = plan.fabric.sizing.uplinks_per_leaf
    prefix = f"{plan.addresses.loopbacks['leaf-02']}/32"
    link = next(link for link in plan.links if link.a.device == "leaf-01" and link.b.device == "spine-01")
    others = [found for found in plan.links if found.b.device == "spine-01" and found.a.device == "leaf-02"]
    try:
        running.set_link("leaf-01", link.a.interface, "down")
        assert wait_for(lambda: len(running.next_hops("leaf-01", prefix)) == planned - 1, 20)
        # spine-01 loses leaf-02 altogether: it must not reach it through leaf-01 and spine-02
        for found in others:
            running.set_link("leaf-02", found.a.interface, "down")
        assert wait_for(lambda: running.next_hops("spine-01", prefix) == [], 20)
        paths = running.show("spine-01", "bgp ipv4 unicast")["routes"].get(prefix, [])
        assert paths == []
    finally:
        running.set_link("leaf-01", link.a.interface, "up")
        for found in others:
            running.set_link("leaf-02", found.a.interface, "up")
    assert wait_for(lambda: len(running.next_hops("leaf-01", prefix)) == planned, 60)
