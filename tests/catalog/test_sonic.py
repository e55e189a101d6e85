"""SONiC's view of a switch: names, lanes and indices of its cages, as its platform files have them."""

from __future__ import annotations

import pytest

from fabricgen.catalog import SonicSupport, breakout_name, load_catalog


def sonic(switch: str) -> SonicSupport:
    found = load_catalog().switches[switch].sonic
    assert found is not None
    return found


def test_lanes_are_those_of_the_platform_file() -> None:
    arista = sonic("arista-7060x6-64pe")
    assert arista.cage(1) == (0, tuple(range(17, 25)))
    assert arista.cage(2) == (8, tuple(range(1, 9)))
    assert arista.cage(64) == (504, tuple(range(497, 505)))
    assert arista.cage(65) == (512, (513,))
    assert arista.cage(66) == (513, (515,))
    assert sonic("sn5600").cage(64) == (504, tuple(range(504, 512)))
    assert sonic("micas-m2-w6940-64oc").cage(1) == (1, tuple(range(41, 49)))


@pytest.mark.parametrize("number", [0, -1, 67])
def test_a_cage_that_does_not_exist_is_an_index_error(number: int) -> None:
    with pytest.raises(IndexError):
        sonic("arista-7060x6-64pe").cage(number)


def test_front_panel_names_follow_the_vendor() -> None:
    assert [sonic("sn5600").alias_of(3, leg, 2) for leg in range(2)] == ["etp3a", "etp3b"]
    assert sonic("sn5600").alias_of(65) == "etp65"
    micas = sonic("micas-m2-w6940-64oc")
    assert micas.alias_of(1) == "Eth1"
    assert [micas.alias_of(1, leg, 4) for leg in range(4)] == ["Eth1/1", "Eth1/2", "Eth1/3", "Eth1/4"]


def test_indices_count_from_the_first_of_the_platform() -> None:
    assert sonic("sn5600").index_of(1) == 1
    assert sonic("micas-m2-w6940-64oc").index_of(1) == 0
    assert sonic("micas-m2-w6940-64oc").index_of(66) == 65


def test_breakouts_are_named_as_modes_begin() -> None:
    assert breakout_name(2, 400) == "2x400G"
