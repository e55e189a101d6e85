"""Ports of a pair of switches: which switch, which cage, and what stays when the fabric grows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricgen import api
from fabricgen.planning.plan import FabricPlan
from fabricgen.topology import Cable, Fabric
from tests.clusters import build

INVENTORY = """\
name: test
servers:
  gpu:
    model: supermicro-sys-821ge-tnhr
    count: {gpus}
    adapters:
      compute: {{adapter: bluefield-3-b3140h, count: {adapters}}}
      in-band: {{adapter: bluefield-3-b3220, count: 1}}
  store:
    model: supermicro-sys-821ge-tnhr
    count: {stores}
    adapters: {{data: {{adapter: bluefield-3-b3220, count: 3}}}}
fabrics:
  converged:
    type: rocev2
    design: switch-pair
    endpoints:
      - {{servers: gpu, adapters: compute, placement: {{{compute}}}}}
      - {{servers: gpu, adapters: in-band, placement: {{{in_band}}}}}
      - {{servers: store, adapters: data, placement: {{{data}}}}}
    leaf: {{model: sn5600, nos: sonic}}
    isl: {{{isl}}}
    cables: {{server: 3m, isl: 2m}}
    addressing: {{links: 10.128.0.0/16}}
"""


def text(gpus: int = 4, adapters: int = 4, stores: int = 2, **places: str) -> str:
    words = {"compute": "", "in_band": "", "data": "", "isl": "speed: 400G", **places}
    return INVENTORY.format(gpus=gpus, adapters=adapters, stores=stores, **words)


def pair(folder: Path, gpus: int = 4, adapters: int = 4, stores: int = 2, **places: str) -> Fabric:
    return build(folder, text(gpus, adapters, stores, **places))[1]


def plan(folder: Path, written: str) -> FabricPlan:
    file = folder / "fabric.yaml"
    file.write_text(written, encoding="utf-8")
    return api.plan(api.load(file)).fabrics[0]


def ends(fabric: Fabric, server: str, switch: str) -> list[tuple[str, str]]:
    """Return the links of a server to a switch, by the switch's ports."""
    cables = [cable for cable in fabric.cables if cable.a.device == server and cable.b.device == switch]
    return [(cable.a.label, cable.b.label) for cable in sorted(cables, key=lambda cable: cable.b.number)]


def isl(fabric: Fabric) -> list[Cable]:
    return [cable for cable in fabric.cables if cable.a.device == "leaf-01"]


def test_ports_go_to_the_two_switches_in_turn(tmp_path: Path) -> None:
    fabric = pair(tmp_path)
    assert ends(fabric, "gpu-002", "leaf-01")[:2] == [("compute1", "2/1"), ("compute3", "2/2")]
    assert ends(fabric, "gpu-002", "leaf-02")[:2] == [("compute2", "2/1"), ("compute4", "2/2")]


def test_an_odd_port_goes_to_the_first_switch(tmp_path: Path) -> None:
    """The same adapters of all servers meet on one switch; the second keeps the seats that it does not need free."""
    fabric = pair(tmp_path, adapters=3)
    assert [label for label, _ in ends(fabric, "gpu-001", "leaf-01")] == ["compute1", "compute3", "in-band1/1"]
    assert ends(fabric, "gpu-002", "leaf-01")[0] == ("compute1", "2/1")
    assert ends(fabric, "gpu-002", "leaf-02")[0] == ("compute2", "1/2")


def test_halves_and_the_order_by_port(tmp_path: Path) -> None:
    fabric = pair(tmp_path, data="sides: halves, order: port, first_cage: 40")
    assert ends(fabric, "store-001", "leaf-01") == [("data1/1", "40/1"), ("data1/2", "40/3"), ("data2/1", "41/1")]
    assert ends(fabric, "store-002", "leaf-02") == [("data2/2", "40/2"), ("data3/1", "40/4"), ("data3/2", "41/2")]


def test_ports_of_one_speed_go_on_in_a_cage_and_others_start_a_new_one(tmp_path: Path) -> None:
    """In-band and data ports share cage 4, whose other ports are theirs too; the inter-switch links follow."""
    fabric = pair(tmp_path, gpus=3)
    assert ends(fabric, "gpu-003", "leaf-01")[-1] == ("in-band1/1", "4/3")
    assert ends(fabric, "store-001", "leaf-01") == [("data1/1", "4/4"), ("data2/1", "5/1"), ("data3/1", "5/2")]
    assert [cable.a.label for cable in isl(fabric)] == ["7/1", "7/2", "8/1", "8/2", "9/1", "9/2"]
    assert all(cable.a.label == cable.b.label for cable in isl(fabric))


def test_ports_per_cage_leaves_the_others_free(tmp_path: Path) -> None:
    fabric = pair(tmp_path, data="ports_per_cage: 1, first_cage: 30")
    used = [port for server in ("store-001", "store-002") for _, port in ends(fabric, server, "leaf-01")]
    assert used == [f"{cage}/1" for cage in range(30, 36)]


def test_what_has_a_cage_stays_there_and_the_rest_flows_around_it(tmp_path: Path) -> None:
    """The data ports follow the in-band ports around the inter-switch links; the compute ports have no wish."""
    fabric = pair(tmp_path, isl="speed: 400G, first_cage: 3", in_band="first_cage: 1")
    cages = {word: {cable.b.cage for cable in fabric.cables if word in cable.a.label} for word in ("data", "compute")}
    assert {cable.a.cage for cable in isl(fabric)} == {3, 4, 5, 6}
    assert cages == {"data": {2, 7}, "compute": {8, 9, 10, 11}}


def test_inter_switch_links_by_ratio_speed_or_number(tmp_path: Path) -> None:
    halved = text().replace("    isl:", "    oversubscription: 2:1\n    isl:")
    assert len(isl(build(tmp_path, halved)[1])) == 4
    assert len(isl(pair(tmp_path, isl="speed: 800G"))) == 4
    assert len(isl(pair(tmp_path, isl="links: 3"))) == 3
    assert len(isl(pair(tmp_path, isl="carries: [compute, in-band], speed: 400G"))) == 8 + 2


@settings(deadline=None, max_examples=25)
@given(
    small=st.integers(1, 8),
    more=st.integers(0, 8),
    order=st.sampled_from(["server", "port"]),
    sides=st.sampled_from(["alternate", "halves"]),
)
def test_growth_within_the_room_moves_nothing(
    tmp_path_factory: pytest.TempPathFactory, small: int, more: int, order: str, sides: str
) -> None:
    room = f"room_for: 16, order: {order}, sides: {sides}"
    found = [
        pair(tmp_path_factory.mktemp("pair"), gpus=count, compute=room, in_band=room) for count in (small, small + more)
    ]
    before, after = (
        {(cable.a.device, cable.a.label, cable.b.device, cable.b.label) for cable in fabric.cables} for fabric in found
    )
    assert before <= after
    assert len(after - before) == more * 6, "four compute ports and two in-band ports for each new server"
    assert found[0].rooms == found[1].rooms


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 12), st.integers(1, 8), st.integers(1, 8))
def test_no_port_is_used_twice_and_numbers_follow_cages(
    tmp_path_factory: pytest.TempPathFactory, gpus: int, adapters: int, stores: int
) -> None:
    fabric = pair(tmp_path_factory.mktemp("pair"), gpus, adapters, stores)
    for switch in fabric.switches:
        ports = [port for port, _ in fabric.ports(switch.name)]
        assert max(Counter(port.number for port in ports).values()) == 1
        assert [port.number for port in ports] == [(port.cage - 1) * 8 + max(port.leg, 1) for port in ports]
        assert len({(port.cage, port.legs, port.speed_gbps) for port in ports}) == len({port.cage for port in ports})


def test_addresses_of_links_and_ports_are_unique(tmp_path: Path) -> None:
    found = plan(tmp_path, text())
    assert found.addresses is not None
    links = [link for link in found.addresses.links if link is not None]
    assert len(links) == len(found.fabric.cables)
    addresses = [address for link in links for address in (link.a, link.b)]
    assert len(set(addresses)) == len(addresses)


def test_all_links_between_the_switches_are_equal_paths(tmp_path: Path) -> None:
    found = plan(tmp_path, text())
    for model in found.models:
        assert model.bgp is not None
        assert model.bgp.maximum_paths == len(model.bgp.neighbors) == 8
        assert len({model.bgp.asn for model in found.models if model.bgp}) == 2, "each has a number of its own"


def test_a_cage_whose_pipeline_has_no_ports_left_is_passed_over(tmp_path: Path) -> None:
    """A DS5000 has ten ports for two cages: with cages 5 and 6 split in eight, their neighbours 8 and 7 stay dark."""
    slow = text(2, adapters=4, stores=12).replace("bluefield-3-b3220, count: 3", "connectx-6-dx-2p100, count: 3")
    _, fabric = build(tmp_path, slow.replace("model: sn5600", "model: celestica-ds5000"))
    cages = sorted({cable.b.cage for cable in fabric.cables if cable.a.label.startswith("data")})
    assert cages == [4, 5, 6, 9, 10], "cage 1, which shares a pipeline with 4, has two ports only"
