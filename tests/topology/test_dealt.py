"""Management ports are dealt to the switches of an out-of-band network in turn."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabricgen import api
from fabricgen.core.diagnostics import FabricgenError
from fabricgen.topology import Fabric
from tests.clusters import build

INVENTORY = """\
name: test
servers:
  gpu: {{model: dgx-h100, count: {gpus}, adapters: {{mgmt: {{adapter: connectx-6-dx-2p100, count: 1}}}}}}
  store: {{model: dgx-h100, count: 2, adapters: {{mgmt: {{adapter: connectx-6-dx-2p100, count: 1}}}}}}
fabrics:
  out-of-band:
    type: ethernet
    design: out-of-band
    endpoints:
      - {{servers: gpu, adapters: mgmt}}
      - {{servers: store, adapters: mgmt, ports: [2]}}
    leaf: {{model: sn3700, name: "oob-{{n:02d}}", {count}}}
    link_speed: 50G
    cables: {{server: 5m}}
"""


def network(folder: Path, gpus: int, count: str = "") -> Fabric:
    return build(folder, INVENTORY.format(gpus=gpus, count=count))[1]


def dealt(fabric: Fabric) -> list[tuple[str, str, str, int]]:
    return [(cable.a.device, cable.a.label, cable.b.device, cable.b.number) for cable in fabric.cables]


def test_each_port_goes_to_the_next_switch(tmp_path: Path) -> None:
    """Entries come in their order, whatever the order of the groups' ports; port 1 of each switch is filled first."""
    assert dealt(network(tmp_path, 2, "count: 4")) == [
        ("gpu-001", "mgmt1/1", "oob-01", 1),
        ("gpu-001", "mgmt1/2", "oob-02", 1),
        ("gpu-002", "mgmt1/1", "oob-03", 1),
        ("gpu-002", "mgmt1/2", "oob-04", 1),
        ("store-001", "mgmt1/2", "oob-01", 2),
        ("store-002", "mgmt1/2", "oob-02", 2),
    ]


def test_as_many_switches_as_the_ports_need(tmp_path: Path) -> None:
    """An SN3700 has 32 cages, each of four 50G ports."""
    assert network(tmp_path, 63).sizing.leaves == 1
    assert network(tmp_path, 64).sizing.leaves == 2
    with pytest.raises(FabricgenError, match="130 ports, and 1 x SN3700 have 128 of 50G"):
        network(tmp_path, 64, "count: 1")


def test_more_servers_at_the_end_move_nothing_with_a_given_count(tmp_path: Path) -> None:
    small, large = (
        dealt(build(tmp_path, INVENTORY.format(gpus=4, count="count: 3").replace("count: 2,", f"count: {stores},"))[1])
        for stores in (2, 9)
    )
    assert large[: len(small)] == small


def test_it_is_cabled_and_billed_and_not_configured(tmp_path: Path) -> None:
    file = tmp_path / "fabric.yaml"
    file.write_text(INVENTORY.format(gpus=2, count=""), encoding="utf-8")
    result = api.build(api.load(file))
    assert not any("/switches/" in path for path in result.files)
    assert result.files["out-of-band/addresses.csv"] == "device,port,address,peer_device,peer_port,asn\n"
    assert str(result.files["out-of-band/cabling.csv"]).count("\n") == 1 + 6
    assert "Configuration: none" in str(result.files["summary.md"])
    api.write(result, tmp_path / "out")
    (unchanged,) = api.changes(result.plans, tmp_path / "out")
    assert unchanged.changes == ()
