from __future__ import annotations

import pytest

from fabricgen.platforms.base import PortNaming
from fabricgen.platforms.sonic.ports import port
from tests.platforms.sonic.samples import catalog, switch


def test_whole_cage() -> None:
    assert port(switch(), 3, 0, 1) == PortNaming("Ethernet16", "etp3", tuple(range(16, 24)), 3)


def test_split_cage() -> None:
    # device/mellanox/x86_64-nvidia_sn5600-r0/platform.json: 2x400G of Ethernet16 is Ethernet16 and Ethernet20
    assert port(switch(), 3, 0, 2) == PortNaming("Ethernet16", "etp3a", (16, 17, 18, 19), 3)
    assert port(switch(), 3, 1, 2) == PortNaming("Ethernet20", "etp3b", (20, 21, 22, 23), 3)


def test_lanes_and_index_come_from_the_catalog_not_from_a_formula() -> None:
    # device/micas/x86_64-micas_m2-w6940-64oc-r0/platform.json: Ethernet1 has lanes 41 to 48 and index 0
    assert port(switch("micas-m2-w6940-64oc"), 1, 1, 2) == PortNaming("Ethernet5", "Eth1/2", (45, 46, 47, 48), 0)


@pytest.mark.parametrize(("leg", "legs"), [(2, 2), (-1, 2), (0, 3)])
def test_no_such_leg(leg: int, legs: int) -> None:
    with pytest.raises(ValueError, match="no leg"):
        port(switch(), 1, leg, legs)


def test_no_such_cage() -> None:
    with pytest.raises(IndexError):
        port(switch(), 99, 0, 1)


def test_a_switch_without_sonic() -> None:
    with pytest.raises(ValueError, match="does not know SONiC's port names of qm9700"):
        port(catalog().switches["qm9700"], 1, 0, 1)
